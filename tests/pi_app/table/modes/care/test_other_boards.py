"""Parchís, Ludo, Pachisi in step with the board: corrections, undo, restarts, typing, leaving."""

from random import Random

import pytest

from pi_app.model.events import Resume
from pi_app.model.history import fold
from pi_app.model.screens import TextScreen
from rules.game import Phase, at
from rules.history import Record
from rules.memory import Memory
from rules.position import format_position, parse_position
from rules.ruleset import PRESETS
from tests.pi_app.sitting import Sitting, told, words


def at_position(preset: str, position: str, *dice: tuple[int, ...], doublets: int = 0) -> Sitting:
    """Return a table at which A is to throw in this position."""
    table = Sitting(dice=dice)
    table.resume(position, 0, preset, doublets)
    return table


def guest_on_start(came_last: int, *dice: tuple[int, ...]) -> Sitting:
    """Return a game of Parchís with pawns of B and C on A's start; one of them came last."""
    rules = PRESETS["parchis"]
    position = parse_position("N,N,N,N/51,N,N,N/34,N,N,N/-", rules)
    game = at(rules, position, 0, memory=Memory(late=((0, came_last),)))
    table = Sitting(dice=dice)
    table.tell(Resume(Record(game, host=0), table.t))
    return table


def begun(preset: str, *dice: tuple[int, ...]) -> Sitting:
    """Return a game of A and B, which A begins, with these dice after those for who begins."""
    table = Sitting(dice=[(6, 6), (1, 1), *dice])
    table.begin(0, 1, ruleset=preset)
    for _ in range(2):
        table.throw()
    assert (table.game.seat, table.game.phase) == (0, Phase.THROW)
    return table


def begun_by_four(preset: str, *throws: tuple[int, ...]) -> Sitting:
    """Return a game of four, which A begins, with these cowries after those for who begins."""
    table = Sitting(dice=[(6,), (2,), (2,), (2,), *throws])
    table.begin(0, 1, 2, 3, ruleset=preset)
    while table.game.phase is Phase.ORDER:
        table.throw()
    assert (table.game.seat, table.game.phase) == (0, Phase.THROW)
    return table


def correct(table: Sitting, seat: int, *places: str) -> None:
    """Choose a pawn of a seat, a landmark and a place, in the correction if it is open."""
    if not isinstance(table.screen, TextScreen):
        table.choose(0, "board", "correct")
    table.choose(0, f"pawns-of({'ABCD'[seat]})")
    for wanted in places:
        for _ in range(30):
            if words(table) != wanted:
                table.next(0)
        assert words(table) == wanted
        table.ok(0)


def restarted(table: Sitting) -> Sitting:
    """Return the table after a restart: its game is what its rows tell."""
    again = Sitting(settings=table.session.settings, dice=table.dice)
    again.tell(Resume(fold(table.rows), 0.0))
    return again


def put_back(table: Sitting) -> list[str]:
    """Undo, confirm each pawn that is put back by hand, and return their steps in words."""
    table.choose(table.game.seat, "undo")
    shown = []
    while table.table.heading == "put-back":
        shown.append(told(table))
        table.ok(table.reply.session.mode.drivers(table.session)[0])
    return shown


# --- correcting ----------------------------------------------------------------------------------


def test_a_pawn_is_corrected_onto_a_safe_space_that_another_seat_holds() -> None:
    table = at_position("parchis", "11,N,N,N/63,N,N,N/-/-")
    correct(table, 0, "A+11", "A+12", "A+12")
    table.choose(0, "record-it")
    assert str(table.rows[-1].entry) == "correct 12,N,N,N/63,N,N,N/-/- seat 0 doublets 0"
    assert table.game.memory_now.late == ()


def test_a_third_pawn_can_not_be_corrected_onto_a_shared_space() -> None:
    table = at_position("parchis", "12,11,N,N/63,N,N,N/-/-")
    correct(table, 0, "A+11", "A+12", "A+12")
    assert table.page.title == "A: can-not-stand-so"
    assert table.hint == "pawns-stand-there(count=3, place=A+12)"
    assert "record-it" not in table.page.lines


def test_a_correction_elsewhere_keeps_who_came_last() -> None:
    table = guest_on_start(2, (5,))
    correct(table, 0, "nest", "A+7", "A+9")
    table.choose(0, "record-it")
    assert table.game.memory_now.late == ((0, 2),)


def test_a_pawn_is_corrected_into_the_goal() -> None:
    table = at_position("ludo-de", "39,20,N,N/N,N,N,N/-/-")
    correct(table, 0, "D+9", "home-row", "place-goal(3)")
    table.choose(0, "record-it")
    assert str(table.rows[-1].entry) == "correct r3,20,N,N/N,N,N,N/-/- seat 0 doublets 0"


def test_two_pawns_can_not_be_corrected_onto_one_space_of_the_goal() -> None:
    table = at_position("ludo-de", "r3,39,N,N/N,N,N,N/-/-")
    correct(table, 0, "D+9", "home-row", "place-goal(3)")
    assert table.page.title == "A: can-not-stand-so"
    assert table.hint == "pawns-stand-there(count=2, place=place-goal(3))"
    assert "record-it" not in table.page.lines


def test_a_pawn_is_corrected_to_where_partners_may_stand_together() -> None:
    table = at_position("pachisi-modern", "11,N,N,N/N,N,N,N/46,N,N,N/N,N,N,N")
    correct(table, 0, "A+11", "A+4", "A+12")
    table.choose(0, "record-it")
    wanted = "correct 12,N,N,N/N,N,N,N/46,N,N,N/N,N,N,N seat 0 doublets 0"
    assert str(table.rows[-1].entry) == wanted


def test_a_pawn_can_not_be_corrected_onto_an_opponent_s() -> None:
    table = at_position("pachisi-modern", "11,N,N,N/63,N,N,N/N,N,N,N/N,N,N,N")
    correct(table, 0, "A+11", "A+4", "A+12")
    assert table.page.title == "A: can-not-stand-so"
    assert "record-it" not in table.page.lines


@pytest.mark.parametrize(
    ("preset", "asked"), [("pachisi-mitra", False), ("ludo-de", False), ("parchis", True)]
)
def test_doublets_are_corrected_only_where_the_third_costs_something(
    preset: str, asked: bool
) -> None:
    table = at_position(preset, "N,N,N,N/N,N,N,N/-/-")
    table.choose(0, "board", "correct")
    assert ("no-doublets-before" in table.page.lines) == asked


def test_the_end_of_the_own_arm_is_on_the_way_out_and_homeward() -> None:
    table = at_position("pachisi-mitra", "12,N,N,N/N,N,N,N/-/-")
    correct(table, 0, "A+12")
    notes = []
    for _ in range(20):
        notes += [table.table.note] if words(table) == "place-end(A)" else []
        table.next(0)
    assert notes == ["lies-on-its-side", "or-soon-after"]


def test_a_correction_in_mid_turn_keeps_the_grace() -> None:
    table = begun_by_four("pachisi-modern", (1,))
    table.throw()
    table.ok(0)
    assert told(table) == "1: nest → place-out(1)"
    correct(table, 0, "A+2", "A+4", "A+4")
    table.choose(0, "record-it")
    assert told(table) == "1: nest → place-out(1)"
    assert format_position(table.game.position).startswith("4,N,N,N/")


# --- undo ----------------------------------------------------------------------------------------


def test_an_undo_of_a_capture_on_the_start_restores_who_came_last() -> None:
    table = guest_on_start(2, (5,))
    table.throw()
    table.ok(0)
    assert format_position(table.game.position) == "0,N,N,N/51,N,N,N/N,N,N,N/-"
    assert put_back(table) == ["A: A+0 → nest", "C: nest → A+0"]
    assert table.game.memory_now.late == ((0, 2),)
    assert table.table.note == "came-last(C)"


def test_an_undo_of_a_third_six_puts_the_pawn_back() -> None:
    table = at_position("parchis-two", "r3,20,N,N/N,N,N,N/-/-", (3, 3), doublets=2)
    table.throw()
    assert (table.table.lead, words(table)) == (
        "third-two-alike",
        "goes-to-the-nest(place-home-row(3))",
    )
    table.ok(0)
    assert (table.game.seat, format_position(table.game.position)) == (1, "20,N,N,N/N,N,N,N/-/-")
    assert put_back(table) == ["A: nest → place-home-row(3)"]
    assert table.game.phase is Phase.PENALTY


def test_an_undo_of_a_capture_of_three_puts_each_pawn_back() -> None:
    table = at_position("pachisi-modern", "10,N,N,N/63,63,N,N/N,N,N,N/29,N,N,N", (2,))
    before = table.game.position
    table.throw()
    assert told(table) == "2: A+10 → A+12 to-nest(3)"
    table.ok(0)
    assert format_position(table.game.position) == "12,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N"
    assert put_back(table) == [
        "A: A+12 → A+10",
        "B: nest → A+12",
        "B: nest → A+12",
        "D: nest → A+12",
    ]
    assert table.game.position == before


def test_an_undo_of_a_grace_gives_it_back_and_a_second_undo_gives_the_value_back() -> None:
    table = begun_by_four("pachisi-modern", (1,))
    table.throw()
    for _ in range(2):
        table.ok(0)
    assert (table.table.heading, table.table.words) == ("throws(A)", ("press-the-dome",))
    assert put_back(table) == ["A: place-out(1) → nest"]
    assert told(table) == "1: nest → place-out(1)"
    assert put_back(table) == ["A: A+2 → nest"]
    assert told(table) == "10: nest → A+2"


def test_an_undo_of_done_offers_what_was_left() -> None:
    table = begun_by_four("pachisi-modern", (1,), (3,))
    table.throw()
    table.ok(0)
    table.choose(0, "undo")
    table.ok(0)
    for _ in range(2):
        table.next(0)
    assert words(table) == "stop-here"
    table.ok(0)
    assert table.game.phase is Phase.THROW
    assert put_back(table) == []
    assert told(table) == "10: nest → A+2"


def test_an_undo_of_the_win_of_a_side_leaves_the_partner_at_home() -> None:
    table = at_position("pachisi-modern", "H,H,H,r6/12,N,N,N/H,H,H,H/N,N,N,N", (2,))
    table.throw()
    table.ok(0)
    assert (table.game.winners, table.game.places) == ((0, 2), (2, 0))
    assert put_back(table) == ["A: home → place-in(6)"]
    assert (table.game.winners, table.game.places) == ((), (2,))


# --- restarts in the middle of a turn ------------------------------------------------------------


def test_after_a_restart_a_third_six_still_takes_the_pawn_that_moved_last() -> None:
    table = begun("parchis", (5,), (1,), (6,), (6,), (6,))
    for _ in range(4):
        table.throw()
        table.ok(table.game.seat)
    table.throw()
    again = restarted(table)
    assert again.game == table.game
    assert (again.table.lead, again.table.note) == ("third-two-alike", "moved-last")
    again.ok(0)
    assert format_position(again.game.position) == "N,N,N,N/N,N,N,N/-/-"


def test_after_a_restart_the_tries_are_counted_on() -> None:
    table = begun("ludo-de", (3,), (4,), (2,))
    correct(table, 0, "A+0", "nest")
    table.choose(0, "record-it")
    table.throw()
    table.ok(0)
    again = restarted(table)
    assert (again.table.heading, again.table.lead) == ("throws(A)", "try-of(all=3, n=2)")
    for _ in range(2):
        again.throw()
        again.ok(0)
    assert again.game.seat == 1


def test_after_a_restart_a_bonus_is_still_to_be_used() -> None:
    table = begun("parchis", (3,))
    correct(table, 0, "nest", "B+7", "B+10")
    correct(table, 1, "nest", "B+12", "B+13")
    table.choose(0, "record-it")
    table.throw()
    assert told(table) == "3: B+10 → B+13 to-nest(B)"
    table.ok(0)
    again = restarted(table)
    assert told(again) == "+20: B+13 → C+16"
    again.ok(0)
    assert format_position(again.game.position) == "50,N,N,N/N,N,N,N/-/-"


def test_after_a_restart_a_grace_is_still_to_be_used() -> None:
    table = begun_by_four("pachisi-modern", (1,))
    table.throw()
    table.ok(0)
    again = restarted(table)
    assert told(again) == "1: nest → place-out(1)"
    again.ok(0)
    assert format_position(again.game.position).startswith("2,o1,N,N/")


@pytest.mark.parametrize("preset", ["pachisi-mitra", "pachisi-modern"])
def test_whatever_is_pressed_in_pachisi_its_rows_tell_the_game(preset: str) -> None:
    rng = Random(preset)
    table = begun_by_four(preset, *((rng.getrandbits(6).bit_count(),) for _ in range(300)))
    while len(table.rows) < 150:
        seat = table.game.seat
        match rng.randrange(8):
            case 0:
                table.next(seat)
            case 1 | 2 | 3 | 4:
                table.ok(seat)
            case _:
                table.throw()
    assert fold(table.rows) == table.record


# --- typed dice and leaving ----------------------------------------------------------------------


def test_one_die_is_typed_for_a_game_with_one_die() -> None:
    table = at_position("parchis", "N,N,N,N/N,N,N,N/-/-")
    table.choose(0, "dice", "type")
    for _ in range(4):
        table.next(0)
    table.ok(0)
    assert [(str(row.entry), row.source) for row in table.rows] == [("throw 5", "typed")]
    assert told(table) == "5: nest → A+0"


def test_pawns_that_leave_take_with_them_who_came_last() -> None:
    table = guest_on_start(2, (5,))
    table.choose(0, "game", "someone-leaves", "C", "pawns-off-the-board")
    table.hold_ok(0)
    assert table.game.memory_now.late == ()
    table.throw()
    assert told(table) == "5: nest → A+0"


@pytest.mark.parametrize(
    ("preset", "position", "dice", "note"),
    [
        ("parchis", "40,10,10,2/N,N,N,N/N,N,N,N/-", (6,), "duty-open"),
        ("ludo-de", "20,0,N,N/N,N,N,N/N,N,N,N/-", (3,), "duty-clear"),
    ],
)
def test_a_stand_in_is_told_what_must_move_first(
    preset: str, position: str, dice: tuple[int, ...], note: str
) -> None:
    table = at_position(preset, position, dice)
    table.choose(1, "game", "someone-leaves", "A", "plays-for(seat=A, who=B)")
    table.hold_ok(1)
    table.throw()
    assert (table.table.heading, table.table.note) == ("plays-seat(seat=A, who=B)", note)
    assert table.reply.lamps == ("off", "on", "off", "off")
    table.ok(1)
    assert table.rows[-1].by == "B"
