"""Someone leaves: their pawns go off the board, or a neighbour plays on for them."""

from itertools import cycle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.model.events import Resume, Setup
from pi_app.model.history import New, fold
from pi_app.settings.settings import Settings
from pi_app.table.modes.menu.menu import Menu
from rules.game import Phase
from tests.asked import extent
from tests.pi_app.model.texts import recorded
from tests.pi_app.sitting import Sitting, told, words

FOUR = "12,N,N,N/22,5,N,N/3,N,N,N/N,N,N,N"
TWO = "12,N,N,N/-/3,N,N,N/-"


def table_of(position: str, *dice: tuple[int, ...], setup: Setup | None = None) -> Sitting:
    table = Sitting(setup, dice, settings=Settings({"player.C": "TOM -"}))
    table.resume(position, 0, "findler")
    return table


def choose(table: Sitting, seat: int, *path: str) -> None:
    """Open the menu on this panel and go through its lines; it may open where it was used last."""
    table.hold_next(seat)
    if path[0] not in table.choices:
        table.choose(seat, "back")
    table.choose(seat, *path)


def played_on(*dice: tuple[int, ...]) -> Sitting:
    """Return a table at which B plays on for C, whose turn it is."""
    table = Sitting(dice=dice, settings=Settings({"player.C": "TOM -"}))
    table.resume(FOUR, 2, "findler")
    choose(table, 1, "game", "someone-leaves", "C TOM", "plays-for(seat=C, who=B)")
    table.hold_ok(1)
    return table


# --- a neighbour plays on --------------------------------------------------------------------


def test_a_neighbour_s_panel_plays_for_who_has_left() -> None:
    table = played_on((6, 3))
    assert table.table.heading == "plays-seat(seat=C, who=B)"
    assert table.table.lead == "names-turn(TOM)"
    assert (table.reply.lamps, table.table.board.seat) == (("off", "on", "off", "off"), 1)
    table.throw()
    table.ok(2)
    assert table.notice == "corrected-turn(B)"
    table.ok(1)
    assert (table.table.heading, told(table)) == ("plays-seat(seat=C, who=B)", "3: C+9 → C+12")
    table.ok(1)
    assert (table.game.seat, table.table.heading) == (1, "throws(B)")


def test_who_played_is_recorded_beside_the_action_and_never_an_action_itself() -> None:
    table = played_on((6, 3), (2, 1))
    assert table.rows == []
    assert table.session.settings.kept["stand-in.C"] == "B"
    table.throw()
    table.ok(1)
    table.ok(1)
    assert [(str(row.entry), row.by) for row in table.rows] == [
        ("throw 6 3", "B"),
        ("move 3-9(6)", "B"),
        ("move 9-12(3)", "B"),
    ]
    table.throw()
    assert table.rows[-1].by is None


def test_a_seat_is_handed_over_only_by_holding_ok() -> None:
    table = table_of(FOUR)
    choose(table, 1, "game", "someone-leaves", "C TOM", "plays-for(seat=C, who=B)")
    assert table.page.title == "ask-leaves(C TOM)"
    assert table.page.lines == ("plays-for-them(seats=C, who=B)", "until-back(count=1, seats=C)")
    assert table.hint == "press-next: do-no, press-hold-ok: do-yes"
    table.ok(1)
    assert table.notice == "hold-plays(B)"
    assert "stand-in.C" not in table.session.settings.kept
    table.hold_ok(1)
    assert table.session.settings.kept["stand-in.C"] == "B"
    assert table.table.heading == "throws(A)"


def test_who_plays_for_all_others_is_asked_in_words_that_fit_the_panel() -> None:
    names = {"player.D": "WWW quarters", "stand-in.A": "B", "stand-in.C": "B"}
    table = Sitting(settings=Settings(names))
    table.resume(FOUR, 0, "findler")
    choose(table, 3, "game", "someone-leaves", "B", "plays-for(seat=B, who=D WWW)")
    assert table.page.lines == (
        "plays-for-them(seats=B+A+C, who=D WWW)",
        "until-back(count=3, seats=B+A+C)",
    )


@pytest.mark.parametrize("way", ["plays-for(seat=C, who=B)", "pawns-off-the-board"])
def test_next_leaves_everything_as_it_is(way: str) -> None:
    table = table_of(FOUR)
    choose(table, 1, "game", "someone-leaves", "C TOM", way)
    table.next(1)
    assert table.page.title == "leaves(C TOM)"
    assert table.page.lines[table.page.chosen or 0] == way
    assert "stand-in.C" not in table.session.settings.kept
    assert table.rows == []


def test_it_is_so_after_a_restart() -> None:
    before = Sitting()
    before.begin(0, 2)
    choose(before, 0, "game", "someone-leaves", "C", "plays-for(seat=C, who=A)")
    before.hold_ok(0)
    after = Sitting(settings=before.session.settings)
    after.tell(Resume(fold(before.rows), 0.0))
    while after.game.seat == 0:
        after.dice = iter([(3, 1)])
        after.throw()
    assert after.page.title == "who-throws(plays-seat(seat=C, who=A))"
    assert after.reply.lamps == ("on", "off", "off", "off")


def test_who_is_back_plays_again() -> None:
    table = played_on()
    choose(table, 2, "game", "someone-leaves", "is-back(C)")
    assert (table.table.heading, table.reply.lamps[2]) == ("throws(C)", "on")
    assert "stand-in.C" not in table.session.settings.kept


def test_the_panel_of_who_leaves_asks_which_of_the_others_plays_on() -> None:
    table = table_of(FOUR)
    choose(table, 0, "game", "someone-leaves", "A")
    assert (table.page.title, table.page.lines) == (
        "leaves(A)",
        (
            "pawns-off-the-board",
            "plays-for(seat=A, who=D)",
            "plays-for(seat=A, who=C TOM)",
            "plays-for(seat=A, who=B)",
        ),
    )


def test_who_plays_for_another_hands_both_on() -> None:
    table = played_on()
    choose(table, 3, "game", "someone-leaves", "B", "plays-for(seat=B, who=D)")
    assert table.page.lines == (
        "plays-for-them(seats=B+C, who=D)",
        "until-back(count=2, seats=B+C)",
    )
    table.hold_ok(3)
    assert table.session.settings.kept["stand-in.B"] == "D"
    assert table.table.heading == "plays-seat(seat=C, who=D)"


def test_a_captured_pawn_is_taken_back_by_who_plays_on() -> None:
    table = Sitting(dice=[(3, 1)])
    table.resume("20,N,N,N/N,N,N,N/57,N,N,N/-", 0, "findler")
    choose(table, 1, "game", "someone-leaves", "C", "plays-for(seat=C, who=B)")
    table.hold_ok(1)
    table.throw()
    assert words(table) == "B+6 to-nest(C)"
    assert table.reply.lamps == ("on", "blink", "off", "off")


def test_a_rematch_is_played_as_before_and_a_new_game_by_who_joins() -> None:
    table = played_on()
    choose(table, 0, "game", "end")
    table.hold_ok(0)
    table.hold_ok(0)
    assert table.session.settings.kept["stand-in.C"] == "B"
    choose(table, 0, "game", "end")
    table.hold_ok(0)
    table.next(0)
    table.hold_ok(0)
    table.begin(0, 2)
    assert isinstance(table.rows[-1].entry, New)
    assert "stand-in.C" not in table.session.settings.kept


# --- pawns off the board ---------------------------------------------------------------------


def test_pawns_go_off_only_by_holding_ok_and_the_turn_goes_on() -> None:
    table = table_of(FOUR)
    choose(table, 2, "game", "someone-leaves", "A", "pawns-off-the-board")
    assert (table.page.title, table.page.lines) == ("ask-leaves(A)", ("all-pawns-go-off(A)",))
    table.ok(2)
    assert (table.notice, table.rows) == ("hold-pawns-off", [])
    table.hold_ok(2)
    assert table.rows == [recorded("leave 0", "-/22,5,N,N/3,N,N,N/N,N,N,N")]
    assert (table.table.heading, table.table.note) == ("throws(D)", "pawns-off(A)")


def test_of_two_who_leaves_ends_the_game_and_is_told_so() -> None:
    table = table_of(TWO)
    choose(table, 0, "game", "someone-leaves", "A", "pawns-off-the-board")
    assert table.page.lines == ("all-pawns-go-off(A)", "that-ends-the-game")
    table.hold_ok(0)
    assert table.podium.title == "has-won(C TOM)"
    assert table.hint == "press-hold-ok: new-game, press-next: do-luck"


def test_leaving_is_undone_and_the_pawns_are_put_on_again() -> None:
    table = table_of(FOUR, (6, 3))
    table.throw()
    choose(table, 1, "game", "someone-leaves", "B", "pawns-off-the-board")
    table.hold_ok(1)
    choose(table, 0, "undo")
    shown = []
    while table.table.heading == "put-back":
        shown.append(told(table))
        table.ok(0)
    assert shown == ["B: nest → C+5", "B: nest → B+5"]
    assert (table.game.seats, table.game.throw) == ((0, 1, 2, 3), (6, 3))


def test_in_the_middle_of_another_s_play_pawns_stay_but_a_neighbour_may_play_on() -> None:
    table = table_of(FOUR, (6, 3))
    table.throw()
    table.ok(0)
    choose(table, 3, "game", "someone-leaves", "C TOM")
    assert table.page.lines == ("plays-for(seat=C, who=D)",)


def test_the_last_who_is_there_can_not_leave_in_the_middle_of_another_s_play() -> None:
    table = Sitting(dice=[(6, 3)], settings=Settings({"stand-in.A": "C"}))
    table.resume(TWO, 0, "findler")
    table.throw()
    table.ok(2)
    choose(table, 2, "game", "someone-leaves", "C")
    assert (table.page.title, table.notice) == ("C: ask-who-leaves", "not-now")
    table.next(2)
    assert table.page.title == "C: ask-who-leaves"


def test_who_played_for_others_leaves_them_to_the_next() -> None:
    table = played_on()
    choose(table, 1, "game", "someone-leaves", "B", "pawns-off-the-board")
    table.hold_ok(1)
    assert (table.game.seats, table.table.heading) == ((0, 2, 3), "plays-seat(seat=C, who=A)")


def test_nobody_leaves_before_a_game_or_after_it() -> None:
    table = Sitting()
    table.ok(0)
    choose(table, 0, "game")
    assert "menu-someone-leaves" not in table.page.lines
    table = table_of(TWO)
    choose(table, 0, "game", "end")
    table.hold_ok(0)
    choose(table, 0, "game")
    assert "menu-someone-leaves" not in table.page.lines


def test_before_anybody_has_begun_only_a_neighbour_can_play_on() -> None:
    table = Sitting()
    table.begin(0, 2)
    assert table.game.phase is Phase.ORDER
    choose(table, 0, "game", "someone-leaves", "C")
    assert table.page.lines == ("plays-for(seat=C, who=A)",)


# --- seats without a panel --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("panels", "stored", "player"),
    [
        ((0, 1, 3), {}, 0),  # the seat opposite
        ((1, 3), {}, 1),  # the first that there is
        ((0, 1, 3), {"stand-in.A": "B"}, 1),
        ((0, 1, 3), {"box.A": "easy", "stand-in.B": "D"}, 3),
    ],
)
def test_somebody_who_is_there_plays_for_a_seat_whose_panel_is_gone(
    panels: tuple[int, ...], stored: dict[str, str], player: int
) -> None:
    table = Sitting(Setup(panels=panels), settings=Settings(stored), dice=[(6, 3)])
    table.resume(FOUR, 2, "findler")
    assert table.session.seats.panels_of(2) == (player,)
    table.throw()
    table.ok(player)
    assert (str(table.rows[-1].entry), table.rows[-1].by) == ("move 3-9(6)", "ABCD"[player])


@settings(max_examples=extent(15, soak=60), deadline=None)
@given(
    panels=st.sets(st.sampled_from(range(4)), min_size=1),
    seats=st.sets(st.sampled_from(range(4)), min_size=2),
    away=st.dictionaries(st.sampled_from("ABCD"), st.sampled_from("ABCD")),
    bots=st.sets(st.sampled_from("ABCD")),
)
def test_whatever_is_stored_a_panel_that_is_there_plays_and_opens_the_menu(
    panels: set[int], seats: set[int], away: dict[str, str], bots: set[str]
) -> None:
    stored = {f"stand-in.{seat}": other for seat, other in away.items()}
    stored |= {f"box.{seat}": "easy" for seat in bots}
    setup = Setup(panels=tuple(sorted(panels)))
    table = Sitting(setup, cycle([(6, 3), (2, 1)]), settings=Settings(stored))
    position = "/".join("12,N,N,N" if seat in seats else "-" for seat in range(4))
    table.resume(position, min(seats), "findler")
    for turn in range(2, 2 + len(seats)):
        table.hold_next(driver_of(table))
        assert isinstance(table.session.mode, Menu)
        table.hold_next(driver_of(table))
        table.throw()
        for _ in range(2):
            if table.game.turns < turn:
                table.ok(driver_of(table))
        assert table.game.turns == turn
    table.choose(driver_of(table), "game", "end")
    table.hold_ok(driver_of(table))
    while "new-game" not in table.hint:
        table.next(driver_of(table))
    table.hold_ok(driver_of(table))
    assert table.session.record is None


def driver_of(table: Sitting) -> int:
    """Return the first of those who drive, of those with a panel."""
    drivers = table.session.mode.drivers(table.session)
    return next(seat for seat in drivers if seat in table.session.setup.panels)


# --- on the buttons --------------------------------------------------------------------------


def test_one_button_does_all_of_it_and_another_button_may_play_on() -> None:
    table = table_of(FOUR, (6, 3), setup=Setup(next_buttons=(1,)))
    table.ok(0)  # the menu is chosen, which a panel with two buttons does not have
    table.hold_ok(2)
    for line in ("game", "someone-leaves", "A", "plays-for(seat=A, who=C TOM)"):
        table.go_to(2, line)
    assert table.hint == "press-tap: do-no, press-hold: do-yes"
    table.ok(2)
    assert table.page.title == "leaves(A)"
    table.go_to(2, "plays-for(seat=A, who=C TOM)")
    table.hold_ok(2)
    assert (table.table.heading, table.keys) == ("plays-seat(seat=A, who=C)", ("press-tap: menu",))
    choose(table, 1, "game", "someone-leaves", "is-back(A)")
    assert table.table.heading == "throws(A)"
    table.ok(0)
    choose(table, 1, "game", "someone-leaves", "A", "plays-for(seat=A, who=B)")
    table.hold_ok(1)
    assert table.table.heading == "plays-seat(seat=A, who=B)"
    assert table.keys == ("press-hold-next: menu",)


@pytest.mark.parametrize("driver", range(4))
@pytest.mark.parametrize("gone", range(4))
@pytest.mark.parametrize("way", ["pawns-off-the-board", "plays-for("])
def test_whoever_leaves_it_takes_twelve_presses_at_most(driver: int, gone: int, way: str) -> None:
    table = table_of(FOUR, (6, 3))
    table.throw()
    table.hold_next(driver)
    who = "C TOM" if gone == 2 else "ABCD"[gone]
    presses = table.go_to(driver, "game", "someone-leaves", who)
    presses += table.go_to(driver, next(line for line in reversed(table.page.lines) if way in line))
    table.hold_ok(driver)
    presses += 1
    assert presses <= 12
    assert gone not in table.game.seats or f"stand-in.{'ABCD'[gone]}" in table.session.settings.kept
