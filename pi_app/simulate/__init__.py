"""Replacements for the hardware: clock, buttons, display, and scripts, a player or a page."""
