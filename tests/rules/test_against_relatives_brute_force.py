"""The package's answers and whole games of the relatives against their brute force."""

import json
import random
from typing import Any

import pytest

import rules
from tests.asked import extent
from tests.rules import compare, relatives_draw
from tests.rules.brute_force import (
    ROW,
    Options,
    TooManyError,
    answer_after,
    place_of,
    position_text,
)
from tests.rules.relatives_brute_force import (
    PRESETS,
    RELATIVES,
    RelativesBoard,
    RelativesPlays,
    RelativesTurn,
    answer,
    impossible,
    is_valid,
    options_of,
)
from tests.rules.relatives_game import SlowGame, first_seat, line, opening

pytestmark = [pytest.mark.slow, pytest.mark.soak]

LIMIT = 800  # plays
Request = dict[str, Any]


def drawn(rng: random.Random, rulesets: list[Any]) -> compare.Case:
    """A request under one of the rule sets, None being house rules drawn anew."""
    while True:
        ruleset = rng.choice(rulesets) or relatives_draw.house_rules(rng)
        request = relatives_draw.request(rng, ruleset)
        try:
            return compare.Case(request, answer(request, LIMIT))
        except TooManyError:
            continue


def under_way(rng: random.Random, case: compare.Case) -> compare.Case:
    """The same request some legal steps into a play."""
    request, brute = case
    made: list[str] = []
    if brute["penalty"] is None:
        plays = RelativesPlays(RelativesTurn(request))
        while brute["steps"] and rng.random() < 0.7:
            made.append(rng.choice(brute["steps"]))
            brute = answer_after(plays, made)
    return compare.Case(request | {"play": made}, brute) if made else case


def differences(cases: list[compare.Case]) -> list[str]:
    return [str(difference) for difference in compare.differing(cases)]


@pytest.mark.parametrize("preset", RELATIVES)
def test_a_relative_answers_as_the_brute_force_does(preset: str) -> None:
    rng = random.Random(preset)
    assert differences([drawn(rng, [preset]) for _ in range(extent(300, soak=10_000))]) == []


def test_each_option_of_the_relatives_answers_as_the_brute_force_does() -> None:
    rng, cases = random.Random("singles"), list[compare.Case]()
    for ruleset in relatives_draw.single_changes():
        cases += [drawn(rng, [ruleset]) for _ in range(extent(3, soak=50))]
    assert differences(cases) == []


def test_drawn_house_rules_answer_as_the_brute_force_does() -> None:
    rng = random.Random("house rules")
    assert differences([drawn(rng, [None]) for _ in range(extent(200, soak=5000))]) == []


def test_a_play_under_way_is_answered_as_the_brute_force_does() -> None:
    rng, every = random.Random("under way"), [*RELATIVES, None]
    cases = [under_way(rng, drawn(rng, every)) for _ in range(extent(200, soak=5000))]
    assert differences(cases) == []


def test_a_step_that_the_brute_force_does_not_list_is_refused() -> None:
    rng, refused = random.Random("refused"), list[Request]()
    while len(refused) < extent(100, soak=4000):
        request, brute = drawn(rng, [*RELATIVES, None])
        throw = relatives_draw.throw(rng, options_of(request["ruleset"]))
        other = request | {"throw": throw, "doublets": 0}
        wrong = set(answer(other, limit=5 * LIMIT)["steps"]) - set(brute["steps"])
        refused += [request | {"play": [step]} for step in sorted(wrong)[:5]]
    answers = compare.analysed(refused)
    assert [found for found in answers if list(found) != ["error"]] == []


# Refusals --------------------------------------------------------------------------------------


def is_refused(ruleset: Options) -> bool:
    try:
        rules.parse_ruleset(ruleset)
    except rules.RuleSetError:
        return True
    return False


def test_the_presets_are_those_of_the_text() -> None:
    for preset in RELATIVES:
        for name, value in options_of(preset).items():
            changed = {"preset": preset, name: value}
            assert rules.parse_ruleset(changed) == rules.PRESETS[preset], (preset, name)


def test_the_combinations_refused_are_those_of_the_text() -> None:
    rng = random.Random("combinations")
    drawn_options = [relatives_draw.any_options(rng) for _ in range(extent(2000, soak=50_000))]
    assert [
        ruleset
        for ruleset in drawn_options
        if is_refused(ruleset) != impossible(options_of(ruleset))
    ] == []


def anyhow(rng: random.Random, options: Options) -> str:
    """Pawns put down wherever the board or another one has places, mostly near one another."""
    board = RelativesBoard(options)
    first = rng.randrange(board.ring)
    pools = relatives_draw.Pools(board, rng)
    pawns: dict[int, list[int]] = {}
    for seat in range(4):
        near = pools.steps_on(seat, {first, (first + 1) % board.ring, *sorted(board.safe)[:3]})
        odd = [[place_of(text)] for text in ("H", "r5", "r6", "r7", "o1", "67", "51")]
        near = near or pools.row  # a seat has no places between its tip and its entry
        kinds = [near, near, near, [place_of("N")], pools.row, rng.choice(odd)]
        pawns[seat] = [rng.choice(rng.choice(kinds)) for _ in range(4)]
    if rng.random() < 0.3:
        del pawns[rng.randrange(4)]
    return position_text(board, tuple(tuple(pawns.get(seat, ())) for seat in range(4)))


def test_the_positions_refused_are_those_of_the_text() -> None:
    rng, wrong = random.Random("positions"), list[Any]()
    for _ in range(extent(1000, soak=20_000)):
        ruleset = rng.choice([*RELATIVES, None]) or relatives_draw.house_rules(rng)
        options = options_of(ruleset)
        position = anyhow(rng, options)
        seats = position.split("/")
        playing = [seat for seat, pawns in enumerate(seats) if set(pawns) & set("Nro0123456789")]
        if playing and not any(map(has_finished, seats)):
            request = {"ruleset": ruleset, "position": position, "seat": playing[0]}
            throw = relatives_draw.throw(rng, options)
            found = rules.answer(request | {"throw": throw, "results": False})
            if ("error" in found) == is_valid(options, position):
                wrong.append((request, found))
    assert wrong == []


def has_finished(pawns: str) -> bool:
    return pawns == "H,H,H,H" or all(pawn[0] == "r" for pawn in pawns.split(","))


@pytest.mark.parametrize("key", [{"late": [[0, 1]]}, {"last": "12"}, {"tries": 1}], ids=str)
def test_what_a_rule_set_does_not_ask_for_is_an_unknown_key(key: dict[str, Any]) -> None:
    request = {"ruleset": "ludo-uk", "position": "12,N,N,N/-/N,N,N,N/-", "seat": 0, "throw": [3]}
    assert list(rules.answer(request)) != ["error"]
    assert list(rules.answer(request | key)) == ["error"]


# Whole games -----------------------------------------------------------------------------------


def core_line(game: rules.Game) -> dict[str, Any]:
    """What `line` gives of the slow game, of the package's game."""
    text = json.loads(rules.game_text(game))
    own = text["position"].split("/")[game.seat].split(",")
    on_ring = any(pawn.isdigit() for pawn in own)
    last = text.get("last")
    return {
        "position": text["position"],
        "seat": text["seat"],
        "doublets": min(text.get("doublets", 0), 2),
        "tries": 0 if on_ring else text.get("tries", 0),
        "last": None if last is None or place_of(last) > ROW else last,
        "late": sorted(text.get("late", [])),
        "over": game.phase is rules.Phase.OVER,
        "places": list(game.places),
    }


class Pair:
    """The package's game and the slow one, played by the same actions, with the record of both."""

    def __init__(self, preset: str, seats: list[int], rng: random.Random) -> None:
        self.rng, self.options = rng, options_of(preset)
        first = {"format": "pachisi-record", "version": 1, "ruleset": preset, "seats": seats}
        self.record = [json.dumps(first)]
        self.core = rules.new_game(rules.PRESETS[preset], seats)
        begun = self.begin(seats)
        self.slow = SlowGame(preset, opening(self.options, seats), begun)

    def begin(self, seats: list[int]) -> int:
        """Throw for who begins; both must find the same seat."""
        throws: list[list[int]] = []
        while self.core.phase is rules.Phase.ORDER:
            assert first_seat(self.options, seats, throws) is None
            throws.append(relatives_draw.throw_by_chance(self.rng, self.options))
            self.act(rules.Throw(tuple(throws[-1])), opening(self.options, seats))
        begun = first_seat(self.options, seats, throws)
        assert begun == self.core.seat
        return begun

    def act(self, action: rules.Action, position: str) -> None:
        self.core, _ = rules.play(self.core, action)
        assert rules.format_position(self.core.position) == position
        entry = {"action": str(action), "position": position, "source": "kernel"}
        self.record.append(json.dumps(entry))
        assert rules.parse_game(rules.game_text(self.core)) == self.core

    def turn(self) -> None:
        """One throw with its play or penalty, offered and judged alike after each action."""
        slow = self.slow
        assert core_line(self.core) == line(slow)
        slow.throw(relatives_draw.throw_by_chance(self.rng, self.options))
        thrown = slow.thrown
        assert thrown is not None
        self.act(rules.Throw(tuple(thrown)), slow.position)
        while slow.thrown is thrown:
            steps = slow.steps()
            assert (sorted(map(str, self.core.steps)), self.core.may_stop) == (
                steps,
                slow.may_stop(),
            )
            if steps and not (slow.may_stop() and self.rng.random() < 0.05):
                step = self.rng.choice(steps)
                slow.step(step)
                self.act(rules.Move(rules.parse_step(step)), slow.shown())
            else:
                slow.stop()
                self.act(rules.Stop(), slow.position)


@pytest.mark.parametrize("preset", RELATIVES)
def test_a_whole_game_goes_as_the_slow_one_does(preset: str) -> None:
    for seed in range(extent(1, soak=12)):
        rng = random.Random(f"{preset} {seed}")
        count = 4 if options_of(preset)["partners"] else rng.choice((2, 3, 4))
        pair = Pair(preset, sorted(rng.sample(range(4), count)), rng)
        while not pair.slow.over:
            pair.turn()
        assert pair.core.phase is rules.Phase.OVER
        assert list(pair.core.places) == pair.slow.places
        assert rules.judge(pair.record) == {
            "actions": len(pair.record) - 1,
            "position": pair.slow.position,
            "over": True,
            "places": pair.slow.places,
        }


def test_every_preset_of_the_text_is_one_of_the_package() -> None:
    assert rules.PRESETS.keys() >= PRESETS.keys()
