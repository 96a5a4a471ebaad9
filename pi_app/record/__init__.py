"""What is kept: the database of a game's rows, and the games in it. Shows nothing."""
