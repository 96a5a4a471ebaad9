"""The messages for the rules' options and for combinations that are impossible. Has no rules.

`OPTIONS` defines exactly what an option means. The texts explain it to a child.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pi_app.screens.screen import Message, Text, message
from rules.ruleset import OPTIONS, RuleSet, Value, differences

NO_YES: dict[Value, Text] = {False: message("option-no"), True: message("option-yes")}
# The numbers that NEXT offers, in order; a configuration may have a higher blockade_limit.
NUMBERS = {"entry_number": range(1, 13), "blockade_limit": range(6)}


class OptionWords(NamedTuple):
    """The names of an option and of its values."""

    name: Message
    values: Mapping[Value, Text] = NO_YES


# The groups of options. Those that families change most often come first.
GROUPS: dict[str, Message] = {
    "entering": message("group-entering"),
    "two-alike": message("group-two-alike"),
    "bonus": message("group-bonus"),
    "blockades": message("group-blockades"),
    "moving": message("group-moving"),
    "start-and-end": message("group-start-and-end"),
    "board-and-dice": message("group-board-and-dice"),
    "cowries": message("group-cowries"),
}
OPTION_WORDS: dict[str, dict[str, OptionWords]] = {
    "entering": {
        "entry_number": OptionWords(
            message("option-entry-number"), {n: str(n) for n in range(1, 13)}
        ),
        "entry_by": OptionWords(
            message("option-entry-by"),
            {
                "die-or-sum": message("option-entry-by-die-or-sum"),
                "sum": message("option-entry-by-sum"),
                "die": message("option-entry-by-die"),
                "lots": message("option-entry-by-lots"),
            },
        ),
        "entry_required": OptionWords(message("option-entry-required")),
        "entry_number_reserved": OptionWords(message("option-entry-number-reserved")),
        "undersides_enter": OptionWords(message("option-undersides-enter")),
        "entry_also": OptionWords(
            message("option-entry-also"),
            {0: message("option-entry-also-0"), **{n: str(n) for n in range(1, 7)}},
        ),
    },
    "two-alike": {
        "doublet_spaces": OptionWords(
            message("option-doublet-spaces"),
            {
                "top": message("option-doublet-spaces-top"),
                "four-when-entered": message("option-doublet-spaces-four-when-entered"),
                "four": message("option-doublet-spaces-four"),
                "fourteen-two-pawns": message("option-doublet-spaces-fourteen-two-pawns"),
                "fourteen-any": message("option-doublet-spaces-fourteen-any"),
            },
        ),
        "again": OptionWords(
            message("option-again"),
            {
                "always": message("option-again-always"),
                "if-all-used": message("option-again-if-all-used"),
                "never": message("option-again-never"),
            },
        ),
        "third_doublet": OptionWords(
            message("option-third-doublet"),
            {
                "nearest-home": message("option-third-doublet-nearest-home"),
                "nearest-home-unless-row": message("option-third-doublet-nearest-home-unless-row"),
                "forfeit": message("option-third-doublet-forfeit"),
                "no-move": message("option-third-doublet-no-move"),
                "none": message("option-third-doublet-none"),
                "last-moved": message("option-third-doublet-last-moved"),
            },
        ),
        "doublet_whole": OptionWords(message("option-doublet-whole")),
        "doublet_home_whole": OptionWords(message("option-doublet-home-whole")),
        "doublet_number": OptionWords(
            message("option-doublet-number"),
            {
                "any": message("option-doublet-number-any"),
                6: message("option-doublet-number-6"),
            },
        ),
    },
    "bonus": {
        "capture_bonus": OptionWords(
            message("option-capture-bonus"),
            {
                20: "20",
                0: message("option-capture-bonus-none"),
            },
        ),
        "finish_bonus": OptionWords(
            message("option-finish-bonus"),
            {
                10: "10",
                0: message("option-finish-bonus-none"),
            },
        ),
        "bonus_timing": OptionWords(
            message("option-bonus-timing"),
            {
                "any": message("option-bonus-timing-any"),
                "after-dice": message("option-bonus-timing-after-dice"),
            },
        ),
        "bonus_optional": OptionWords(message("option-bonus-optional")),
        "again_capture": OptionWords(message("option-again-capture")),
        "again_home": OptionWords(message("option-again-home")),
    },
    "blockades": {
        "pair_rule": OptionWords(
            message("option-pair-rule"),
            {
                "throughout": message("option-pair-rule-throughout"),
                "at-end": message("option-pair-rule-at-end"),
                "off": message("option-pair-rule-off"),
            },
        ),
        "blockade_limit": OptionWords(
            message("option-blockade-limit"),
            {
                0: message("option-blockade-limit-never"),
                **{n: message("option-blockade-limit-turns", count=n) for n in range(1, 100)},
            },
        ),
        "stop_behind_blockade": OptionWords(message("option-stop-behind-blockade")),
        "pairs": OptionWords(
            message("option-pairs"),
            {
                "blockade": message("option-pairs-blockade"),
                "wall": message("option-pairs-wall"),
                "immune": message("option-pairs-immune"),
                "none": message("option-pairs-none"),
            },
        ),
        "stacking": OptionWords(
            message("option-stacking"),
            {
                "two": message("option-stacking-two"),
                "one": message("option-stacking-one"),
                "any": message("option-stacking-any"),
            },
        ),
        "open_blockade": OptionWords(
            message("option-open-blockade"),
            {
                "never": message("option-open-blockade-never"),
                "doublet": message("option-open-blockade-doublet"),
            },
        ),
    },
    "moving": {
        "usage": OptionWords(
            message("option-usage"),
            {
                "maximal": message("option-usage-maximal"),
                "exhaust": message("option-usage-exhaust"),
                "maximal-higher": message("option-usage-maximal-higher"),
                "whole-throw": message("option-usage-whole-throw"),
                "free": message("option-usage-free"),
            },
        ),
        "total_move": OptionWords(
            message("option-total-move"),
            {
                "never": message("option-total-move-never"),
                "allowed": message("option-total-move-allowed"),
                "only": message("option-total-move-only"),
            },
        ),
        "touch_down": OptionWords(message("option-touch-down")),
        "overtaking_captures": OptionWords(message("option-overtaking-captures")),
        "second_circuit": OptionWords(message("option-second-circuit")),
        "row_jump": OptionWords(message("option-row-jump")),
    },
    "start-and-end": {
        "starter": OptionWords(
            message("option-starter"),
            {
                "highest-total": message("option-starter-highest-total"),
                "lowest-die": message("option-starter-lowest-die"),
                "highest-die": message("option-starter-highest-die"),
                "choose": message("option-starter-choose"),
            },
        ),
        "turn_order": OptionWords(
            message("option-turn-order"),
            {
                "left": message("option-turn-order-left"),
                "right": message("option-turn-order-right"),
            },
        ),
        "play_on": OptionWords(message("option-play-on")),
        "tries": OptionWords(
            message("option-tries"),
            {
                1: message("option-tries-1"),
                3: message("option-tries-3"),
            },
        ),
        "clear_entry": OptionWords(message("option-clear-entry")),
        "start_out": OptionWords(
            message("option-start-out"),
            {
                0: message("option-start-out-0"),
                1: message("option-start-out-1"),
                2: message("option-start-out-2"),
            },
        ),
    },
    "board-and-dice": {
        "dice": OptionWords(
            message("option-dice"),
            {
                2: message("option-dice-2"),
                1: message("option-dice-1"),
            },
        ),
        "layout": OptionWords(
            message("option-layout"),
            {
                "standard": message("option-layout-standard"),
                "corner-64": message("option-layout-corner-64"),
                "pachisi": message("option-layout-pachisi"),
                "tip-entry": message("option-layout-tip-entry"),
                "ludo-52": message("option-layout-ludo-52"),
                "ring-40": message("option-layout-ring-40"),
                "cross": message("option-layout-cross"),
            },
        ),
        "safety": OptionWords(
            message("option-safety"),
            {
                "twelve": message("option-safety-twelve"),
                "entries": message("option-safety-entries"),
                "tips": message("option-safety-tips"),
                "none": message("option-safety-none"),
                "entries-stars": message("option-safety-entries-stars"),
            },
        ),
        "safety_shared": OptionWords(
            message("option-safety-shared"),
            {
                "no": message("option-safety-shared-no"),
                "two": message("option-safety-shared-two"),
                "any": message("option-safety-shared-any"),
            },
        ),
        "entry_captures": OptionWords(
            message("option-entry-captures"),
            {
                "lone": message("option-entry-captures-lone"),
                "full": message("option-entry-captures-full"),
                "landing": message("option-entry-captures-landing"),
            },
        ),
        "travel": OptionWords(
            message("option-travel"),
            {
                "counterclockwise": message("option-travel-counterclockwise"),
                "clockwise": message("option-travel-clockwise"),
            },
        ),
    },
    "cowries": {
        "lots": OptionWords(
            message("option-lots"),
            {
                "dice": message("option-lots-dice"),
                "cowries-mitra": message("option-lots-cowries-mitra"),
                "cowries-modern": message("option-lots-cowries-modern"),
            },
        ),
        "grace": OptionWords(
            message("option-grace"),
            {
                "none": message("option-grace-none"),
                "value": message("option-grace-value"),
                "enter": message("option-grace-enter"),
            },
        ),
        "free_entry": OptionWords(message("option-free-entry")),
        "partners": OptionWords(message("option-partners")),
    },
}
WORDS: dict[str, OptionWords] = {
    option: words for group in OPTION_WORDS.values() for option, words in group.items()
}

# How rules with this value differ from the default edition; the greatest differences come first.
DIFFERENCE_WORDS: dict[str, Mapping[Value, Message]] = {
    "partners": {
        True: message("apart-partners-yes"),
        False: message("apart-partners-no"),
    },
    "free_entry": {
        True: message("apart-free-entry-yes"),
        False: message("apart-free-entry-no"),
    },
    "lots": {
        "dice": message("apart-lots-dice"),
        "cowries-mitra": message("apart-lots-cowries-mitra"),
        "cowries-modern": message("apart-lots-cowries-modern"),
    },
    "grace": {
        "none": message("apart-grace-none"),
        "value": message("apart-grace-value"),
        "enter": message("apart-grace-enter"),
    },
    "dice": {
        1: message("apart-dice-1"),
        2: message("apart-dice-2"),
    },
    "doublet_number": {
        6: message("apart-doublet-number-6"),
        "any": message("apart-doublet-number-any"),
    },
    "total_move": {
        "only": message("apart-total-move-only"),
        "allowed": message("apart-total-move-allowed"),
        "never": message("apart-total-move-never"),
    },
    "entry_number": {n: message("apart-entry-number", number=n) for n in range(1, 13)},
    "doublet_spaces": {
        "top": message("apart-doublet-spaces-top"),
        "four-when-entered": message("apart-doublet-spaces-four-when-entered"),
        "four": message("apart-doublet-spaces-four"),
        "fourteen-two-pawns": message("apart-doublet-spaces-fourteen-two-pawns"),
        "fourteen-any": message("apart-doublet-spaces-fourteen-any"),
    },
    "usage": {
        "exhaust": message("apart-usage-exhaust"),
        "whole-throw": message("apart-usage-whole-throw"),
        "maximal-higher": message("apart-usage-maximal-higher"),
        "maximal": message("apart-usage-maximal"),
        "free": message("apart-usage-free"),
    },
    "travel": {
        "clockwise": message("apart-travel-clockwise"),
        "counterclockwise": message("apart-travel-counterclockwise"),
    },
    "layout": {
        "corner-64": message("apart-layout-corner-64"),
        "pachisi": message("apart-layout-pachisi"),
        "tip-entry": message("apart-layout-tip-entry"),
        "ludo-52": message("apart-layout-ludo-52"),
        "ring-40": message("apart-layout-ring-40"),
        "cross": message("apart-layout-cross"),
        "standard": message("apart-layout-standard"),
    },
    "safety": {
        "entries": message("apart-safety-entries"),
        "tips": message("apart-safety-tips"),
        "none": message("apart-safety-none"),
        "entries-stars": message("apart-safety-entries-stars"),
        "twelve": message("apart-safety-twelve"),
    },
    "stacking": {
        "two": message("apart-stacking-two"),
        "one": message("apart-stacking-one"),
        "any": message("apart-stacking-any"),
    },
    "pairs": {
        "blockade": message("apart-pairs-blockade"),
        "wall": message("apart-pairs-wall"),
        "immune": message("apart-pairs-immune"),
        "none": message("apart-pairs-none"),
    },
    "entry_also": {
        0: message("apart-entry-also-0"),
        **{n: message("apart-entry-also-number", number=n) for n in range(1, 7)},
    },
    "again_capture": {
        True: message("apart-again-capture-yes"),
        False: message("apart-again-capture-no"),
    },
    "again_home": {
        True: message("apart-again-home-yes"),
        False: message("apart-again-home-no"),
    },
    "open_blockade": {
        "never": message("apart-open-blockade-never"),
        "doublet": message("apart-open-blockade-doublet"),
    },
    "row_jump": {
        False: message("apart-row-jump-no"),
        True: message("apart-row-jump-yes"),
    },
    "tries": {
        1: message("apart-tries-1"),
        3: message("apart-tries-3"),
    },
    "clear_entry": {
        True: message("apart-clear-entry-yes"),
        False: message("apart-clear-entry-no"),
    },
    "start_out": {
        0: message("apart-start-out-0"),
        1: message("apart-start-out-1"),
        2: message("apart-start-out-2"),
    },
    "safety_shared": {
        "no": message("apart-safety-shared-no"),
        "two": message("apart-safety-shared-two"),
        "any": message("apart-safety-shared-any"),
    },
    "entry_captures": {
        "lone": message("apart-entry-captures-lone"),
        "full": message("apart-entry-captures-full"),
        "landing": message("apart-entry-captures-landing"),
    },
    "undersides_enter": {
        True: message("apart-undersides-enter-yes"),
        False: message("apart-undersides-enter-no"),
    },
    "entry_number_reserved": {
        True: message("apart-entry-number-reserved-yes"),
        False: message("apart-entry-number-reserved-no"),
    },
    "stop_behind_blockade": {
        True: message("apart-stop-behind-blockade-yes"),
        False: message("apart-stop-behind-blockade-no"),
    },
    "touch_down": {
        True: message("apart-touch-down-yes"),
        False: message("apart-touch-down-no"),
    },
    "overtaking_captures": {
        True: message("apart-overtaking-captures-yes"),
        False: message("apart-overtaking-captures-no"),
    },
    "second_circuit": {
        True: message("apart-second-circuit-yes"),
        False: message("apart-second-circuit-no"),
    },
    "capture_bonus": {
        0: message("apart-capture-bonus-0"),
        20: message("apart-capture-bonus-20"),
    },
    "pair_rule": {
        "off": message("apart-pair-rule-off"),
        "at-end": message("apart-pair-rule-at-end"),
        "throughout": message("apart-pair-rule-throughout"),
    },
    "third_doublet": {
        "none": message("apart-third-doublet-none"),
        "last-moved": message("apart-third-doublet-last-moved"),
        "no-move": message("apart-third-doublet-no-move"),
        "forfeit": message("apart-third-doublet-forfeit"),
        "nearest-home-unless-row": message("apart-third-doublet-nearest-home-unless-row"),
        "nearest-home": message("apart-third-doublet-nearest-home"),
    },
    "again": {
        "never": message("apart-again-never"),
        "if-all-used": message("apart-again-if-all-used"),
        "always": message("apart-again-always"),
    },
    "entry_by": {
        "sum": message("apart-entry-by-sum"),
        "die": message("apart-entry-by-die"),
        "lots": message("apart-entry-by-lots"),
        "die-or-sum": message("apart-entry-by-die-or-sum"),
    },
    "entry_required": {
        True: message("apart-entry-required-yes"),
        False: message("apart-entry-required-no"),
    },
    "finish_bonus": {
        0: message("apart-finish-bonus-0"),
        10: message("apart-finish-bonus-10"),
    },
    "doublet_home_whole": {
        True: message("apart-doublet-home-whole-yes"),
        False: message("apart-doublet-home-whole-no"),
    },
    "doublet_whole": {
        True: message("apart-doublet-whole-yes"),
        False: message("apart-doublet-whole-no"),
    },
    "bonus_optional": {
        True: message("apart-bonus-optional-yes"),
        False: message("apart-bonus-optional-no"),
    },
    "play_on": {
        True: message("apart-play-on-yes"),
        False: message("apart-play-on-no"),
    },
    "blockade_limit": {
        0: message("apart-blockade-limit-0"),
        **{n: message("apart-blockade-limit-turns", count=n) for n in range(1, 100)},
    },
    "turn_order": {
        "right": message("apart-turn-order-right"),
        "left": message("apart-turn-order-left"),
    },
    "starter": {
        "choose": message("apart-starter-choose"),
        "lowest-die": message("apart-starter-lowest-die"),
        "highest-die": message("apart-starter-highest-die"),
        "highest-total": message("apart-starter-highest-total"),
    },
    "bonus_timing": {
        "any": message("apart-bonus-timing-any"),
        "after-dice": message("apart-bonus-timing-after-dice"),
    },
}
DIFFERENCE_LINES = 2

# Why a combination of `IMPOSSIBLE` is refused, by its key there.
REFUSALS: dict[str, Message] = {
    "dice+entry_by": message("refusal-dice-entry-by"),
    "dice+total_move": message("refusal-dice-total-move"),
    "dice+touch_down": message("refusal-dice-touch-down"),
    "dice+doublet_spaces": message("refusal-dice-doublet-spaces"),
    "entry_number+entry_by": message("refusal-entry-number-entry-by"),
    "entry_number+entry_by+total_move": message("refusal-entry-number-entry-by-total-move"),
    "entry_number+total_move": message("refusal-entry-number-total-move"),
    "dice+entry_number+doublet_spaces": message("refusal-dice-entry-number-doublet-spaces"),
    "entry_number+doublet_spaces": message("refusal-entry-number-doublet-spaces"),
    "total_move+entry_by": message("refusal-total-move-entry-by"),
    "total_move+doublet_spaces": message("refusal-total-move-doublet-spaces"),
    "total_move+touch_down": message("refusal-total-move-touch-down"),
    "total_move+entry_number_reserved": message("refusal-total-move-entry-number-reserved"),
    "doublet_home_whole+doublet_spaces": message("refusal-doublet-home-whole-doublet-spaces"),
    "second_circuit+layout": message("refusal-second-circuit-layout"),
    "usage+entry_required": message("refusal-usage-entry-required"),
    "usage+bonus_optional": message("refusal-usage-bonus-optional"),
    "usage+bonus_timing": message("refusal-usage-bonus-timing"),
    "layout+third_doublet": message("refusal-layout-third-doublet"),
}


def distinctions(ruleset: RuleSet, usual: RuleSet) -> tuple[Message, ...]:
    """Return how rules differ from the usual ones of their game, in two lines at most."""
    changes = differences(usual, ruleset)
    lines = [
        DIFFERENCE_WORDS[option][changes[option]]
        for option in DIFFERENCE_WORDS
        if option in changes
    ]
    return tuple(lines[:DIFFERENCE_LINES])


def value_words(option: str, value: Value) -> Text:
    """Return the name of an option's value."""
    return WORDS[option].values[value]


def option_values(option: str, now: Value) -> tuple[Value, ...]:
    """Return the values of an option in the order of NEXT, beginning with the one it has now.

    Values that have no words are not among them.
    """
    named = (value for value in OPTIONS[option].values if value in WORDS[option].values)
    values: tuple[Value, ...] = tuple(NUMBERS.get(option, named))
    index = values.index(now) if now in values else len(values)
    return (now, *values[index + 1 :], *values[:index])
