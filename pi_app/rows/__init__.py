"""A game's rows and what they fold to, as values. Knows no database."""
