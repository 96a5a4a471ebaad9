"""The base of all errors that end a command: a sentence for whoever called it. Prints nothing."""


class ToldError(Exception):
    """What a person is told, in one sentence: what was wrong, where, and what to do next."""
