"""Carries out what the table decides, and reads what people do. Decides nothing of the game."""
