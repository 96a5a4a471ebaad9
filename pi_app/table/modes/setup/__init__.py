"""Modes in which players choose who plays, and by which rules. The game does not go on here."""
