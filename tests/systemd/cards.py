"""Cards for the tests: what a card has on it, what was chosen, and what must come of it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from systemd.card.card import Options, Release

CASES: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("card_cases.json").read_text(encoding="utf-8")
)
NAMES = [case["case"] for case in CASES]
RELEASE = Release("1.2.3", b"!<arch>\n\x00\xff" * 1000, 1_764_000_000, ("en", "de", "fr"))


def make_card(folder: Path, case: Mapping[str, Any]) -> Path:
    """Write a case's card into a folder, and return the folder."""
    for name, text in case["card"].items():
        (folder / name).write_bytes(text.encode())
    return folder


def options_of(case: Mapping[str, Any]) -> Options:
    return Options(**case["options"])


def read_card(folder: Path) -> dict[str, bytes]:
    """Return each file of a card, by its path within the card."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
