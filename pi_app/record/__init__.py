"""What is kept: a game's rows, where they fold to, and their database. Shows nothing."""
