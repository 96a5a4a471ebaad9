"""The package's answers and whole games against a brute force that knows only the texts."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest

import rules
from tests.asked import asked, extent
from tests.rules import draw
from tests.rules.from_the_texts import (
    NEST,
    OPTIONS,
    PRESETS,
    Board,
    Options,
    Request,
    Throw,
    TooManyError,
    is_refused,
    is_valid,
    options_of,
    position_of,
    position_text,
)
from tests.rules.game_from_the_texts import Game, first_seat, opening

pytestmark = [pytest.mark.slow, pytest.mark.soak]

Difference = tuple[Request, dict[str, Any], dict[str, Any]]

# The editions, those with the same rules once.
DIFFERENT = [one for one in PRESETS if one != "sr-1989"]
# Where pawns turn, are sent back, jump from stars or capture by passing: plays are short.
WALKED = ("petits-chevaux", "ludo-dk", "ludo-ch")
# What no throw asks for; whole games do.
UNASKED = {"travel", "starter", "turn_order", "start_out", "blockade_limit"}
LIMIT = 800  # points in plays; few throws have more
HOUSES: dict[str, Options] = {
    "at-end, four always": {"preset": "findler", "doublet_spaces": "four"},
    "exhausted, whole grants, again if all used": {
        "preset": "findler",
        "doublet_whole": True,
        "again": "if-all-used",
    },
    "touch-down with four increments behind blockades": {
        "preset": "pb",
        "doublet_spaces": "four",
        "stop_behind_blockade": True,
        "capture_bonus": 20,
        "finish_bonus": 10,
    },
    "overtaking on a tip-entry board": {
        "preset": "royal-2023",
        "layout": "tip-entry",
        "overtaking_captures": True,
    },
    "second circuit on a pachisi board": {
        "preset": "sr-1942",
        "layout": "pachisi",
        "second_circuit": True,
    },
    "any number of parts at-end": {"preset": "tr-1938", "pair_rule": "at-end", "finish_bonus": 10},
    "fives of a grant neither kept back nor required": {
        "preset": "tr-1960",
        "entry_required": False,
        "entry_number_reserved": False,
    },
    "a sum that every face and its underside make": {
        "preset": "mb-india",
        "entry_number": 7,
        "entry_by": "sum",
        "usage": "exhaust",
    },
    "a sum that two dice alike make": {
        "preset": "pb",
        "entry_number": 6,
        "doublet_spaces": "four",
        "entry_required": True,
    },
    "totals that read like bonuses": {
        "preset": "mb-total",
        "entry_number": 12,
        "finish_bonus": 10,
        "usage": "maximal",
    },
}
# What families ask for, by option: the values that an edition gets.
ASKED_FOR: dict[str, list[tuple[str, Any]]] = {
    "to_win": [("to_win", 1), ("to_win", 2), ("to_win", 3)],
    "dice": [("dice", 2)],
    "undo-turn": [("third_doublet", "undo-turn")],
    "partners": [("partners", True)],
    "must_capture": [("must_capture", True)],
    "pairs_on": [("pairs_on", "safety"), ("pairs_on", "own-entry")],
    "overshoot": [("overshoot", "back"), ("overshoot", "over"), ("overshoot", "stop")],
    "twelve-when-entered": [("doublet_spaces", "twelve-when-entered")],
    "entry_pairs": [("entry_pairs", "give-way")],
}


def drawn(rng: random.Random, ruleset: str | Options | None = None) -> tuple[Request, Throw]:
    """A request with all its plays; under house rules drawn anew where no rule set is given."""
    while True:
        request = draw.request(rng, draw.house_rules(rng) if ruleset is None else ruleset)
        try:
            return request, Throw(request, LIMIT)
        except TooManyError:
            continue


def differing(request: Request, found: dict[str, Any]) -> list[Difference]:
    """The request with both answers, if they differ."""
    ours = rules.answer(request)
    return [] if ours == found else [(request, ours, found)]


def differences(rng: random.Random, count: int, ruleset: str | Options | None) -> list[Difference]:
    cases = (drawn(rng, ruleset) for _ in range(count))
    return [found for request, throw in cases for found in differing(request, throw.answer())]


@pytest.mark.parametrize("preset", DIFFERENT)
def test_an_edition_answers_as_its_text_does(preset: str) -> None:
    whole = 2000 if options_of(preset)["dice"] == 1 else 300  # two dice have far more plays
    count = {"tr-1938": 10, **dict.fromkeys(WALKED, 150)}.get(preset, 30)
    assert differences(random.Random(preset), extent(count, soak=whole), preset) == []


@pytest.mark.parametrize("house", HOUSES)
def test_chosen_house_rules_answer_as_the_texts_do(house: str) -> None:
    assert not is_refused(options_of(HOUSES[house]))
    assert differences(random.Random(house), extent(10, soak=200), HOUSES[house]) == []


def test_each_option_of_each_edition_answers_as_the_texts_do() -> None:
    """In `make test` every eighth."""
    rng = random.Random("singles")
    changes = [one for one in draw.single_changes() if not one.keys() & UNASKED]
    changes = [one for one in changes if one["preset"] in DIFFERENT and not asked_for(one)]
    changes = changes[:: extent(8, soak=1)]
    found = (differences(rng, 1, ruleset) for ruleset in changes)
    assert list(filter(None, found)) == []


def asked_for(change: Options) -> list[str]:
    """The options of families that the change of a preset sets."""
    return [option for option in ASKED_FOR if not change.items().isdisjoint(ASKED_FOR[option])]


@pytest.mark.parametrize("option", ASKED_FOR)
def test_an_option_that_families_ask_for_is_answered_as_its_text_does(option: str) -> None:
    rng = random.Random(option)
    changes = [one for one in draw.single_changes() if option in asked_for(one)]
    rulesets = rng.choices(changes, k=extent(6, soak=100))
    assert [found for one in rulesets for found in differences(rng, 1, one)] == []


def mixed(rng: random.Random) -> Options:
    """Two to four such values, now and then with other options too."""
    values = [value for option in ASKED_FOR for value in ASKED_FOR[option]]
    while True:
        chosen = dict(rng.sample(values, rng.choice((2, 3, 4))))
        others = draw.any_options(rng) if rng.random() < 0.3 else {}
        ruleset = {**others, "preset": rng.choice(DIFFERENT), **chosen}
        if not is_refused(options_of(ruleset)):
            return ruleset


def test_what_families_ask_for_is_answered_together_as_the_texts_do() -> None:
    rng = random.Random("mixed")
    count = extent(100, soak=1000)
    assert [d for _ in range(count) for d in differences(rng, 1, mixed(rng))] == []


@pytest.mark.parametrize("value", draw.BY_ITS_NEEDS)
def test_a_value_with_what_it_needs_is_answered_as_its_text_does(value: str) -> None:
    """Alone, and with other options changed too."""
    rng = random.Random(value)
    rulesets = [
        draw.by_its_needs(rng, value, others=number % 2 == 1)
        for number in range(extent(20, soak=200))
    ]
    assert [found for one in rulesets for found in differences(rng, 1, one)] == []


def test_drawn_house_rules_answer_as_the_texts_do() -> None:
    assert differences(random.Random("house rules"), extent(100, soak=1000), None) == []


def test_a_play_under_way_is_answered_as_the_texts_do() -> None:
    rng, found = random.Random("under way"), list[Difference]()
    for number in range(extent(75, soak=750)):
        request, throw = drawn(rng, rng.choice(list(PRESETS)) if number % 2 else None)
        made: list[str] = []
        while throw.penalty is None and (steps := throw.answer(made)["steps"]):
            made.append(rng.choice(steps))
            found += differing(request | {"play": made}, throw.answer(made))
    assert found == []


def test_a_step_that_the_texts_do_not_allow_is_refused() -> None:
    """Such a step is one that another throw would allow."""
    rng, refused = random.Random("refused"), list[Request]()
    while len(refused) < extent(100, soak=1000):
        request, throw = drawn(rng, rng.choice([*PRESETS, None]))
        dice = draw.throw(rng, throw.options)
        other = rules.answer(request | {"throw": dice, "doublets": 0, "results": False})
        wrong = {*other.get("steps", ())} - {*throw.answer()["steps"]}
        refused += [request | {"play": [step]} for step in sorted(wrong)[:5]]
    assert [one for one in refused if list(rules.answer(one)) != ["error"]] == []


# Refusals --------------------------------------------------------------------------------------


def package_refuses(ruleset: Options) -> bool:
    try:
        rules.parse_ruleset(ruleset)
    except rules.RuleSetError:
        return True
    return False


def test_the_editions_are_those_of_the_texts() -> None:
    assert list(PRESETS) == list(rules.PRESETS)
    for preset, options in PRESETS.items():
        for name, value in options.items():
            changed = {"preset": preset, name: value}
            assert rules.parse_ruleset(changed) == rules.PRESETS[preset], (preset, name)


def test_the_combinations_refused_are_those_of_the_texts() -> None:
    rng = random.Random("combinations")
    rulesets = [draw.any_options(rng) for _ in range(extent(3000, soak=10_000))]
    assert [r for r in rulesets if package_refuses(r) != is_refused(options_of(r))] == []


def anyhow(rng: random.Random, options: Options) -> str:
    """Pawns put down wherever the board has places, mostly near one another.

    In one case of five a seat's first pawn stands on a place that not all boards have.
    """
    board = Board(options)
    pools, first = draw.Pools(board, rng), rng.randrange(board.ring)
    near = {first, (first + 1) % board.ring, *sorted(board.safe)[:3]}
    pawns: list[list[int]] = []
    for seat in range(4):
        kinds = [pools.steps_on(seat, near) or pools.row] * 3 + [[NEST], pools.row, pools.end]
        pawns.append([rng.choice(rng.choice(kinds)) for _ in range(4)])
    pawns[rng.randrange(4)] *= rng.random() < 0.7
    seats = position_text(board, pawns).split("/")
    if rng.random() < 0.2:
        odd = rng.choice(("H", "r4", "r5", "r6", "r7", "r8", "o1", "o8", "68", "65", "60", "51"))
        seats[rng.randrange(4)] = f"{odd},N,N,N"
    return "/".join(seats)


def test_the_positions_refused_are_those_of_the_texts() -> None:
    rng, wrong = random.Random("positions"), list[Any]()
    for _ in range(extent(1500, soak=5000)):
        ruleset = rng.choice([*PRESETS, None]) or draw.house_rules(rng)
        options = options_of(ruleset)
        position = anyhow(rng, options)
        seats = position.split("/")
        playing = [seat for seat, pawns in enumerate(seats) if is_playing(options, pawns)]
        if playing:
            request = {"ruleset": ruleset, "position": position, "seat": playing[0]}
            found = rules.answer(request | {"throw": draw.throw(rng, options), "results": False})
            if ("error" in found) == is_valid(options, position):
                wrong.append((request, found))
    assert wrong == []


def is_playing(options: Options, pawns: str) -> bool:
    """Whether a seat is taken and has not just as many pawns home as win."""
    home = "r" if Board(options).is_goal else "H"
    count = sum(pawn.startswith(home) for pawn in pawns.split(","))
    return pawns != "-" and count != options["to_win"]


@pytest.mark.parametrize(
    "key",
    [{"late": [[0, 1]]}, {"last": "12"}, {"tries": 1}, {"began": "9,N,N,N/-/N,N,N,N/-"}],
    ids=str,
)
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
        "last": None if last is None or last[0] in "rH" else last,
        "late": sorted(text.get("late", [])),
        "over": game.phase is rules.Phase.OVER,
        "places": list(game.places),
        "ties": text.get("ties", []),
        "began": text.get("began", text["position"]),
        "last_turn": text.get("last_turn"),
        "played_on": text.get("played_on", False),
    }


def captured(before: str, after: str, by: int) -> list[tuple[int, str]]:
    """Whose pawns a seat has sent back, and from where."""
    seats = [[Counter(pawns.split(",")) for pawns in text.split("/")] for text in (before, after)]
    return [
        (seat, place)
        for seat, (was, now) in enumerate(zip(*seats, strict=True))
        for place in sorted((was - now).elements())
        if seat != by
    ]


class Pair:
    """The package's game and the slow one, played by the same actions, with the record of both."""

    def __init__(self, ruleset: str | Options, seats: list[int], rng: random.Random) -> None:
        self.rng, self.options = rng, options_of(ruleset)
        first = {"format": "pachisi-record", "version": 1, "ruleset": ruleset, "seats": seats}
        self.record = [json.dumps(first)]
        self.core = rules.new_game(rules.parse_ruleset(ruleset), seats)
        begun = self.begin(seats)
        self.slow = Game(ruleset, opening(self.options, seats), begun)

    def begin(self, seats: list[int]) -> int:
        """Choose or throw for who begins; both must find the same seat."""
        position, throws = opening(self.options, seats), list[list[int]]()
        if self.options["starter"] == "choose":
            begun = self.rng.choice(seats)
            self.act(rules.Choose(begun), position)
            return begun
        while self.core.phase is rules.Phase.ORDER:
            assert first_seat(self.options, seats, throws) is None
            dice = draw.throw_by_chance(self.rng, self.options)
            throws.append(dice[: self.core.dice])
            self.act(rules.Throw(tuple(throws[-1])), position)
        seat = first_seat(self.options, seats, throws)
        assert seat == self.core.seat
        return seat

    def act(self, action: rules.Action, position: str) -> None:
        before, seat = rules.format_position(self.core.position), self.core.seat
        self.core, facts = rules.play(self.core, action)
        if isinstance(action, rules.Move):
            told = [
                (fact.seat, rules.place_text(fact.place))
                for fact in facts
                if isinstance(fact, rules.Captured)
            ]
            assert sorted(told) == captured(before, position, seat)
        assert rules.format_position(self.core.position) == position
        entry = {"action": str(action), "position": position, "source": "kernel"}
        self.record.append(json.dumps(entry))
        assert rules.parse_game(rules.game_text(self.core)) == self.core

    def turn(self) -> None:
        """One throw with its play or penalty, offered and judged alike after each action."""
        slow = self.slow
        assert core_line(self.core) == slow.line()
        dice = draw.throw_by_chance(self.rng, self.options)
        slow.throw(dice)
        self.act(rules.Throw(tuple(dice)), slow.position)
        thrown = slow.thrown
        while slow.thrown is thrown:
            if slow.last_turn is not None and self.rng.random() < 0.1:
                self.end_after(self.rng.choice([*slow.playing(), None]))
            steps, may_stop = slow.offered()
            assert (sorted(map(str, self.core.steps)), self.core.may_stop) == (steps, may_stop)
            if steps and not (may_stop and self.rng.random() < 0.05):
                step = self.rng.choice(steps)
                slow.step(step)
                self.act(rules.Move(rules.parse_step(step)), slow.position)
            else:
                slow.stop()
                self.act(rules.Stop(), slow.position)

    def stand(self, position: str, seat: int) -> None:
        """Put the pawns where they are near the end."""
        self.slow = Game(self.slow.ruleset, position, seat)
        self.act(rules.parse_action(f"correct {position} seat {seat} doublets 0"), position)

    def end_after(self, seat: int | None) -> None:
        self.slow.end_after(seat)
        self.act(rules.LastTurn(seat), self.slow.position)

    def play_on(self) -> bool:
        """Play on where that is allowed; the package must refuse it elsewhere."""
        if self.slow.may_play_on():
            self.slow.play_on()
            self.act(rules.PlayOn(), self.slow.position)
            return True
        with pytest.raises(rules.IllegalAction):
            rules.play(self.core, rules.PlayOn())
        return False

    def judge(self) -> None:
        """Compare how the game stands, and what the record says of it."""
        slow = self.slow
        assert core_line(self.core) == slow.line()
        assert rules.judge(self.record) == {
            "actions": len(self.record) - 1,
            "position": slow.position,
            "over": slow.over,
            "places": slow.places,
            **({"ties": slow.ties} if slow.ties else {}),
        }


# A doublet of tr-1938 is 14 spaces in any parts: its game takes as long as all the others together.
# Turns pass in the other two as in sr-1942.
LONG = {"tr-1938", "sr-1975", "royal-2023"}
SHORT = [one for one in DIFFERENT if one not in LONG]


@pytest.mark.parametrize("preset", DIFFERENT if asked("SOAK") else SHORT[::2])
def test_a_whole_game_goes_as_the_slow_one_does(preset: str) -> None:
    for seed in range(extent(1, soak=2)):
        rng = random.Random(f"{preset} {seed}")
        count = 4 if options_of(preset)["partners"] else rng.choice((2, 3, 4))
        pair = Pair(preset, sorted(rng.sample(range(4), count)), rng)
        while not pair.slow.over:
            pair.turn()
        pair.judge()


GAMES: dict[str, Options] = {
    "others play on": {"preset": "ludo-uk"},
    "one home wins, the others play on": {"preset": "parchis", "to_win": 1},
    "two home win, the rules let others play on": {
        "preset": "ludo-uk",
        "to_win": 2,
        "play_on": True,
    },
    "three in the goal win": {"preset": "ludo-de", "to_win": 3},
    "two dice, three tries": {"preset": "ludo-de", "dice": 2},
    "the third six undoes the turn": {"preset": "ludo-india", "third_doublet": "undo-turn"},
    "and who came last": {"preset": "parchis", "third_doublet": "undo-turn"},
    "sides under blockades": {"preset": "parchis", "partners": True, "to_win": 2},
    "sides in Ludo": {"preset": "ludo-uk", "partners": True, "third_doublet": "undo-turn"},
    "sides on a goal board": {"preset": "ludo-de", "partners": True, "to_win": 2},
    "sides of Pachisi": {"preset": "pachisi-modern", "to_win": 3},
    "captures are a must": {"preset": "ludo-india", "must_capture": True},
    "there and back": {"preset": "ludo-uk", "overshoot": "back", "to_win": 3},
    "too much is enough": {"preset": "pop-28", "overshoot": "over", "to_win": 2},
    "horses are passed": {
        "preset": "petits-chevaux",
        "passing": "free",
        "stop_behind_blockade": False,
        "to_win": 3,
    },
    "three horses, the others play on": {
        "preset": "petits-chevaux",
        "to_win": 2,
        "play_on": True,
        "third_doublet": "last-moved",
    },
    "stars, and the last moved goes": {"preset": "ludo-dk", "third_doublet": "last-moved"},
    "stars, and a third six undoes the turn": {
        "preset": "ludo-dk",
        "third_doublet": "undo-turn",
        "to_win": 2,
    },
    "benches, by exact count": {"preset": "ludo-ch", "overshoot": "stop", "must_capture": True},
    "the third six sends all back": {"preset": "parchis", "third_doublet": "all-open"},
    "opponents give way": {"preset": "parchis-two", "entry_pairs": "give-way", "to_win": 2},
}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_of_house_rules_goes_as_the_slow_one_does(name: str) -> None:
    """From near the end; after some throws somebody's turn is to be the last one."""
    ruleset = GAMES[name]
    for seed in range(extent(1, soak=10)):
        rng = random.Random(f"{name} {seed}")
        position, seat = near_the_end(rng, options_of(ruleset))
        seats = [one for one, pawns in enumerate(position.split("/")) if pawns != "-"]
        pair = Pair(ruleset, seats, rng)
        pair.stand(position, seat)
        for number in range(extent(60, soak=300)):
            if pair.slow.over and not (rng.random() < 0.8 and pair.play_on()):
                break
            pair.turn()
            if number > 40 and not pair.slow.over and rng.random() < 0.2:
                pair.end_after(rng.choice([*pair.slow.playing(), None]))
        pair.judge()


def test_every_position_of_drawn_house_rules_can_be_played_to_the_end() -> None:
    """Throws and steps are drawn until the game is over."""
    rng, stuck = random.Random("to the end"), list[Any]()
    for number in range(extent(30, soak=600)):
        value = rng.choice(list(draw.BY_ITS_NEEDS))
        ruleset = (
            mixed(rng),
            draw.house_rules(rng),
            draw.by_its_needs(rng, value, others=True),
        )[number % 3]
        position, seat = near_the_end(rng, options_of(ruleset))
        start = {"ruleset": ruleset, "position": position, "seat": seat}
        game, throws = rules.parse_game(json.dumps(start)), 0
        while game.phase is not rules.Phase.OVER and throws < 20_000:
            throws += game.phase is rules.Phase.THROW
            game, _ = rules.play(game, drawn_action(rng, game, options_of(ruleset)))
        stuck += [start] if game.phase is not rules.Phase.OVER else []
    assert stuck == []


def drawn_action(rng: random.Random, game: rules.Game, options: Options) -> rules.Action:
    if game.phase is rules.Phase.THROW:
        return rules.Throw(tuple(draw.throw_by_chance(rng, options)))
    if not game.steps or (game.may_stop and rng.random() < 0.02):
        return rules.Stop()
    return rules.Move(rng.choice(list(game.steps)))


def near_the_end(rng: random.Random, options: Options) -> tuple[str, int]:
    """A drawn position in which nobody has won."""
    board = Board(options)
    while True:
        position, seat = draw.position(rng, options, rng.choice(("near home", "anywhere")))
        if not any(own and board.has_finished(own) for own in position_of(board, position)):
            return position, seat


def test_the_draws_know_every_option_with_every_value() -> None:
    assert OPTIONS.keys() == rules.OPTIONS.keys()
    for name, option in rules.OPTIONS.items():
        assert {*OPTIONS[name]} >= {*option.values}, name
