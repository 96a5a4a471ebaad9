"""The winner is celebrated for 4 s at most; any press ends it and does what it would have done."""

import pytest

from pi_app.display import celebration
from pi_app.model.events import Notice, Resume, Setup, Tone
from pi_app.model.screens import Podium, message
from pi_app.settings.settings import Settings
from pi_app.simulate.page_state import side_texts
from pi_app.table.core.speech import screen_words
from pi_app.table.modes.play.play import CHEER_S
from pi_app.texts.language import ENGLISH
from pi_app.web.spectator_state import looks_the_same, spectator_state
from pi_app.web.state import say_all
from rules.game import Phase
from tests.pi_app.sitting import IDS, Sitting

WINNING = "H,H,H,r6/N,N,N,N/20,3,N,N/-"  # A's 1 brings the last pawn home


def about_to_win(setup: Setup | None = None, settings: Settings | None = None) -> Sitting:
    table = Sitting(setup, [(2, 1)], settings=settings or Settings())
    table.resume(WINNING, 0)
    table.throw()
    table.read(0)
    return table


def won(setup: Setup | None = None) -> Sitting:
    """Return a table at the moment at which the press that wins went down."""
    table = about_to_win(setup)
    table.tell_ok(0)
    return table


def is_celebrating(table: Sitting) -> bool:
    return isinstance(table.screen, Podium) and table.screen.cheers


def test_it_begins_with_the_press_that_wins_and_ends_by_itself_after_4_s() -> None:
    table = won()
    frames = []
    while is_celebrating(table):
        image, until = table.frame
        frames.append((round(table.t, 3), image.tobytes()))
        assert until is not None
        table.wait(until - table.t)
    times, pictures = zip(*frames, strict=True)
    assert (len(frames), len(set(pictures))) == (20, 20)
    assert table.t - times[0] == pytest.approx(CHEER_S)
    assert table.hint == "press-hold-ok: rematch, press-next: do-more"


def test_the_winners_shape_letter_and_cup_stand_clear_of_the_confetti_that_falls() -> None:
    alone = {
        frame: celebration.draw_celebration((0,), (0,), frame).crop((20, 8, 108, 42))
        for frame in range(20)
    }
    for frame in range(20):
        for piece in celebration.confetti_pieces((0,), (0, 2), frame):
            assert 1 <= piece.x < celebration.WIDTH
    shape = alone[0].crop((30, 5, 50, 25))
    assert all(alone[frame].crop((30, 5, 50, 25)).tobytes() == shape.tobytes() for frame in alone)


@pytest.mark.parametrize("kind", ["ok", "next"])
@pytest.mark.parametrize("seat", [0, 2])
def test_any_press_ends_it_at_once(seat: int, kind: str) -> None:
    table = won()
    table.wait(1.0)
    table.down(seat, "ok" if kind == "ok" else "next")
    assert not is_celebrating(table)


def test_the_dome_and_the_power_button_end_it_too() -> None:
    for kind in ("dome", "power"):
        table = won(Setup(requests=("power-off",)))
        table.wait(1.0)
        table.down(None, "dome" if kind == "dome" else "power")
        table.up(None, "dome" if kind == "dome" else "power")
        table.wait(0.0)
        assert not is_celebrating(table)


def test_an_ok_that_is_deaf_after_the_winning_one_does_not_end_it() -> None:
    table = won()
    table.wait(0.2)
    table.tell_ok(0)
    assert is_celebrating(table)


def test_a_hold_that_begins_in_it_leads_to_the_rematch_after_its_second() -> None:
    table = won()
    table.wait(1.0)
    table.down(0, "ok")
    table.wait(1.05)
    assert table.game.phase is not Phase.OVER


def test_next_leads_on_as_it_does_without_it() -> None:
    table, waited = won(), won()
    table.wait(1.0)
    waited.wait(5.0)
    for one in (table, waited):
        one.next(2)
    assert table.screen == waited.screen


def test_the_menu_that_is_opened_in_it_comes_back_to_the_podium() -> None:
    table = won()
    table.wait(0.5)
    table.hold_next(0)
    table.hold_next(0)
    assert isinstance(table.screen, Podium)
    assert not is_celebrating(table)


def test_only_a_game_that_is_won_now_is_celebrated() -> None:
    table = won()
    again = Sitting()
    again.tell(Resume(table.record, again.t))
    assert isinstance(again.screen, Podium)
    assert not is_celebrating(again)
    ended = about_to_win()
    ended.choose(0, "game", "end")
    ended.hold_ok(0)
    assert isinstance(ended.screen, Podium)
    assert not is_celebrating(ended)


def test_after_undo_who_wins_again_is_celebrated_again() -> None:
    table = won()
    table.wait(5.0)
    table.choose(0, "undo")
    assert not is_celebrating(table)
    while table.game.phase is not Phase.OVER:
        table.ok(0)
    assert is_celebrating(table)


def test_a_bot_that_wins_is_celebrated() -> None:
    table = Sitting(dice=[(1, 4)], settings=Settings({"box.C": "club"}))
    table.resume("12,N,N,N/-/H,H,H,r7/-", 2, "findler")
    table.throw()
    table.ok(0)
    assert is_celebrating(table)
    assert (table.podium.title, table.reply.lamps[2]) == ("has-won(seat-bot(C))", "cheer")


def test_the_winners_lamp_flashes_the_others_say_that_they_may_press() -> None:
    table = won()
    assert table.reply.lamps == ("cheer", "breathe", "breathe", "off")
    assert Tone(0, "win") in table.tones
    table.wait(CHEER_S)
    assert table.reply.lamps == ("breathe", "breathe", "breathe", "off")


def test_all_that_the_podium_says_is_said_at_once_and_once() -> None:
    table = won()
    said = screen_words(table.reply.screen, IDS)
    assert "has-won(A)" in said
    assert "press-hold-ok: rematch" in said
    table.wait(5.0)
    assert screen_words(table.reply.screen, IDS) == said
    assert side_texts(table.session, ENGLISH) == []


def test_who_looks_on_is_told_the_winner_while_it_is_celebrated_and_no_frame() -> None:
    table = won()
    first = table.reply
    assert say_all(spectator_state(first), ENGLISH)["cheer"] == [0]
    table.wait(1.0)
    assert looks_the_same(first, table.reply)
    table.wait(3.0)
    assert not looks_the_same(first, table.reply)
    assert say_all(spectator_state(table.reply), ENGLISH)["cheer"] == []


def test_a_frame_with_the_bar_of_a_hold_or_a_notice_is_drawn() -> None:
    table = won()
    usual = table.frame.image.tobytes()
    table.tell(Notice("chamber", message("chamber-missing"), table.t))
    noticed = table.frame.image.tobytes()
    table.down(0, "next")
    table.wait(0.4)
    assert len({usual, noticed, table.frame.image.tobytes()}) == 3
