"""What a position is worth and which play is best by it; keeps out dice, clocks and the table."""
