"""Rule sets: all options as one frozen value, and the presets. Does not know how to play.

House rules are a preset with fields replaced. Other modules look at fields, never at a name.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

Value = str | int | bool


class RuleSetError(ValueError):
    """A rule set that can't be: one sentence that names the fields.

    together: the key of `IMPOSSIBLE`, or "" if a field or a value is wrong by itself.
    """

    def __init__(self, sentence: str, together: str = "") -> None:
        super().__init__(sentence)
        self.together = together


class Option(NamedTuple):
    """The values of one field of a rule set, what it means, and its source (S0 to S4)."""

    values: tuple[Value, ...]  # the default first
    meaning: str
    source: str


def _yes(meaning: str, source: str) -> Option:
    return Option((False, True), meaning, source)


class Starter(NamedTuple):
    """How a value of `starter` finds who begins.

    one_die: each seat throws a single die. lowest_wins: the lowest throw begins, not the highest.
    """

    one_die: bool = False
    lowest_wins: bool = False


STARTERS = {
    "highest-total": Starter(),
    "lowest-die": Starter(one_die=True, lowest_wins=True),
    "highest-die": Starter(one_die=True),
    "choose": Starter(),  # nobody throws
}


class DoubletSpaces(NamedTuple):
    """What a value of `doublet_spaces` grants for a doublet.

    undersides: the undersides of the dice, too. once_entered: those only while the nest is empty.
    fourteen: 14 spaces that pawns share, instead of the dice. sharers: how many pawns may take a
    part of them, None for any number.
    """

    undersides: bool = False
    once_entered: bool = False
    fourteen: bool = False
    sharers: int | None = None


DOUBLET_SPACES = {
    "top": DoubletSpaces(),
    "four-when-entered": DoubletSpaces(undersides=True, once_entered=True),
    "four": DoubletSpaces(undersides=True),
    "fourteen-two-pawns": DoubletSpaces(fourteen=True, sharers=2),
    "fourteen-any": DoubletSpaces(fourteen=True),
}


class ThirdDoublet(NamedTuple):
    """What a value of `third_doublet` costs.

    penalty: its name in PROTOCOL.md, "" where the third doublet is like any other.
    takes_pawn: the pawn nearest home goes to its nest. spares_row: but not from the home row.
    keeps_turn: only the move is lost, and the seat throws again.
    """

    penalty: str
    takes_pawn: bool = False
    spares_row: bool = False
    keeps_turn: bool = False


THIRD_DOUBLETS = {
    "nearest-home": ThirdDoublet("nearest-home", takes_pawn=True),
    "nearest-home-unless-row": ThirdDoublet("nearest-home", takes_pawn=True, spares_row=True),
    "forfeit": ThirdDoublet("forfeit"),
    "no-move": ThirdDoublet("no-move", keeps_turn=True),
    "none": ThirdDoublet(""),
}


OPTIONS: dict[str, Option] = {
    "layout": Option(
        ("standard", "corner-64", "pachisi", "tip-entry"),
        "how many spaces the board has and where pawns enter",
        "S0",
    ),
    "safety": Option(
        ("twelve", "entries", "tips", "none"),
        "which safety spaces there are: all twelve, only the entries, only the tips, none",
        "S0; which ones some boards left out: ruling",
    ),
    "travel": Option(
        ("counterclockwise", "clockwise"),
        "which way the pawns go, seen from above; a clockwise board is the mirror image",
        "S0",
    ),
    "dice": Option((2, 1), "how many dice are thrown", "S0"),
    "starter": Option(
        tuple(STARTERS),
        "who begins: highest throw, lowest or highest single die (ties throw again), or by choice",
        "S0, S2, S4 highest total; S1 lowest die; S0 PB choose; S3 silent: choose",
    ),
    "turn_order": Option(
        ("left", "right"),
        "whether the turn passes to the player on the left or on the right",
        "S1, S4 left; S2 right; S0, S3: ruling",
    ),
    "entry_number": Option(
        (5, *range(1, 5), *range(6, 13)), "the number that lets a pawn enter", "S0"
    ),
    "entry_by": Option(
        ("die-or-sum", "sum", "die"),
        "whether a pawn enters by one die, by the sum of two different dice, or in both ways",
        "S0, S1, S3, S4; S0 MB for other numbers",
    ),
    "entry_required": _yes(
        "whether as many pawns as possible must enter", "S0 SR v1942, v1989, TR; S4"
    ),
    "entry_number_reserved": _yes(
        "whether a die with the entry number can only enter a pawn while a pawn is in the nest",
        "S0 SR v1975, TR",
    ),
    "undersides_enter": _yes("whether a doublet's underside may enter a pawn", "S2 chart"),
    "total_move": Option(
        ("never", "allowed", "only"),
        "whether one pawn may, or must, move by the total of both dice as one increment",
        "S3 never; S1 allowed; S0 some MB only",
    ),
    "touch_down": _yes(
        "whether a pawn may pause on an opponent's safety space between two dice",
        "S0 PB; a house rule for SR",
    ),
    "pair_rule": Option(
        ("throughout", "at-end", "off"),
        "when the two pawns of a blockade must not form a blockade on another space: "
        "after every step, or at the end",
        "S0, S1, S3, S4; at-end S3",
    ),
    "stop_behind_blockade": _yes(
        "whether a pawn may stop on the space before a blockade if the number is too large", "S0 TR"
    ),
    "usage": Option(
        ("maximal", "exhaust", "maximal-higher", "whole-throw"),
        "what must be used: as many increments as possible, all until none fits, "
        "the higher die first, or the whole throw or nothing",
        "S0 maximal; S3 exhaust; S1 maximal-higher; S0 some MB whole-throw",
    ),
    "doublet_number": Option(
        ("any", 6), "which throw is a doublet: two equal dice, or the six of a single die", "S0"
    ),
    "doublet_spaces": Option(
        tuple(DOUBLET_SPACES),
        "what a doublet grants: the two faces; the faces and the undersides, once all pawns have "
        "entered, or always; or 14 spaces to divide, among two pawns or any",
        "S0, S1, S2, S3, S4; fourteen S0 TR",
    ),
    "doublet_whole": _yes("whether you must use all four increments or none", "S0 penalty 1, S4"),
    "doublet_home_whole": _yes(
        "whether a pawn may come home only with all 14 spaces of a doublet", "S0 TR"
    ),
    "again": Option(
        ("always", "if-all-used", "never"),
        "whether a seat throws again after a doublet, or only if it has used all increments",
        "S0 SR, TR, S1 to S4 always; S0 PB if-all-used; S0 some MB never",
    ),
    "third_doublet": Option(
        tuple(THIRD_DOUBLETS),
        "what the third doublet in a row costs: the pawn nearest home; the same, but no pawn in "
        "the home row; the turn; the steps; nothing",
        "S0, S2, S3, S4; unless-row S1; forfeit or no-move S0 TR v1960; none S0 PB, TR v1938",
    ),
    "capture_bonus": Option(
        (20, 0), "spaces earned by each capture", "S0, S1, S2, S3, S4; none S0 PB"
    ),
    "finish_bonus": Option(
        (10, 0), "spaces earned by each pawn that reaches home", "S0, S1, S3, S4; none S0 PB, TR"
    ),
    "bonus_timing": Option(
        ("any", "after-dice"),
        "whether a bonus waits until the dice are used",
        "S3 any; S1, S4 after-dice",
    ),
    "bonus_optional": _yes("whether players may leave a bonus unused", "S1"),
    "overtaking_captures": _yes(
        "whether passing a lone opponent captures it too", "S0 one MB version, not recommended"
    ),
    "second_circuit": _yes(
        "whether a pawn may pass its home row and go round the board again", "S1"
    ),
    "blockade_limit": Option(
        (0,),
        "the number of turns after which a player must break a blockade, if possible; 0: never",
        "house rule: S0, S1",
    ),
    "play_on": _yes("whether the others play on for second place and so on", "house rule: S0"),
}


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One set of rules. Its fields are the keys of `OPTIONS`, which has the meaning of each.

    Raises RuleSetError, which names the fields, if a value or a combination is impossible.
    """

    layout: str = "standard"
    safety: str = "twelve"
    travel: str = "counterclockwise"
    dice: int = 2
    starter: str = "highest-total"
    turn_order: str = "left"
    entry_number: int = 5
    entry_by: str = "die-or-sum"
    entry_required: bool = False
    entry_number_reserved: bool = False
    undersides_enter: bool = False
    total_move: str = "never"
    touch_down: bool = False
    pair_rule: str = "throughout"
    stop_behind_blockade: bool = False
    usage: str = "maximal"
    doublet_number: str | int = "any"
    doublet_spaces: str = "top"
    doublet_whole: bool = False
    doublet_home_whole: bool = False
    again: str = "always"
    third_doublet: str = "nearest-home"
    capture_bonus: int = 20
    finish_bonus: int = 10
    bonus_timing: str = "any"
    bonus_optional: bool = False
    overtaking_captures: bool = False
    second_circuit: bool = False
    blockade_limit: int = 0
    play_on: bool = False

    def __post_init__(self) -> None:
        for name, option in OPTIONS.items():
            value = getattr(self, name)
            known = range(100) if name == "blockade_limit" else option.values
            same_kind = any(type(value) is type(one) for one in option.values)
            if not same_kind or value not in known:
                one_of = ", ".join(map(_as_written, option.values))
                one_of = "0 to 99" if name == "blockade_limit" else one_of
                raise RuleSetError(f"{name} can't be {value!r}: it is one of {one_of}")
        for names, impossible in IMPOSSIBLE.items():
            if impossible(self):
                fields = names.split("+")
                given = ", ".join(f"{name} {_as_written(getattr(self, name))}" for name in fields)
                sentence = f"impossible together: {given}; change one of them"
                raise RuleSetError(sentence, names)

    @property
    def fourteen(self) -> bool:
        """Whether a doublet grants 14 spaces to share out."""
        return DOUBLET_SPACES[self.doublet_spaces].fourteen


def _as_written(value: object) -> str:
    """Return a value as JSON writes it in a rule set: true and false for yes and no."""
    return str(value).lower() if isinstance(value, bool) else str(value)


# The fields of each impossible combination, joined by plus signs, and the condition. Those of
# `entry_number` with `entry_by`, `total_move` or both would never let a pawn enter.
IMPOSSIBLE: dict[str, Callable[[RuleSet], bool]] = {
    "dice+entry_by": lambda r: r.dice == 1 and r.entry_by != "die",
    "dice+doublet_number": lambda r: (r.dice == 1) != (r.doublet_number == 6),
    "dice+total_move": lambda r: r.dice == 1 and r.total_move != "never",
    "dice+touch_down": lambda r: r.dice == 1 and r.touch_down,
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
        r.dice == 1 and r.entry_number == 6 and r.doublet_spaces == "four"
    ),
    "entry_number+doublet_spaces": lambda r: r.entry_number != 5 and r.fourteen,
    "total_move+entry_by": lambda r: r.total_move == "only" and r.entry_by == "die",
    "total_move+doublet_spaces": lambda r: r.total_move == "only" and r.doublet_spaces != "top",
    "total_move+touch_down": lambda r: r.total_move == "only" and r.touch_down,
    "total_move+entry_number_reserved": lambda r: (
        r.total_move == "only" and r.entry_number_reserved
    ),
    "doublet_home_whole+doublet_spaces": lambda r: r.doublet_home_whole and not r.fourteen,
    "second_circuit+layout": lambda r: r.second_circuit and r.layout == "tip-entry",
    "usage+entry_required": lambda r: r.usage == "exhaust" and r.entry_required,
    "usage+bonus_optional": lambda r: r.usage == "exhaust" and r.bonus_optional,
    "usage+bonus_timing": lambda r: r.usage == "exhaust" and r.bonus_timing == "after-dice",
}


class Preset(NamedTuple):
    """A named rule set: what it stands for, where it comes from, and its rules."""

    title: str
    source: str
    ruleset: RuleSet


_SR_1942 = RuleSet(entry_required=True, doublet_spaces="four-when-entered", doublet_whole=True)
_TR_1938 = RuleSet(
    entry_required=True,
    entry_number_reserved=True,
    stop_behind_blockade=True,
    doublet_spaces="fourteen-any",
    doublet_home_whole=True,
    third_doublet="none",
    finish_bonus=0,
)

PRESET_TABLE: dict[str, Preset] = {
    "sr-1942": Preset("Selchow & Righter 1942", "S0 SR v1942", _SR_1942),
    "sr-1989": Preset("Selchow & Righter 1989", "S0 SR v1989", _SR_1942),
    "sr-1975": Preset(
        "Selchow & Righter 1975",
        "S0 SR v1975",
        replace(_SR_1942, entry_required=False, entry_number_reserved=True),
    ),
    "pb": Preset(
        "Parker Brothers",
        "S0 PB",
        RuleSet(
            starter="choose",
            touch_down=True,
            again="if-all-used",
            third_doublet="none",
            capture_bonus=0,
            finish_bonus=0,
        ),
    ),
    "mb-india": Preset(
        "Milton Bradley India, fuller",
        "S0 MB",
        RuleSet(doublet_spaces="four", doublet_whole=True),
    ),
    "mb-total": Preset(
        "Milton Bradley, dice as total",
        "S0 some MB",
        RuleSet(
            entry_number=7,
            entry_by="sum",
            total_move="only",
            usage="whole-throw",
            again="never",
            third_doublet="none",
            capture_bonus=0,
            finish_bonus=0,
        ),
    ),
    "tr-1938": Preset("Transogram 1938", "S0 TR v1938", _TR_1938),
    "tr-1960": Preset(
        "Transogram 1960",
        "S0 TR v1960",
        replace(
            _TR_1938,
            stop_behind_blockade=False,
            doublet_spaces="fourteen-two-pawns",
            third_doublet="forfeit",
        ),
    ),
    "one-die": Preset(
        "one die",
        "S0",
        RuleSet(
            dice=1,
            entry_by="die",
            doublet_number=6,
            doublet_spaces="four-when-entered",
            starter="highest-die",
        ),
    ),
    "encyclopedia": Preset(
        "encyclopedia article",
        "S1",
        RuleSet(
            starter="lowest-die",
            total_move="allowed",
            usage="maximal-higher",
            doublet_spaces="four",
            third_doublet="nearest-home-unless-row",
            bonus_timing="after-dice",
            bonus_optional=True,
            second_circuit=True,
        ),
    ),
    "sca": Preset(
        "SCA Parchisi",
        "S2",
        RuleSet(turn_order="right", undersides_enter=True, doublet_spaces="four", finish_bonus=0),
    ),
    "findler": Preset(
        "Findler's course rules",
        "S3",
        RuleSet(
            starter="choose",
            pair_rule="at-end",
            usage="exhaust",
            doublet_spaces="four-when-entered",
        ),
    ),
    "royal-2023": Preset(
        "Royal Parcheesi 2023", "S4", replace(_SR_1942, bonus_timing="after-dice")
    ),
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
    return replace(base, **house)


def _preset(name: object) -> RuleSet:
    if not isinstance(name, str) or name not in PRESETS:
        raise RuleSetError(f"there is no preset {name!r}: presets are {', '.join(PRESETS)}")
    return PRESETS[name]


def ruleset_text(ruleset: RuleSet) -> str:
    """Return a rule set as JSON that `parse_ruleset` reads back: a preset, fields replaced."""
    near = min(PRESETS, key=lambda name: len(differences(PRESETS[name], ruleset)))
    house: dict[str, Any] = differences(PRESETS[near], ruleset)
    return json.dumps(near if not house else {"preset": near, **house})


def differences(one: RuleSet, other: RuleSet) -> dict[str, Value]:
    """Return the fields in which two rule sets differ, with the values of `other`."""
    return {
        field.name: getattr(other, field.name)
        for field in fields(RuleSet)
        if getattr(one, field.name) != getattr(other, field.name)
    }
