"""Modes of a game: throws, choices, hints and its end."""
