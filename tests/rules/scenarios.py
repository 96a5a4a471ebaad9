"""The scenario files read whole, and their index; keeps out judging what the rules answer."""

import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "scenarios"
INDEX = FOLDER / "INDEX.md"
SOURCES = ("s0", "s1", "s2", "s2_chart", "s3", "s4", "relatives", "options")

Scenario = dict[str, Any]

HEAD = """# Which sentence has which scenario

Written from the data files beside it by `pytest --redraw tests/rules/test_scenarios.py`.
Sentences are told in our own words. "1.2" is the second sentence of a heading's first paragraph.

A scenario in s0.toml to s4.toml, relatives.toml and options.toml asks as a line of the analysis
protocol does (seat 0 where it names none) and tells the part of the answer that makes its point;
`shows` says which, and `error` holds words of a refusal. S2's chart is s2_chart.toml, whole turns
are in turns.toml. presets.toml puts one question to every preset, explain.toml holds what is not
legal and words of the reason.
"""


def read(*names: str) -> list[Scenario]:
    """Return the scenarios of these files, in order."""
    return [scenario for name in names for scenario in _toml(name)["scenario"]]


def answers() -> list[Scenario]:
    """Return what each preset answers to each question, as a scenario of its own."""
    return [
        question | answer | {"id": f"{question['id']}--{preset}", "ruleset": preset}
        for question in _toml("presets")["question"]
        for answer in question["answer"]
        for preset in answer["presets"]
    ]


def games() -> list[Scenario]:
    """Return the games, one for each rule set where a game names several."""
    return [
        game | {"id": f"{game['id']}--{ruleset}", "ruleset": ruleset}
        for game in _toml("turns")["game"]
        if "rulesets" in game
        for ruleset in game["rulesets"]
    ] + [game for game in _toml("turns")["game"] if "ruleset" in game]


def stuck() -> list[Scenario]:
    """Return the throws that move nothing, with the reason for each increment."""
    scenarios: list[Scenario] = _toml("explain")["nothing"]
    return scenarios


def sentences() -> dict[str, dict[str, str]]:
    """Return each rule-stating sentence by its key: what it says, and why it was left out if so."""
    return {
        f"{heading} {number}": {"says": entry} if isinstance(entry, str) else entry
        for heading, entries in _toml("sentences").items()
        for number, entry in entries.items()
    }


def shown() -> dict[str, list[str]]:
    """Return the ids of the scenarios that show each sentence."""
    ids: dict[str, list[str]] = defaultdict(list)
    for scenario in (*read(*SOURCES), *_toml("turns")["game"]):
        named = scenario["sentence"]
        for key in [named] if isinstance(named, str) else named:
            ids[key].append(scenario["id"])
    return ids


def index() -> str:
    """Return the text of INDEX.md as the data has it."""
    return HEAD + "".join(f"{line}\n" for line in _index_lines())


def _index_lines() -> Iterator[str]:
    ids, source = shown(), ""
    for key, entry in sentences().items():
        if key.partition(" ")[0] != source:
            source = key.partition(" ")[0]
            yield from ("", f"## {source}", "", "| sentence | says | scenarios |", "|---|---|---|")
        reason = entry.get("left_out")
        what = f"not built ({reason})" if reason else ", ".join(ids[key])
        yield f"| {key.partition(' ')[2]} | {entry['says']} | {what} |"


def _toml(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
