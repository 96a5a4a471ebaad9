"""Real dice for a whole game: chosen while joining, each throw typed in at once."""

import pytest

from pi_app.model.events import ChamberLine, ChamberPress, Resume, Setup
from pi_app.model.history import New, fold
from pi_app.model.screens import (
    DARK_AFTER_S,
    BoardScreen,
    Die,
    KeyHint,
    Shells,
    TextScreen,
    message,
)
from pi_app.settings.settings import Settings
from pi_app.table.modes.play.play import Playing
from pi_app.table.modes.play.typed_dice import Typing, TypingEach
from pi_app.table.wishes import wishes_of
from rules.game import Phase
from tests.pi_app.sitting import Sitting

POSITION = "H,20,20,N/-/5,N,N,N/-"
TYPED = Settings({"dice": "typed"})
ONE_BUTTON = Setup(next_buttons=())


def at(
    setup: Setup | None = None, settings: Settings = TYPED, dice: tuple[int, ...] = ()
) -> Sitting:
    table = Sitting(setup, [dice], settings=settings)
    table.resume(POSITION, 0, "findler")
    return table


def type_in(table: Sitting, seat: int, *faces: int) -> Sitting:
    """Count each die up to its face and confirm it."""
    for face in faces:
        for _ in range(face - 1):
            table.go_on(seat)
        table.confirm(seat)
    table.wait(1.7)
    return table


def shown(table: Sitting) -> tuple[str, ...]:
    return (table.table.heading, *table.table.words)


def test_any_panel_that_has_joined_chooses_it_while_joining() -> None:
    table = Sitting()
    table.ok(0)
    table.ok(2)
    table.choose(2, "dice", "dice")
    assert table.page.lines[0] == "menu-throw-with: real-dice"
    assert table.session.settings.kept == {"dice": "typed"}


def test_each_throw_is_typed_in_at_once_by_the_seat_that_throws() -> None:
    table = at()
    assert shown(table) == ("throws(A)", "first-die")
    assert table.reply.lamps == ("on", "off", "off", "off")
    type_in(table, 0, 5, 3)
    assert [(str(row.entry), row.source) for row in table.rows] == [("throw 5 3", "typed")]
    while table.game.seat == 0:
        table.ok(0)
    assert shown(table) == ("throws(C)", "first-die")
    assert table.reply.lamps == ("off", "off", "on", "off")


def test_a_whole_game_from_joining_on_asks_for_no_dome() -> None:
    table = Sitting()
    table.ok(0)
    table.ok(2)
    table.choose(0, "dice", "dice")
    table.hold_next(0)
    table.hold_next(0)
    table.hold_ok(0)
    assert (*shown(table), table.table.note) == ("throws(A)", "first-die", "highest-total-begins")
    type_in(table, 0, 2, 1)
    assert shown(table) == ("throws(C)", "first-die")
    type_in(table, 2, 6, 1)
    assert (table.game.seat, table.game.phase) == (2, Phase.THROW)
    assert (*shown(table), table.table.note) == ("throws(C)", "first-die", "begins(C)")
    assert fold(table.rows) == table.record


def test_what_happened_before_stays_until_the_first_press() -> None:
    table = type_in(at(), 0, 1, 2)
    while table.game.seat == 0:
        table.ok(0)
    assert table.table.last != ""
    table.next(2)
    assert (table.table.last, table.table.note) == ("", "")


# --- the dome counts down ------------------------------------------------------------------------


def faces_shown(table: Sitting, presses: int) -> list[int]:
    """Return the face of the die that is typed, now and after each press of the dome."""
    shown = [die_shown(table)]
    for _ in range(presses):
        table.dome()
        shown.append(die_shown(table))
    return shown


def die_shown(table: Sitting) -> int:
    die = table.table.dice[-1]
    return die.up if isinstance(die, Shells) else die.face


@pytest.mark.parametrize("setup", [Setup(), ONE_BUTTON], ids=["two buttons", "one button"])
def test_the_dome_counts_a_die_down_and_goes_round_the_faces(setup: Setup) -> None:
    table = at(setup)
    assert faces_shown(table, 7) == [1, 6, 5, 4, 3, 2, 1, 6]
    (table.ok if setup.next_buttons else table.hold_ok)(0)
    assert (shown(table)[1], faces_shown(table, 2)) == ("second-die", [1, 6, 5])
    (table.ok if setup.next_buttons else table.hold_ok)(0)
    assert [str(row.entry) for row in table.rows] == ["throw 6 5"]


def test_the_dome_counts_cowries_down_from_none_to_six() -> None:
    table = Sitting(settings=TYPED)
    table.resume("N,N,N,N/-/N,N,N,N/-", 0, "pachisi-mitra")
    assert faces_shown(table, 3) == [0, 6, 5, 4]
    table.next(0)
    assert die_shown(table) == 5


def test_from_the_menu_s_place_on_a_one_button_panel_the_dome_counts_down_to_six() -> None:
    table = at(ONE_BUTTON)
    for _ in range(6):
        table.ok(0)
    assert table.table.words == ("menu",)
    table.dome()
    assert die_shown(table) == 6


def test_a_single_throw_and_one_that_is_typed_again_are_counted_down_too() -> None:
    table = at(settings=Settings())
    table.choose(2, "dice", "type")
    assert faces_shown(table, 2) == [1, 6, 5]
    type_in(table, 2, 2, 3)  # 5 and one up
    assert table.game.throw == (6, 3)
    table.choose(2, "dice", "retype")
    assert faces_shown(table, 1) == [1, 6]


def test_a_single_throw_that_is_counted_down_stays_open_for_30_s_more() -> None:
    table = at(settings=Settings())
    table.choose(0, "dice", "type")
    table.wait(29)
    table.dome()
    table.wait(29)
    assert isinstance(table.session.mode, Typing)


def test_the_screen_names_what_the_dome_does() -> None:
    table = at()
    assert isinstance(table.reply.screen, BoardScreen)
    assert table.reply.screen.keys == (
        KeyHint(message("press-next"), message("do-count-up")),
        KeyHint(message("press-ok"), message("do-go-on")),
        KeyHint(message("press-dome"), message("do-count-down")),
    )


def test_after_the_dome_every_ok_is_deaf_for_a_moment_so_that_none_takes_an_unseen_face() -> None:
    table = at()
    table.press(None, "dome", 0.0)
    table.press(0, "ok", 0.1)
    assert shown(table)[1] == "first-die"
    table.wait(0.3)
    table.press(0, "ok", 0.1)
    assert shown(table)[1] == "second-die"


def test_a_hold_that_began_before_the_dome_was_pressed_takes_no_face() -> None:
    table = at(ONE_BUTTON)
    table.down(0, "ok")
    table.wait(0.8)
    table.press(None, "dome", 0.0)
    table.wait(0.4)
    assert (shown(table)[1], die_shown(table)) == ("first-die", 6)


def test_for_a_moment_after_the_ok_that_ends_a_play_the_dome_counts_nothing() -> None:
    table = type_in(at(), 0, 1, 2)
    table.ok(0)
    table.read(0)
    table.tell_ok(0)
    assert shown(table) == ("throws(C)", "first-die")
    assert faces_shown(table, 1) == [1, 1]
    table.wait(0.4)
    assert faces_shown(table, 1) == [1, 6]


@pytest.mark.parametrize("rolls", [False, True])
def test_where_no_dome_can_count_down_it_is_not_named_and_a_press_says_to_type(rolls: bool) -> None:
    table = at(Setup(dome=False, rolls=rolls, chamber=rolls))
    table.tell(ChamberLine(up=rolls, t=table.t))
    assert [key.press for key in table.table.keys] == ["press-next", "press-ok"]
    assert wishes_of(table.session).seat is None
    assert wishes_of(table.session).faces == ()
    table.dome()
    assert table.session.whisper is not None
    assert table.session.whisper.text == message("type-in-real-dice")
    assert (die_shown(table), table.rows) == (1, [])


def test_a_press_of_the_lit_chamber_counts_down_each_time_that_it_is_pressed() -> None:
    table = at(Setup(dome=False, chamber=True))
    table.tell(ChamberLine(up=True, t=table.t))
    for n, face in enumerate((6, 5, 4), 1):
        wishes = wishes_of(table.session)
        assert wishes.seat == 0
        table.tell(ChamberPress("b007", n, wishes.key, table.t))
        assert (die_shown(table), table.rows) == (face, [])


def test_others_are_told_who_types() -> None:
    table = at()
    table.next(2)
    assert table.notice == "types-the-dice(A)"


@pytest.mark.parametrize("setup", [Setup(), ONE_BUTTON])
def test_who_plays_on_for_another_types_for_them_too(setup: Setup) -> None:
    table = at(setup, Settings({"dice": "typed", "stand-in.A": "C"}))
    assert (shown(table), table.table.board.seat) == (("plays-seat(seat=A, who=C)", "first-die"), 2)
    assert table.reply.lamps == ("off", "off", "on", "off")
    table.next(0)
    assert table.rows == []
    table.wait(31)
    type_in(table, 2, 5, 3)
    assert [(str(row.entry), row.by) for row in table.rows] == [("throw 5 3", "C")]


def test_it_waits_for_as_long_as_it_takes_and_the_screen_rests_only_before_the_first_press() -> (
    None
):
    table = at()
    table.next(0)
    table.wait(DARK_AFTER_S + 1)
    assert (table.reply.glow.level, table.table.dice[0]) == ("bright", Die(2))
    untouched = at()
    untouched.wait(DARK_AFTER_S + 1)
    assert untouched.reply.glow.level == "dark"


def test_who_plays_on_for_another_types_its_throws() -> None:
    table = at(settings=Settings({"dice": "typed", "stand-in.A": "C"}))
    assert (table.table.heading, table.table.board.seat) == ("plays-seat(seat=A, who=C)", 2)
    assert table.reply.lamps == ("off", "off", "on", "off")
    table.next(0)
    assert table.notice == "types-the-dice(C)"
    type_in(table, 2, 5, 3)
    assert [(str(row.entry), row.by) for row in table.rows] == [("throw 5 3", "C")]


def test_in_mid_game_the_bot_throws_again_from_the_menu_of_any_panel() -> None:
    table = at(dice=(6, 1))
    table.choose(2, "dice", "dice")
    table.hold_next(2)
    table.hold_next(2)
    assert isinstance(table.session.mode, Playing)
    table.throw()
    assert table.rows[-1].source == "simulated"


def test_in_mid_game_real_dice_are_chosen_for_the_throw_that_is_asked_for() -> None:
    table = at(settings=Settings())
    table.choose(0, "dice", "dice")
    assert "menu-type" not in table.page.lines
    table.hold_next(0)
    table.hold_next(0)
    assert isinstance(table.session.mode, TypingEach)


def test_a_mistyped_throw_is_typed_again() -> None:
    table = type_in(at(), 0, 5, 3)
    table.choose(0, "dice", "retype")
    type_in(table, 0, 5, 4)
    assert [str(row.entry) for row in table.rows] == ["throw 5 3", "retype 5 4"]


# --- in the roll-off -----------------------------------------------------------------------------


def rolling_off(*seats: int, setup: Setup | None = None) -> Sitting:
    """Return a table at which these seats have joined and type in who begins."""
    table = Sitting(setup, settings=TYPED)
    table.begin(*seats)
    return table


def entries(table: Sitting) -> list[str]:
    """Return what has been recorded, without the row that starts the game."""
    return [str(row.entry) for row in table.rows[1:]]


def test_in_the_roll_off_the_last_throw_is_typed_again_for_the_seat_that_made_it() -> None:
    table = type_in(rolling_off(0, 2), 0, 2, 1)
    table.next(2)  # C has begun to type
    table.choose(2, "dice", "retype")
    assert (table.table.heading, table.table.seat) == ("throws(A)", 0)
    type_in(table, 2, 6, 5)
    assert entries(table) == ["throw 2 1", "retype 6 5"]
    assert table.game.order_throws == ((0, (6, 5)),)
    assert (shown(table), table.game.seat) == (("throws(C)", "first-die"), 2)
    assert fold(table.rows) == table.record


def test_a_throw_that_is_typed_again_stands_long_enough_to_read_before_the_next_seat_types() -> (
    None
):
    table = type_in(rolling_off(0, 2), 0, 2, 1)
    table.choose(0, "dice", "retype")
    for face in (6, 5):
        for _ in range(face - 1):
            table.next(0)
        table.ok(0)
    assert shown(table) == ("throws(A)", "throws-score(11)")
    table.wait(1.3)
    assert shown(table) == ("throws(A)", "throws-score(11)")
    table.wait(0.3)
    assert shown(table) == ("throws(C)", "first-die")


def test_the_last_throw_of_the_roll_off_may_change_who_begins_until_the_next_throw() -> None:
    table = type_in(type_in(rolling_off(0, 2), 0, 2, 1), 2, 6, 1)
    assert (table.game.phase, table.game.seat) == (Phase.THROW, 2)
    for again, (phase, seat) in (
        ((1, 1), (Phase.THROW, 0)),
        ((1, 2), (Phase.ORDER, 0)),  # a tie
        ((6, 6), (Phase.THROW, 2)),
    ):
        table.choose(0, "dice", "retype")
        assert table.table.heading == "throws(C)"
        type_in(table, 0, *again)
        assert (table.game.phase, table.game.seat) == (phase, seat)
    type_in(table, 2, 5, 3)
    table.choose(0, "dice", "retype")
    type_in(table, 0, 5, 4)
    assert (table.game.seat, table.game.throw) == (2, (5, 4))
    assert fold(table.rows) == table.record


def test_with_single_dice_for_who_begins_a_single_die_is_typed_again() -> None:
    table = Sitting(settings=TYPED)
    table.begin(0, 2, ruleset="encyclopedia")  # the lowest die begins
    type_in(type_in(table, 0, 4), 2, 5)
    assert table.game.phase is Phase.THROW
    table.choose(0, "dice", "retype")
    assert table.table.words == ("the-die",)
    type_in(table, 0, 2)
    assert (table.game.seat, entries(table)) == (2, ["throw 4", "throw 5", "retype 2"])


def test_typing_a_throw_again_draws_no_throw_anew_that_the_journal_has_refused() -> None:
    table = Sitting(dice=[(5, 3), (1, 1)])
    table.begin(0, 2)
    table.choose(0, "dice", "type")
    type_in(table, 0, 2, 1)
    table.refusing = "disk-full"
    table.throw()
    table.refusing = ""
    table.next(2)
    table.choose(0, "dice", "retype")
    type_in(table, 0, 6, 1)
    table.throw()
    assert entries(table) == ["throw 2 1", "retype 6 1", "throw 5 3"]


def test_only_a_throw_that_was_typed_is_typed_again_in_the_roll_off() -> None:
    table = Sitting(dice=[(5, 3)])
    table.begin(0, 2)
    table.throw()
    table.choose(0, "dice")
    assert "retype" not in table.choices


def test_a_throw_that_waits_comes_again_and_is_not_typed() -> None:
    table = type_in(at(), 0, 1, 2)
    while table.game.seat == 0:
        table.ok(0)
    type_in(table, 2, 4, 4)
    table.choose(2, "undo")
    while table.table.heading == "put-back":
        table.ok(2)
    while table.game.seat == 0:
        table.ok(0)
    assert table.record.ready is not None
    table.throw()
    assert (table.game.seat, table.game.throw) == (2, (4, 4))


def test_after_a_restart_in_mid_game_it_goes_on() -> None:
    table = type_in(at(), 0, 1, 2)
    while table.game.seat == 0:
        table.ok(0)
    again = Sitting(settings=Settings(table.session.settings.kept))
    again.tell(Resume(table.record, 0.0))
    assert shown(again) == ("throws(C)", "first-die")


def test_the_next_game_is_thrown_as_it_was_configured() -> None:
    table = at()
    table.choose(0, "game", "end")
    table.hold_ok(0)
    table.next(0)
    table.read(0)
    table.down(0, "ok")
    table.wait(1.0)
    assert "dice" not in table.session.settings.kept
    assert table.page.title == "ask-who-plays"
    configured = Sitting(settings=Settings(first={"dice": "typed"}))
    configured.begin(0, 2)
    assert isinstance(configured.session.mode, TypingEach)


def test_a_rematch_is_thrown_as_the_game_before() -> None:
    table = at()
    table.choose(0, "game", "end")
    table.hold_ok(0)
    table.hold_ok(0)
    assert isinstance(table.rows[-1].entry, New)
    assert table.session.settings.typed


def test_of_a_throw_that_can_not_be_recorded_the_last_die_is_confirmed_again() -> None:
    table = at()
    table.refusing = "disk-full"
    type_in(table, 0, 5, 3)
    assert table.page.title == "disk-full"
    table.refusing = ""
    table.ok(0)
    assert shown(table) == ("throws(A)", "second-die")
    table.ok(0)
    assert [str(row.entry) for row in table.rows] == ["throw 5 3"]


# --- one button ----------------------------------------------------------------------------------


def test_one_button_types_all_dice() -> None:
    table = type_in(at(ONE_BUTTON), 0, 6, 2)
    assert [(str(row.entry), row.source) for row in table.rows] == [("throw 6 2", "typed")]


@pytest.mark.parametrize("typed", [(), (6,)])
def test_with_one_button_the_menu_is_at_most_eight_presses_away(typed: tuple[int, ...]) -> None:
    table = at(ONE_BUTTON)
    for _ in typed:
        table.hold_ok(0)
    presses = 1
    while table.table.words != ("menu",):
        table.ok(0)
        presses += 1
    table.hold_ok(0)
    assert isinstance(table.screen, TextScreen)
    assert table.page.title == "A: menu"
    assert presses <= 8
    table.wait(31)
    assert shown(table) == ("throws(A)", "menu")
    table.ok(0)
    assert table.table.words == ("second-die",) if typed else ("first-die",)


def test_with_one_button_nothing_else_than_faces_and_the_menu_is_gone_round() -> None:
    table = at(ONE_BUTTON)
    seen = []
    for _ in range(8):
        seen.append(table.table.words if not table.table.dice else table.table.dice[0])
        table.ok(0)
    assert seen == [*map(Die, range(1, 7)), ("menu",), Die(1)]
