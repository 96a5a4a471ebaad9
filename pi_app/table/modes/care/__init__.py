"""Modes that correct the game, end it, switch off or test the referee. Nobody throws here."""
