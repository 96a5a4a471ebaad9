"""What stands in for hardware: clock, hands, glass, scripts, a player that presses, the page."""
