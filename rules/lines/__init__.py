"""Games as text, written and read."""
