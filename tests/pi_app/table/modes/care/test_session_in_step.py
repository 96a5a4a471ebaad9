"""Referee and board in step: players walk and correct the pawns, and type real dice in."""

import pytest

from pi_app.model.events import Setup
from pi_app.model.history import fold
from pi_app.model.screens import BoardScreen
from rules.game import Phase
from tests.pi_app.model.texts import recorded
from tests.pi_app.sitting import Sitting

POSITION = "H,20,20,N/-/5,N,N,N/-"
ONE_BUTTON = Setup(next_buttons=())


def at(position: str = POSITION, *dice: tuple[int, ...], setup: Setup | None = None) -> Sitting:
    table = Sitting(setup, dice)
    table.resume(position, 0, "findler")
    return table


def choose(table: Sitting, seat: int, *path: str) -> Sitting:
    """Open the menu on this panel if it is not open, and go through its lines."""
    table.choose(seat, *path)
    return table


def place(table: Sitting, seat: int, *words: str) -> Sitting:
    """Go round what is shown beside the map until each of these words, and confirm it."""
    for wanted in words:
        for _ in range(30):
            if table.table.words != (wanted,):
                table.next(seat)
        assert table.table.words == (wanted,)
        table.ok(seat)
    return table


# --- presses -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("presses", "title"),
    [
        (["hold", "ok", "ok", "next"], "A has"),
        (["hold", "ok", "next", "ok"], "A: correct"),
    ],
)
def test_walking_and_correcting_are_at_most_six_presses_away(
    presses: list[str], title: str
) -> None:
    table = at()
    for press in presses:
        {"hold": table.hold_next, "next": table.next, "ok": table.ok}[press](0)
    shown = table.screen
    assert (shown.heading if isinstance(shown, BoardScreen) else table.page.title) == title
    assert len(presses) <= 6


def test_undo_is_two_presses_away() -> None:
    table = at(POSITION, (5, 3))
    table.throw()
    table.ok(0)
    table.hold_next(0)
    table.ok(0)
    assert str(table.rows[-1].entry) == "undo"


def test_a_section_is_left_by_its_last_line() -> None:
    table = choose(at(), 0, "board", "back")
    assert (table.page.title, table.page.lines[table.page.chosen or 0]) == ("A: menu", "board")


# --- walking -------------------------------------------------------------------------------------


def test_a_walk_asks_first_whether_all_is_as_on_the_map_and_one_ok_ends_it() -> None:
    table = choose(at(), 0, "board", "walk")
    assert (table.table.words, table.keys) == (
        ("all as on", "the map?"),
        ("NEXT: check", "OK: yes"),
    )
    table.ok(0)
    assert (table.table.heading, table.rows) == ("A throws", [])


def walking() -> Sitting:
    """A goes through the places."""
    table = choose(at(), 0, "board", "walk")
    table.next(0)
    return table


def test_walking_stops_at_each_place_with_pawns_seat_by_seat_along_the_way() -> None:
    table = walking()
    seen = []
    while isinstance(table.screen, BoardScreen) and "throws" not in table.table.heading:
        seen.append((table.table.heading, *table.table.words))
        table.ok(0)
    assert seen == [
        ("A has", "1 pawn", "nest"),
        ("A has", "2 pawns", "3 past B"),
        ("A has", "1 pawn", "home"),
        ("C has", "3 pawns", "nest"),
        ("C has", "1 pawn", "5 past C"),
    ]


def test_quick_taps_count_while_walking() -> None:
    table = walking()
    table.read(0)
    for _ in range(3):
        table.press(0, "ok", 0.05)
    assert (table.table.heading, table.table.note) == ("C has", "4 of 5")


def test_next_corrects_the_pawn_that_is_shown() -> None:
    table = walking()
    table.ok(0)
    table.next(0)
    assert (table.table.heading, table.table.lead, table.table.words) == (
        "A: where?",
        "A: 3 past B →",
        ("B's entry",),
    )


def test_with_one_button_a_tap_goes_on_and_a_hold_corrects() -> None:
    table = at(setup=ONE_BUTTON)
    table.hold_ok(2)
    table.hold_ok(2)
    table.hold_ok(2)
    assert table.keys == ("tap: check", "hold: yes")
    table.ok(2)
    assert table.keys == ("tap: yes, go on", "hold: correct")
    table.ok(2)
    assert table.table.words == ("2 pawns", "3 past B")
    table.hold_ok(2)
    assert table.table.heading == "A: where?"


def test_two_minutes_untouched_end_the_walk() -> None:
    table = walking()
    table.wait(119)
    assert table.table.heading == "A has"
    table.wait(2)
    assert table.table.heading == "A throws"


# --- correcting ----------------------------------------------------------------------------------


def test_a_pawn_is_corrected_by_landmark_and_space_and_recorded_as_one_action() -> None:
    table = choose(at(), 0, "board", "correct", "A's pawns")
    place(table, 0, "3 past B", "B's entry", "6 past B")
    assert table.page.lines[0] == "record it"
    choose(table, 0, "record it")
    assert table.rows == [
        recorded(
            "correct H,23,20,N/-/5,N,N,N/- seat 0 doublets 0",
            "H,23,20,N/-/5,N,N,N/-",
        )
    ]
    assert table.table.note == "corrected"


def test_where_there_is_one_space_the_landmark_is_enough() -> None:
    table = choose(at(), 0, "board", "correct", "A's pawns")
    place(table, 0, "3 past B", "home")
    choose(table, 0, "record it")
    assert table.rows[-1].position == "H,H,20,N/-/5,N,N,N/-"


def test_the_throw_stays_and_its_play_starts_anew() -> None:
    table = at(POSITION, (5, 3))
    table.throw()
    table.ok(0)
    assert [one.state for one in table.table.increments] == ["spent", "chosen"]
    choose(table, 0, "board", "correct", "A's pawns")
    place(table, 0, "3 past B", "home row", "home row 1")
    choose(table, 0, "record it")
    assert table.game.throw == (5, 3)
    assert [one.state for one in table.table.increments] == ["chosen", "open"]
    assert "corrected: use the throw again" in table.table.note


def test_where_the_turn_is_corrected_the_throw_waits_for_its_seat() -> None:
    table = at(POSITION, (5, 3))
    table.throw()
    choose(table, 0, "board", "correct", "turn: A")
    choose(table, 0, "record it")
    assert (table.game.seat, table.game.phase, table.table.note) == (
        2,
        Phase.THROW,
        "corrected: the throw is kept",
    )
    assert [(w.seat, w.throw.faces) for w in table.record.waiting] == [(0, (5, 3))]


def test_what_can_not_stand_is_named_and_not_recorded_until_it_is_mended() -> None:
    table = choose(at(), 0, "board", "correct", "C's pawns")
    place(table, 0, "5 past C", "B's entry", "3 past B")
    assert (table.page.title, table.hint) == ("A: not possible", "A and C: 3 past B")
    assert "record it" not in table.page.lines
    choose(table, 0, "C's pawns")
    place(table, 0, "3 past B", "C's entry", "C's entry")
    assert table.page.lines[0] == "record it"


def test_three_pawns_on_a_space_can_not_stand() -> None:
    table = choose(at(), 0, "board", "correct", "A's pawns")
    place(table, 0, "nest", "B's entry", "3 past B")
    assert table.hint == "3 pawns: 3 past B"


def test_a_hold_goes_one_choice_back() -> None:
    table = choose(at(), 0, "board", "correct", "A's pawns")
    place(table, 0, "3 past B", "B's entry")
    for heading in ("A: where?", "A: which?"):
        table.hold_next(0)
        assert table.table.heading == heading
    table.hold_next(0)
    assert table.page.title == "A: correct"
    table.hold_next(0)
    assert table.page.title == "A: board"


def test_with_one_button_the_last_choice_goes_back() -> None:
    table = at(setup=ONE_BUTTON)
    table.hold_ok(2)
    table.hold_ok(2)
    table.ok(2)
    table.hold_ok(2)
    table.hold_ok(2)
    for _ in range(3):
        table.ok(2)
    assert table.table.words == ("menu",)
    table.ok(2)
    assert table.table.words == ("back",)
    table.hold_ok(2)
    assert table.page.title == "C: correct"


def test_a_correction_is_undone_like_any_other_action() -> None:
    table = choose(at(), 0, "board", "correct", "A's pawns")
    place(table, 0, "3 past B", "home")
    choose(table, 0, "record it")
    choose(table, 0, "undo")
    assert table.rows[-1] == recorded("undo", POSITION)
    assert table.table.heading == "put back"


def test_untouched_for_two_minutes_nothing_is_corrected() -> None:
    table = choose(at(), 0, "board", "correct", "A's pawns")
    place(table, 0, "3 past B", "home")
    table.wait(121)
    assert (table.rows, table.table.heading) == ([], "A throws")


# --- typed dice ----------------------------------------------------------------------------------


def typed(table: Sitting, seat: int, *faces: int) -> Sitting:
    """Count each die up to its face and confirm it."""
    for face in faces:
        for _ in range(face - 1):
            table.next(seat)
        table.ok(seat)
    table.wait(1.0)
    return table


def test_a_throw_is_typed_in_from_the_menu_and_recorded_as_typed() -> None:
    table = choose(at(), 0, "dice", "type")
    typed(table, 0, 5, 3)
    assert [(str(row.entry), row.source) for row in table.rows] == [("throw 5 3", "typed")]
    assert table.game.throw == (5, 3)


def test_until_the_first_step_it_can_be_typed_anew() -> None:
    table = typed(choose(at(), 0, "dice", "type"), 0, 5, 3)
    typed(choose(table, 0, "dice", "retype"), 0, 5, 4)
    assert [str(row.entry) for row in table.rows] == ["throw 5 3", "retype 5 4"]
    assert table.game.throw == (5, 4)
    table.ok(0)
    table.choose(0, "dice")
    assert table.page.lines == ("throw with: referee", "back")


def test_a_throw_that_waits_can_not_be_typed() -> None:
    table = Sitting(dice=[(1, 2)])
    table.begin(0, 2, ruleset="findler")
    table.ok(0)
    table.throw()
    table.hold_next(0)
    table.ok(0)
    table.hold_next(0)
    assert table.game.phase is Phase.STARTER
    table.wait(31)
    table.ok(0)
    assert table.record.ready is not None
    table.choose(0, "dice")
    assert table.page.lines == ("throw with: referee", "back")


def test_without_a_dome_the_screen_that_asks_for_a_throw_takes_real_dice() -> None:
    table = at(setup=Setup(dome=False))
    table.next(0)
    assert (table.table.words, table.keys) == (
        ("type in", "real dice"),
        ("NEXT: 2 of 2", "OK: type them"),
    )
    table.ok(0)
    typed(table, 0, 6, 6)
    assert [(str(row.entry), row.source) for row in table.rows] == [("throw 6 6", "typed")]


def test_all_that_is_recorded_folds_to_the_same_game() -> None:
    table = Sitting(dice=[(1, 2)])
    table.begin(0, 2, ruleset="findler")
    table.ok(0)
    typed(choose(table, 0, "dice", "type"), 0, 5, 3)
    typed(choose(table, 0, "dice", "retype"), 0, 5, 4)
    choose(table, 0, "board", "correct", "C's pawns")
    place(table, 0, "nest", "home row", "home row 3")
    choose(table, 0, "record it")
    choose(table, 0, "undo")
    assert fold(table.rows) == table.record
