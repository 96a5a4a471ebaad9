"""The base class of all errors that end a command with a sentence. It prints nothing."""


class UserError(Exception):
    """An error for the user. Its sentence names the mistake, the place and what to do next."""
