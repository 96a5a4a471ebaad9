"""The proof of a real referee: steps in a terminal, which end in one file without names."""
