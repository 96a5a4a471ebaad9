"""Stores games: the database of their rows, imported files and backups. It shows nothing."""
