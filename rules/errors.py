"""Errors about input: each is one sentence, which stays short however long the input is."""

LONGEST = 400  # characters


def brief(sentence: str) -> str:
    """Return a sentence, without its middle if it is very long."""
    half = LONGEST // 2
    is_long = len(sentence) > LONGEST
    return f"{sentence[:half]} ... {sentence[-half:]}" if is_long else sentence


class InputError(ValueError):
    """Input that can't be used: one brief sentence that says what is wrong and where."""

    def __init__(self, sentence: str) -> None:
        super().__init__(brief(sentence))
