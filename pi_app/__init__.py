"""The table: what stands between the rules and the hands, eyes and ears of the players."""

__version__ = "0.2.0"
