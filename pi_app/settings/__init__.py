"""What outlasts a game: settings, house rules, players, the evening, an address. No menu."""
