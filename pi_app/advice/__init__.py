"""Questions about a game and the advisers' answers, as values. Searches nothing."""
