"""After the game: luck and skill apart, and the curve of the chances, while they are worked out."""

import json
from dataclasses import replace

from pi_app.display.view import draw
from pi_app.model.events import AdviceGiven, Resume, Setup
from pi_app.model.screens import Curve, Podium
from pi_app.players.working import answer_as_grace, answer_line
from pi_app.settings.settings import Settings
from pi_app.table.core.advice import next_question
from pi_app.table.core.speech import screen_words
from pi_app.table.core.state import NO_SETTINGS
from rules.game import Phase, at
from rules.history import Record, enter, parse_entry
from rules.position import parse_position
from rules.ruleset import PRESETS
from tests.pi_app.players.played import strong_game
from tests.pi_app.sitting import IDS, Sitting

FINDLER = PRESETS["findler"]
# A captures no pawn though it could, C throws in vain, A wins.
PLAYED = (
    *("throw 6 5", "move 12-17(5)", "move 17-23(6)", "throw 6 4", "stop"),
    *("throw 4 1", "move r4-H(4)", "move 23-24(1)", "move 24-34(10)", "end"),
)


def over(
    *entries: str,
    position: str = "H,H,r4,12/-/N,N,N,N/-",
    setup: Setup | None = None,
    settings: Settings = NO_SETTINGS,
) -> Sitting:
    """A table with a game that is over on it; nobody answers what is asked until `answer` does."""
    record = Record(at(FINDLER, parse_position(position, FINDLER), 0), host=0)
    for entry in entries or PLAYED:
        record, _ = enter(record, parse_entry(entry))
    table = Sitting(setup, settings=settings, advise=None)
    table.tell(Resume(record, table.t))
    return table


def answer(table: Sitting, count: int = 1) -> None:
    """Answer so many questions as the worker does."""
    for _ in range(count):
        question = next_question(table.session)
        assert question is not None
        line = answer_line(question.line())
        table.tell(AdviceGiven(question, question.read(line), table.t))


def tell_found(table: Sitting, lucky: float, given_away: float) -> None:
    """Answer that this was found of the next throw."""
    question = next_question(table.session)
    assert question is not None
    found = json.dumps([lucky, given_away, [], [0.5, None, 0.5, None]])
    table.tell(AdviceGiven(question, question.read(found), table.t))


def luck(table: Sitting) -> tuple[str, ...]:
    """Go on to the page of luck and skill; return its lines."""
    while getattr(table.screen, "title", "") != "luck-and-skill":
        table.next(0)
    return table.page.lines


def curve(table: Sitting) -> Curve[str]:
    assert isinstance(table.screen, Curve)
    return table.screen


def test_next_goes_on_from_the_podium_to_luck_and_skill_to_the_curve_and_back() -> None:
    table = over()
    titles = []
    for _ in range(5):
        titles.append(table.screen.title)  # type: ignore[union-attr]
        table.next(2)
    end = "game-ended"
    assert titles == [end, end, "luck-and-skill", "chances-to-win", end]


def test_the_podium_is_as_easy_as_ever() -> None:
    table = over()
    assert table.hint == "press-hold-ok: rematch, press-next: do-more"
    table.hold_ok(0)
    assert table.game.phase is Phase.STARTER


def test_what_is_ready_is_shown() -> None:
    table = over()
    assert luck(table) == ("looked-at(count=3, ready=0)",)
    answer(table, 3)
    assert [line[:8] for line in table.page.lines[:2]] == ["luck-of(", "luck-of("]
    assert table.page.lines[2:] == ("luck-measure",)
    assert next_question(table.session) is None


def test_it_is_shown_ten_throws_at_a_time_which_can_be_heard_out() -> None:
    table, played = Sitting(advise=None), strong_game(5)
    count = played.game.throws
    table.tell(Resume(played, table.t))
    luck(table)
    told = list[str]()
    for _ in range(22):
        tell_found(table, 0.1, 0.0)
        told.append(table.page.lines[-1])
    assert told == [
        *[f"looked-at({count=}, ready=0)"] * 9,
        *[f"looked-at({count=}, ready=10)"] * 10,
        *[f"looked-at({count=}, ready=20)"] * 3,
    ]


def test_luck_and_skill_are_told_in_whole_points_and_none_is_minus_nothing() -> None:
    table = over()
    luck(table)
    for one, given_away in ((2.6, 5.7), (-0.3, 0.2), (0.1, 0.0)):
        tell_found(table, one, given_away)
    assert table.page.lines[:2] == (
        "luck-of(gave=6, luck=+3, seat=A)",
        "luck-of(gave=0, luck=+0, seat=C)",
    )


def test_it_says_what_the_numbers_count_and_what_0_of_luck_means_with_four_seats_too() -> None:
    table = over()
    luck(table)
    answer(table, 3)
    assert table.page.lines[-1] == "luck-measure"
    four = tuple(f"{one}: luck -88, gave away 88" for one in "ABCD")
    draw(replace(table.page, lines=(*four, table.page.lines[-1])))  # an Overflow is an error


def test_ok_does_nothing_there_and_says_what_does() -> None:
    table = over()
    luck(table)
    before = table.record
    table.ok(0)
    assert (table.notice, table.record) == ("press-next: do-go-on", before)
    table.hold_ok(0)
    assert table.record == before


def test_the_curve_goes_on_as_it_becomes_known() -> None:
    table = over()
    luck(table)
    table.next(0)
    assert (curve(table).chances, curve(table).turns) == ((), 3)
    answer(table, 3)
    assert len(curve(table).chances) == 3
    assert screen_words(table.reply.screen, IDS).startswith("chances-to-win, best-chance(")


def test_the_curve_shows_one_seat_at_a_time_and_comes_back_to_the_first() -> None:
    table = over()
    luck(table)
    answer(table, 3)
    table.next(0)
    shown = [table.frame.image.tobytes()]
    said = screen_words(table.screen)
    for _ in range(2):
        table.wait(3.0)
        shown.append(table.frame.image.tobytes())
    assert shown[0] == shown[2] != shown[1]
    assert screen_words(table.screen) == said  # nobody has to hear it again and again


def test_it_is_worked_out_when_the_end_has_stood_for_a_while_or_somebody_looks() -> None:
    table = over()
    assert next_question(table.session) is None
    table.wait(4.5)
    assert next_question(table.session) is None
    table.wait(1.0)
    assert next_question(table.session) is not None
    other = over()
    luck(other)
    assert next_question(other.session) is not None


def test_after_a_power_cut_it_is_begun_again() -> None:
    table = over()
    luck(table)
    answer(table, 3)
    again = Sitting(advise=None)
    again.tell(Resume(table.record, again.t))
    assert luck(again) == ("looked-at(count=3, ready=0)",)


def test_undo_at_the_end_takes_it_away() -> None:
    table = over()
    luck(table)
    answer(table, 3)
    table.choose(0, "undo")
    assert table.game.phase is not Phase.OVER
    assert next_question(table.session) is None
    table.choose(0, "game", "end")
    table.hold_ok(0)
    assert isinstance(table.screen, Podium)


def test_another_game_has_its_own() -> None:
    table = over()
    luck(table)
    answer(table, 3)
    table.next(0)
    table.next(0)
    table.hold_ok(0)
    table.ok(0)
    table.choose(0, "game", "end")
    table.hold_ok(0)
    assert luck(table) == ("no-dice-thrown",)


def test_a_game_that_nobody_began_has_none() -> None:
    table = Sitting()
    table.begin(0, 2, ruleset="findler")
    table.choose(0, "game", "end")
    table.hold_ok(0)
    assert table.hint == "press-hold-ok: rematch, press-next: do-more"
    table.next(0)
    assert table.hint == "press-hold-ok: new-game, press-next: do-more"
    table.next(0)
    assert table.hint == "press-hold-ok: rematch, press-next: do-more"


def test_where_nobody_can_work_it_out_it_says_so_and_looks_again_when_somebody_does() -> None:
    table = over()
    luck(table)
    question = next_question(table.session)
    assert question is not None
    line = answer_as_grace(question.line())
    table.tell(AdviceGiven(question, question.read(line), table.t))
    assert table.page.lines == ("not-worked-out",)
    assert next_question(table.session) is None
    table.next(0)
    assert next_question(table.session) is not None


def test_who_chose_other_rules_comes_to_a_new_game_first_and_to_luck_after_the_rematch() -> None:
    table = over(settings=Settings({"ruleset": "royal-2023"}))
    hints = []
    for _ in range(3):
        hints.append(table.hint)
        table.next(0)
    assert hints == [
        "press-hold-ok: new-game, press-next: do-more",
        "press-hold-ok: rematch, press-next: do-luck",
        "press-next: do-go-on",
    ]


def test_with_one_button_a_tap_goes_round_and_the_menu_is_there() -> None:
    table = over(setup=Setup(next_buttons=()))
    hints = []
    for _ in range(5):
        hints.append(table.hint)
        table.press(0, "ok")
    assert hints == [
        "press-hold: rematch, press-tap: do-more",
        "press-hold: new-game, press-tap: do-luck",
        "press-tap: do-go-on",
        "press-tap: do-go-on",
        "press-tap: do-go-on, press-hold: menu",
    ]


def test_the_screen_rests_there_too() -> None:
    table = over()
    luck(table)
    answer(table, 3)
    table.wait(700)
    assert table.session.glow.level == "dark"


def test_an_answer_that_comes_when_nobody_asks_any_more_is_of_no_use() -> None:
    table = over()
    luck(table)
    question = next_question(table.session)
    assert question is not None
    late = AdviceGiven(question, question.read(answer_line(question.line())), table.t)
    table.hold_next(0)
    table.choose(0, "undo")
    table.tell(late)
    assert table.session.review is not None
    assert table.session.review.found == ()
