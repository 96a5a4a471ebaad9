"""The page: the table in a browser. Nothing outside it knows that it is there but its command."""
