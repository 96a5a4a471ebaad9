"""Every text that players read or hear: its message, and its words in a language."""
