"""How many distinct results each throw has in a fixed set of positions, kept in `counts/`.

The numbers in the files are the brute force's; `pytest --redraw` draws and counts what has no file.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import rules
from tests.asked import extent
from tests.rules import draw
from tests.rules.from_the_texts import PRESETS, TooManyError, answer, options_of

COUNTS = Path(__file__).parent / "counts"
LIMIT = 4000  # points in plays, so that drawing anew ends within some minutes

RULESETS: dict[str, str | dict[str, Any]] = {
    **{preset: preset for preset in PRESETS},
    "house-corner-64": {"preset": "findler", "layout": "corner-64", "doublet_spaces": "four"},
    "house-tip-entry": {
        "preset": "mb-india",
        "layout": "tip-entry",
        "touch_down": True,
        "stop_behind_blockade": True,
        "undersides_enter": True,
    },
    "house-pachisi": {
        "preset": "sca",
        "layout": "pachisi",
        "second_circuit": True,
        "overtaking_captures": True,
        "usage": "maximal-higher",
    },
}


def throw_text(throw: list[int]) -> str:
    return "-".join(str(die) for die in throw)


def requests(ruleset: str | dict[str, Any], position: str, seat: int) -> dict[str, Any]:
    """A request for each throw, by the throw's text."""
    return {
        throw_text(throw): {
            "ruleset": ruleset,
            "position": position,
            "seat": seat,
            "throw": throw,
        }
        for throw in draw.throws(options_of(ruleset))
    }


def counted(name: str) -> list[dict[str, Any]]:
    """Two drawn positions of each kind, with the brute force's count for each throw."""
    rng, ruleset, lines = random.Random(name), RULESETS[name], []
    for kind in [*draw.KINDS, *draw.KINDS]:
        while True:
            position, seat = draw.position(rng, options_of(ruleset), kind)
            asked = requests(ruleset, position, seat)
            try:
                results = {
                    throw: len(answer(request, LIMIT)["results"])
                    for throw, request in asked.items()
                }
            except TooManyError:
                continue
            lines.append({"position": position, "seat": seat, "results": results})
            break
    return lines


def written(ruleset: str | dict[str, Any], lines: list[dict[str, Any]]) -> str:
    """The file's text: JSON with one position a line."""
    positions = ",\n".join(f"  {json.dumps(line)}" for line in lines)
    return f'{{"ruleset": {json.dumps(ruleset)},\n "positions": [\n{positions}\n]}}\n'


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("name", RULESETS)
def test_each_throw_has_as_many_results_as_counted(name: str, redraw: bool) -> None:
    file = COUNTS / f"{name}.json"
    if redraw and not file.exists():
        file.write_text(written(RULESETS[name], counted(name)))
    kept = json.loads(file.read_text())
    lines = kept["positions"][:: extent(4, soak=1)]
    lots = [requests(kept["ruleset"], line["position"], line["seat"]) for line in lines]
    counts = [
        {throw: len(rules.answer(request)["results"]) for throw, request in lot.items()}
        for lot in lots
    ]
    assert counts == [line["results"] for line in lines]


def test_there_is_a_file_for_each_rule_set_and_no_other() -> None:
    files = {file.stem: json.loads(file.read_text())["ruleset"] for file in COUNTS.iterdir()}
    assert files == RULESETS
