"""The rules' options in words for the panel: a row each, and why some don't go together. No rules.

What an option means exactly stands in `OPTIONS`; here are a child's words for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules.ruleset import DEFAULT_PRESET, OPTIONS, PRESETS, RuleSet, Value, differences

NO_YES: dict[Value, str] = {False: "no", True: "yes"}
# Numbers to choose from with NEXT, in order; a configuration may have a blockade broken later.
NUMBERS = {"entry_number": range(1, 13), "blockade_limit": range(6)}


class OptionWords(NamedTuple):
    """An option's name and those of its values."""

    name: str
    values: Mapping[Value, str] = NO_YES


# By group, in the order in which families change them.
OPTION_WORDS: dict[str, dict[str, OptionWords]] = {
    "entering": {
        "entry_number": OptionWords("enters with", {n: str(n) for n in range(1, 13)}),
        "entry_by": OptionWords(
            "enters by", {"die-or-sum": "one die or both", "sum": "both dice", "die": "one die"}
        ),
        "entry_required": OptionWords("must enter"),
        "entry_number_reserved": OptionWords("5 only to enter"),
        "undersides_enter": OptionWords("underside enters"),
    },
    "two alike": {
        "doublet_spaces": OptionWords(
            "two alike give",
            {
                "top": "the two dice",
                "four-when-entered": "4 if all are in",
                "four": "4 numbers",
                "fourteen-two-pawns": "14 for 2 pawns",
                "fourteen-any": "14 for all pawns",
            },
        ),
        "again": OptionWords(
            "throw again",
            {"always": "always", "if-all-used": "if all was used", "never": "never"},
        ),
        "third_doublet": OptionWords(
            "3rd two alike",
            {
                "nearest-home": "first pawn back",
                "nearest-home-unless-row": "back, row is safe",
                "forfeit": "turn ends",
                "no-move": "no move",
                "none": "nothing",
            },
        ),
        "doublet_whole": OptionWords("all 4 or none"),
        "doublet_home_whole": OptionWords("home by all 14"),
        "doublet_number": OptionWords("what counts", {"any": "two alike", 6: "a six"}),
    },
    "bonus": {
        "capture_bonus": OptionWords("for a capture", {20: "20", 0: "none"}),
        "finish_bonus": OptionWords("for coming home", {10: "10", 0: "none"}),
        "bonus_timing": OptionWords(
            "bonus is moved", {"any": "at any time", "after-dice": "after the dice"}
        ),
        "bonus_optional": OptionWords("may leave a bonus"),
    },
    "blockades": {
        "pair_rule": OptionWords(
            "may move as two",
            {"throughout": "never", "at-end": "not to stay", "off": "yes"},
        ),
        "blockade_limit": OptionWords(
            "must break up",
            {0: "never", 1: "after 1 turn", **{n: f"after {n} turns" for n in range(2, 100)}},
        ),
        "stop_behind_blockade": OptionWords("may stop behind"),
    },
    "moving": {
        "usage": OptionWords(
            "must use",
            {
                "maximal": "most it can",
                "exhaust": "until none fits",
                "maximal-higher": "higher die first",
                "whole-throw": "all or nothing",
            },
        ),
        "total_move": OptionWords(
            "both dice as one", {"never": "never", "allowed": "if you like", "only": "always"}
        ),
        "touch_down": OptionWords("touch and go on"),
        "overtaking_captures": OptionWords("passing captures"),
        "second_circuit": OptionWords("round once more"),
    },
    "start and end": {
        "starter": OptionWords(
            "who begins",
            {
                "highest-total": "highest throw",
                "lowest-die": "lowest die",
                "highest-die": "highest die",
                "choose": "you choose",
            },
        ),
        "turn_order": OptionWords("next is on the", {"left": "left", "right": "right"}),
        "play_on": OptionWords("play on for 2nd"),
    },
    "board and dice": {
        "dice": OptionWords("how many dice", {2: "two", 1: "one"}),
        "layout": OptionWords(
            "the board has",
            {
                "standard": "68 spaces",
                "corner-64": "64 spaces",
                "pachisi": "68, safe by 4",
                "tip-entry": "68, in at the tip",
            },
        ),
        "safety": OptionWords(
            "safe spaces are",
            {
                "twelve": "all twelve",
                "entries": "the entries",
                "tips": "the tips",
                "none": "none",
            },
        ),
        "travel": OptionWords(
            "pawns go", {"counterclockwise": "against the clock", "clockwise": "with the clock"}
        ),
    },
}
WORDS: dict[str, OptionWords] = {
    option: words for group in OPTION_WORDS.values() for option, words in group.items()
}

# What rules with this value differ in from the usual edition, what changes a game most first.
APART: dict[str, Mapping[Value, str]] = {
    "dice": {1: "one die is thrown", 2: "two dice are thrown"},
    "doublet_number": {6: "a six throws again", "any": "two alike throw again"},
    "total_move": {
        "only": "both dice count as one",
        "allowed": "both dice may count as one",
        "never": "each die counts by itself",
    },
    "entry_number": {n: f"enter with {n}" for n in range(1, 13)},
    "doublet_spaces": {
        "top": "two alike give just two",
        "four-when-entered": "two alike: 4, once all are in",
        "four": "two alike: always 4 numbers",
        "fourteen-two-pawns": "two alike: 14 for two pawns",
        "fourteen-any": "two alike: 14 spaces to share",
    },
    "usage": {
        "exhaust": "go on until nothing fits",
        "whole-throw": "use all or nothing",
        "maximal-higher": "the higher die first",
        "maximal": "use as much as you can",
    },
    "travel": {"clockwise": "pawns go clockwise", "counterclockwise": "counterclockwise"},
    "layout": {
        "corner-64": "a board of 64 spaces",
        "pachisi": "safe by 4 from each tip",
        "tip-entry": "pawns enter at the tip",
        "standard": "a board of 68 spaces",
    },
    "safety": {
        "entries": "only the entries are safe",
        "tips": "only the tips are safe",
        "none": "no space is safe",
        "twelve": "twelve spaces are safe",
    },
    "undersides_enter": {True: "undersides enter, too", False: "undersides do not enter"},
    "entry_number_reserved": {
        True: "keep your 5 for entering",
        False: "a 5 need not enter",
    },
    "stop_behind_blockade": {
        True: "may stop behind a blockade",
        False: "no stop behind a blockade",
    },
    "touch_down": {True: "may touch and go on", False: "no touching on the way"},
    "overtaking_captures": {True: "passing captures, too", False: "passing captures nobody"},
    "second_circuit": {True: "may go round once more", False: "one time round"},
    "capture_bonus": {0: "no bonus for a capture", 20: "20 for a capture"},
    "pair_rule": {
        "off": "two may move together",
        "at-end": "two may part and meet again",
        "throughout": "two never move together",
    },
    "third_doublet": {
        "none": "third two alike costs nothing",
        "no-move": "third two alike: no move",
        "forfeit": "third two alike ends the turn",
        "nearest-home-unless-row": "pawns in the row stay there",
        "nearest-home": "third two alike: a pawn back",
    },
    "again": {
        "never": "two alike: no second throw",
        "if-all-used": "throw again if all is used",
        "always": "two alike throw again",
    },
    "entry_by": {
        "sum": "enter by both dice",
        "die": "enter by one die",
        "die-or-sum": "enter by one die or both",
    },
    "entry_required": {True: "enter if you can", False: "nobody must enter"},
    "finish_bonus": {0: "no bonus for coming home", 10: "10 for coming home"},
    "doublet_home_whole": {True: "home takes all 14", False: "home takes part of 14"},
    "doublet_whole": {True: "four numbers: all or none", False: "use some of four numbers"},
    "bonus_optional": {True: "a bonus may be left", False: "a bonus must be used"},
    "play_on": {True: "play on for second place", False: "the first home ends it"},
    "blockade_limit": {
        0: "a blockade may stay",
        1: "break blockades in a turn",
        **{n: f"break blockades in {n} turns" for n in range(2, 100)},
    },
    "turn_order": {"right": "next is on the right", "left": "next is on the left"},
    "starter": {
        "choose": "you choose who begins",
        "lowest-die": "the lowest die begins",
        "highest-die": "the highest die begins",
        "highest-total": "the highest throw begins",
    },
    "bonus_timing": {"any": "a bonus at any time", "after-dice": "a bonus after the dice"},
}
APART_LINES = 2

# Why a combination of `IMPOSSIBLE` can't be, by its row there, and what can be done.
REFUSALS: dict[str, str] = {
    "dice entry_by": "One die has no sum. Start from the rules of one die.",
    "dice doublet_number": "A six counts with one die only, two alike with two.",
    "dice total_move": "One die is never both dice as one.",
    "dice touch_down": "One die can't touch and go on.",
    "dice doublet_spaces": "One die never gives 14.",
    "entry_number entry_by": "Over 6 takes both dice, 1 takes one die.",
    "entry_number entry_by total_move": "Two unlike dice are never 2 or 12.",
    "entry_number total_move": "Both dice as one are never 1.",
    "dice entry_number doublet_spaces": "A six would be a 7: no pawn enters.",
    "entry_number doublet_spaces": "14 to share out needs a 5 to enter.",
    "total_move entry_by": "Both dice as one: none enters by one die.",
    "total_move doublet_spaces": "Both dice as one: two alike give the two dice.",
    "total_move touch_down": "Both dice as one: no touch between.",
    "total_move entry_number_reserved": "Both dice as one: no die is kept.",
    "doublet_home_whole doublet_spaces": "Home by all 14 needs two alike to give 14.",
    "second_circuit layout": "Who enters at the tip can't go round once more.",
    "usage entry_required": 'With "until none fits" nobody must enter.',
    "usage bonus_optional": 'With "until none fits" no bonus is left.',
    "usage bonus_timing": 'With "until none fits" a bonus has no order.',
}


def apart(ruleset: RuleSet) -> tuple[str, ...]:
    """Return in at most two lines what sets rules apart from the usual edition."""
    differing = differences(PRESETS[DEFAULT_PRESET], ruleset)
    lines = [APART[option][differing[option]] for option in APART if option in differing]
    return tuple(lines[:APART_LINES])


def value_words(option: str, value: Value) -> str:
    """Return what a value of an option is called."""
    return WORDS[option].values[value]


def values(option: str, now: Value) -> tuple[Value, ...]:
    """Return what an option can be, to be gone round with NEXT from how it is now."""
    choice: tuple[Value, ...] = tuple(NUMBERS.get(option, OPTIONS[option].values))
    at = choice.index(now) if now in choice else len(choice)
    return (now, *choice[at + 1 :], *choice[:at])
