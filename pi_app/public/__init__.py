"""What anyone may know of a table and its games, in words and numbers. Has no coordinates."""
