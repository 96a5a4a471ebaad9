"""What browsers show of a table and its games. Nothing here can press a button."""
