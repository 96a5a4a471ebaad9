"""Tables that are kept in a document of hardware/ between two marks: `<!-- wires -->`."""

import re
from pathlib import Path

from hardware.lists import HERE

README = HERE / "README.md"
STALE = "stale: run pytest --redraw tests/hardware"


def check_table(mark: str, table: str, redraw: bool, document: Path = README) -> None:
    """Compare a table with that of a document; with `redraw`, keep it there instead."""
    text = document.read_text(encoding="utf-8")
    found = re.search(f"<!-- {mark} -->\n(.*?)<!-- /{mark} -->", text, re.DOTALL)
    assert found is not None, f"{document.name} has no marks for {mark}"
    if redraw:
        new = text[: found.start(1)] + table + text[found.end(1) :]
        document.write_text(new, encoding="utf-8", newline="\n")
    else:
        assert found[1] == table, STALE
