"""What the environment asks: CI=1 for no exceptions, SOAK=1 for all, SHORT=1 for a few cases."""

import os
from typing import NoReturn


def asked(name: str) -> bool:
    """Whether a variable of the environment is on: anything but nothing, 0 or false."""
    return os.environ.get(name, "").strip().lower() not in ("", "0", "false")


def can_not_run(reason: str) -> NoReturn:
    """End this test as skipped, with a reason that pytest prints last; as failed in CI."""
    import pytest  # `make club` runs without it

    if asked("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def extent(usual: int, soak: int) -> int:
    """How much of what is long by nature this run does: a part of it, or all by `make soak`."""
    return soak if asked("SOAK") else usual


def in_short(usual: int, short: int) -> int:
    """How many cases a measurement takes: a few with SHORT=1, which shows only that it runs."""
    return short if asked("SHORT") else usual
