"""The hardware, with at most one library per module. It decides nothing."""
