"""How the plays of a throw are found."""
