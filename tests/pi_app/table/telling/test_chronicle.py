"""What has happened, as lines: from the record, so the same after a new start."""

from dataclasses import replace

import pytest

from pi_app.model import history
from pi_app.table.telling.chronicle import recent_lines, who_played
from pi_app.texts.language import ENGLISH
from rules.game import at
from rules.history import LATEST, Record, enter, new_record, parse_entry
from rules.position import parse_position
from rules.ruleset import PRESETS, RuleSet

NESTS = "N,N,N,N/-/N,N,N,N/-"
ALONE = "12,N,N,N/-/N,N,N,N/-"


def after(
    *entries: str,
    position: str = NESTS,
    rules: str | RuleSet = "findler",
    doublets: int = 0,
) -> Record:
    """Return the record of A's turn after these entries; `throw 5 3 from typed` names a source."""
    ruleset = PRESETS[rules] if isinstance(rules, str) else rules
    game = at(ruleset, parse_position(position, ruleset), 0, doublets)
    record = Record(game, host=0)
    for text in entries:
        action, _, source = text.partition(" from ")
        record, _ = enter(record, parse_entry(action), source or None)
    return record


def lines(record: Record, most: int = 10) -> list[str]:
    """Return the lines in the order in which they happened."""
    return [ENGLISH.say(line) for _, line in reversed(recent_lines(record, most))]


TOLD = [
    (NESTS, ["throw 5 3"], ["A threw 5 and 3"]),
    (NESTS, ["throw 5 3 from typed"], ["A typed 5 and 3"]),
    (
        NESTS,
        ["throw 5 3 from typed", "retype 5 2"],
        ["A typed 5 and 3", "A corrected the dice to 5 and 2"],
    ),
    (NESTS, ["throw 5 3", "move N-0(5)"], ["A threw 5 and 3", "A entered a pawn with 5"]),
    (
        ALONE,
        ["throw 1 2", "move 12-13(1)"],
        ["A threw 1 and 2", "A moved 1, from 12 past A to 13 past A"],
    ),
    (
        "12,N,N,N/-/49,N,N,N/-",
        ["throw 3 1", "move 12-15(3)x"],
        [
            "A threw 3 and 1",
            "A moved 3, from 12 past A to 15 past A",
            "A captured C at 15\u202fpast\u202fA: +20",
        ],
    ),
    (
        "r6,r1,N,N/-/N,N,N,N/-",
        ["throw 2 1", "move r6-H(2)"],
        ["A threw 2 and 1", "A moved 2, from row 6 to home: +10"],
    ),
    (NESTS, ["throw 6 4", "stop"], ["A threw 6 and 4", "A did not use 6 and 4"]),
    (
        ALONE,
        ["throw 1 2", "move 12-13(1)", "undo"],
        [
            "A threw 1 and 2",
            "A moved 1, from 12 past A to 13 past A",
            "undone: A's move from 12 past A to 13 past A",
        ],
    ),
    (
        NESTS,
        ["throw 6 4", "stop", "throw 3 1", "undo", "stop", "throw 3 1"],
        [
            "A threw 6 and 4",
            "A did not use 6 and 4",
            "C threw 3 and 1",
            "undone: the end of A's turn",
            "A did not use 6 and 4",
            "C threw 3 and 1, as before",
        ],
    ),
    (
        NESTS,
        ["throw 6 4", f"correct {ALONE} seat 0 doublets 0", "undo"],
        [
            "A threw 6 and 4",
            "corrected: A from the nest to 12 past A",
            "undone: the correction",
        ],
    ),
    (
        NESTS,
        ["throw 6 4", f"correct {ALONE} seat 2 doublets 0"],
        [
            "A threw 6 and 4",
            "corrected: A from the nest to 12 past A, C's turn; the throw is kept",
        ],
    ),
    (NESTS, [f"correct {NESTS} seat 0 doublets 1"], ["corrected: doubles before"]),
    (
        "12,N,N,N/N,N,N,N/N,N,N,N/-",
        ["leave 2", "undo"],
        ["C left the game", "undone: C left the game"],
    ),
    (NESTS, ["leave 2"], ["C left the game", "A has won", "the game is over"]),
    (NESTS, ["end", "undo"], ["the game is over", "undone: the end of the game"]),
    ("N,N,N,N/N,N,N,N/N,N,N,N/-", ["leave 1"], ["B left the game"]),
    (
        "H,H,H,r6/-/N,N,N,N/-",
        ["throw 2 1", "move r6-H(2)"],
        [
            "A threw 2 and 1",
            "A moved 2, from row 6 to home: +10",
            "A has won",
            "the game is over",
        ],
    ),
]


@pytest.mark.parametrize(("position", "entries", "told"), TOLD, ids=lambda value: str(value)[-40:])
def test_what_happens_is_told(position: str, entries: list[str], told: list[str]) -> None:
    assert lines(after(*entries, position=position)) == told


def test_the_third_two_alike_names_the_pawn_that_goes_back() -> None:
    record = after("throw 4 4", "stop", position="12,N,N,N/-/N,N,N,N/-", doublets=2)
    assert lines(record)[1:] == [
        "A threw doubles three times: a pawn goes from 12 past A to the nest"
    ]


def test_what_undoing_a_turn_puts_back_is_told() -> None:
    india = replace(PRESETS["ludo-india"], third_doublet="undo-turn")
    sixes = ("throw 6", "move N-0(6)", "throw 6", "move 0-6(6)x", "throw 6", "stop")
    record = after(*sixes, position="N,N,N,N/-/32,N,N,N/-", rules=india)
    assert lines(record, 3) == [
        "A threw doubles three times: the turn is undone",
        "put back: A from 6 past A to the nest",
        "put back: C from the nest to 6 past A",
    ]


def test_playing_on_and_the_last_round_are_told() -> None:
    won = ("throw 1 3", "move r7-H(1)", "play-on")
    record = after(*won, position="H,H,H,r7/N,N,N,N/N,N,N,N/-")
    assert lines(record, 2) == ["the game is over", "the others play on for the places"]
    assert lines(after(*won, "undo", position="H,H,H,r7/N,N,N,N/N,N,N,N/-"), 1) == [
        "undone: playing on"
    ]
    free = replace(PRESETS["findler"], usage="free")
    last = ("last-turn C", "last-turn -", "last-turn A", "throw 6 5", "stop")
    record = after(*last, position="12,N,N,N/-/12,N,N,N/-", rules=free)
    assert lines(record) == [
        "last round: C is last",
        "no last round: play on",
        "last round: A is last",
        "A threw 6 and 5",
        "A did not use 6 and 5",
        "A and C share a place",
        "A+C have won!",
    ]


@pytest.mark.parametrize(
    ("first", "turn", "told"),
    [
        ("N", ("throw 2", "stop"), ["A, B, C and D share a place", "All have won!"]),
        ("20", ("throw 2", "move 20-22(2)"), ["B, C and D share a place", "A has won"]),
    ],
)
def test_who_wins_by_a_last_turn_is_told(
    first: str, turn: tuple[str, ...], told: list[str]
) -> None:
    position = f"{first},N,N,N/N,N,N,N/N,N,N,N/N,N,N,N"
    others = 3 * ("throw 2", "stop")
    record = after("last-turn D", *turn, *others, position=position, rules="ludo-uk")
    assert lines(record, 2) == told


def test_who_begins_is_told() -> None:
    record = new_record(PRESETS["royal-2023"], (0, 2))
    for entry in ("throw 4", "throw 4", "throw 6", "throw 2"):
        faces = entry.replace("throw ", "")
        record, _ = enter(record, parse_entry("throw " + " ".join([faces] * record.game.dice)))
    assert lines(record)[-1] == "A begins"
    assert "tie: A and C throw again" in lines(record)


def test_the_newest_line_is_the_first_and_no_more_are_told_than_are_asked_for() -> None:
    record = after("throw 5 3", "move N-0(5)", "move 0-3(3)")
    assert lines(record, 2) == [
        "A entered a pawn with 5",
        "A moved 3, from A's entry to 3 past A",
    ]


def test_after_a_new_start_the_lines_are_there_again() -> None:
    record = new_record(PRESETS["findler"], (0, 2))
    rows = [history.start_row(record)]
    for text in ("choose 0", "throw 5 3", "move N-0(5)", "undo", "move N-0(5)"):
        record, row, _ = history.act(record, parse_entry(text))
        rows.append(row)
    assert recent_lines(history.fold(rows), 10) == recent_lines(record, 10) != ()


def test_a_record_tells_no_more_than_the_last_so_many_entries() -> None:
    entries = ["throw 5 3", *["move N-0(5)", "undo"] * LATEST]
    record = after(*entries)
    assert len(record.told) == LATEST
    assert [str(told.entry) for told in record.told] == entries[-LATEST:]


@pytest.mark.parametrize(
    ("by", "who"),
    [
        (None, ""),
        ("strong", "a bot (strong)"),
        ("B", "B"),
        ("dome", None),
        ("clock", "the clock"),
        (["B"], ""),
    ],
)
def test_it_says_who_played_for_the_seat_whose_turn_it_is(by: object, who: str | None) -> None:
    told = after("throw 6 4", "stop").told[-1]
    said = who_played(told, by)
    assert (None if said is None else ENGLISH.say(said)) == who


def test_nobody_is_said_to_have_played_what_is_no_play() -> None:
    told = after("throw 6 4", "stop", "undo").told[-1]
    assert who_played(told, "strong") is None
