"""Parchís and Ludo at the table: what their own rules show, and that no presses break a game."""

from random import Random

import pytest

from pi_app.model.events import Resume
from pi_app.model.history import fold
from pi_app.model.screens import NOTHING, BoardScreen, Seat, Text, message
from pi_app.settings.offers import idioms_of
from pi_app.settings.settings import Settings
from pi_app.table.core.speech import join_lines, speech_of
from pi_app.table.modes.play.why import why_questions
from pi_app.texts.language import ENGLISH, NUMBERS
from pi_app.web.spectator_state import spectator_state
from pi_app.web.state import say_all, table_state
from rules.actions import Correct
from rules.board import NEST, ROW
from rules.game import Phase, at
from rules.history import Record, enter
from rules.memory import Late, Memory
from rules.position import parse_position
from rules.ruleset import PRESETS, parse_ruleset
from tests.pi_app.sitting import Sitting, told, words
from tests.rules.editions import RELATIVES

FOR_TWO = [preset for preset in RELATIVES if not PRESETS[preset].partners]


def playing(preset: str, position: str, *throws: tuple[int, ...], seat: int = 0) -> Sitting:
    """Return a table at which this seat has made the throws, each but the last with OK."""
    table = Sitting(dice=throws)
    table.resume(position, seat, preset)
    for number, _ in enumerate(throws):
        if number:
            table.ok(seat)
        table.throw()
    return table


def test_the_second_and_third_try_to_enter_are_counted() -> None:
    table = playing("ludo-de", "N,N,N,N/0,N,N,N/-/-", (3,), (4,))
    assert words(table) == "no-move"
    table.ok(0)
    assert (table.table.heading, table.table.lead) == ("throws(A)", "try-of(all=3, n=3)")


def test_a_third_six_takes_back_the_pawn_that_moved_last() -> None:
    table = playing("parchis", "40,10,3,N/N,N,N,N/-/-", (6,), (6,), (6,))
    assert table.game.phase is Phase.PENALTY
    assert (table.table.lead, table.table.note) == ("third-two-alike", "moved-last")
    assert [table.table.board.origin] == [(one.seat, one.origin) for one in table.game.put_back]
    table.ok(0)
    assert table.game.seat == 1


@pytest.mark.parametrize(
    ("preset", "position", "why"),
    [
        ("parchis", "N,N,N,N/N,N,N,N/-/-", "none-moved"),
        ("parchis", "61,N,N,N/N,N,N,N/-/-", "stays-in-row"),
        ("parchis", "r2,N,N,N/N,N,N,N/-/-", "stays-home"),
        ("one-die", "H,N,N,N/N,N,N,N/-/-", "none-on-the-way"),
    ],
)
def test_a_third_six_that_takes_no_pawn_back_says_why(preset: str, position: str, why: str) -> None:
    table = playing(preset, position, (6,), (6,), (6,))
    assert table.game.phase is Phase.PENALTY
    screen = table.reply.screen
    assert isinstance(screen, BoardScreen)
    assert (screen.lead, screen.note) == (message("third-two-alike"), message(why))
    table.ok(0)
    assert table.game.seat == 1


def test_a_third_six_after_a_correction_does_not_say_that_no_pawn_has_moved() -> None:
    table = playing("parchis", "40,10,3,N/N,N,N,N/-/-", (6,), (6,), (6,))
    record, _ = enter(table.record, Correct("40,10,3,N/7,N,N,N/-/-", 0, 2))
    screen = table.tell(Resume(record, table.t)).screen
    assert isinstance(screen, BoardScreen)
    assert screen.note == message("none-after-correction")


def test_on_the_board_of_40_spaces_the_pawn_that_stays_is_in_the_goal() -> None:
    rules = parse_ruleset({"preset": "ludo-de", "third_doublet": "last-moved"})
    table = Sitting(dice=[(6,)] * 3)
    table.resume("30,20,10,5/N,N,N,N/-/-", 0, rules)
    for _ in range(2):
        table.throw()
        table.ok(0)
    table.throw()
    assert table.game.memory.last == ROW + 3
    assert (words(table), table.table.note) == ("no-move", "stays-in-row")


def test_a_six_must_open_a_blockade_and_the_note_says_so() -> None:
    table = playing("parchis", "40,10,10,2/N,N,N,N/-/-", (6,))
    assert told(table) == "7: A+10 → B+0"
    assert table.table.note == "duty-open"


def test_the_start_must_be_cleared_first_and_the_note_says_so() -> None:
    table = playing("ludo-de", "20,0,N,N/N,N,N,N/-/-", (3,))
    assert (told(table), table.table.note) == ("3: A+0 → A+3", "duty-clear")


def entering(position: str, late: Late = ()) -> Sitting:
    """Return a table of Parchís at which A has thrown a five. late: as in `Memory`."""
    rules = PRESETS["parchis"]
    game = at(rules, parse_position(position, rules), 0, memory=Memory(late))
    table = Sitting(dice=[(5,)])
    table.tell(Resume(Record(game, host=0), table.t))
    table.throw()
    return table


def note(table: Sitting) -> Text:
    assert isinstance(table.reply.screen, BoardScreen)
    return table.reply.screen.note


def test_of_two_pawns_on_the_start_the_one_that_came_last_goes_back_and_is_named() -> None:
    table = entering("N,N,N,N/51,N,N,N/34,N,N,N/-", ((0, 2),))
    assert told(table) == "5: nest → A+0 to-nest(C)"
    assert (table.table.note, table.reply.lamps[2]) == ("came-last(C)", "blink")


@pytest.mark.parametrize(
    ("position", "late", "shown"),
    [
        ("N,N,N,N/51,N,N,N/34,N,N,N/-", ((0, 2),), message("came-last", seat=Seat(2))),
        ("N,N,N,N/51,N,N,N/34,N,N,N/-", ((0, 1),), message("came-last", seat=Seat(1))),
        ("N,N,N,N/51,N,N,N/34,N,N,N/-", (), message("last-unknown", seat=Seat(1))),
        ("N,N,N,N/-/34,N,N,N/17,N,N,N", (), message("last-unknown", seat=Seat(2))),
        ("0,N,N,N/51,N,N,N/-/-", ((0, 1),), NOTHING),  # the other's goes, whoever came last
        ("0,N,N,N/51,N,N,N/-/-", (), NOTHING),
    ],
)
def test_the_screen_says_why_one_of_two_pawns_on_the_start_goes_back_or_that_it_was_picked(
    position: str, late: Late, shown: Text
) -> None:
    table = entering(position, late)
    assert table.table.words[-1].startswith("to-nest(")
    assert note(table) == shown


def test_after_a_correction_that_forgets_who_came_last_the_pawn_that_goes_back_is_picked() -> None:
    rules = PRESETS["parchis"]
    position = parse_position("N,N,N,N/51,N,N,N/34,N,N,N/N,N,N,N", rules)
    record = Record(at(rules, position, 0, memory=Memory(((0, 2),))), host=0)
    record, _ = enter(record, Correct("N,N,N,N/N,N,N,N/34,N,N,N/17,N,N,N", 0, 0))
    table = Sitting(dice=[(5,)])
    table.tell(Resume(record, table.t))
    table.throw()
    assert note(table) == message("last-unknown", seat=Seat(2))


def test_the_goal_has_spaces_of_its_own() -> None:
    table = playing("ludo-de", "38,20,N,N/N,N,N,N/-/-", (3,))
    assert told(table) == "3: D+8 → place-goal(2)"


def test_nobody_asks_about_a_pawn_at_the_end_of_the_goal() -> None:
    table = playing("ludo-de", "r4,r1,20,N/N,N,N,N/-/-", (3,))
    assert [question.place for question in why_questions(table.game)] == [ROW + 1, 20, NEST]


@pytest.mark.parametrize("preset", ["royal-2023", *FOR_TWO])
def test_the_game_of_the_last_evening_begins_with_three_presses(preset: str) -> None:
    table = Sitting(settings=Settings({"ruleset": preset}))
    table.ok(0)
    table.ok(2)
    table.hold_ok(0)
    assert table.game.ruleset == PRESETS[preset]


def test_a_pawn_too_far_for_the_goal_is_told_so_and_pawns_in_it_are_counted() -> None:
    table = playing("ludo-de", "r2,r1,39,N/r4,r3,N,N/-/-", (5,))
    assert words(table) == "no-move"
    assert table.table.note == "5: two-reasons(one=reason-too-far, other=reason-only-enters(6))"
    page = say_all(spectator_state(table.reply), ENGLISH)
    far = [row["far"].replace("\N{NO-BREAK SPACE}", " ") for row in page["standings"]]
    assert far == ["2 in, 47 to go", "2 in, 83 to go"]


@pytest.mark.parametrize(
    ("preset", "idioms"),
    [
        ("royal-2023", ("parcheesi",)),
        ("one-die", ("parcheesi", "sixes")),
        ("parchis", ("parchis", "sixes")),
        ("parchis-two", ("parchis",)),
        ("ludo-uk", ("ludo", "sixes")),
        ("ludo-de", ("goal", "ludo", "sixes")),
        ("ludo-ch", ("benches", "ludo", "sixes")),
        ("ludo-dk", ("stars", "ludo", "sixes")),
        ("pachisi-mitra", ("cowries", "pachisi", "sixes")),
    ],
)
def test_a_game_is_told_in_the_words_of_its_players(preset: str, idioms: tuple[str, ...]) -> None:
    assert idioms_of(PRESETS[preset]) == idioms


def test_the_numbers_of_a_parchis_board_are_in_all_words_and_in_no_row() -> None:
    tables = [playing("parchis", "4,N,N,N/50,N,N,N/-/-", (6,)) for _ in range(2)]
    tables[1].choose(0, "setup", "numbers")
    tables[1].hold_next(0)
    tables[1].hold_next(0)
    assert [table.session.idioms for table in tables] == [
        ("parchis", "sixes"),
        ("numbers", "parchis", "sixes"),
    ]
    assert tables[0].screen == tables[1].screen
    for table in tables:
        table.ok(0)
    heard = join_lines(speech_of(tables[1].session, tables[1].reply.screen, ENGLISH).parts)
    assert "done: space 9 to space 15" in heard
    page = say_all(table_state(tables[1].reply), ENGLISH)
    assert page["places"][:2] == [
        ["A", "space 15", "nest", "nest", "nest"],
        ["B", "space 4", "nest", "nest", "nest"],
    ]
    assert page["happened"][0][1] == "A moved 6, from space 9 to space 15"
    assert tables[0].rows == tables[1].rows


@pytest.mark.parametrize(
    ("preset", "offered"),
    [("parchis", True), ("parchis-two", True), ("ludo-uk", False), ("royal-2023", False)],
)
def test_only_a_parchis_board_has_numbers(preset: str, offered: bool) -> None:
    table = Sitting(settings=Settings({"ruleset": preset, "numbers": "on"}))
    table.ok(0)
    table.choose(0, "setup")
    assert ("numbers" in table.choices) == offered
    for _ in range(2):
        table.hold_next(0)
    table.ok(2)
    table.hold_ok(0)
    assert (NUMBERS in table.session.idioms) == offered
    table.choose(0, "setup")
    assert ("numbers" in table.choices) == offered


def test_house_rules_without_a_table_of_weights_say_that_they_have_no_hints_and_no_luck() -> None:
    rules, table = parse_ruleset({"preset": "ludo-uk", "entry_also": 1}), Sitting(dice=[(1,)])
    game = at(rules, parse_position("H,H,H,r5/N,N,N,N/-/-", rules), 0)
    table.tell(Resume(Record(game, host=0), table.t))
    table.throw()
    table.choose(0, "hint")
    assert table.notice == "no-hints-yet"
    table.hold_next(0)
    table.ok(0)
    assert table.game.phase is Phase.OVER
    for _ in range(2):  # from a rematch over a new game to the review
        table.next(0)
    assert table.page.lines == ("no-luck-yet",)


@pytest.mark.parametrize("preset", RELATIVES)
def test_whatever_is_pressed_the_rows_tell_the_game(preset: str) -> None:
    rng, dice = Random(preset), PRESETS[preset].dice
    table = Sitting(dice=iter(lambda: tuple(rng.randint(1, 6) for _ in range(2)), None))
    table.begin(0, 1, 2, 3, ruleset=preset)
    for _ in range(150):
        match rng.randrange(12):
            case 0 | 1 | 2 | 3 | 4:
                table.ok(table.game.seat)
            case 5 | 6:
                table.next(table.game.seat)
            case 7:
                table.hold_next(rng.randrange(3))
            case 8:
                table.ok(rng.randrange(3))
            case _:
                table.throw()
    assert len(table.rows) > 5
    assert fold(table.rows).game == table.game
    assert all(len(throw) == dice for throw in [table.game.throw] if throw)
