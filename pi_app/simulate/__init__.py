"""What stands in for hardware: a clock, hands, glass, scripts and a player that presses."""
