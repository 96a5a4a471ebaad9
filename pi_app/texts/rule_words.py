"""The messages for the rules' options and for combinations that are impossible. Has no rules.

`OPTIONS` defines exactly what an option means. The texts explain it to a child. The id of a text is
made of the names of the option and of its value: `option-pair-rule-at-end`.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pi_app.model.screens import Message, Text, message
from rules.ruleset import OPTIONS, RuleSet, Value, differences, written_options

NO_YES: dict[Value, Text] = {False: message("option-no"), True: message("option-yes")}
# The numbers that NEXT offers, in order; a configuration may have a higher blockade_limit.
NUMBERS = {"entry_number": range(1, 13), "blockade_limit": range(6)}


class OptionWords(NamedTuple):
    """The names of an option and of its values."""

    name: Message
    values: Mapping[Value, Text]


def _id(name: Value) -> str:
    """Return a name as ids have it: `pair-rule` for `pair_rule`, `yes` for True."""
    if isinstance(name, bool):
        return "yes" if name else "no"
    return str(name).replace("_", "-").replace("+", "-")


# The groups of options. Those that families change most often come first.
_GROUPED = {
    "entering": (
        "entry_number entry_by entry_required entry_number_reserved undersides_enter entry_also "
        "entry_pairs"
    ),
    "two-alike": (
        "doublet_spaces again third_doublet doublet_whole doublet_home_whole doublet_number"
    ),
    "bonus": "capture_bonus finish_bonus bonus_timing bonus_optional again_capture again_home",
    "blockades": (
        "pair_rule blockade_limit stop_behind_blockade pairs pairs_on stacking open_blockade"
    ),
    "moving": ("usage total_move touch_down must_capture captures overtaking_captures held_target"),
    "way-home": "second_circuit row_jump overshoot row_by passing stars",
    "start-and-end": "starter turn_order partners to_win play_on tries clear_entry start_out",
    "board-and-dice": "dice layout safety safety_shared entry_captures travel",
    "cowries": "lots grace free_entry",
}
# What families change most often, in the order of NEXT.
SHORT_LIST = (
    *("to_win", "partners", "third_doublet", "doublet_spaces", "pairs_on", "must_capture"),
    *("overshoot", "passing", "entry_also", "entry_pairs", "dice"),
)
# The values whose words are a number, or have an id of their own.
_OWN_WORDS: dict[str, dict[Value, Text]] = {
    "must_capture": {one: message(f"option-must-capture-{_id(one)}") for one in (False, True)},
    "partners": {False: NO_YES[False], True: message("option-partners-yes")},
    "entry_number": {n: str(n) for n in range(1, 13)},
    "entry_also": {n: str(n) for n in range(1, 7)},
    "capture_bonus": {20: "20", 0: message("option-capture-bonus-none")},
    "finish_bonus": {10: "10", 0: message("option-finish-bonus-none")},
    "blockade_limit": {
        0: message("option-blockade-limit-never"),
        **{n: message("option-blockade-limit-turns", count=n) for n in range(1, 100)},
    },
}


def _option_words(option: str) -> OptionWords:
    name, values = _id(option), OPTIONS[option].values
    words = {value: message(f"option-{name}-{_id(value)}") for value in values}
    own = _OWN_WORDS.get(option, NO_YES if isinstance(values[0], bool) else {})
    return OptionWords(message(f"option-{name}"), {**words, **own})


GROUPS = {group: message(f"group-{group}") for group in _GROUPED}
OPTION_WORDS = {
    group: {option: _option_words(option) for option in options.split()}
    for group, options in _GROUPED.items()
}
WORDS = {option: words for group in OPTION_WORDS.values() for option, words in group.items()}

# The options in which rules differ from the default edition; the greatest differences come first.
_DIFFERENCES = """
    partners to_win free_entry lots grace dice doublet_number total_move captures entry_number
    doublet_spaces must_capture overshoot passing row_by stars held_target
    pairs_on entry_pairs
    usage travel layout safety stacking pairs entry_also again_capture again_home open_blockade
    row_jump tries clear_entry start_out safety_shared entry_captures undersides_enter
    entry_number_reserved stop_behind_blockade touch_down overtaking_captures second_circuit
    capture_bonus pair_rule third_doublet again entry_by entry_required finish_bonus
    doublet_home_whole doublet_whole bonus_optional play_on blockade_limit turn_order starter
    bonus_timing
"""
_OWN_DIFFERENCES: dict[str, dict[Value, Message]] = {
    "entry_number": {n: message("apart-entry-number", number=n) for n in range(1, 13)},
    "entry_also": {n: message("apart-entry-also-number", number=n) for n in range(1, 7)},
    "blockade_limit": {n: message("apart-blockade-limit-turns", count=n) for n in range(1, 100)},
}


def _difference_words(option: str) -> dict[Value, Message]:
    words = {n: message(f"apart-{_id(option)}-{_id(n)}") for n in OPTIONS[option].values}
    return words | _OWN_DIFFERENCES.get(option, {})


DIFFERENCE_WORDS = {option: _difference_words(option) for option in _DIFFERENCES.split()}
DIFFERENCE_LINES = 2

# The combinations of `IMPOSSIBLE` for which players get the reason.
_EXPLAINED = """
    dice+entry_by dice+total_move dice+touch_down dice+doublet_spaces entry_number+entry_by
    entry_number+entry_by+total_move entry_number+total_move dice+entry_number+doublet_spaces
    entry_number+doublet_spaces total_move+entry_by total_move+doublet_spaces
    total_move+touch_down total_move+entry_number_reserved doublet_home_whole+doublet_spaces
    second_circuit+layout usage+entry_required usage+bonus_optional usage+bonus_timing
    layout+third_doublet
"""
_EXPLAINED_ALIKE = {
    "twelve": "doublet_spaces+dice",
    "pairs-stop-nobody": "pairs_on+pairs",
    "no-safety": "pairs_on+safety",
    "exact-count": "overshoot+doublet_spaces overshoot+total_move overshoot+lots",
    "there-and-back": (
        "overshoot+dice overshoot+capture_bonus overshoot+finish_bonus overshoot+second_circuit "
        "overshoot+layout"
    ),
    "nobody-kept-in": "entry_pairs+lots entry_pairs+captures",
    "passing-captures": (
        "captures+dice captures+capture_bonus captures+finish_bonus captures+partners"
    ),
    "one-number": "entry_also+entry_by entry_also+total_move entry_also+doublet_spaces",
    "each-die": "layout+total_move",
    "own-numbers": "overshoot+row_by",
    "ladder": (
        "row_by+layout row_by+dice row_by+doublet_spaces row_by+capture_bonus row_by+finish_bonus"
    ),
    "nobody-passed": (
        "passing+dice passing+stacking passing+pairs passing+capture_bonus passing+finish_bonus "
        "passing+overtaking_captures"
    ),
    "sides-end-together": "partners+play_on",
}
REFUSALS = {together: message(f"refusal-{_id(together)}") for together in _EXPLAINED.split()} | {
    together: message(f"refusal-{name}")
    for name, combinations in _EXPLAINED_ALIKE.items()
    for together in combinations.split()
}


def distinctions(ruleset: RuleSet, usual: RuleSet) -> tuple[Message, ...]:
    """Return how rules differ from the usual ones of their game, in two lines at most."""
    changes = differences(usual, ruleset)
    lines = [words[changes[one]] for one, words in DIFFERENCE_WORDS.items() if one in changes]
    return tuple(lines[:DIFFERENCE_LINES])


def rules_in_words(rules: RuleSet) -> Iterator[tuple[Message, list[tuple[Message, Text]]]]:
    """Yield each group with the options that rules have, and the words of their values."""
    values = written_options(rules)
    for group, options in OPTION_WORDS.items():
        written = [one for one in options if one in values]
        if written:
            named = [(options[one].name, value_words(one, values[one])) for one in written]
            yield GROUPS[group], named


def value_words(option: str, value: Value) -> Text:
    return WORDS[option].values[value]


def option_values(option: str, now: Value) -> tuple[Value, ...]:
    """Return the values of an option in the order of NEXT, beginning with the one it has now."""
    values: tuple[Value, ...] = tuple(NUMBERS.get(option, OPTIONS[option].values))
    index = values.index(now) if now in values else len(values)
    return (now, *values[index + 1 :], *values[:index])
