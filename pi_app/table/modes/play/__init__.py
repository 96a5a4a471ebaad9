"""Modes of a game going on: throwing, choosing, hints, its end. Sets nothing up."""
