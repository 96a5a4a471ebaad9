"""Ludo with stars and globes at the table: jumps, and pawns that go back by their own step."""

import pytest

from pi_app.settings.houses import carried_changes, offered_values
from pi_app.table.core.speech import join_lines, speech_of
from pi_app.table.telling.chronicle import recent_lines
from pi_app.texts.language import ENGLISH
from pi_app.web.spectator_state import spectator_state
from rules.board import NEST
from rules.ruleset import PRESETS
from tests.pi_app.sitting import Sitting, told
from tests.pi_app.table.modes.play.test_parchis_and_ludo import playing

DANISH = PRESETS["ludo-dk"]
BACK = "your-pawn-goes-back"


def told_last(table: Sitting) -> str:
    (_, line), *_ = recent_lines(table.record, 1)
    return ENGLISH.in_idioms(*table.session.idioms).say(line)


@pytest.mark.parametrize(
    ("position", "thrown", "step", "shown"),
    [
        ("0,N,N,N/N,N,N,N/-/-", 4, "A+0 → place-star(number=13, seat=A, spaces=11)", "on"),
        ("45,N,N,N/N,N,N,N/-/-", 5, "D+6 → home", "home"),
        ("4,N,N,N/N,N,N,N/-/-", 5, "place-star(number=6, seat=A, spaces=4) → A+9", ""),
    ],
)
def test_a_pawn_that_comes_to_a_star_goes_on(
    position: str, thrown: int, step: str, shown: str
) -> None:
    table = playing("ludo-dk", position, (thrown,))
    assert told(table) == f"{thrown}: {step}"
    assert table.table.note == (f"star-leads-{shown}" if shown else "")


def test_a_step_captures_on_both_stars() -> None:
    table = playing("ludo-dk", "0,N,N,N/50,43,N,N/-/-", (4,))
    assert told(table).endswith("to-nest(BB)")
    assert {(pawn.seat, pawn.origin) for pawn in table.table.board.also} == {(1, 50), (1, 43)}
    table.ok(0)
    assert table.game.position[:2] == ((11, NEST, NEST, NEST), (NEST,) * 4)


def test_a_step_captures_on_the_first_star_and_goes_back_from_the_second() -> None:
    table = playing("ludo-dk", "0,N,N,N/50,50,N,N/30,N,N,N/-", (4,))
    assert told(table) == "4: A+0 → to-nest(A) to-nest(C)"
    assert table.reply.lamps == ("blink", "off", "blink", "off")
    table.ok(0)
    assert table.game.position[::2] == ((NEST,) * 4, (NEST,) * 4)


@pytest.mark.parametrize(
    ("position", "thrown", "why"),
    [
        ("5,N,N,N/47,N,N,N/-/-", 3, "reason-safe(B)"),  # a globe
        ("10,N,N,N/0,N,N,N/-/-", 3, "reason-safe(B)"),  # B's start, a globe too
        ("10,N,N,N/50,50,N,N/-/-", 1, "reason-pair-safe(B)"),  # on a star
        ("11,N,N,N/1,1,N,N/-/-", 3, "reason-pair-safe(B)"),
        ("0,N,N,N/50,50,N,N/-/-", 4, "star-leads-on\nreason-pair-safe(B)"),  # on the second star
        ("0,N,N,N/43,43,N,N/-/-", 4, "reason-pair-safe(B)"),  # on the first
    ],
)
def test_a_pawn_that_lands_on_safe_opponents_goes_back(
    position: str, thrown: int, why: str
) -> None:
    table = playing("ludo-dk", position, (thrown,))
    assert told(table).endswith(f"→ {BACK}")
    assert table.table.note == why
    assert table.reply.lamps[0] == "blink"
    assert table.table.board.target == (0, NEST)


def test_the_dome_does_not_confirm_that_a_pawn_goes_back() -> None:
    table = playing("ludo-dk", "11,N,N,N/1,1,N,N/-/-", (3,))
    table.wait(10)
    table.dome()
    assert table.game.position[0] == (11, NEST, NEST, NEST)
    table.ok(0)
    assert table.game.position[0] == (NEST,) * 4
    assert told_last(table) == "A moved 3 and is sent back, from 11 past A to the nest"


def test_a_step_that_goes_back_is_the_last_to_be_offered() -> None:
    table = playing("ludo-dk", "30,11,N,N/1,1,N,N/-/-", (3,))
    assert told(table) == "3: place-star(number=32, seat=C, spaces=4) → C+7"
    table.next(0)
    assert told(table).endswith(BACK)


def test_the_star_is_in_what_is_heard_and_in_what_happened() -> None:
    table = playing("ludo-dk", "0,N,N,N/N,N,N,N/-/-", (4,))
    heard = join_lines(speech_of(table.session, table.reply.screen, ENGLISH).parts)
    assert "4: A's entry to star 11 past A, star: on to the next star" in heard
    table.ok(0)
    assert told_last(table) == "A moved 4 by a star, from A's entry to 11 past A"


def test_the_page_draws_the_way_by_the_star_and_by_the_space_that_sends_back() -> None:
    [jump] = spectator_state(playing("ludo-dk", "0,N,N,N/N,N,N,N/-/-", (4,)).reply)["moves"]
    assert len(jump["trail"]) == 6  # the start, four steps, and the next star
    [back] = spectator_state(playing("ludo-dk", "11,N,N,N/1,1,N,N/-/-", (3,)).reply)["moves"]
    assert len(back["trail"]) == 5  # the space, three steps, and the nest


def test_undo_puts_back_the_pawn_that_went_back_itself() -> None:
    table = playing("ludo-dk", "11,N,N,N/1,1,N,N/-/-", (3,))
    table.ok(0)
    table.choose(0, "undo")
    assert table.game.position[0] == (11, NEST, NEST, NEST)


@pytest.mark.parametrize(
    ("option", "value"),
    [("overshoot", "stop"), ("tries", 1), ("play_on", True), *(("to_win", n) for n in (1, 2, 3))],
)
def test_what_danish_players_change_needs_nothing_else(option: str, value: str | int) -> None:
    assert value in offered_values(DANISH, option)
    assert carried_changes(DANISH, option, value) == {}


def test_stars_can_come_to_other_ludo_and_go() -> None:
    assert carried_changes(PRESETS["ludo-uk"], "stars", "jump") == {
        "pairs": "immune",
        "held_target": "sends-back",
    }
    assert carried_changes(DANISH, "held_target", "bars") == {"stars": "none"}
