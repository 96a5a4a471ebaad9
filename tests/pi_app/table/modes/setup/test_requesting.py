"""What the menu asks of the units beside the referee, and what it shows of the answer."""

from typing import get_args

import pytest

from pi_app.model.events import Address, Answer, Request, RequestAnswered, Result, Setup
from pi_app.table.core.state import SEATS
from pi_app.table.modes.setup.requesting import Requesting
from tests.pi_app.sitting import Sitting

ALL: tuple[Request, ...] = ("power-off", "page-on", "page-off", "backup", "restore")
HERE = Address("pachisi.local", known=True)


def asked(request: Request, only: bool = False) -> Sitting:
    """Return a table in mid-game whose menu asks whether to request this."""
    page = HERE if request == "page-off" else None
    table = Sitting(Setup(requests=ALL, page=page, next_buttons=() if only else SEATS))
    table.resume("10,N,N,N/-/N,N,N,N/-", 0, "findler")
    table.open_menu(2)
    table.go_to(2, "setup", request.partition("-")[0])
    table.read(2)
    return table


def made_at(table: Sitting) -> float | None:
    assert isinstance(table.session.mode, Requesting)
    return table.session.mode.made_at


def answered(table: Sitting, answer: Answer) -> None:
    table.tell(RequestAnswered(answer, made_at(table) or 0.0, table.t))


def test_the_menu_offers_only_what_systemd_takes_from_us() -> None:
    table = Sitting(Setup(requests=("power-off",)))
    table.ok(0)
    table.choose(0, "setup")
    assert {"page", "backup"}.isdisjoint(table.choices)


@pytest.mark.parametrize("only", [False, True], ids=["two buttons", "one button"])
@pytest.mark.parametrize("request_name", ["page-on", "page-off"])
def test_the_page_is_turned_on_or_off_after_a_question(request_name: Request, only: bool) -> None:
    table = asked(request_name, only)
    assert table.page.title == f"C: ask-{request_name}"
    assert table.page.lines[-2:] == ("referee-restarts", "game-is-kept")
    assert made_at(table) is None
    (table.hold_ok if only else table.ok)(2)
    assert made_at(table) is not None
    assert table.page.lines == ("one-moment", "referee-restarts", "game-is-kept")


def test_next_goes_back_without_a_request() -> None:
    table = asked("page-on")
    table.next(2)
    assert table.page.lines[table.page.chosen or 0] == "menu-page: off"


def test_a_request_is_made_once_and_its_answer_is_shown_until_a_press() -> None:
    table = asked("page-on")
    table.ok(2)
    made = made_at(table)
    table.wait(2.0)
    table.ok(2)
    assert made_at(table) == made
    answered(table, Answer("not-taken"))
    assert table.page.lines == ("answer-not-taken",)
    table.wait(1.0)
    table.ok(2)
    assert table.page.title == "C: menu-setup"


def test_a_backup_says_how_many_games_are_on_the_stick_and_that_it_may_be_pulled() -> None:
    table = asked("backup")
    assert (table.page.title, table.page.lines) == ("C: ask-backup", ("put-a-stick-in",))
    table.ok(2)
    assert table.page.lines[-1] == "leave-the-stick-in"
    answered(table, Answer("done", 12))
    assert table.page.lines == ("answer-done(12)",)


def test_games_are_restored_only_where_no_game_is_on_the_table() -> None:
    table = Sitting(Setup(requests=ALL))
    table.ok(0)
    table.choose(0, "setup", "restore")
    assert (table.page.title, table.page.lines) == ("A: ask-restore", ("put-the-backup-in",))
    table = Sitting(Setup(requests=ALL))
    table.begin(0, 2)
    table.choose(0, "setup")
    assert "backup" in table.choices
    assert "restore" not in table.choices


@pytest.mark.parametrize("result", get_args(Result))
def test_each_result_has_its_words(result: Result) -> None:
    table = asked("backup")
    table.ok(2)
    answered(table, Answer(result, 2))
    assert table.page.lines[0].partition("(")[0] == f"answer-{result}"


def test_an_answer_that_nobody_waits_for_changes_nothing() -> None:
    table = asked("page-on")
    table.ok(2)
    late = RequestAnswered(Answer("failed"), made_at(table) or 0.0, table.t)
    table.wait(1.0)
    table.next(2)
    before = table.session.mode
    table.tell(late)
    assert table.session.mode == before
