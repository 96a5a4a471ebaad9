"""What there is to tell of a game or a device, as messages and choices. Knows no session."""
