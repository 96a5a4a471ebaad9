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
    [(["hold", "ok", "ok", "next"], "has(A)"), (["hold", "ok", "next", "ok"], "A: correct")],
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
    assert (table.page.title, table.page.lines[table.page.chosen or 0]) == ("A: menu", "menu-board")


# --- walking -------------------------------------------------------------------------------------


def test_a_walk_asks_first_whether_all_is_as_on_the_map_and_one_ok_ends_it() -> None:
    table = choose(at(), 0, "board", "walk")
    assert table.table.words == ("all-as-on-the-map",)
    assert table.keys == ("press-next: do-look", "press-ok: do-yes")
    table.ok(0)
    assert (table.table.heading, table.rows) == ("throws(A)", [])


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
        ("has(A)", "pawns-on(count=1, place=nest)"),
        ("has(A)", "pawns-on(count=2, place=B+3)"),
        ("has(A)", "pawns-on(count=1, place=home)"),
        ("has(C)", "pawns-on(count=3, place=nest)"),
        ("has(C)", "pawns-on(count=1, place=C+5)"),
    ]


def test_quick_taps_count_while_walking() -> None:
    table = walking()
    table.read(0)
    for _ in range(3):
        table.press(0, "ok", 0.05)
    assert (table.table.heading, table.table.note) == ("has(C)", "4 of 5")


def test_next_corrects_the_pawn_that_is_shown() -> None:
    table = walking()
    table.ok(0)
    table.next(0)
    assert table.table.heading == "A: where-to"
    assert table.table.lead == "A: B+3 →"
    assert table.table.words == ("B+0",)


def test_with_one_button_a_tap_goes_on_and_a_hold_corrects() -> None:
    table = at(setup=ONE_BUTTON)
    table.hold_ok(2)
    table.hold_ok(2)
    table.hold_ok(2)
    assert table.keys == ("press-tap: do-look", "press-hold: do-yes")
    table.ok(2)
    assert table.keys == ("press-tap: do-yes-go-on", "press-hold: do-correct")
    table.ok(2)
    assert table.table.words == ("pawns-on(count=2, place=B+3)",)
    table.hold_ok(2)
    assert table.table.heading == "A: where-to"


def test_two_minutes_untouched_end_the_walk() -> None:
    table = walking()
    table.wait(119)
    assert table.table.heading == "has(A)"
    table.wait(2)
    assert table.table.heading == "throws(A)"


# --- correcting ----------------------------------------------------------------------------------


def test_a_pawn_is_corrected_by_landmark_and_space_and_recorded_as_one_action() -> None:
    table = choose(at(), 0, "board", "correct", "pawns-of(A)")
    place(table, 0, "B+3", "B+0", "B+6")
    assert table.page.lines[0] == "record-it"
    choose(table, 0, "record-it")
    assert table.rows == [
        recorded(
            "correct H,23,20,N/-/5,N,N,N/- seat 0 doublets 0",
            "H,23,20,N/-/5,N,N,N/-",
        )
    ]
    assert table.table.note == "is-corrected"


def test_where_there_is_one_space_the_landmark_is_enough() -> None:
    table = choose(at(), 0, "board", "correct", "pawns-of(A)")
    place(table, 0, "B+3", "home")
    choose(table, 0, "record-it")
    assert table.rows[-1].position == "H,H,20,N/-/5,N,N,N/-"


def test_the_throw_stays_and_its_play_starts_anew() -> None:
    table = at(POSITION, (5, 3))
    table.throw()
    table.ok(0)
    assert [one.state for one in table.table.increments] == ["spent", "chosen"]
    choose(table, 0, "board", "correct", "pawns-of(A)")
    place(table, 0, "B+3", "home-row", "place-home-row(1)")
    choose(table, 0, "record-it")
    assert table.game.throw == (5, 3)
    assert [one.state for one in table.table.increments] == ["chosen", "open"]
    assert "corrected-use-anew" in table.table.note


def test_where_the_turn_is_corrected_the_throw_waits_for_its_seat() -> None:
    table = at(POSITION, (5, 3))
    table.throw()
    choose(table, 0, "board", "correct", "turn-of(A)")
    choose(table, 0, "record-it")
    assert table.game.seat == 2
    assert table.game.phase == Phase.THROW
    assert table.table.note == "corrected-throw-waits"
    assert [(w.seat, w.throw.faces) for w in table.record.waiting] == [(0, (5, 3))]


def test_what_can_not_stand_is_named_and_not_recorded_until_it_is_mended() -> None:
    table = choose(at(), 0, "board", "correct", "pawns-of(C)")
    place(table, 0, "C+5", "B+0", "B+3")
    assert table.page.title == "A: can-not-stand-so"
    assert table.hint == "seats-stand-there(place=B+3, seats=A+C)"
    assert "record-it" not in table.page.lines
    choose(table, 0, "pawns-of(C)")
    place(table, 0, "B+3", "C+0", "C+0")
    assert table.page.lines[0] == "record-it"


def test_three_pawns_on_a_space_can_not_stand() -> None:
    table = choose(at(), 0, "board", "correct", "pawns-of(A)")
    place(table, 0, "nest", "B+0", "B+3")
    assert table.hint == "pawns-stand-there(count=3, place=B+3)"


def test_a_hold_goes_one_choice_back() -> None:
    table = choose(at(), 0, "board", "correct", "pawns-of(A)")
    place(table, 0, "B+3", "B+0")
    for heading in ("A: where-to", "A: which-pawn"):
        table.hold_next(0)
        assert table.table.heading == heading
    table.hold_next(0)
    assert table.page.title == "A: correct"
    table.hold_next(0)
    assert table.page.title == "A: menu-board"


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
    assert table.table.words == ("do-back",)
    table.hold_ok(2)
    assert table.page.title == "C: correct"


def test_a_correction_is_undone_like_any_other_action() -> None:
    table = choose(at(), 0, "board", "correct", "pawns-of(A)")
    place(table, 0, "B+3", "home")
    choose(table, 0, "record-it")
    choose(table, 0, "undo")
    assert table.rows[-1] == recorded("undo", POSITION)
    assert table.table.heading == "put-back"


def test_untouched_for_two_minutes_nothing_is_corrected() -> None:
    table = choose(at(), 0, "board", "correct", "pawns-of(A)")
    place(table, 0, "B+3", "home")
    table.wait(121)
    assert (table.rows, table.table.heading) == ([], "throws(A)")


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
    assert "menu-retype" not in table.page.lines


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
    assert "menu-type" not in table.page.lines


def test_without_a_dome_the_screen_that_asks_for_a_throw_takes_real_dice() -> None:
    table = at(setup=Setup(dome=False))
    table.next(0)
    assert table.table.words == ("type-in-real-dice",)
    assert table.keys == ("press-next: 2 of 2", "press-ok: do-type-them")
    table.ok(0)
    typed(table, 0, 6, 6)
    assert [(str(row.entry), row.source) for row in table.rows] == [("throw 6 6", "typed")]


def test_all_that_is_recorded_folds_to_the_same_game() -> None:
    table = Sitting(dice=[(1, 2)])
    table.begin(0, 2, ruleset="findler")
    table.ok(0)
    typed(choose(table, 0, "dice", "type"), 0, 5, 3)
    typed(choose(table, 0, "dice", "retype"), 0, 5, 4)
    choose(table, 0, "board", "correct", "pawns-of(C)")
    place(table, 0, "nest", "home-row", "place-home-row(3)")
    choose(table, 0, "record-it")
    choose(table, 0, "undo")
    assert fold(table.rows) == table.record
