"""What is built from: lists, and the wiring, enclosure and sheets made from them; no part of the program."""
