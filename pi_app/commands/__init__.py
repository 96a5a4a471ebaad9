"""A module for each command of `referee`: its options, and what it does with them."""


class UsageError(Exception):
    """Options that don't go together, or a file that can't be read."""
