"""The session, and what all modes ask and do of it. Knows no mode."""
