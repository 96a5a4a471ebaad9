"""A module for each kind of screen: what it shows and what each press does on it."""
