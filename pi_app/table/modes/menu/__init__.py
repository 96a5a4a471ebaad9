"""The menu and what its lists have in common. Knows no entry."""
