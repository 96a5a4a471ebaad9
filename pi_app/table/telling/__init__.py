"""The texts about a game or a device, as messages and choices. Knows no session."""
