"""A session as one line of text, and back."""

import pytest

from pi_app.input.events import Setup
from pi_app.settings.settings import Settings
from pi_app.table.session import new_session
from pi_app.table.session_text import parse_session, session_text
from tests.pi_app.sitting import Sitting

JOINING = (
    "state.Session(setup=events.Setup(panels=(0, 2, )), mode=joining.Joining(ruleset='findler'))"
)


def test_a_table_that_nobody_has_joined() -> None:
    session = new_session(Setup(panels=(0, 2), ruleset="findler"))
    text = JOINING.replace("(0, 2, )", "(0, 2, ), ruleset='findler'")
    assert session_text(session) == text
    assert parse_session(text) == session


def test_a_game_with_its_past_under_an_open_menu_reads_back() -> None:
    table = Sitting(dice=[(6, 3), (1, 2)], settings=Settings({"player.B": "EVA beans"}))
    table.resume("12,N,N,N/3,N,N,N/-/N,N,N,N", 0)
    table.throw()
    table.ok(0)
    table.hold_next(0)
    text = session_text(table.session)
    assert "entries.WholeMenu(driver=0, back=play.Play(" in text
    assert "\n" not in text
    assert parse_session(text) == table.session


@pytest.mark.parametrize(
    "text",
    [
        "",
        "state.Session(",
        "3",
        "state.Session()",
        "os.system('halt')",
        "state.Session.__class__",
        JOINING.replace("Joining", "Leaving"),
        JOINING.replace("panels", "seats"),
        JOINING.replace("(0, 2, )", "[0, 2]"),
        JOINING.replace("(0, 2, )", "game('nonsense')"),
    ],
)
def test_what_tells_no_session_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="tells no session"):
        parse_session(text)
