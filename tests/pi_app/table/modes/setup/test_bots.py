"""Bots: players throw for them, move their pawns as shown, and confirm it with OK."""

from itertools import product

import pytest

from pi_app.model.events import Resume, Setup
from pi_app.model.history import New, fold
from pi_app.model.screens import Die
from pi_app.settings.settings import LEVELS, Settings
from rules.actions import Move, Throw
from rules.game import Phase
from tests.pi_app.sitting import Sitting, marks, told, words

FOUR = "12,N,N,N/22,5,N,N/3,N,N,N/N,N,N,N"
CAPTURE = "20,N,N,N/N,N,N,N/57,N,N,N/-"


def joined_with_a_bot(level: str = "child", *dice: tuple[int, ...]) -> Sitting:
    """Return a table that A has joined, with a bot at C."""
    table = Sitting(dice=dice)
    table.ok(0)
    table.choose(0, "game", "bots", *["C"] * (1 + LEVELS.index(level)))
    table.hold_next(0)
    table.hold_next(0)
    return table


def table_of(
    position: str,
    seat: int,
    *dice: tuple[int, ...],
    bots: str = "C",
    level: str = "strong",
    setup: Setup | None = None,
    kept: dict[str, str] | None = None,
) -> Sitting:
    """Return a table in a game in which this seat is to throw, with bots at some."""
    levels = {f"box.{letter}": level for letter in bots}
    table = Sitting(setup, dice, settings=Settings({**levels, **(kept or {})}))
    table.resume(position, seat, "findler")
    return table


# --- who plays -------------------------------------------------------------------------------


def test_the_first_to_join_adds_a_bot_changes_its_level_and_takes_it_away() -> None:
    table = Sitting()
    table.ok(0)
    shown = []
    table.choose(0, "game", "bots")
    assert table.page.title == "A: menu-bots"
    for _ in range(6):
        shown.append(table.page.lines)
        table.choose(0, "B")
    others = "C: no-bot", "D: no-bot", "do-back"
    levels = (f"level-{level}" for level in ("child", "easy", "club", "strong"))
    assert shown == [(f"B: {how}", *others) for how in ("no-bot", *levels, "no-bot")]


def test_who_has_joined_and_each_bot_s_level_stand_on_the_screen() -> None:
    table = joined_with_a_bot("strong")
    assert (marks(table), table.hint) == ("A:joined B:- C:level-strong D:-", "hold-ok-to-begin(A)")


def test_only_the_first_to_join_seats_bots() -> None:
    table = Sitting()
    table.ok(0)
    table.ok(1)
    table.choose(1, "game")
    assert "bots" not in table.choices
    table.hold_next(1)
    table.hold_next(1)
    table.choose(0, "game", "bots")
    assert table.page.lines == ("C: no-bot", "D: no-bot", "do-back")


def test_at_least_one_plays_who_is_no_bot() -> None:
    table = joined_with_a_bot()
    table.choose(0, "game", "leave")
    assert marks(table) == "A:- B:- C:level-child D:-"
    assert table.hint == "press-ok: do-join, press-next: do-other-rules"
    for seat in range(4):
        table.hold_ok(seat)  # joins
        assert table.session.record is None
        table.choose(seat, "game", "leave")
    assert "bots" not in menu_lines(table)


def menu_lines(table: Sitting) -> tuple[str, ...]:
    table.hold_next(0)
    return () if table.session.record is None and not table.session.joined else table.choices


def test_who_presses_ok_on_a_bot_s_panel_joins_in_its_place() -> None:
    table = joined_with_a_bot()
    table.ok(2)
    assert marks(table) == "A:joined B:- C:joined D:-"
    assert "box.C" not in table.session.settings.kept
    table.choose(2, "game", "leave")
    assert marks(table) == "A:joined B:- C:- D:-"


def test_beside_a_bot_it_is_told_that_opposite_seats_are_usual() -> None:
    table = Sitting()
    table.ok(0)
    table.choose(0, "game", "bots", "B")
    table.hold_next(0)
    table.hold_next(0)
    table.hold_ok(0)
    assert table.page.lines == ("opposite-seats",)
    table.hold_ok(0)
    assert table.game.seats == (0, 1)


def test_who_has_joined_hosts_and_bots_come_after() -> None:
    table = Sitting()
    table.ok(3)
    table.choose(3, "game", "bots", "A")
    table.hold_next(3)
    table.hold_next(3)
    table.hold_ok(3)
    table.hold_ok(3)
    assert table.rows[-1].entry == New(table.game.ruleset, (3, 0))
    assert table.record.host == 3


# --- a bot's turn ----------------------------------------------------------------------------


def test_a_game_begins_with_a_bot_by_people_s_hands_alone() -> None:
    table = joined_with_a_bot("child", (3, 1), (6, 5), (6, 5))
    table.hold_ok(0)
    table.throw()
    assert table.page.title == "who-throws(seat-bot(C))"
    assert table.reply.lamps == ("on", "off", "off", "off")
    table.throw()
    assert (table.game.seat, table.table.heading) == (2, "bot-for(C)")
    assert (table.table.lead, words(table)) == ("throw-for-it", "press-the-dome")


def test_a_bot_s_turn_waits_for_each_throw_and_each_step() -> None:
    table = table_of(FOUR, 2, (6, 3))
    table.wait(120.0)
    assert (table.rows, table.table.heading) == ([], "bot-for(C)")
    table.throw()
    table.wait(120.0)
    assert [str(row.entry) for row in table.rows] == ["throw 6 3"]
    first = told(table)
    assert (table.table.heading, table.keys) == ("bot-for(C)", ("press-ok: do-moved",))
    table.ok(1)
    assert len(table.rows) == 2
    assert told(table) != first


def test_ok_is_by_anybody_who_plays_and_all_their_lamps_breathe() -> None:
    for seat in (0, 1, 2, 3):
        table = table_of(FOUR, 2, (6, 3))
        assert table.reply.lamps == ("breathe", "breathe", "off", "breathe")
        table.throw()
        assert table.reply.lamps == ("breathe", "breathe", "off", "breathe")
        table.ok(seat)
        assert [row.by for row in table.rows] == ["strong", "strong"]


def test_next_says_that_the_bot_has_chosen() -> None:
    table = table_of(FOUR, 2, (6, 3))
    table.throw()
    shown = told(table)
    table.next(0)
    assert (told(table), table.notice) == (shown, "bot-has-chosen")


def test_while_it_thinks_undo_and_the_menu_work_and_ok_does_nothing() -> None:
    table = table_of(FOUR, 3, (6, 3), (6, 3))
    table.advise = None
    table.throw()
    table.ok(3)
    table.throw()
    assert (words(table), table.keys) == ("thinks", ("press-hold-next: menu",))
    table.ok(0)
    assert (table.notice, len(table.rows)) == ("bot-thinks", 3)
    table.choose(0, "undo")
    assert str(table.rows[-1].entry) == "undo"


def test_a_captured_pawn_s_lamp_blinks_whoever_moves() -> None:
    table = table_of("20,N,N,N/N,N,N,N/57,N,N,N/-", 0, (3, 1), bots="A")
    table.throw()
    assert words(table) == "B+6 to-nest(C)"
    assert table.reply.lamps == ("off", "breathe", "blink", "off")


def test_where_a_bot_can_do_nothing_the_reason_is_shown_and_anybody_goes_on() -> None:
    table = table_of("12,N,N,N/-/N,N,N,N/-", 2, (1, 2))
    table.throw()
    assert (words(table), table.keys) == ("no-move", ("press-ok: do-go-on", "press-dome: do-throw"))
    table.ok(0)
    assert (str(table.rows[-1].entry), table.rows[-1].by) == ("stop", "strong")


def test_a_penalty_of_a_bot_is_a_move_by_hand() -> None:
    table = Sitting(dice=[(2, 2)], settings=Settings({"box.C": "easy"}))
    table.resume("12,N,N,N/-/30,N,N,N/-", 2, "royal-2023", doublets=2)
    table.throw()
    assert table.game.phase is Phase.PENALTY
    table.ok(0)
    assert (str(table.rows[-1].entry), table.rows[-1].by) == ("stop", "easy")


def test_a_throw_after_undo_is_played_alike() -> None:
    table = table_of(FOUR, 2, (6, 3), level="easy")
    table.throw()
    shown = []
    for _ in range(2):
        shown.append(told(table))
        table.ok(0)
    table.choose(0, "undo")
    while table.table.heading == "put-back":
        table.ok(0)
    assert told(table) == shown[1]
    table.choose(0, "undo")
    while table.table.heading == "put-back":
        table.ok(0)
    assert told(table) == shown[0]


def test_after_a_restart_the_bot_plays_on_and_as_it_meant_to() -> None:
    before = joined_with_a_bot("easy", (3, 1), (6, 5), (6, 5))
    before.hold_ok(0)
    for _ in range(3):
        before.throw()
    assert before.game.phase is Phase.MOVE
    after = Sitting(settings=before.session.settings)
    after.tell(Resume(fold(before.rows), 0.0))
    assert (after.table.heading, told(after)) == ("bot-for(C)", told(before))


def test_a_bot_s_die_that_one_button_has_left_at_the_menu_goes_on_at_its_first_face() -> None:
    table = table_of(FOUR, 2, kept={"dice": "typed"}, setup=Setup(next_buttons=(1,)))
    for _ in range(6):
        table.go_on(0)
    assert table.table.words == ("menu",)
    table.next(1)
    assert (table.table.words, table.table.dice) == (("first-die",), (Die(1),))


def test_a_bot_s_dice_are_typed_in_by_anybody() -> None:
    table = table_of(FOUR, 2, kept={"dice": "typed"})
    assert table.table.heading == "bot-for(C)"
    for seat in (0, 1):
        table.ok(seat)
    assert [(str(row.entry), row.source, row.by) for row in table.rows] == [
        ("throw 1 1", "typed", "strong")
    ]


def test_one_person_alone_with_a_flat_panel_has_the_screen_turned_to_them() -> None:
    table = table_of("12,N,N,N/-/3,N,N,N/-", 2, (6, 3))
    table.throw()
    assert (table.session.facing, table.table.board.seat) == (0, 0)


def test_of_several_the_board_stays_turned_to_who_pressed_last_alone() -> None:
    table = table_of(FOUR, 1, (6, 3), (6, 3))
    table.throw()
    table.ok(1)
    table.ok(1)
    assert (table.game.seat, table.session.facing, table.table.board.seat) == (0, 0, 0)


@pytest.mark.parametrize("dome", [True, False])
def test_one_button_does_all_of_it(dome: bool) -> None:
    table = table_of(FOUR, 2, (6, 3), setup=Setup(next_buttons=(), dome=dome))
    if dome:
        table.throw()
    else:
        table.wait(2.0)
        table.hold_ok(0)
        table.wait(2.2)
    by_dome = ("press-dome: do-back",) if dome else ()
    assert table.keys == ("press-tap: 1 of 2", "press-hold: do-moved", *by_dome)
    table.hold_ok(1)
    assert len(table.rows) == 2


# --- sitting down and getting up -------------------------------------------------------------


def test_the_menu_of_a_bot_s_panel_has_somebody_play_from_then_on() -> None:
    table = table_of(FOUR, 2, (6, 3))
    table.choose(2, "game", "bots", "play-C")
    assert (table.table.heading, table.table.note) == ("throws(C)", "C: you-play")
    assert table.reply.lamps == ("off", "off", "on", "off")
    table.throw()
    table.ok(2)
    assert [row.by for row in table.rows] == [None, None]


def test_in_the_middle_of_a_play_somebody_may_sit_down_and_get_up() -> None:
    table = table_of(FOUR, 2, (6, 3))
    table.throw()
    table.ok(0)
    table.choose(2, "game", "bots", "play-C")
    assert table.table.heading == "moves(C)"
    table.choose(2, "game", "bots", "C")
    table.hold_next(2)
    table.hold_next(2)
    assert table.table.heading == "bot-for(C)"
    table.ok(0)
    assert [row.by for row in table.rows] == ["strong", "strong", "child"]


def test_holding_ok_on_a_bot_s_panel_does_what_its_tap_does_and_takes_no_seat() -> None:
    table = table_of(FOUR, 2, (6, 3))
    table.throw()
    table.hold_ok(2)
    assert [(type(row.entry), row.by) for row in table.rows] == [
        (Throw, "strong"),
        (Move, "strong"),
    ]
    assert table.table.heading == "bot-for(C)"


def test_on_a_bot_s_turn_the_panels_of_other_bots_count_too() -> None:
    table = table_of(FOUR, 2, (6, 3), bots="BC")
    table.throw()
    table.next(1)
    assert table.notice == "bot-has-chosen"
    table.ok(1)
    assert len(table.rows) == 2


def test_without_a_dome_a_bot_s_own_panel_throws_for_it() -> None:
    table = table_of(FOUR, 2, (6, 3), setup=Setup(dome=False))
    table.wait(2.0)
    table.hold_ok(2)
    assert [(str(row.entry), row.by) for row in table.rows] == [("throw 6 3", "strong")]


def test_with_one_button_a_hold_on_a_bot_s_own_panel_confirms_its_step() -> None:
    table = table_of(FOUR, 2, (6, 3), setup=Setup(next_buttons=()))
    table.throw()
    table.hold_ok(2)
    assert [row.by for row in table.rows] == ["strong", "strong"]


def test_only_a_bot_s_own_panel_offers_to_play_it_yourself() -> None:
    table = table_of(FOUR, 2, bots="BC")
    table.choose(0, "game", "bots")
    assert not any(line.startswith("play-yourself") for line in table.page.lines)
    table.hold_next(0)
    table.hold_next(0)
    table.choose(2, "game", "bots")
    assert table.page.lines == ("C: level-strong", "B: level-strong", "play-yourself(C)", "do-back")


@pytest.mark.parametrize("setup", [Setup(), Setup(next_buttons=())], ids=["two buttons", "one"])
def test_the_seat_of_a_bot_is_taken_by_twelve_presses_at_most(setup: Setup) -> None:
    table = table_of(FOUR, 3, (6, 3), setup=setup)
    table.throw()
    (table.hold_next if setup.next_buttons else table.hold_ok)(2)
    presses = 1 + table.go_to(2, "game", "bots", "play-C")
    assert (presses <= 12, "box.C" in table.session.settings.kept) == (True, False)


def test_a_seat_is_handed_to_a_bot_from_its_own_panel_while_others_are_there() -> None:
    table = table_of("12,N,N,N/22,5,N,N/3,N,N,N/-", 0, bots="B")
    table.choose(2, "game", "bots")
    assert table.page.lines == ("C: no-bot", "B: level-strong", "do-back")
    table.choose(2, "C")
    table.hold_next(2)
    table.hold_next(2)
    table.choose(0, "game", "bots")
    assert table.page.lines == ("B: level-strong", "C: level-child", "do-back")


def test_for_whom_a_bot_s_player_has_played_another_plays_on() -> None:
    table = table_of(FOUR, 0, bots="", kept={"stand-in.D": "C"})
    table.choose(2, "game", "bots", "C")
    kept = table.session.settings.kept
    assert (kept["stand-in.D"], kept["box.C"]) == ("B", "child")


def test_the_last_of_the_people_can_not_leave_bots_alone() -> None:
    table = table_of("12,N,N,N/22,5,N,N/3,N,N,N/-", 0, bots="BC")
    table.choose(0, "game", "someone-leaves", "A")
    assert (table.page.title, table.notice) == ("A: ask-who-leaves", "the-last")


def test_people_leave_and_bots_are_no_neighbours_who_play_on() -> None:
    table = table_of(FOUR, 0, bots="BC")
    table.choose(0, "game", "someone-leaves", "A")
    assert table.page.lines == ("pawns-off-the-board", "plays-for(seat=A, who=D)")


def test_the_menu_of_who_leaves_has_people_back_in_a_bot_s_place() -> None:
    table = table_of(FOUR, 2)
    table.choose(0, "game", "someone-leaves", "is-back(C)")
    assert table.table.heading == "throws(C)"


# --- the end ---------------------------------------------------------------------------------


def test_a_bot_that_wins_is_named_and_counted_as_one_and_the_rematch_is_by_people() -> None:
    table = table_of("12,N,N,N/-/H,H,H,r7/-", 2, (1, 4))
    table.throw()
    while table.game.phase is Phase.MOVE:
        table.ok(0)
    assert table.podium.title == "has-won(seat-bot(C))"
    assert table.reply.lamps == ("on", "off", "cheer", "off")
    assert "BOX:1/1" in table.session.settings.kept["evening"]
    table.hold_ok(0)
    assert (table.game.phase, table.session.settings.kept["box.C"]) == (Phase.STARTER, "strong")


def test_a_new_game_is_joined_without_bots() -> None:
    table = table_of("12,N,N,N/-/3,N,N,N/-", 0)
    table.choose(0, "game", "end")
    table.hold_ok(0)
    table.next(0)
    table.hold_ok(0)
    assert marks(table) == "A:- B:- C:- D:-"
    assert "box.C" not in table.session.settings.kept


# --- presses ---------------------------------------------------------------------------------


ONE_BUTTON = Setup(next_buttons=())


@pytest.mark.parametrize("setup", [Setup(), ONE_BUTTON], ids=["two buttons", "one"])
@pytest.mark.parametrize(("seat", "level"), [*product("BCD", LEVELS)])
def test_a_bot_is_seated_by_twelve_presses_at_most(seat: str, level: str, setup: Setup) -> None:
    table = Sitting(setup)
    table.ok(0)
    if setup is ONE_BUTTON:
        while table.page.lines != ("menu",):
            table.ok(0)
        table.hold_ok(0)
    else:
        table.hold_next(0)
    presses = 1 + table.go_to(0, "game", "bots", seat)
    while table.session.settings.kept[f"box.{seat}"] != level:
        (table.hold_ok if setup is ONE_BUTTON else table.ok)(0)
        presses += 1
    assert presses <= 12


@pytest.mark.parametrize(
    ("bots", "seat", "level"),
    [
        *product(["", "BC"], "A", LEVELS),
        *product(["BC", "BCD"], "BC", LEVELS),
        *product(["BCD"], "D", LEVELS),
    ],
)
def test_in_a_game_any_level_is_twelve_presses_away_at_most(
    bots: str, seat: str, level: str
) -> None:
    table = table_of(FOUR, 3, (6, 3), bots=bots, level="easy")
    table.throw()
    table.hold_next(0)
    presses = 1 + table.go_to(0, "game", "bots", seat)
    while table.session.settings.kept[f"box.{seat}"] != level:
        table.ok(0)
        presses += 1
    assert presses <= 12


def test_where_dice_are_typed_a_bot_s_own_panel_types_them_and_its_menu_takes_the_seat() -> None:
    table = table_of(FOUR, 2, kept={"dice": "typed"})
    table.next(2)
    table.ok(2)
    assert table.table.dice == (Die(2), Die(1))
    table.choose(2, "game", "bots", "play-C")
    assert (table.table.heading, table.reply.lamps) == ("throws(C)", ("off", "off", "on", "off"))


def test_a_panel_that_nobody_has_joined_is_told_whose_turn_it_is() -> None:
    table = table_of("12,N,N,N/-/3,N,N,N/-", 2)
    table.ok(3)
    assert (table.notice, table.rows) == ("bot-for(C)", [])


@pytest.mark.parametrize("childs", ["", "B"])
def test_a_choice_that_only_the_one_button_panel_had_is_gone_with_its_player(childs: str) -> None:
    table = Sitting(Setup(next_buttons=(1, 2, 3)), settings=Settings({"children": childs}))
    table.begin(0, 1, 2, ruleset="findler")
    assert table.page.title == "A: ask-who-begins"
    for line in ("menu", "game", "bots", "A"):
        hold_on(table, line)
    for line in ("back", "back", "back"):
        hold_on(table, line)
    assert table.page.title == "B: ask-who-begins"
    assert table.page.lines == ("begins(A)", "begins(B)", "begins(C)")
    assert table.page.chosen == 0
    table.wait(3.0)
    table.ok(1)
    assert table.game.seat == 0


def hold_on(table: Sitting, line: str) -> None:
    """Go to a line by A's only button, and hold it there."""
    table.wait(0.5)
    while table.marked != line:
        table.press(0, "ok")
        table.wait(0.5)
    table.hold_ok(0)
