"""Turns a screen's value into pixels. It does not know the game, or the display's hardware."""
