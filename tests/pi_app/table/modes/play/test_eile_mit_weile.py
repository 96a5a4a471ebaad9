"""Eile mit Weile at the table: captures by passing, sixes that count 12, benches, the third six."""

import pytest

from pi_app.model.screens import BoardScreen
from pi_app.table.core.speech import screen_words
from pi_app.texts.language import ENGLISH
from pi_app.texts.wording import word_screen
from pi_app.web.spectator_state import spectator_state
from pi_app.web.state import say_all
from rules.game import Phase
from rules.position import format_position
from tests.pi_app.sitting import Sitting, told


def playing(position: str, face: int, doublets: int = 0) -> Sitting:
    """Return a table at which A has thrown this face after so many sixes."""
    table = Sitting(dice=[(face,)])
    table.resume(position, 0, "ludo-ch", doublets)
    table.throw()
    return table


def note_lines(table: Sitting) -> list[str]:
    """Return the lines of the note in English."""
    screen = word_screen(table.reply.screen, ENGLISH.in_idioms(*table.session.idioms))
    assert isinstance(screen, BoardScreen)
    return screen.note.replace("\N{NARROW NO-BREAK SPACE}", " ").split("\n")


def test_each_space_that_a_step_passes_has_a_line_and_each_victim_a_lamp() -> None:
    table = playing("1,N,N,N/53,53,0,N/-/20,N,N,N", 6)
    assert told(table) == "12: A+1 → A+13 to-nest(3)"
    assert note_lines(table) == ["2 of B: 2 past A", "D: 3 past A"]
    assert table.reply.lamps == ("on", "blink", "off", "blink")
    table.ok(0)
    assert format_position(table.game.position) == "13,N,N,N/0,N,N,N/-/N,N,N,N"


def test_the_page_names_whom_a_choice_passes_and_where() -> None:
    table = playing("1,N,N,N/53,53,0,N/-/20,N,N,N", 6)
    page = say_all(spectator_state(table.reply), ENGLISH)
    [offer] = page["offered"]
    passed = "passes 2 of B, 2 past A, passes D, 3 past A"
    assert offer["words"] == f"12: 1 past A → 13 past A, {passed}"


def test_the_page_names_benches_stair_and_heaven() -> None:
    table = playing("r3,0,N,N/-/-/-", 6)
    offers = say_all(spectator_state(table.reply), ENGLISH.in_idioms(*table.session.idioms))
    assert {offer["words"] for offer in offers["offered"]} == {
        "12: stair 3 → stair 1, 5 to heaven, 7 back",
        "12: A's bench → bench 12 past A",
    }


def test_landing_beside_others_captures_nobody() -> None:
    table = playing("1,N,N,N/53,N,N,N/-/-", 1)
    assert told(table) == "1: A+1 → A+2"
    table.ok(0)
    assert format_position(table.game.position) == "2,N,N,N/53,N,N,N/-/-"


def test_a_walk_there_and_back_says_so_beside_whom_it_passes() -> None:
    table = playing("r6,N,N,N/-/-/11,N,N,N", 6)
    assert note_lines(table) == ["2 to heaven, 10 back", "D: 11 past D"]
    table.ok(0)
    assert format_position(table.game.position) == "61,N,N,N/-/-/N,N,N,N"


def test_a_five_may_enter_and_may_move_instead() -> None:
    table = playing("10,N,N,N/-/-/-", 5)
    entering = told(table)
    table.next(0)
    assert (entering, told(table)) == ("5: nest → A+0", "5: A+10 → A+15")


def test_two_of_another_seat_on_a_bench_stop_a_pawn() -> None:
    table = playing("H,H,H,5/58,58,N,N/-/-", 4)
    assert note_lines(table) == ["4: two of B can't be passed"]


def test_a_third_six_lists_the_pawns_that_go_back_and_then_shows_each() -> None:
    table = playing("r2,20,20,12/-/-/-", 6, doublets=2)
    assert table.game.phase is Phase.PENALTY
    assert note_lines(table) == ["3 past B", "3 past B"]
    table.ok(0)
    assert format_position(table.game.position) == "r2,12,N,N/-/-/-"


def test_the_pawns_of_a_third_six_go_back_one_by_one() -> None:
    table = playing("r2,23,20,12/-/N,N,N,N/-", 6, doublets=2)
    table.ok(0)
    assert (table.table.heading, told(table)) == ("put-back", "A: B+6 → nest")
    table.ok(0)
    assert told(table) == "A: B+3 → nest"
    table.ok(0)
    assert table.table.heading == "throws(C)"


def test_an_undo_of_a_third_six_brings_back_the_pawns_that_went_to_the_nest() -> None:
    table = playing("r2,23,20,12/-/N,N,N,N/-", 6, doublets=2)
    for _ in range(3):  # the penalty, and both pawns
        table.ok(0)
    table.choose(2, "undo")
    assert table.game.phase is Phase.PENALTY
    assert told(table) == "A: nest → B+6"
    table.ok(0)
    assert told(table) == "A: nest → B+3"


@pytest.mark.parametrize("position", ["r2,12,0,N/-/-/-", "N,N,N,N/-/-/-", "H,H,r7,N/-/-/-"])
def test_a_third_six_says_where_no_pawn_is_in_the_open(position: str) -> None:
    table = playing(position, 6, doublets=2)
    assert note_lines(table) == ["no pawn is on an open space"]


def test_no_step_has_more_lines_than_a_display_shows_in_turn() -> None:
    table = playing("0,N,N,N/55,54,53,52/38,37,36,35/24,23,22,21", 6)
    assert len(note_lines(table)) == 11
    assert "passes B, 4 past A" in screen_words(table.reply.screen, ENGLISH)
    table.ok(0)
    assert "11 to nest, throw again" in screen_words(table.reply.screen, ENGLISH)
