"""Questions about a game and the computer players' answers, as values. Searches nothing."""
