"""What is asked about a game and what the players answer, as values. Searches nothing."""
