"""Every scenario of tests/rules/scenarios: what the rules answer is what the data files say."""

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import pytest

from rules.actions import Throw, parse_action
from rules.board import SEAT_LETTERS, place_text
from rules.game import Game, IllegalAction, at, new_game, play
from rules.lines.analyse import answer
from rules.position import format_position, parse_position
from rules.questions.explain import what_stops
from rules.questions.reasons import Reason
from rules.ruleset import PRESETS, parse_ruleset
from tests.rules import from_the_texts
from tests.rules.scenarios import (
    FOLDER,
    INDEX,
    SOURCES,
    Scenario,
    answers,
    games,
    index,
    read,
    sentences,
    shown,
    stuck,
)

ASKED = ("ruleset", "position", "seat", "throw", "doublets", "play", "late", "last", "tries")
ANSWERED = ("increments", "steps", "may_stop", "results", "again", "penalty")
THROWN = read(*SOURCES) + answers()
REFUSED = [scenario for scenario in THROWN if "error" in scenario]
ALLOWED = [scenario for scenario in THROWN if "error" not in scenario]
GAMES = games()
EXPLAINED = read("explain")
STUCK = stuck()


def name(scenario: Scenario) -> str:
    return str(scenario["id"])


def request(scenario: Scenario) -> dict[str, Any]:
    return {"seat": 0} | {key: scenario[key] for key in ASKED if key in scenario}


def expected(scenario: Scenario) -> dict[str, Any]:
    """Return what the scenario says of the answer: lists sorted, no penalty as None."""
    told = {key: scenario[key] for key in ANSWERED if key in scenario}
    told |= {key: sorted(told[key]) for key in ("steps", "results") if key in told}
    return told | ({"penalty": None} if told.get("penalty") == "none" else {})


def test_every_edition_has_a_scenario() -> None:
    rulesets = [scenario["ruleset"] for scenario in (*THROWN, *GAMES, *EXPLAINED)]
    assert {ruleset for ruleset in rulesets if isinstance(ruleset, str)} == set(PRESETS)


def answered_otherwise(
    answer: Callable[[dict[str, Any]], dict[str, Any]],
) -> dict[str, dict[str, Any]]:
    """Return by their ids what is answered to scenarios that say something else."""
    assert all(map(expected, ALLOWED))
    given = {
        name(scenario): (answer(request(scenario)), expected(scenario)) for scenario in ALLOWED
    }
    return {
        scenario: said
        for scenario, (said, told) in given.items()
        if {key: said.get(key, said) for key in told} != told
    }


def test_a_throw_allows_what_the_source_says() -> None:
    assert answered_otherwise(answer) == {}


@pytest.mark.slow
def test_the_brute_force_says_so_too() -> None:
    assert answered_otherwise(from_the_texts.answer) == {}


def test_what_can_t_be_asked_is_refused() -> None:
    refusals = [(scenario, answer(request(scenario))["error"]) for scenario in REFUSED]
    assert [
        (name(scenario), refusal)
        for scenario, refusal in refusals
        if any(word not in refusal for word in scenario["error"])
    ] == []


def test_an_illegal_step_is_explained_with_its_source() -> None:
    for scenario in EXPLAINED:
        _, _, why = answer(request(scenario))["error"].partition(" is not legal: ")
        missing = [word for word in scenario["error"] if word not in why]
        has_source = re.search(r"\bS[0-9]+\b", why) or not scenario.get("source", True)
        assert not missing, (name(scenario), why)
        assert has_source, (name(scenario), why)


def test_only_the_last_step_of_an_explained_play_is_illegal() -> None:
    for scenario in EXPLAINED:
        *before, last = scenario["play"]
        if scenario.get("doublets", 0) < 2:
            given = answer(request(scenario) | {"play": before})
            assert last not in given["steps"], name(scenario)


@pytest.mark.parametrize("scenario", STUCK, ids=name)
def test_a_throw_that_moves_nothing_has_a_reason_for_each_increment(scenario: Scenario) -> None:
    game, _ = play(begun(scenario), Throw(tuple(scenario["throw"])))
    given = [f"{spaces}: {told(what_stops(game, spaces))}" for spaces, _ in game.increments]
    assert game.steps == ()
    assert given == scenario["reasons"]


def told(reasons: Iterable[Reason]) -> str:
    """Return different reasons, each with the seat that stands in the way: `BARRED C`."""
    named = ((one.rule.name, "" if one.seat is None else SEAT_LETTERS[one.seat]) for one in reasons)
    return "; ".join(dict.fromkeys(" ".join(filter(None, names)) for names in named))


# --- whole turns -----------------------------------------------------------------------------


class Stage(NamedTuple):
    """A game, and the facts of the last action as text."""

    game: Game
    facts: list[str]


def fact_text(fact: Any) -> str:
    """Return a fact as the data files write it: `Captured 2 47 0`, places in their text form."""
    has_places = type(fact).__name__ in ("Captured", "Penalized", "PutBack")
    words = [type(fact).__name__]
    for field, value in zip(fact._fields, fact, strict=True):
        if isinstance(value, tuple) and not hasattr(value, "_fields"):
            words += map(str, value)
        elif field in ("place", "origin", "target") and has_places:
            words.append("-" if value is None else place_text(value))
        else:
            words.append(str(value))
    return " ".join(words)


def begun(scenario: Scenario) -> Game:
    ruleset = parse_ruleset(scenario["ruleset"])
    if "seats" in scenario:
        return new_game(ruleset, scenario["seats"])
    position = parse_position(scenario["position"], ruleset)
    return at(ruleset, position, scenario.get("seat", 0), scenario.get("doublets", 0))


def acted(game: Game, action: Scenario) -> Stage:
    """Return the stage after an action, which must be refused where the data says so."""
    if "refused" not in action:
        after, facts = play(game, parse_action(action["do"]))
        return Stage(after, [fact_text(fact) for fact in facts])
    with pytest.raises(IllegalAction) as refusal:
        play(game, parse_action(action["do"]))
    assert [word for word in action["refused"] if word not in str(refusal.value)] == []
    return Stage(game, [])


def view(stage: Stage, told: Scenario) -> Scenario:
    """Return what the data tells of a stage, as the game has it."""
    game = stage.game
    seen = {
        "phase": str(game.phase),
        "seat": game.seat,
        "dice": game.dice,
        "position": format_position(game.position),
        "steps": sorted(map(str, game.steps)),
        "may_stop": game.may_stop,
        "facts": [fact for fact in stage.facts if fact in told.get("facts", [])],
    }
    return {key: seen[key] for key in seen if key in told}


def as_told(action: Scenario) -> Scenario:
    kept = {key: value for key, value in action.items() if key not in ("do", "refused")}
    return kept | ({"steps": sorted(kept["steps"])} if "steps" in kept else {})


def test_a_game_goes_as_the_source_says() -> None:
    for scenario in GAMES:
        game, start = begun(scenario), scenario.get("start", {})
        assert view(Stage(game, []), start) == start, name(scenario)
        for action in scenario["actions"]:
            stage = acted(game, action)
            assert view(stage, action) == as_told(action), (name(scenario), action, stage.facts)
            game = stage.game


# --- the files themselves ----------------------------------------------------------------------


def test_every_scenario_has_its_own_id() -> None:
    ids = [name(scenario) for scenario in (*THROWN, *GAMES, *EXPLAINED, *STUCK)]
    assert sorted(ids) == sorted(set(ids))


def test_every_sentence_has_a_scenario_or_is_left_out() -> None:
    left_out = {key for key, entry in sentences().items() if "left_out" in entry}
    assert set(shown()) - set(sentences()) == set(), "in no line of sentences.toml"
    assert set(sentences()) - set(shown()) - left_out == set(), "no scenario names it"
    assert set(shown()) & left_out == set()


def test_every_file_of_scenarios_is_read() -> None:
    others = {"sentences", "turns", "presets", "explain"}  # which have readers of their own
    assert {file.stem for file in FOLDER.glob("*.toml")} == {*SOURCES, *others}


def test_the_index_is_what_the_data_says(redraw: bool) -> None:
    if redraw:
        INDEX.write_text(index(), encoding="utf-8")
    assert INDEX.read_text(encoding="utf-8") == index(), (
        "stale: run pytest --redraw tests/rules/test_scenarios.py"
    )
