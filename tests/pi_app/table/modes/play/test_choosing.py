"""What a throw can be used for: choices and their order, what each is told as, no choice."""

from dataclasses import replace

import pytest

from pi_app.model.events import Tone
from pi_app.model.screens import Increment
from rules.board import NEST
from rules.game import Phase
from rules.ruleset import PRESETS
from tests.pi_app.model.texts import recorded
from tests.pi_app.sitting import Sitting, thrown, told, words

NESTS = "N,N,N,N/-/N,N,N,N/-"


def which(table: Sitting) -> str:
    """Return which of how many choices is shown: `1 of 4`; nothing where there is one."""
    key = table.keys[0]
    return key.removeprefix("press-next: ") if key.startswith("press-next: ") else ""


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
    assert list(round_of(table)) == ["3: B+3 → B+6", "3: A+3 → A+6", "1: B+3 → B+4", "1: A+3 → A+4"]
    assert which(table) == "1 of 4"


def test_ok_confirms_the_step_that_is_shown() -> None:
    table = thrown("20,3,N,N/-/N,N,N,N/-", (3, 1), "findler")
    table.next(0)
    assert told(table) == "3: A+3 → A+6"
    assert table.keys == ("press-next: 2 of 4", "press-ok: do-moved", "press-dome: do-back")
    table.ok(0)
    assert table.rows[-1] == recorded("move 3-6(3)", "20,6,N,N/-/N,N,N,N/-")


def test_a_single_legal_step_is_already_chosen() -> None:
    table = thrown(NESTS, (5, 3))
    assert (told(table), table.keys) == ("5: nest → A+0", ("press-ok: do-moved",))
    assert (table.table.board.origin, table.table.board.target) == ((0, NEST), (0, 0))


def test_increments_are_marked_open_chosen_and_spent() -> None:
    table = thrown(NESTS, (5, 3))
    assert table.table.increments == (Increment("5", "chosen"), Increment("3", "open"))
    table.ok(0)
    assert table.table.increments == (Increment("5", "spent"), Increment("3", "chosen"))


def test_entering_by_the_sum_marks_both_dice() -> None:
    table = thrown(NESTS, (1, 4))
    assert told(table) == "4+1: nest → A+0"
    assert [mark.state for mark in table.table.increments] == ["chosen", "chosen"]


def test_a_capture_names_whose_pawn_goes_back_and_its_lamp_blinks() -> None:
    table = thrown("20,N,N,N/-/57,N,N,N/-", (3, 1), "findler")
    assert table.table.words == ("B+6", "to-nest(C)")
    assert table.reply.lamps == ("on", "off", "blink", "off")
    table.ok(0)
    assert Tone(0, "capture") in table.tones
    assert table.table.increments[-1] == Increment("+20", "open")
    assert (told(table), table.table.note) == ("1: B+6 → B+7", "to-nest(C)")


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ("57,N,N,N", "to-nest(C)"),
        ("57,56,N,N", "to-nest(CC)"),
        ("57,56,55,N", "to-nest(3)"),
        ("60,57,56,55", "to-nest(4)"),
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
        "4: place-home-row(4) → home-and-bonus(+10)",
        "4: B+3 → B+7",
        "6: B+3 → B+9",
    ]


def test_home_earns_nothing_where_the_rules_say_so() -> None:
    table = thrown("H,H,r4,20/-/N,N,N,N/-", (4, 6), "sca")
    assert "4: place-home-row(4) → home" in round_of(table)


def test_a_total_is_one_choice_more_and_uses_both_dice() -> None:
    table = thrown("H,H,r4,r2/-/N,N,N,N/-", (4, 1), "encyclopedia")
    assert order_of(table)[-1] == "4+1 from place-home-row(2)"
    assert list(round_of(table))[-1] == "4+1: place-home-row(2) → place-home-row(7)"


def test_a_bonus_is_an_increment_with_a_plus() -> None:
    table = thrown("20,N,N,N/-/57,N,N,N/-", (3, 1))
    table.ok(0)
    table.ok(0)
    assert told(table) == "+20: B+7 → C+10"
    assert table.table.note == "for-the-capture"
    assert table.table.increments == (
        Increment("3", "spent"),
        Increment("1", "spent"),
        Increment("+20", "chosen"),
    )


def test_a_bonus_of_as_many_spaces_as_the_total_is_told_as_a_bonus() -> None:
    table = Sitting(dice=[(6, 4)])
    rules = replace(PRESETS["mb-total"], finish_bonus=10)
    table.resume("H,H,61,20/-/N,N,N,N/-", 0, rules)
    table.throw()
    while "home-and-bonus(+10)" not in table.table.words:
        table.next(0)
    table.ok(0)
    assert (told(table), table.table.note) == ("+10: B+3 → B+13", "for-coming-home")
    assert table.table.increments == (Increment("10", "spent"), Increment("+10", "chosen"))


def test_where_the_player_may_stop_done_is_the_last_choice() -> None:
    table = thrown("20,N,N,N/-/57,N,N,N/-", (3, 1), "encyclopedia")
    table.ok(0)
    table.ok(0)
    assert round_of(table) == {"+20: B+7 → C+10": "for-the-capture", "stop-here": "leave-the-rest"}
    table.next(0)
    assert table.keys == ("press-next: 2 of 2", "press-ok: do-done", "press-dome: do-back")
    table.ok(0)
    assert str(table.rows[-1].entry) == "stop"
    assert table.table.note == "spaces-unused(count=1, spaces=20)"


def test_the_choices_go_die_by_die_and_the_pawn_most_advanced_comes_first() -> None:
    table = thrown("r2,20,3,N/-/N,N,N,N/-", (3, 5), "encyclopedia")
    assert order_of(table) == [
        "5 from nest",
        "3 from place-home-row(2)",
        "3 from B+3",
        "3 from A+3",
        "5 from place-home-row(2)",
        "5 from B+3",
        "5 from A+3",
        "3+5 from B+3",
        "3+5 from A+3",
    ]


def test_the_pawn_moved_last_comes_first_and_a_bonus_after_the_dice() -> None:
    table = thrown("20,3,N,N/-/57,N,N,N/-", (1, 3), "findler")
    while "to-nest(C)" not in table.table.words:
        table.next(0)
    table.ok(0)
    assert order_of(table) == ["1 from B+6", "+20 from B+6", "1 from A+3", "+20 from A+3"]


def test_coming_home_comes_first_then_capturing_then_entering_then_the_rest() -> None:
    table = thrown("r5,20,3,N/-/57,N,N,N/-", (3, 5), "findler")
    assert order_of(table) == [
        "3 from place-home-row(5)",
        "3 from B+3",
        "5 from nest",
        "3 from A+3",
        "5 from B+3",
        "5 from A+3",
    ]


def test_after_a_step_its_pawn_comes_before_more_advanced_ones() -> None:
    table = thrown("20,3,N,N/-/N,N,N,N/-", (3, 1), "findler")
    table.next(0)
    table.ok(0)
    assert [str(row.entry) for row in table.rows[1:]] == ["move 3-6(3)"]
    assert order_of(table) == ["1 from A+6", "1 from B+3"]


def test_undo_and_a_new_throw_forget_which_pawn_was_moved_last() -> None:
    table = thrown("20,3,N,N/-/N,N,N,N/-", (3, 1), "findler")
    table.next(0)
    table.ok(0)
    table.choose(0, "undo")
    table.ok(0)
    assert order_of(table)[0] == "3 from B+3"


# --- parts of a grant of 14 spaces ---------------------------------------------------------


def granted(position: str = "20,10,N,N/-/57,40,N,N/-", faces: tuple[int, int] = (3, 3)) -> Sitting:
    return thrown(position, faces, "tr-1960")


def test_of_a_grant_the_pawn_is_chosen_first() -> None:
    table = granted()
    assert table.table.increments == (Increment("spaces-left(14)", "open"),)
    assert round_of(table) == {
        "ask-which-pawn B+3": "can-go-capture(least=1, most=14, who=C)",
        "ask-which-pawn A+10": "can-go-capture(least=1, most=14, who=C)",
    }
    assert table.keys == ("press-next: 1 of 2", "press-ok: do-this-pawn", "press-dome: do-back")
    assert len(table.rows) == 1


def test_then_how_far_it_goes_captures_and_then_the_farthest_first() -> None:
    table = granted()
    table.next(0)
    table.ok(0)
    assert which(table) == "1 of 15"
    assert table.table.increments == (Increment("part-of(part=13, whole=14)", "chosen"),)
    assert list(round_of(table))[:3] == [
        "13: A+10 → B+6 to-nest(C)",
        "14: A+10 → B+7",
        "12: A+10 → B+5",
    ]
    table.ok(0)
    assert str(table.rows[-1].entry) == "move 10-23(13/14)x"
    assert uses(table) == "+20 from B+6"
    table.next(0)
    assert table.table.increments[0] == Increment("part-of(part=1, whole=1)", "chosen")


def test_the_last_choice_leads_back_to_the_pawns_and_the_next_of_them() -> None:
    table = granted()
    table.ok(0)
    while words(table) != "back-to-the-pawns":
        table.next(0)
    table.ok(0)
    assert (told(table), len(table.rows)) == ("ask-which-pawn A+10", 1)


def test_a_pawn_that_can_take_one_part_is_chosen_with_it() -> None:
    table = granted("20,N,N,N/-/N,N,N,N/-")
    assert (told(table), which(table)) == ("14: B+3 → C+0", "")


def test_entering_is_no_part_and_stays_a_choice_of_its_own() -> None:
    table = granted(faces=(5, 5))
    assert list(round_of(table))[1] == "5: nest → A+0"


def test_where_no_step_is_legal_reasons_that_are_alike_are_said_once_and_ok_passes_on() -> None:
    table = thrown(NESTS, (6, 3))
    assert words(table) == "no-move"
    assert table.table.note == "6+3: reason-only-enters(5)"
    assert table.keys == ("press-ok: do-go-on", "press-dome: do-throw")
    table.ok(0)
    assert (str(table.rows[-1].entry), table.game.seat) == ("stop", 2)


def test_where_the_reasons_differ_each_increment_has_its_own() -> None:
    table = thrown("N,N,N,N/-/34,34,N,N/-", (5, 3))
    assert [which(table), table.table.note] == ["1 of 2", "5: reason-entry-blocked(C)"]
    table.next(0)
    assert [which(table), table.table.note] == ["2 of 2", "3: reason-only-enters(5)"]


def test_a_doublet_throws_again_and_says_so() -> None:
    table = thrown("20,10,N,N/-/N,N,N,N/-", (3, 3), "findler")
    while table.game.phase is Phase.MOVE:
        table.ok(0)
    assert (table.table.heading, table.table.note) == ("throws(A)", "throw-again")


def test_the_third_doublet_is_shown_as_a_move_by_hand() -> None:
    table = Sitting(dice=[(3, 3)])
    table.resume("20,10,N,N/-/N,N,N,N/-", 0, doublets=2)
    table.throw()
    assert table.table.heading == "oh-no(A)"
    assert told(table) == "third-two-alike goes-to-the-nest(B+3)"
    assert table.keys == ("press-ok: do-moved",)
    assert (table.table.board.origin, table.table.board.target) == ((0, 20), (0, NEST))
    table.ok(0)
    assert table.rows[-1] == recorded("stop", "10,N,N,N/-/N,N,N,N/-")


@pytest.mark.parametrize(
    ("third_doublet", "note", "then"),
    [
        ("forfeit", "turn-ends", 2),
        ("no-move", "throw-again", 0),
        ("nearest-home-unless-row", "stays-in-row", 2),
    ],
)
def test_a_third_doublet_that_moves_no_pawn_says_what_it_costs(
    third_doublet: str, note: str, then: int
) -> None:
    table = Sitting(dice=[(3, 3)])
    rules = replace(PRESETS["tr-1960"], third_doublet=third_doublet)
    table.resume("r2,10,N,N/-/N,N,N,N/-", 0, rules, doublets=2)
    table.throw()
    assert (told(table), table.table.note) == ("third-two-alike no-move", note)
    assert table.keys == ("press-ok: do-go-on", "press-dome: do-throw")
    table.ok(0)
    assert table.game.seat == then


def test_the_board_is_turned_to_the_player_and_blinks_at_1_hz() -> None:
    table = thrown("20,3,N,N/-/N,N,N,N/-", (3, 1), "findler")
    table.down(0, "next")
    table.wait(0.3)
    table.up(0, "next")
    lit = []
    for _ in range(4):
        lit.append(table.is_lit)
        assert table.frame.until == pytest.approx(table.t + 0.5)
        table.wait(0.5)
    assert (lit, table.table.board.seat) == ([True, False, True, False], 0)
