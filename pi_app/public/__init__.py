"""What anybody may be told of a table and its games, in words and numbers. Has no coordinates."""
