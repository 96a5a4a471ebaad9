"""Tables that are kept in the README of hardware/ between two marks: `<!-- wires -->`."""

import re

from hardware.lists import HERE

README = HERE / "README.md"
STALE = "stale: run pytest --redraw tests/hardware"


def check_table(mark: str, table: str, redraw: bool) -> None:
    """Compare a table with that of the README; with `redraw`, keep it in the README instead."""
    text = README.read_text(encoding="utf-8")
    found = re.search(f"<!-- {mark} -->\n(.*?)<!-- /{mark} -->", text, re.DOTALL)
    assert found is not None, f"the README has no marks for {mark}"
    if redraw:
        new = text[: found.start(1)] + table + text[found.end(1) :]
        README.write_text(new, encoding="utf-8", newline="\n")
    else:
        assert found[1] == table, STALE
