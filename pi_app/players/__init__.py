"""Values positions and chooses plays. It has no dice, no clock and no part in the table."""
