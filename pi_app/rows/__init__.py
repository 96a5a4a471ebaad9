"""A game's rows and the record that they add up to, as values. Knows no database."""
