"""Modes that bring board and table back in step, and end things. No throw is made here."""
