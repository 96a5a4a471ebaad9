"""Modes in which players choose who plays, by which rules and how. No game moves here."""
