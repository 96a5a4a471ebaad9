"""The base class of all errors that end a command with a sentence. Prints nothing."""


class UserError(Exception):
    """What a person is told, in one sentence: what was wrong, where, and what to do next."""
