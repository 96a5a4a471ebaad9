"""The table: what stands between the rules and the hands, eyes and ears of the players."""

__version__ = "1.0.0"
