"""`make soak ONLY=floors`: the screens drawn with the oldest compiled libraries of the table."""

import re
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LOCKED = dict(re.findall(r"^(\S+)==(\S+) ", (HERE / "requirements.lock").read_text(), re.MULTILINE))
DRAWN = [
    "tests/pi_app/display",
    "tests/pi_app/table/test_screens.py",
    "tests/pi_app/devices",
    "tests/pi_app/runtime",
]


def main() -> None:
    """Run the tests of all that is drawn, if the floors are what is imported."""
    found = {name: version(name) for name in LOCKED}
    if found != LOCKED:
        raise SystemExit(f"these are not the floors but {found}: run `make soak ONLY=floors`")
    print(", ".join(f"{name} {number}" for name, number in found.items()), flush=True)
    sys.exit(pytest.main(["--quiet", "--numprocesses", "0", *DRAWN]))


if __name__ == "__main__":
    main()
