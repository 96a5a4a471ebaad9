"""The configuration: a table of its keys, by which it is read, checked and written."""
