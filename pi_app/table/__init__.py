"""What the table decides, in frozen values. No clock, no chance, no file, no device, no pixel."""
