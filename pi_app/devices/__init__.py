"""The hardware, one library to a module, and the outputs that drive it. Decides nothing."""
