"""Lists of what is built, and the wiring, enclosure and sheets made from them; not the program."""
