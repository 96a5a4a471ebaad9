"""What a tab is told of the table."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import cast

import pytest
from PIL import Image

from pi_app.config.keys import DEFAULT
from pi_app.config.reading import load_config
from pi_app.model.events import Notice
from pi_app.model.screens import message
from pi_app.runtime import wiring
from pi_app.simulate.page_state import PageState
from pi_app.simulate.player import SimulatedPlayer
from pi_app.simulate.simulation import Simulation, open_simulation
from pi_app.simulate.touches import Touches
from pi_app.table.core.speech import ASLEEP
from pi_app.texts.language import ENGLISH, find_language
from rules.board import NEST
from rules.game import Phase

SEATS = (0, 2)


class Told:
    """A table and what its tabs are told."""

    def __init__(self, played: Simulation) -> None:
        self.played = played
        self.player = SimulatedPlayer(played, Random(5))
        self.touches = Touches(wiring.button_pins(load_config(DEFAULT)).values())
        self.newest = PageState(self.touches, played.glass)
        self.news = 0
        self.newest.changed = self.count
        outputs = played.app.outputs
        played.app.outputs = (*outputs, lambda reply, now: self.newest.watch(reply))

    def count(self) -> None:
        self.news += 1

    @property
    def state(self) -> dict[str, object]:
        state = json.loads(self.newest.text(ENGLISH))
        assert isinstance(state, dict)
        return state

    @property
    def frame(self) -> str:
        """The pixels of the only display."""
        frames = self.state["frames"]
        assert isinstance(frames, list)
        [frame] = frames
        return str(frame)

    @property
    def says(self) -> tuple[str, int]:
        """The screen's words, and how many times there were words to be said."""
        says = self.state["says"]
        assert isinstance(says, dict)
        return " ".join(says["parts"]), says["times"]

    @property
    def words(self) -> str:
        return self.says[0]


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Told]:
    with open_simulation(load_config(DEFAULT), 5, tmp_path, lambda row: None) as played:
        yield Told(played)


def test_lamps_that_breathe_are_no_news_for_a_tab(told: Told) -> None:
    told.played.tap("A.ok")
    news = told.news
    told.played.wait_until(told.played.clock.now + 5)
    assert (told.news, told.state["lamps"]) == (news, ["on", *["breathe"] * 3])


def test_before_a_game_the_pawns_of_who_joined_are_in_their_nests(told: Told) -> None:
    told.played.tap("A.ok")
    told.played.tap("C.ok")
    pawns = told.state["pawns"]
    assert isinstance(pawns, list)
    assert sorted(pawn[:2] for pawn in pawns) == [[0, NEST]] * 4 + [[2, NEST]] * 4
    assert told.state["places"] == [["A", *["nest"] * 4], ["C", *["nest"] * 4]]
    assert told.state["board"] == "standard/counterclockwise/twelve"
    assert told.state["lamps"] == ["on", "breathe", "on", "breathe"]
    assert "A joined" in told.words


def test_spectators_get_their_own_state_and_no_news_of_what_they_do_not_see(told: Told) -> None:
    news: list[str] = []
    told.newest.changed_for_spectators = lambda: news.append(
        told.newest.spectators_text(find_language("de"))
    )
    told.played.tap("A.ok")
    state = json.loads(news[-1])
    assert [one["called"] for one in state["standings"]] == ["A"]
    assert state["doing"] == find_language("de").say(message("players-join"))
    assert {"buttons", "held", "frames", "lamps"} & {*state} == set()
    count = len(news)
    told.played.glass.display(Image.new("1", (128, 64), 1))
    assert (len(news), told.news > 0) == (count, True)


def test_buttons_that_are_down_are_told(told: Told) -> None:
    told.touches.down("A.ok", "tab", 0.0)
    assert told.state["held"] == ["A.ok"]


def test_the_frame_is_what_the_panel_shows(told: Told) -> None:
    told.played.tap("A.ok")
    before = told.frame
    told.played.tap("C.ok")
    assert told.frame != before
    assert len(told.frame) == 4 * 1024 // 3 + 3  # 128x64 bits in base64


def test_the_step_that_is_offered_is_told_with_its_way(told: Told) -> None:
    told.player.begin(SEATS)
    while not (moves := told.state["moves"]):
        told.player.act()
        told.played.wait_until(told.played.app.session.deaf_until)
    assert isinstance(moves, list)
    assert moves[0]["seat"] == told.player.game.seat
    assert len(moves[0]["trail"]) >= 2


def test_dice_are_told_while_they_lie_there(told: Told) -> None:
    told.player.begin(SEATS)
    while told.player.game.phase is not Phase.MOVE:
        told.player.act()
    told.played.wait_until(told.played.app.session.deaf_until)
    faces = list(told.player.game.throw)
    assert told.state["dice"] == [{"face": face, "tumbling": False} for face in faces]


def test_dice_that_are_typed_in_do_not_lie_under_the_dome_before_they_are_thrown(
    told: Told,
) -> None:
    told.player.begin(SEATS)
    told.player.choose_in_menu(0, "dice", "type")
    assert "first die" in told.words
    assert told.state["dice"] == []


def test_nor_do_they_in_a_game_of_real_dice(told: Told) -> None:
    told.player.begin(SEATS)
    told.player.choose_in_menu(0, "dice", "dice")
    for _ in range(2):  # out of the section, then of the menu
        told.player.hold_next(0)
    assert "first die" in told.words
    assert told.state["dice"] == []


def test_a_die_that_is_asked_for_is_told_with_the_buttons_that_type_it(told: Told) -> None:
    told.player.begin(SEATS)
    assert told.state["typing"] is None
    told.player.choose_in_menu(0, "dice", "dice")
    for _ in range(2):
        told.player.hold_next(0)
    seat = "ABCD"[told.player.game.seat]
    asked = {
        "throw": told.player.game.throws,
        "die": 0,
        "dice": told.player.game.dice,
        "first": 1,
        "face": 1,
        "awake": True,
        "count": f"{seat}.next",
        "confirm": f"{seat}.ok",
    }
    assert told.state["typing"] == asked
    told.played.tap(f"{seat}.next")
    assert told.state["typing"] == {**asked, "face": 2}
    told.played.tap(f"{seat}.ok")
    assert told.state["typing"] == {**asked, "die": 1}
    told.played.tap(f"{seat}.ok")
    assert told.state["typing"] != {**asked, "die": 1}
    told.played.wait_until(told.played.clock.now + 700.0)
    assert cast("dict[str, object]", told.state["typing"])["awake"] is False


@pytest.mark.parametrize(("rules", "thrown"), [("sr-1942", "dice"), ("pachisi-mitra", "cowries")])
def test_a_tab_is_told_what_is_thrown_by_the_rules(tmp_path: Path, rules: str, thrown: str) -> None:
    with open_simulation(load_config(DEFAULT), 5, tmp_path, lambda row: None, rules) as played:
        told = Told(played)
        told.played.tap("A.ok")
        assert told.state["thrown"] == thrown


def test_tones_are_counted_so_that_each_is_heard_once(told: Told) -> None:
    told.played.tap("A.ok")
    first = told.state["tones"]
    told.played.wait_until(5.0)
    assert told.state["tones"] == first
    assert isinstance(first, dict)
    assert first["notes"] == [["C6", 0.03]]


def test_a_dark_screen_says_that_a_press_wakes_it(told: Told) -> None:
    told.player.begin(SEATS)
    told.played.wait_until(told.played.clock.now + 700)
    assert told.words == ENGLISH.say(ASLEEP)
    told.played.tap("dome")
    assert "press the dome" in told.words


# What a screen reader is to say: each screen once, and again where a press led back to it.


def choosing(told: Told, steps: int) -> str:
    """Play until so many steps are offered; return the panel whose turn it is."""
    told.player.begin(SEATS)
    while told.player.game.phase is not Phase.MOVE or len(told.player.game.steps) != steps:
        told.player.act()
    told.played.wait_until(told.played.clock.now + 3.0)
    return "ABCD"[told.player.game.seat]


def test_a_step_is_to_be_said_once_though_it_blinks_and_fingers_hold_buttons(told: Told) -> None:
    seat = choosing(told, 2)
    before = told.says
    told.played.hands.down(f"{seat}.next")
    told.played.wait_until(told.played.clock.now + 0.8)  # the bar fills
    told.played.hands.up(f"{seat}.next")
    told.played.wait_until(told.played.clock.now + 20.0)
    assert told.says == before


def test_a_press_out_of_turn_is_said_aside_each_time_and_the_step_is_not(told: Told) -> None:
    seat = choosing(told, 2)
    other = "C" if seat == "A" else "A"
    before, keys = told.says, set()
    for _ in range(2):
        told.played.tap(f"{other}.ok")
        (aside,) = cast("list[list[str]]", told.state["asides"])
        assert aside[1] == f"{seat}'s turn"
        keys.add(aside[0])
        told.played.wait_until(told.played.clock.now + 3.0)
        assert told.state["asides"] == []
    assert told.says == before
    assert len(keys) == 2


def test_what_a_device_complains_of_is_told_whole_and_the_step_is_not_said_again(
    told: Told,
) -> None:
    choosing(told, 2)
    before = told.says
    told.played.app.process(Notice("chamber", message("chamber-alone"), 0.0))
    told.played.wait_until(told.played.clock.now + 10.0)
    ((_, said),) = cast("list[list[str]]", told.state["asides"])
    assert said == ENGLISH.say(message("chamber-alone"), "page")
    assert told.says == before


def test_a_step_that_next_comes_round_to_is_to_be_said_again(told: Told) -> None:
    seat = choosing(told, 2)
    words, times = told.says
    told.played.tap(f"{seat}.next")
    assert told.says[0] != words
    told.played.tap(f"{seat}.next")
    assert told.says == (words, times + 2)


def test_the_only_step_is_said_again_by_next(told: Told) -> None:
    seat = choosing(told, 1)
    told.played.tap(f"{seat}.next")  # what was confirmed before it is not said again
    words, times = told.says
    told.played.tap(f"{seat}.next")
    assert told.says == (words, times + 1)


def test_what_was_thrown_is_told_when_the_dice_have_come_to_rest(told: Told) -> None:
    told.player.begin(SEATS)
    told.played.wait_until(told.played.app.session.deaf_until)
    told.played.tap("dome")
    assert (told.state["dice"] != [], told.state["happened"]) == (True, [])
    told.played.wait_until(told.played.clock.now + 3.0)
    ((_, line),) = cast("list[list[str]]", told.state["happened"])
    assert line.startswith("A threw ")
