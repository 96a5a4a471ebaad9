"""The values that rooms hand to each other: events, screens, rows, questions to the bots."""
