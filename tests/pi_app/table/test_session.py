"""The table from joining to the end of a game: what presses do, show, light and sound."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from pi_app.record.history import Row, fold
from pi_app.table.choices import increments
from pi_app.table.events import Drawn, Notice, Resume, Setup, Tone
from pi_app.table.screen import Die, Increment, Podium, SeatMark
from pi_app.table.words import news
from rules.facts import Again, Captured, Fact, Lapsed, Penalized, TurnOf, Won
from rules.game import Phase
from rules.ruleset import PRESETS, preset_title
from tests.pi_app.sitting import Sitting, draw_once, told

NESTS = "N,N,N,N/-/N,N,N,N/-"
TWO_BEGIN = [(6, 3), (2, 1)]  # A throws 9, C 3: A begins


def marks(table: Sitting) -> str:
    return " ".join(f"{'ABCD'[mark.seat]}:{mark.text}" for mark in table.page.seats)


def words(table: Sitting) -> str:
    return " ".join(table.table.words)


# --- joining ---------------------------------------------------------------------------------


def test_ok_joins_and_ok_again_leaves() -> None:
    table = Sitting()
    table.ok(2)
    assert (marks(table), table.reply.lamps) == (
        "A:- B:- C:joined D:-",
        ("breathe", "breathe", "on", "breathe"),
    )
    table.ok(2)
    assert marks(table) == "A:- B:- C:- D:-"


def test_next_goes_round_the_rule_sets_from_the_default() -> None:
    table = Sitting()
    shown = [(table.page.lines, table.page.corner)]
    for _ in PRESETS:
        table.next(1)
        shown.append((table.page.lines, table.page.corner))
    assert list(PRESETS)[-1] == "royal-2023"
    assert shown == [
        (("Royal Parcheesi 2023",), "13/13"),
        *(((preset_title(name),), f"{n}/13") for n, name in enumerate(PRESETS, start=1)),
    ]


def test_the_first_to_join_begins_by_holding_ok() -> None:
    table = Sitting()
    table.ok(2)
    table.ok(0)
    assert table.page.hint == "C: hold OK to begin"
    table.hold_ok(2)
    assert table.rows == [Row('new "royal-2023" seats 2,0', NESTS)]
    assert (table.record.host, table.game.phase) == (2, Phase.ORDER)


def test_another_than_the_first_leaves_on_the_press_and_begins_nothing() -> None:
    table = Sitting()
    table.ok(2)
    table.ok(0)
    table.read(0)
    table.down(0, "ok")
    assert marks(table) == "A:- B:- C:joined D:-"
    table.wait(2)
    assert table.rows == []


def test_the_first_to_join_leaves_by_a_short_press() -> None:
    table = Sitting()
    table.ok(2)
    table.ok(0)
    table.ok(2)
    assert marks(table) == "A:joined B:- C:- D:-"


def test_one_alone_can_not_begin() -> None:
    table = Sitting()
    table.ok(2)
    table.hold_ok(2)
    assert table.rows == []


def test_two_neighbours_are_told_and_begin_by_holding_ok_again() -> None:
    table = Sitting()
    table.ok(0)
    table.ok(3)
    table.hold_ok(0)
    assert (table.rows, table.page.lines) == ([], ("opposite seats are usual",))
    table.hold_ok(0)
    assert [row.action for row in table.rows] == ['new "royal-2023" seats 0,3']


def test_a_third_player_makes_neighbours_no_question() -> None:
    table = Sitting()
    for seat in (0, 3):
        table.ok(seat)
    table.hold_ok(0)
    table.ok(1)
    assert table.page.lines == ("Royal Parcheesi 2023",)
    table.hold_ok(0)
    assert len(table.rows) == 1


def test_a_bar_fills_while_ok_is_held_and_a_late_release_does_nothing() -> None:
    table = Sitting()
    table.ok(0)
    table.ok(2)
    table.read(0)
    table.down(0, "ok")
    table.wait(0.5)
    assert table.page.hold == pytest.approx(0.5)
    table.wait(0.3)
    table.up(0, "ok")
    assert (table.page.hold, marks(table), table.rows) == (None, "A:joined B:- C:joined D:-", [])


def test_a_panel_that_is_not_there_joins_nothing() -> None:
    table = Sitting(Setup(panels=(0, 2), next_buttons=(0, 2)))
    table.ok(1)
    assert marks(table) == "A:- C:-"


# --- who begins ------------------------------------------------------------------------------


def test_each_throw_stands_long_enough_to_read_then_the_next_seat_is_named() -> None:
    table = Sitting(dice=TWO_BEGIN)
    table.begin(0, 2)
    assert (table.page.title, marks(table)) == ("A throws", "A:- C:-")
    table.dome()
    assert all(die.tumbling for die in table.table.dice)
    table.wait(0.5)
    assert (table.table.dice, words(table)) == ((Die(6), Die(3)), "throws 9")
    table.wait(1.4)
    assert words(table) == "throws 9"
    table.wait(0.2)
    assert (table.page.title, marks(table)) == ("C throws", "A:9 C:-")


def test_the_winner_of_the_throws_begins() -> None:
    table = Sitting(dice=[(2, 1), (6, 3)])
    table.begin(0, 2)
    table.throw()
    table.throw()
    assert (table.game.phase, table.table.heading, table.table.note) == (
        Phase.THROW,
        "C throws",
        "C begins",
    )
    assert table.reply.lamps == ("off", "off", "on", "off")


def test_ties_throw_again() -> None:
    table = Sitting(dice=[(2, 1), (2, 1)])
    table.begin(0, 2)
    table.throw()
    table.throw()
    assert (table.page.title, table.page.lines, marks(table)) == (
        "A throws",
        ("press the dome",),
        "A:- C:-",
    )


def test_of_three_only_those_tied_throw_again() -> None:
    table = Sitting(dice=[(6, 3), (5, 4), (2, 1)])
    table.begin(0, 2, 3)
    for _ in range(3):
        table.throw()
    assert (table.page.title, table.page.hint, marks(table)) == (
        "A throws",
        "tie: A, D again",
        "A:- C:out D:-",
    )


def test_single_dice_decide_where_the_rules_say_so() -> None:
    table = Sitting(dice=[(4, 4)])
    table.begin(0, 2, ruleset="encyclopedia")
    assert (table.page.lines, table.page.hint) == (("press the dome",), "lowest die begins")
    table.throw()
    assert marks(table) == "A:4 C:-"
    assert table.rows[-1].action == "throw 4"


def test_where_the_players_choose_next_goes_round_and_the_first_to_join_confirms() -> None:
    table = Sitting()
    table.begin(3, 0, 2, ruleset="findler")
    assert table.page.lines == ("A begins", "C begins", "D begins")
    table.next(3)
    assert table.page.chosen == 1
    table.ok(0)
    assert (table.page.notice, table.game.phase) == ("D's turn", Phase.STARTER)
    table.ok(3)
    assert (table.rows[-1].action, table.game.seat) == ("choose 2", 2)


# --- throwing --------------------------------------------------------------------------------


def test_the_dome_throws_once_and_the_dice_tumble_before_they_stand() -> None:
    table = Sitting(dice=[(5, 3)])
    table.resume(NESTS, 0)
    table.down(None, "dome")
    assert table.rows == [Row("throw 5 3", NESTS, "simulated")]
    assert [die.tumbling for die in table.table.dice] == [True, True]
    frames = []
    for _ in range(6):
        frames.append(tuple(die.face for die in table.table.dice))
        table.wait(0.1)
    assert frames == [(6, 5), (2, 3), (5, 1), (3, 4), (1, 6), (4, 2)]
    assert (table.table.heading, table.table.dice) == ("A moves", (Die(5), Die(3)))


def test_the_dome_is_deaf_until_the_faces_have_stood_for_a_second() -> None:
    table = Sitting(dice=[(5, 5), (6, 4)])
    table.resume("12,N,N,N/-/N,N,N,N/-", 0)
    table.dome()
    table.wait(0.55)
    table.tell_ok(0)
    table.wait(0.4)
    table.tell_ok(0)
    assert (table.game.phase, table.t < 1.6) == (Phase.THROW, True)
    table.dome()
    table.dome()
    assert len([row for row in table.rows if row.action.startswith("throw")]) == 1
    table.wait(1.0)
    table.dome()
    assert table.rows[-1].action == "throw 6 4"


def test_the_dome_does_nothing_while_a_step_is_to_be_chosen() -> None:
    table = Sitting(dice=[(5, 3)])
    table.resume(NESTS, 0)
    table.throw()
    table.dome()
    assert (table.reply.draw, table.table.notice) == (0, "A's turn")


def test_dice_that_come_unasked_do_not_count() -> None:
    table = Sitting(dice=[(5, 3)])
    table.resume(NESTS, 0)
    table.throw()
    table.tell(Drawn((6, 6), "kernel", table.t))
    assert table.game.throw == (5, 3)


def test_without_a_dome_the_player_holds_ok_to_throw() -> None:
    table = Sitting(Setup(dome=False), dice=[(5, 3)])
    table.resume(NESTS, 0)
    assert words(table) == "hold OK to throw"
    table.ok(0)
    assert table.table.notice == "hold OK"
    table.hold_ok(0)
    assert table.rows[-1].action == "throw 5 3"


def test_with_a_dome_ok_throws_nothing() -> None:
    table = Sitting()
    table.resume(NESTS, 0)
    table.hold_ok(0)
    assert (table.rows, words(table)) == ([], "press the dome")


def test_the_rows_of_a_throw_carry_its_source_and_the_chamber_s_press() -> None:
    table = Sitting()
    table.resume(NESTS, 0)
    table.tell(Drawn((5, 3), "chamber", 0.0, boot="a1b2", n=7))
    assert table.rows == [Row("throw 5 3", NESTS, "chamber", "a1b2", 7)]


# --- choosing --------------------------------------------------------------------------------


def thrown(position: str, faces: tuple[int, int], ruleset: str = "royal-2023") -> Sitting:
    """Return a table at which A has thrown these faces in this position."""
    table = Sitting(dice=[faces])
    table.resume(position, 0, ruleset)
    table.throw()
    return table


def which(table: Sitting) -> str:
    """Return which of how many choices is shown: `1 of 4`; nothing where there is one."""
    return table.table.keys[0].removeprefix("NEXT: ") if len(table.table.keys) > 1 else ""


def round_of(table: Sitting) -> dict[str, str]:
    """Go once round the choices; return what each is told as, with its note."""
    shown = {}
    for _ in range(int(which(table).rpartition(" ")[2] or 1)):
        shown[told(table)] = table.table.note
        table.next(0)
    return shown


def uses(table: Sitting) -> str:
    """Return the increments that are marked as chosen, and from where the pawn goes."""
    chosen = "+".join(mark.text for mark in table.table.increments if mark.state == "chosen")
    return f"{chosen} from {table.table.lead.removesuffix(' →').rpartition(': ')[2]}"


def order_of(table: Sitting) -> list[str]:
    """Go once round the choices; return what each spends and from where."""
    shown = []
    for _ in range(int(which(table).rpartition(" ")[2])):
        shown.append(uses(table))
        table.next(0)
    return shown


def test_every_legal_step_is_shown_one_at_a_time_and_next_goes_round() -> None:
    table = thrown("20,3,N,N/-/N,N,N,N/-", (3, 1), "findler")
    assert which(table) == "1 of 4"
    assert list(round_of(table)) == [
        "3: 3 past B → 6 past B",
        "3: 3 past A → 6 past A",
        "1: 3 past B → 4 past B",
        "1: 3 past A → 4 past A",
    ]
    assert which(table) == "1 of 4"


def test_ok_confirms_the_step_that_is_shown() -> None:
    table = thrown("20,3,N,N/-/N,N,N,N/-", (3, 1), "findler")
    table.next(0)
    assert told(table) == "3: 3 past A → 6 past A"
    assert table.table.keys == ("NEXT: 2 of 4", "OK: I moved it")
    table.ok(0)
    assert table.rows[-1] == Row("move 3-6(3)", "20,6,N,N/-/N,N,N,N/-")


def test_a_single_legal_step_is_already_chosen() -> None:
    table = thrown(NESTS, (5, 3))
    assert (told(table), table.table.keys) == ("5: nest → A's entry", ("OK: I moved it",))
    assert (table.table.board.origin, table.table.board.target) == ((0, -1), (0, 0))


def test_increments_are_marked_open_chosen_and_spent() -> None:
    table = thrown(NESTS, (5, 3))
    assert table.table.increments == (Increment("5", "chosen"), Increment("3", "open"))
    table.ok(0)
    assert table.table.increments == (Increment("5", "spent"), Increment("3", "chosen"))


def test_entering_by_the_sum_marks_both_dice() -> None:
    table = thrown(NESTS, (1, 4))
    assert told(table) == "4+1: nest → A's entry"
    assert [mark.state for mark in table.table.increments] == ["chosen", "chosen"]


def test_a_capture_names_whose_pawn_goes_back_and_its_lamp_blinks() -> None:
    table = thrown("20,N,N,N/-/57,N,N,N/-", (3, 1), "findler")
    assert table.table.words == ("6 past B", "C to nest")
    assert table.reply.lamps == ("on", "off", "blink", "off")
    table.ok(0)
    assert Tone(0, "capture") in table.tones
    assert table.table.increments[-1] == Increment("+20", "open")
    assert (told(table), table.table.note) == ("1: 6 past B → 7 past B", "C to nest")


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ("57,N,N,N", "C to nest"),
        ("57,56,N,N", "CC to nest"),
        ("57,56,55,N", "3 to nest"),
        ("60,57,56,55", "4 to nest"),
    ],
)
def test_all_pawns_that_are_overtaken_are_named_or_counted(others: str, said: str) -> None:
    rules = replace(PRESETS["findler"], overtaking_captures=True)
    table = Sitting(dice=[(6, 5)])
    table.resume(f"20,N,N,N/-/{others}/-", 0, rules)
    table.throw()
    assert table.table.words[-1] == said


def test_home_names_what_it_earns() -> None:
    table = thrown("H,H,r4,20/-/N,N,N,N/-", (4, 6), "findler")
    assert list(round_of(table)) == [
        "4: home row 4 → home, +10",
        "4: 3 past B → 7 past B",
        "6: 3 past B → 9 past B",
    ]


def test_home_earns_nothing_where_the_rules_say_so() -> None:
    table = thrown("H,H,r4,20/-/N,N,N,N/-", (4, 6), "sca")
    assert "4: home row 4 → home" in round_of(table)


def test_a_total_is_one_choice_more_and_uses_both_dice() -> None:
    table = thrown("H,H,r4,r2/-/N,N,N,N/-", (4, 1), "encyclopedia")
    assert order_of(table)[-1] == "4+1 from home row 2"
    assert list(round_of(table))[-1] == "home row 2 → home row 7"


def test_a_bonus_is_an_increment_with_a_plus() -> None:
    table = thrown("20,N,N,N/-/57,N,N,N/-", (3, 1))
    table.ok(0)
    table.ok(0)
    assert told(table) == "+20: 7 past B → 10 past C"
    assert table.table.note == "for the capture"
    assert table.table.increments == (
        Increment("3", "spent"),
        Increment("1", "spent"),
        Increment("+20", "chosen"),
    )


def test_where_the_player_may_stop_done_is_the_last_choice() -> None:
    table = thrown("20,N,N,N/-/57,N,N,N/-", (3, 1), "encyclopedia")
    table.ok(0)
    table.ok(0)
    assert round_of(table) == {
        "+20: 7 past B → 10 past C": "for the capture",
        "DONE": "leave the rest",
    }
    table.next(0)
    assert table.table.keys == ("NEXT: 2 of 2", "OK: done")
    table.ok(0)
    assert (table.rows[-1].action, table.table.note) == ("stop", "20 not used")


def test_the_choices_go_die_by_die_and_the_pawn_most_advanced_comes_first() -> None:
    table = thrown("r2,20,3,N/-/N,N,N,N/-", (3, 5), "encyclopedia")
    assert order_of(table) == [
        "3 from home row 2",
        "3 from 3 past B",
        "3 from 3 past A",
        "5 from home row 2",
        "5 from 3 past B",
        "5 from 3 past A",
        "5 from nest",
        "3+5 from 3 past B",
        "3+5 from 3 past A",
    ]


def test_a_bonus_comes_after_the_dice() -> None:
    table = thrown("20,3,N,N/-/57,N,N,N/-", (1, 3), "findler")
    while "C to nest" not in table.table.words:
        table.next(0)
    table.ok(0)
    assert order_of(table) == [
        "1 from 6 past B",
        "1 from 3 past A",
        "+20 from 6 past B",
        "+20 from 3 past A",
    ]


# --- parts of a grant of 14 spaces ---------------------------------------------------------


def granted(position: str = "20,10,N,N/-/57,40,N,N/-", faces: tuple[int, int] = (3, 3)) -> Sitting:
    return thrown(position, faces, "tr-1960")


def test_of_a_grant_the_pawn_is_chosen_first() -> None:
    table = granted()
    assert table.table.increments == (Increment("14 left", "open"),)
    assert round_of(table) == {
        "which pawn? 3 past B": "can go 1 to 14, capture C",
        "which pawn? 10 past A": "can go 1 to 14, capture C",
    }
    assert (table.table.keys, len(table.rows)) == (("NEXT: 1 of 2", "OK: this pawn"), 1)


def test_then_how_far_it_goes_the_farthest_first() -> None:
    table = granted()
    table.next(0)
    table.ok(0)
    assert (which(table), table.table.increments) == (
        "1 of 15",
        (Increment("14 of 14", "chosen"),),
    )
    assert list(round_of(table))[:2] == [
        "14: 10 past A → 7 past B",
        "13: 10 past A → 6 past B C to nest",
    ]
    table.next(0)
    table.ok(0)
    assert table.rows[-1].action == "move 10-23(13/14)x"
    assert table.table.increments[0] == Increment("1 of 1", "chosen")


def test_the_last_choice_leads_back_to_the_pawns_and_the_next_of_them() -> None:
    table = granted()
    table.ok(0)
    while words(table) != "back to the pawns":
        table.next(0)
    table.ok(0)
    assert (told(table), len(table.rows)) == ("which pawn? 10 past A", 1)


def test_a_pawn_that_can_take_one_part_is_chosen_with_it() -> None:
    table = granted("20,N,N,N/-/N,N,N,N/-")
    assert (told(table), which(table)) == ("14: 3 past B → C's entry", "")


def test_entering_is_no_part_and_stays_a_choice_of_its_own() -> None:
    table = granted(faces=(5, 5))
    assert list(round_of(table))[-1] == "5: nest → A's entry"


def test_where_no_step_is_legal_reasons_that_are_alike_are_said_once_and_ok_passes_on() -> None:
    table = thrown(NESTS, (6, 3))
    assert (words(table), table.table.note, table.table.keys) == (
        "no move",
        "6 and 3: only a 5 enters",
        ("OK: go on",),
    )
    table.ok(0)
    assert (table.rows[-1].action, table.game.seat) == ("stop", 2)


def test_where_the_reasons_differ_each_increment_has_its_own() -> None:
    table = thrown("N,N,N,N/-/34,34,N,N/-", (5, 3))
    assert [which(table), table.table.note] == ["1 of 2", "5: entry blocked by C"]
    table.next(0)
    assert [which(table), table.table.note] == ["2 of 2", "3: only a 5 enters"]


def test_a_doublet_throws_again_and_says_so() -> None:
    table = thrown("20,10,N,N/-/N,N,N,N/-", (3, 3), "findler")
    while table.game.phase is Phase.MOVE:
        table.ok(0)
    assert (table.table.heading, table.table.note) == ("A throws", "throw again")


def test_the_third_doublet_is_shown_as_a_move_by_hand() -> None:
    table = Sitting(dice=[(3, 3)])
    table.resume("20,10,N,N/-/N,N,N,N/-", 0, doublets=2)
    table.throw()
    assert table.table.heading == "A oh no!"
    assert told(table) == "third two alike 3 past B to the nest"
    assert table.table.keys == ("OK: I moved it",)
    assert (table.table.board.origin, table.table.board.target) == ((0, 20), (0, -1))
    table.ok(0)
    assert table.rows[-1] == Row("stop", "10,N,N,N/-/N,N,N,N/-")


def test_with_one_die_the_third_six_is_the_penalty() -> None:
    table = Sitting(dice=[(6,)])
    table.resume("20,10,N,N/-/N,N,N,N/-", 0, "one-die", doublets=2)
    table.throw()
    assert told(table) == "third six 3 past B to the nest"


@pytest.mark.parametrize(
    ("third_doublet", "note", "then"),
    [
        ("forfeit", "the turn ends", 2),
        ("no-move", "throw again", 0),
        ("nearest-home-unless-row", "no pawn goes back", 2),
    ],
)
def test_a_third_doublet_that_moves_no_pawn_says_what_it_costs(
    third_doublet: str, note: str, then: int
) -> None:
    table = Sitting(dice=[(3, 3)])
    rules = replace(PRESETS["tr-1960"], third_doublet=third_doublet)
    table.resume("r2,10,N,N/-/N,N,N,N/-", 0, rules, doublets=2)
    table.throw()
    assert (told(table), table.table.note) == ("third two alike no move", note)
    assert table.table.keys == ("OK: go on",)
    table.ok(0)
    assert table.game.seat == then


def test_the_board_is_turned_to_the_player_and_blinks_at_1_hz() -> None:
    table = thrown("20,3,N,N/-/N,N,N,N/-", (3, 1), "findler")
    table.down(0, "next")
    table.wait(0.3)
    table.up(0, "next")
    lit = []
    for _ in range(4):
        lit.append(table.table.board.lit)
        assert table.reply.wake_at == pytest.approx(table.t + 0.5)
        table.wait(0.5)
    assert (lit, table.table.board.seat) == ([True, False, True, False], 0)


# --- others ----------------------------------------------------------------------------------


@pytest.mark.parametrize("press", [Sitting.ok, Sitting.next])
def test_somebody_else_s_press_says_whose_turn_it_is_for_a_moment(
    press: Callable[[Sitting, int], object],
) -> None:
    table = thrown(NESTS, (5, 3))
    game = table.game
    press(table, 2)
    assert (table.table.notice, table.game) == ("A's turn", game)
    assert table.tones[-1] == Tone(None, "refused")
    table.wait(1.5)
    assert table.table.notice == ""


def test_what_a_press_was_told_is_gone_when_the_turn_goes_on() -> None:
    table = thrown(NESTS, (6, 3))
    table.ok(2)
    assert table.table.notice == "A's turn"
    table.ok(0)
    assert (table.table.heading, table.table.notice) == ("C throws", "")


def test_a_device_s_notice_stays_until_it_is_taken_back() -> None:
    table = thrown(NESTS, (5, 3))
    table.tell(Notice("chamber", "dice chamber missing", table.t))
    table.wait(60)
    assert table.table.notice == "dice chamber missing"
    table.ok(2)
    assert table.table.notice == "A's turn"
    table.tell(Notice("chamber", None, table.t))
    table.wait(2)
    assert table.table.notice == ""


def test_long_notices_and_several_are_shown_piece_by_piece() -> None:
    table = thrown(NESTS, (5, 3))
    table.tell(Notice("chamber", "dome rolled alone: does not count.", table.t))
    table.tell(Notice("journal", "NOT SAVED: no access", table.t))
    seen = [table.table.notice]
    for _ in range(40):
        table.wait(0.25)
        if table.table.notice != seen[-1]:
            seen.append(table.table.notice)
    assert set(seen) == {
        "dome rolled alone:",
        "does not count.",
        "NOT SAVED: no access",
        "",
    }


def test_a_notice_leaves_time_to_read_what_it_covers() -> None:
    table = thrown(NESTS, (5, 3))
    table.wait(0.7)
    table.tell(Notice("chamber", "dice chamber missing", table.t))
    seen = []
    for _ in range(4):
        table.wait(1.0)
        seen.append(table.table.notice)
        table.wait(1.0)
    assert seen == ["dice chamber missing", "", "dice chamber missing", ""]


# --- the end ---------------------------------------------------------------------------------


def won(setup: Setup | None = None) -> Sitting:
    """Return a table at which A has just brought the last pawn home."""
    table = Sitting(setup, dice=[(4, 6)])
    table.resume("H,H,H,r4/-/H,3,N,N/-", 0, "pb")
    table.throw()
    table.press(0, "ok", 1.1 if table.session.only(0) else 0.1)
    assert table.game.phase is Phase.OVER
    return table


def test_the_last_pawn_home_ends_the_game_and_shows_the_places_and_its_length() -> None:
    table = won()
    assert table.podium == Podium(
        0,
        "A has won!",
        (SeatMark(0, "1st"), SeatMark(2, "1 home")),
        "1 turn, 1 throw",
        "hold OK: new game",
    )
    assert Tone(0, "win") in table.tones


def test_the_end_stands_until_anybody_holds_ok_for_a_new_game() -> None:
    table = won()
    end = table.podium
    table.wait(600)
    for press in (table.ok, table.next):
        press(2)
        assert replace(table.podium, notice="") == end
    table.ok(2)
    assert table.podium.notice == "hold OK: new game"
    table.hold_ok(2)
    assert (table.page.lines, marks(table)) == ((preset_title("pb"),), "A:- B:- C:- D:-")


def test_the_winning_step_can_be_undone_for_as_long_as_the_end_stands() -> None:
    table = won()
    table.wait(600)
    table.hold_next(2)  # wakes the dark screen, and no more
    table.hold_next(2)
    assert table.page.lines == ("undo", "back")
    table.ok(2)
    assert (table.table.heading, told(table)) == ("put back", "A: home → home row 4")
    table.ok(2)
    assert told(table) == "4: home row 4 → home"


def test_a_game_in_progress_is_on_the_screen_at_once_with_its_throw() -> None:
    before = Sitting(dice=[*TWO_BEGIN, (5, 3)])
    before.begin(0, 2)
    for _ in range(3):
        before.throw()
    after = Sitting()
    after.tell(Resume(fold(before.rows), 0.0))
    assert after.session.record == before.session.record
    assert (after.table.heading, after.table.dice) == ("A moves", (Die(5), Die(3)))
    assert after.reply.lamps == ("on", "off", "off", "off")


@pytest.mark.parametrize(
    "facts",
    [
        (Captured(1, 0, 0), Captured(2, 0, 0), Captured(3, 0, 0), Lapsed(0, 60), Again(0)),
        (*(Lapsed(0, spaces) for spaces in (6, 6, 1, 1, 20, 20, 10)), Again(0)),
        (Lapsed(0, 60), Won(0, 1), TurnOf(1)),
        (Penalized(0, 3), Again(0)),
    ],
)
def test_the_longest_news_fits(facts: tuple[Fact, ...]) -> None:
    table = Sitting()
    table.resume(NESTS, 0)
    draw_once(replace(table.table, note=news(facts)))


@pytest.mark.parametrize(
    ("bonuses", "marks"),
    [
        ((20,), ["+20"]),
        ((20, 20, 20), ["3x20"]),
        ((10, 10, 20, 20), ["+10", "+20"]),
    ],
)
def test_bonuses_fit_beside_four_dice_increments(
    bonuses: tuple[int, ...], marks: list[str]
) -> None:
    table = thrown("21,15,9,3/-/N,N,N,N/-", (6, 6), "findler")
    _, state = table.game.plays
    game = table.game._replace(reached=state._replace(bonuses=bonuses))
    shown = increments(game, "")
    assert [mark.text for mark in shown] == ["6", "6", "1", "1", *marks]
    draw_once(replace(table.table, increments=shown))
