"""A session as one line of text, and back."""

import pytest

from pi_app.model.events import Setup
from pi_app.model.screens import Seat, message
from pi_app.settings.settings import Settings
from pi_app.table.modes.menu.menu import Menu
from pi_app.table.modes.play.refused_press import RefusedPress
from pi_app.table.modes.setup.players import ask_name
from pi_app.table.session import new_session
from pi_app.table.session_text import session_text, without_names
from tests.pi_app.sitting import Sitting
from tests.pi_app.table.session_reader import parse_session

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
    assert "whole_menu.WholeMenu(driver=0, back=play.Playing(" in text
    assert "\n" not in text
    assert parse_session(text) == table.session


def test_without_names_it_tells_no_player_nor_a_name_that_is_being_entered() -> None:
    kept = {"player.B": "EVA beans", "evening": "- 0 0 won EVA,A EVA:1/1 A:0/1", "box.C": "club"}
    table = Sitting(settings=Settings(kept))
    table.resume("12,N,N,N/3,N,N,N/N,N,N,N/N,N,N,N", 0)
    naming = ask_name(Menu(0, table.session.mode, 0.0), table.session, 1)
    for mode in (naming, RefusedPress("disk-full", naming)):
        session = table.session.enter_mode(mode)
        session = session.refuse(message("seats-name", seat=Seat(1), name="EVA")).session
        assert "EVA" in session_text(session)
        told = session_text(without_names(session))
        assert "EVA" not in told
        assert "'box.C': 'club'" in told


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
def test_a_text_of_no_session_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="is not a session"):
        parse_session(text)
