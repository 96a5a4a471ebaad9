"""What browsers are shown of a table and of its games. Nothing here can press a button."""
