"""Rule sets: all options as one frozen value, and the presets. Does not know how to play.

House rules are a preset with fields replaced. Other modules look at fields, never at a name.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any, NamedTuple

from .board import BOARDS
from .errors import InputError

Value = str | int | bool


class RuleSetError(InputError):
    """A rule set that can't be: one sentence that names the fields.

    together: the key of `IMPOSSIBLE`, or "" if a field or a value is wrong by itself.
    """

    def __init__(self, sentence: str, together: str = "") -> None:
        super().__init__(sentence)
        self.together = together


class Option(NamedTuple):
    """The values of one field of a rule set, the default first, what it means, and its source."""

    values: tuple[Value, ...]
    meaning: str
    source: str


def _option(
    values: tuple[Value, ...], meaning: str, source: str, *, is_derived: bool = False
) -> Any:
    """Return a field of `RuleSet` for an option."""
    option = Option(values, meaning, source)
    return field(default=values[0], init=not is_derived, metadata={"option": option})


def _yes(meaning: str, source: str) -> Any:
    return _option((False, True), meaning, source)


class Lot(NamedTuple):
    """One die, or all shells of a throw, when it shows one face."""

    value: int  # the spaces that it counts
    weight: int = 1  # how many of the equally likely cases show it
    goes_on: bool = False  # whether the seat throws again
    grace: bool = False  # whether the option `grace` applies to it


SHELLS = 6  # cowries of a throw
# What is thrown, by the value of `lots` and by the face. The face of a die is its eyes, that of
# six cowries the number of mouths that are up.
LOTS: dict[str, dict[int, Lot]] = {
    "dice": {face: Lot(face, goes_on=face == 6) for face in range(1, 7)},  # of a single die
    "cowries-mitra": {
        0: Lot(6, 1, goes_on=True),
        1: Lot(10, 6, goes_on=True, grace=True),
        2: Lot(2, 15),
        3: Lot(3, 20),
        4: Lot(4, 15),
        5: Lot(25, 6, goes_on=True, grace=True),
        6: Lot(12, 1, goes_on=True),
    },
    "cowries-modern": {
        0: Lot(25, 1, goes_on=True, grace=True),
        1: Lot(10, 6, goes_on=True, grace=True),
        2: Lot(2, 15),
        3: Lot(3, 20),
        4: Lot(4, 15),
        5: Lot(5, 6),
        6: Lot(6, 1, goes_on=True, grace=True),
    },
}


class Starter(NamedTuple):
    """How a value of `starter` finds who begins."""

    one_die: bool = False  # each seat throws a single die
    lowest_wins: bool = False  # the lowest throw begins, not the highest


STARTERS = {
    "highest-total": Starter(),
    "lowest-die": Starter(one_die=True, lowest_wins=True),
    "highest-die": Starter(one_die=True),
    "choose": Starter(),  # nobody throws
}


class DoubletSpaces(NamedTuple):
    """What a value of `doublet_spaces` grants for a doublet."""

    undersides: bool = False  # the undersides of the dice, too
    once_entered: bool = False  # undersides or `twice` only while the nest is empty
    twice: bool = False  # of one die, twice its face as one increment
    fourteen: bool = False  # 14 spaces that pawns share, instead of the dice
    sharers: int | None = None  # how many pawns may take a part of them, None for any number


DOUBLET_SPACES = {
    "top": DoubletSpaces(),
    "four-when-entered": DoubletSpaces(undersides=True, once_entered=True),
    "four": DoubletSpaces(undersides=True),
    "fourteen-two-pawns": DoubletSpaces(fourteen=True, sharers=2),
    "fourteen-any": DoubletSpaces(fourteen=True),
    "twelve-when-entered": DoubletSpaces(once_entered=True, twice=True),
    "double": DoubletSpaces(twice=True),
}


class ThirdDoublet(NamedTuple):
    """What a value of `third_doublet` costs."""

    penalty: str  # its name in PROTOCOL.md, "" where the third doublet is like any other
    takes_pawn: bool = False  # the pawn nearest home goes to its nest
    last_moved: bool = False  # not that one, but the pawn that moved last in this turn
    spares_row: bool = False  # but not from the home row
    keeps_turn: bool = False  # only the move is lost, and the seat throws again
    undoes_turn: bool = False  # all pawns go back to where this turn began
    takes_open: bool = False  # the pawns on the ring go to the nest, but for those on safety spaces


THIRD_DOUBLETS = {
    "nearest-home": ThirdDoublet("nearest-home", takes_pawn=True),
    "nearest-home-unless-row": ThirdDoublet("nearest-home", takes_pawn=True, spares_row=True),
    "forfeit": ThirdDoublet("forfeit"),
    "no-move": ThirdDoublet("no-move", keeps_turn=True),
    "none": ThirdDoublet(""),
    "last-moved": ThirdDoublet("last-moved", takes_pawn=True, last_moved=True, spares_row=True),
    "undo-turn": ThirdDoublet("undo-turn", undoes_turn=True),
    "all-open": ThirdDoublet("all-open", takes_open=True),
}


class Pairs(NamedTuple):
    """What two or more pawns of one seat do on their space."""

    bar_others: bool = False  # other seats can't pass or land
    bar_own: bool = False  # their own seat can't, either
    are_safe: bool = False  # other seats can't land, but pass
    are_not_passed: bool = False  # other seats can't pass two on a safety space, but land


PAIRS = {
    "blockade": Pairs(bar_others=True, bar_own=True),
    "wall": Pairs(bar_others=True),
    "immune": Pairs(are_safe=True),
    "none": Pairs(),
    "bench": Pairs(are_not_passed=True),
}
MANY = 16  # more pawns than any space ever holds: no limit
STACKING = {"two": 2, "one": 1, "any": MANY}  # how many pawns of a seat a space may hold
# How many pawns a safety space may hold where different seats share it.
SAFETY_SHARED = {"no": 0, "two": 2, "any": MANY}


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One set of rules. Its fields are the keys of `OPTIONS`, which has the meaning of each.

    `DERIVED` follows from another and can't be given. Raises RuleSetError, which names the fields,
    if a value or a combination is impossible.
    """

    layout: str = _option(
        tuple(BOARDS),
        "how many spaces the board has and where pawns enter",
        "S0; ludo-52 S9, S10, S14; ring-40 S11; ring-28 S12; ring-56 S13; cross S5, S6",
    )
    safety: str = _option(
        ("twelve", "entries", "tips", "none", "entries-stars"),
        "which safety spaces there are: all twelve, only the entries, only the tips, none, "
        "the entries and the stars 8 past them",
        "S0; which ones some boards left out: ruling; entries-stars S10",
    )
    travel: str = _option(
        ("counterclockwise", "clockwise"),
        "which way the pawns go, seen from above; a clockwise board is the mirror image",
        "S0",
    )
    dice: int = _option((2, 1), "how many dice are thrown", "S0")
    starter: str = _option(
        tuple(STARTERS),
        "who begins: highest throw, lowest or highest single die (ties throw again), or by choice",
        "S0, S2, S4 highest total; S1 lowest die; S0 PB choose; S3 silent: choose",
    )
    turn_order: str = _option(
        ("left", "right"),
        "whether the turn passes to the player on the left or on the right",
        "S1, S4 left; S2 right; S0, S3: ruling",
    )
    entry_number: int = _option(
        (5, *range(1, 5), *range(6, 13)), "the number that lets a pawn enter", "S0"
    )
    entry_by: str = _option(
        ("die-or-sum", "sum", "die", "lots"),
        "whether a pawn enters by one die, by the sum of two different dice, in both ways, or only "
        "by grace and free_entry",
        "S0, S1, S3, S4; S0 MB for other numbers; lots S5, S6",
    )
    entry_required: bool = _yes(
        "whether as many pawns as possible must enter", "S0 SR v1942, v1989, TR; S4"
    )
    entry_number_reserved: bool = _yes(
        "whether a die with the entry number can only enter a pawn while a pawn is in the nest",
        "S0 SR v1975, TR",
    )
    undersides_enter: bool = _yes("whether a doublet's underside may enter a pawn", "S2 chart")
    total_move: str = _option(
        ("never", "allowed", "only"),
        "whether one pawn may, or must, move by the total of both dice as one increment",
        "S3 never; S1 allowed; S0 some MB only",
    )
    touch_down: bool = _yes(
        "whether a pawn may pause on an opponent's safety space between two dice",
        "S0 PB; a house rule for SR",
    )
    pair_rule: str = _option(
        ("throughout", "at-end", "off"),
        "when the two pawns of a blockade must not form a blockade on another space: "
        "after every step, or at the end",
        "S0, S1, S3, S4; at-end S3",
    )
    stop_behind_blockade: bool = _yes(
        "whether a pawn may stop on the space before a blockade, or before pawns that can't be "
        "passed, if the number is too large",
        "S0 TR, S13",
    )
    usage: str = _option(
        ("maximal", "exhaust", "maximal-higher", "whole-throw", "free"),
        "what must be used: as many increments as possible, all until none fits, "
        "the higher die first, the whole throw or nothing, or whatever the player likes",
        "S0 maximal; S3 exhaust; S1 maximal-higher; S0 some MB whole-throw; S6 free",
    )
    doublet_number: str | int = _option(
        ("any", 6),
        "which throw is a doublet: two equal dice, or the six of a single die; follows from `dice`",
        "S0",
        is_derived=True,
    )
    doublet_spaces: str = _option(
        tuple(DOUBLET_SPACES),
        "what a doublet grants: the two faces; the faces and the undersides, once all pawns have "
        "entered, or always; 14 spaces to divide, among two pawns or any; or, of one die, 12 once "
        "all pawns have entered, or always",
        "S0, S1, S2, S3, S4; fourteen S0 TR; twelve-when-entered: house rule; double S15",
    )
    doublet_whole: bool = _yes(
        "whether you must use all four increments or none", "S0 penalty 1, S4"
    )
    doublet_home_whole: bool = _yes(
        "whether a pawn may come home only with all 14 spaces of a doublet", "S0 TR"
    )
    again: str = _option(
        ("always", "if-all-used", "never"),
        "whether a seat throws again after a doublet, or only if it has used all increments",
        "S0 SR, TR, S1 to S4 always; S0 PB if-all-used; S0 some MB never",
    )
    third_doublet: str = _option(
        tuple(THIRD_DOUBLETS),
        "what the third doublet in a row costs: the pawn nearest home; the same, but no pawn in "
        "the home row; the turn; the steps; nothing; the pawn that moved last, but no pawn in the "
        "home row; all that the turn has moved; or all pawns on open spaces",
        "S0, S2, S3, S4; unless-row S1; forfeit or no-move S0 TR v1960; none S0 PB, TR v1938; "
        "last-moved S7; undo-turn: house rule; all-open S15",
    )
    capture_bonus: int = _option(
        (20, 0), "spaces earned by each capture", "S0, S1, S2, S3, S4; none S0 PB"
    )
    finish_bonus: int = _option(
        (10, 0), "spaces earned by each pawn that reaches home", "S0, S1, S3, S4; none S0 PB, TR"
    )
    bonus_timing: str = _option(
        ("any", "after-dice"),
        "whether a bonus waits until the dice are used",
        "S3 any; S1, S4 after-dice",
    )
    bonus_optional: bool = _yes("whether players may leave a bonus unused", "S1")
    overtaking_captures: bool = _yes(
        "whether passing a lone opponent captures it too", "S0 one MB version, not recommended"
    )
    second_circuit: bool = _yes(
        "whether a pawn may pass its home row and go round the board again", "S1"
    )
    blockade_limit: int = _option(
        (0,),
        "the number of turns after which a player must break a blockade, if possible; 0: never",
        "house rule: S0, S1",
    )
    play_on: bool = _yes("whether the others play on for second place and so on", "house rule: S0")
    stacking: str = _option(
        tuple(STACKING),
        "how many pawns of one seat may be together on a space: two, one, any number",
        "S0, S7; one S11; any S5, S6, S9, S10",
    )
    pairs: str = _option(
        tuple(PAIRS),
        "what two pawns of a seat do on a space: a blockade stops everybody, a wall only "
        "opponents; immune pawns can't be captured; nothing; on a bench, which is any safety "
        "space, opponents can't pass",
        "S0, S7 blockade; S9 wall; S5, S10, S14 immune; S6, S11, S13 none; bench S15",
    )
    safety_shared: str = _option(
        tuple(SAFETY_SHARED),
        "whether pawns of different seats may be together on a safety space: no, two in all, any",
        "S0 no; S7, S8 two; S10 any",
    )
    entry_captures: str = _option(
        ("lone", "full", "landing"),
        "whom an entering pawn captures: a lone opponent; one of two different pawns if the entry "
        "is full; whomever an advancing pawn would capture there",
        "S0 to S4, S9, S11 lone; S7, S8 full; S5, S6, S10 landing",
    )
    entry_also: int = _option(
        (0, *range(1, 7)), "a second number that enters; 0: there is none", "S10"
    )
    open_blockade: str = _option(
        ("never", "doublet"), "whether a doublet must open an own blockade, if it can", "S7, S8"
    )
    clear_entry: bool = _yes(
        "whether the own pawn on the entry must move first while the nest holds a pawn", "S11"
    )
    again_capture: bool = _yes("whether a seat throws again after a capture", "S6, S10")
    again_home: bool = _yes("whether a seat throws again after a pawn came home", "S10")
    tries: int = _option(
        (1, 3), "how often a seat throws while it can't move and has no pawn on the ring", "S11"
    )
    start_out: int = _option(
        (0, 1, 2), "how many pawns of each seat begin on the entry space", "S7, S11"
    )
    row_jump: bool = _option(
        (True, False), "whether a pawn may pass its own pawns in the home row", "S11"
    )
    lots: str = _option(
        tuple(LOTS), "what is thrown: dice, or six cowries by one of two tables", "S5, S6"
    )
    grace: str = _option(
        ("none", "value", "enter"),
        "what a cowrie throw with a grace gives: its value enters a pawn and takes one off the "
        "last space; or an increment of 1 that only does so",
        "S5 value; S6 enter",
    )
    free_entry: bool = _yes("whether any throw enters a pawn while all four are in the nest", "S6")
    partners: bool = _yes("whether opposite seats play together against the others", "S6")
    to_win: int = _option(
        (4, 1, 2, 3), "how many pawns of a seat must come home to win", "1 S13; house rule"
    )
    must_capture: bool = _yes("whether a capture is compulsory", "house rule")
    pairs_on: str = _option(
        ("all", "safety", "own-entry"),
        "on which ring spaces a pair is a blockade or a wall: on all, on safety spaces, on the "
        "entries of the seats whose pawns stand there",
        "house rule",
    )
    overshoot: str = _option(
        ("stop", "back", "over"),
        "what a number does that is too large for home: it is not allowed; it goes there and back "
        "by the rest; it brings the pawn home",
        "back S13, S14, S15; over: house rule",
    )
    entry_pairs: str = _option(
        ("stay", "give-way"),
        "whether opponents on the entry space can keep a pawn out, or give way to it",
        "house rule",
    )
    row_by: str = _option(
        ("count", "ladder"),
        "how a pawn goes up its home row: by count, or as on a ladder: from the foot with a 1, "
        "then with each space's number in turn, and from the last space with that number again",
        "S13",
    )
    passing: str = _option(
        ("free", "none"), "whether a pawn may pass others on the ring and in the home row", "S13"
    )
    stars: str = _option(
        ("none", "jump"),
        "whether a pawn that ends its walk on a star, 4 or 11 past an entry, goes on to the next "
        "star, and from the last one home",
        "S14",
    )
    held_target: str = _option(
        ("bars", "sends-back"),
        "what opponents do who hold a space by two or on a safety space: they keep a pawn from "
        "landing there, or send it to its nest",
        "S14",
    )
    captures: str = _option(
        ("landing", "passing"),
        "how a pawn captures: where it lands, or whomever it passes on open spaces",
        "S15",
    )

    def __hash__(self) -> int:
        """Hash a few fields: each throw looks tables up by its rule set."""
        return hash((self.layout, self.dice, self.usage, self.doublet_spaces, self.third_doublet))

    def __post_init__(self) -> None:
        object.__setattr__(self, "doublet_number", 6 if self.dice == 1 else "any")
        for name in OPTIONS:
            _check_value(name, getattr(self, name))
        for names, impossible in IMPOSSIBLE.items():
            if impossible(self):
                raise _impossible({name: getattr(self, name) for name in names.split("+")})

    @property
    def has_duties(self) -> bool:
        """Whether some pawns must move first: off a blockade, or off the entry space."""
        return self.clear_entry or self.open_blockade != "never"

    @property
    def remembers(self) -> tuple[str, ...]:
        """The keys of a game's line, and of a request, for what a position does not show.

        They are fields of `game.Memory`.
        """
        undoes_turn = THIRD_DOUBLETS[self.third_doublet].undoes_turn
        gives_way = self.entry_pairs == "give-way" and self.safety_shared == "two"
        asks_late = self.entry_captures == "full" or gives_way
        asked = {
            "late": asks_late,
            "last": THIRD_DOUBLETS[self.third_doublet].last_moved,
            "tries": self.tries > 1,
            "began": undoes_turn,
            "began_late": undoes_turn and asks_late,
        }
        return tuple(key for key, is_asked in asked.items() if is_asked)

    @property
    def throws_shells(self) -> bool:
        """Whether cowries are thrown, and not dice."""
        return self.lots != "dice"

    @property
    def fourteen(self) -> bool:
        """Whether a doublet grants 14 spaces to share out."""
        return DOUBLET_SPACES[self.doublet_spaces].fourteen

    @property
    def counts_double(self) -> bool:
        """Whether the six of one die always counts 12."""
        grants = DOUBLET_SPACES[self.doublet_spaces]
        return grants.twice and not grants.once_entered


OPTIONS: dict[str, Option] = {one.name: one.metadata["option"] for one in fields(RuleSet)}
DERIVED = "doublet_number"  # the option that nobody chooses: it follows from `dice`
# Options that came after the first records. They are written only where they are not the default,
# so that the records of other rule sets stay the same.
LATER_OPTIONS = tuple(OPTIONS)[tuple(OPTIONS).index("play_on") + 1 :]


def _check_value(name: str, value: object) -> None:
    values = OPTIONS[name].values
    known = range(100) if name == "blockade_limit" else values
    if type(value) not in map(type, values) or value not in known:
        one_of = "0 to 99" if name == "blockade_limit" else ", ".join(map(_as_written, values))
        raise RuleSetError(f"{name} can't be {value!r}: it is one of {one_of}")


def _impossible(together: Mapping[str, object]) -> RuleSetError:
    given = ", ".join(f"{name} {_as_written(value)}" for name, value in together.items())
    return RuleSetError(f"impossible together: {given}; change one of them", "+".join(together))


def _as_written(value: object) -> str:
    """Return a value as JSON writes it in a rule set: true and false for yes and no."""
    return str(value).lower() if isinstance(value, bool) else str(value)


Condition = Callable[[RuleSet], bool]


def _only(name: str, values: tuple[Value, ...], **has: Value) -> dict[str, Condition]:
    """Return the impossible combinations of an option with others that have only one value then.

    values: of the option. has: the value of each other option.
    """

    def breaks(other: str, ruleset: RuleSet) -> bool:
        return getattr(ruleset, name) in values and getattr(ruleset, other) != has[other]

    return {f"{name}+{other}": partial(breaks, other) for other in has}


GOAL_BOARDS = tuple(name for name, board in BOARDS.items() if board.is_goal)
COWRIES = tuple(lots for lots in LOTS if lots != "dice")
NO_BLOCKADE = tuple(pairs for pairs in PAIRS if pairs != "blockade")
# The fields of each impossible combination, joined by plus signs, and the condition. Those of
# `entry_number` with `entry_by`, `total_move` or both would never let a pawn enter.
IMPOSSIBLE: dict[str, Condition] = {
    "safety+layout": lambda r: r.safety not in BOARDS[r.layout].safety,
    "dice+entry_by": lambda r: r.dice == 1 and r.entry_by not in ("die", "lots"),
    **_only("dice", (1,), total_move="never", touch_down=False),
    "dice+doublet_spaces": lambda r: r.dice == 1 and r.fourteen,
    "entry_number+entry_by": lambda r: (
        (r.entry_number > 6 and r.entry_by != "sum")
        or (r.entry_number == 1 and r.entry_by == "sum")
    ),
    "entry_number+entry_by+total_move": lambda r: (
        r.entry_number in (2, 12) and r.entry_by == "sum" and r.total_move != "only"
    ),
    "entry_number+total_move": lambda r: r.entry_number == 1 and r.total_move == "only",
    "dice+entry_number+doublet_spaces": lambda r: (
        (r.dice, r.entry_number, r.entry_by, r.doublet_spaces) == (1, 6, "die", "four")
    ),
    "entry_number+doublet_spaces": lambda r: (
        (r.entry_number != 5 and r.fourteen) or (r.entry_number == 6 and r.counts_double)
    ),
    "total_move+entry_by": lambda r: r.total_move == "only" and r.entry_by == "die",
    **_only(
        "total_move", ("only",), doublet_spaces="top", touch_down=False, entry_number_reserved=False
    ),
    "doublet_home_whole+doublet_spaces": lambda r: r.doublet_home_whole and not r.fourteen,
    "second_circuit+layout": lambda r: (
        r.second_circuit and r.layout in ("tip-entry", *GOAL_BOARDS, "cross")
    ),
    **_only("usage", ("exhaust", "free"), entry_required=False, bonus_optional=False),
    **_only("usage", ("exhaust",), bonus_timing="any"),
    "lots+layout": lambda r: (r.lots != "dice") != (r.layout == "cross"),
    "lots+entry_by": lambda r: (r.lots != "dice") != (r.entry_by == "lots"),
    **_only("lots", COWRIES, dice=1, capture_bonus=0, finish_bonus=0),
    "lots+grace": lambda r: (r.lots != "dice") != (r.grace != "none"),
    **_only("lots", ("dice",), free_entry=False),
    **_only("lots", COWRIES, doublet_spaces="top", entry_captures="landing", stacking="any"),
    **_only("lots", COWRIES, overtaking_captures=False, undersides_enter=False, entry_also=0),
    **_only("lots", COWRIES, entry_number_reserved=False),
    "lots+usage": lambda r: r.lots != "dice" and r.usage == "whole-throw",
    **_only("layout", GOAL_BOARDS, stacking="one", safety="none", capture_bonus=0),
    "layout+total_move": lambda r: r.layout in GOAL_BOARDS and r.total_move == "only",
    **_only("layout", GOAL_BOARDS, finish_bonus=0, again_home=False),
    "layout+third_doublet": lambda r: (
        r.layout in GOAL_BOARDS and r.third_doublet in ("nearest-home", "all-open")
    ),
    "row_jump+layout": lambda r: not r.row_jump and r.layout not in GOAL_BOARDS,
    "stacking+pairs": lambda r: r.stacking != "two" and r.pairs == "blockade",
    **_only("pairs", NO_BLOCKADE, pair_rule="off"),
    "pairs+stop_behind_blockade": lambda r: (
        r.stop_behind_blockade and r.pairs != "blockade" and r.passing != "none"
    ),
    **_only("pairs", NO_BLOCKADE, blockade_limit=0),
    **_only("pairs", NO_BLOCKADE, open_blockade="never", touch_down=False),
    "pairs+doublet_spaces": lambda r: r.pairs != "blockade" and r.fourteen,
    "safety_shared+safety": lambda r: r.safety_shared != "no" and r.safety == "none",
    **_only("safety_shared", ("two", "any"), overtaking_captures=False, touch_down=False),
    "safety_shared+stacking": lambda r: r.safety_shared != "no" and r.safety_shared != r.stacking,
    "entry_captures+safety_shared": lambda r: (
        r.entry_captures == "full" and r.safety_shared != "two"
    ),
    "entry_captures+layout+safety": lambda r: (
        r.entry_captures == "full" and 0 not in BOARDS[r.layout].safety[r.safety]
    ),
    "partners+play_on": lambda r: r.partners and r.play_on,
    **_only("usage", ("free",), entry_number_reserved=False),
    **_only("usage", ("free", "exhaust"), clear_entry=False, open_blockade="never"),
    **_only("usage", ("free",), doublet_whole=False),
    "entry_also+entry_number_reserved": lambda r: r.entry_also > 0 and r.entry_number_reserved,
    "entry_also+entry_number": lambda r: r.entry_also == r.entry_number,
    "entry_also+entry_by": lambda r: r.entry_also > 0 and r.entry_by == "sum",
    "entry_also+total_move": lambda r: r.entry_also > 0 and r.total_move == "only",
    "entry_also+doublet_spaces": lambda r: (
        (r.entry_also > 0 and r.fourteen) or (r.entry_also == 6 and r.counts_double)
    ),
    "start_out+layout": lambda r: r.start_out > 0 and r.layout == "cross",
    "start_out+stacking": lambda r: r.start_out > 1 and r.stacking == "one",
    "doublet_spaces+dice": lambda r: r.dice == 2 and DOUBLET_SPACES[r.doublet_spaces].twice,
    "pairs_on+pairs": lambda r: r.pairs_on != "all" and r.pairs in ("immune", "none", "bench"),
    "pairs_on+safety": lambda r: r.pairs_on == "safety" and r.safety == "none",
    "overshoot+doublet_spaces": lambda r: r.overshoot == "over" and r.fourteen,
    "overshoot+total_move": lambda r: r.overshoot == "over" and r.total_move == "only",
    **_only("overshoot", ("back", "over"), lots="dice"),
    "overshoot+stop_behind_blockade": lambda r: (
        r.stop_behind_blockade
        and (r.overshoot == "over" or (r.overshoot == "back" and r.passing != "none"))
    ),
    **_only("overshoot", ("back",), dice=1, capture_bonus=0, finish_bonus=0, second_circuit=False),
    "overshoot+layout": lambda r: r.overshoot == "back" and r.layout in GOAL_BOARDS,
    "overshoot+row_by": lambda r: r.overshoot == "over" and r.row_by == "ladder",
    "entry_pairs+lots": lambda r: r.entry_pairs == "give-way" and r.lots != "dice",
    "entry_pairs+captures": lambda r: r.entry_pairs == "give-way" and r.captures == "passing",
    **_only("row_by", ("ladder",), layout="ring-56", dice=1, doublet_spaces="top"),
    **_only("row_by", ("ladder",), capture_bonus=0, finish_bonus=0),
    **_only("passing", ("none",), dice=1, stacking="one", pairs="none", capture_bonus=0),
    **_only("passing", ("none",), finish_bonus=0, overtaking_captures=False),
    **_only("stars", ("jump",), layout="ludo-52", held_target="sends-back", stacking="any"),
    **_only("held_target", ("sends-back",), dice=1, capture_bonus=0, finish_bonus=0),
    **_only("held_target", ("sends-back",), pairs="immune", safety_shared="no"),
    **_only("held_target", ("sends-back",), captures="landing", partners=False),
    **_only("captures", ("passing",), dice=1, stacking="any", safety_shared="any"),
    **_only("captures", ("passing",), entry_captures="landing", capture_bonus=0, finish_bonus=0),
    **_only("captures", ("passing",), overtaking_captures=False, passing="free", partners=False),
    "captures+pairs": lambda r: r.captures == "passing" and r.pairs not in ("none", "bench"),
    "pairs+captures": lambda r: r.pairs == "bench" and r.captures != "passing",
    "third_doublet+lots": lambda r: r.third_doublet == "all-open" and r.lots != "dice",
}


class Preset(NamedTuple):
    """A named rule set: what it stands for, where it comes from, and its rules."""

    title: str
    source: str
    ruleset: RuleSet


_ONE_DIE = RuleSet(dice=1, entry_by="die", starter="highest-die")
_SR_1942 = RuleSet(entry_required=True, doublet_spaces="four-when-entered", doublet_whole=True)
_ROYAL_2023 = replace(_SR_1942, bonus_timing="after-dice")
_SR_1975 = replace(_SR_1942, entry_required=False, entry_number_reserved=True)
_NO_BONUS = RuleSet(third_doublet="none", capture_bonus=0, finish_bonus=0)
_PB = replace(_NO_BONUS, starter="choose", touch_down=True, again="if-all-used")
_MB_INDIA = RuleSet(doublet_spaces="four", doublet_whole=True)
_MB_TOTAL = replace(
    _NO_BONUS, entry_number=7, entry_by="sum", total_move="only", usage="whole-throw", again="never"
)
_TR_1938 = RuleSet(
    entry_required=True,
    entry_number_reserved=True,
    stop_behind_blockade=True,
    doublet_spaces="fourteen-any",
    doublet_home_whole=True,
    third_doublet="none",
    finish_bonus=0,
)
_TR_1960 = replace(
    _TR_1938,
    stop_behind_blockade=False,
    doublet_spaces="fourteen-two-pawns",
    third_doublet="forfeit",
)
_ENCYCLOPEDIA = RuleSet(
    starter="lowest-die",
    total_move="allowed",
    usage="maximal-higher",
    doublet_spaces="four",
    third_doublet="nearest-home-unless-row",
    bonus_timing="after-dice",
    bonus_optional=True,
    second_circuit=True,
)
_SCA = RuleSet(turn_order="right", undersides_enter=True, doublet_spaces="four", finish_bonus=0)
_FINDLER = RuleSet(
    starter="choose", pair_rule="at-end", usage="exhaust", doublet_spaces="four-when-entered"
)
_PARCHIS_TWO = RuleSet(
    turn_order="right",
    entry_required=True,
    total_move="allowed",
    safety_shared="two",
    entry_captures="full",
    open_blockade="doublet",
)
_PARCHIS = replace(
    _PARCHIS_TWO,
    total_move="never",
    starter="highest-die",
    dice=1,
    entry_by="die",
    doublet_spaces="four-when-entered",
    third_doublet="last-moved",
    pair_rule="off",
)
_LUDO = replace(
    _ONE_DIE,
    layout="ludo-52",
    safety="none",
    travel="clockwise",
    entry_number=6,
    pair_rule="off",
    stacking="any",
    pairs="wall",
    third_doublet="none",
    capture_bonus=0,
    finish_bonus=0,
)
_LUDO_INDIA = replace(
    _LUDO,
    safety="entries-stars",
    safety_shared="any",
    entry_captures="landing",
    pairs="immune",
    third_doublet="forfeit",
    again_capture=True,
    again_home=True,
)
_LUDO_DK = replace(
    _LUDO,
    safety="entries-stars",
    pairs="immune",
    held_target="sends-back",
    stars="jump",
    overshoot="back",
    tries=3,
)
_POP_28 = replace(_LUDO, layout="ring-28", stacking="one", pairs="none")
_LUDO_DE = replace(
    _POP_28, layout="ring-40", entry_required=True, clear_entry=True, tries=3, start_out=1
)
_PETITS_CHEVAUX = replace(
    _POP_28,
    layout="ring-56",
    row_by="ladder",
    overshoot="back",
    passing="none",
    stop_behind_blockade=True,
    to_win=1,
)
_LUDO_CH = replace(
    _ONE_DIE,
    turn_order="right",
    doublet_spaces="double",
    third_doublet="all-open",
    pair_rule="off",
    stacking="any",
    pairs="bench",
    captures="passing",
    safety_shared="any",
    entry_captures="landing",
    overshoot="back",
    capture_bonus=0,
    finish_bonus=0,
)
_PACHISI = replace(
    _NO_BONUS,
    layout="cross",
    lots="cowries-mitra",
    dice=1,
    turn_order="right",
    entry_by="lots",
    grace="value",
    usage="free",
    entry_captures="landing",
    stacking="any",
    pairs="immune",
    pair_rule="off",
)
_PACHISI_MODERN = replace(
    _PACHISI,
    lots="cowries-modern",
    grace="enter",
    free_entry=True,
    pairs="none",
    again_capture=True,
    partners=True,
)
PRESET_TABLE: dict[str, Preset] = {
    "sr-1942": Preset("Selchow & Righter 1942", "S0 SR v1942", _SR_1942),
    "sr-1989": Preset("Selchow & Righter 1989", "S0 SR v1989", _SR_1942),
    "sr-1975": Preset("Selchow & Righter 1975", "S0 SR v1975", _SR_1975),
    "pb": Preset("Parker Brothers", "S0 PB", _PB),
    "mb-india": Preset("Milton Bradley India, fuller", "S0 MB", _MB_INDIA),
    "mb-total": Preset("Milton Bradley, dice as total", "S0 some MB", _MB_TOTAL),
    "tr-1938": Preset("Transogram 1938", "S0 TR v1938", _TR_1938),
    "tr-1960": Preset("Transogram 1960", "S0 TR v1960", _TR_1960),
    "one-die": Preset("one die", "S0", replace(_ONE_DIE, doublet_spaces="four-when-entered")),
    "encyclopedia": Preset("encyclopedia article", "S1", _ENCYCLOPEDIA),
    "sca": Preset("SCA Parchisi", "S2", _SCA),
    "findler": Preset("Findler's course rules", "S3", _FINDLER),
    "royal-2023": Preset("Royal Parcheesi 2023", "S4", _ROYAL_2023),
    "parchis": Preset("Parchís, Spain, one die", "S7", _PARCHIS),
    "parchis-two": Preset("Parchís with two dice, after Parchis 2D", "S8", _PARCHIS_TWO),
    "ludo-uk": Preset("Ludo, after Jaques", "S9", _LUDO),
    "ludo-india": Preset("Ludo, India", "S10", _LUDO_INDIA),
    "ludo-de": Preset("Ludo on 40 spaces", "S11", _LUDO_DE),
    "pop-28": Preset("Ludo on 28 spaces", "S12", _POP_28),
    "petits-chevaux": Preset("Petits chevaux, France", "S13", _PETITS_CHEVAUX),
    "ludo-dk": Preset("Ludo with stars and globes, Denmark", "S14", _LUDO_DK),
    "ludo-ch": Preset("Eile mit Weile, Switzerland", "S15", _LUDO_CH),
    "pachisi-mitra": Preset("Pachisi, Bengal 1879", "S5", _PACHISI),
    "pachisi-modern": Preset("Pachisi as sold and told today", "S6", _PACHISI_MODERN),
}
PRESETS: dict[str, RuleSet] = {name: preset.ruleset for name, preset in PRESET_TABLE.items()}
DEFAULT_PRESET = "royal-2023"


def preset_title(name: str) -> str:
    """Return what a preset stands for, in a few words."""
    return PRESET_TABLE[name].title


def parse_ruleset(value: object) -> RuleSet:
    """Return the rule set of a preset's name or of `{"preset": name, field: value, ...}`.

    Source: PROTOCOL.md. Raises RuleSetError if a name is unknown or a value impossible.
    """
    if isinstance(value, str):
        return _preset(value)
    if not isinstance(value, Mapping):
        raise RuleSetError(f"ruleset {value!r} is neither a preset's name nor an object of fields")
    house = dict(value)
    base = _preset(house.pop("preset")) if "preset" in house else RuleSet()
    unknown = sorted(set(house) - set(OPTIONS))
    if unknown:
        raise RuleSetError(f"ruleset has no field {unknown[0]!r}: fields are {', '.join(OPTIONS)}")
    ruleset = replace(base, **{name: new for name, new in house.items() if name != DERIVED})
    derived = getattr(ruleset, DERIVED)
    named = house.get(DERIVED, derived)
    _check_value(DERIVED, named)
    if named != derived:
        raise _impossible({"dice": ruleset.dice, DERIVED: named})
    return ruleset


def _preset(name: object) -> RuleSet:
    if not isinstance(name, str) or name not in PRESETS:
        raise RuleSetError(f"there is no preset {name!r}: presets are {', '.join(PRESETS)}")
    return PRESETS[name]


def ruleset_text(ruleset: RuleSet) -> str:
    """Return a rule set as JSON that `parse_ruleset` reads back: a preset, fields replaced."""
    near = min(PRESETS, key=lambda name: len(differences(PRESETS[name], ruleset)))
    house: dict[str, Any] = differences(PRESETS[near], ruleset)
    return json.dumps(near if not house else {"preset": near, **house})


def written_options(ruleset: RuleSet) -> dict[str, Value]:
    """Return the options that a record has, with their values.

    Later options are written only where they are not the default.
    """
    default = RuleSet()
    return {
        name: getattr(ruleset, name)
        for name in OPTIONS
        if name not in LATER_OPTIONS or getattr(ruleset, name) != getattr(default, name)
    }


def differences(one: RuleSet, other: RuleSet) -> dict[str, Value]:
    """Return the fields in which two rule sets differ, with the values of `other`."""
    return {
        field.name: getattr(other, field.name)
        for field in fields(RuleSet)
        if getattr(one, field.name) != getattr(other, field.name)
    }
