"""The session, with all that modes read from it and do to it. Knows no mode."""
