"""What outlasts a game: settings, house rules, players, the evening. Asks nobody."""
