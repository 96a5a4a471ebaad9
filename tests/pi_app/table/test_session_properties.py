"""What holds whatever the players press: nothing raises, nobody is stuck, rows tell the game."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import cycle, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.model.events import Button, Down, Setup, Stuck, Tick, Up
from pi_app.model.history import New, fold
from pi_app.model.screens import DARK_AFTER_S, BoardScreen, TextScreen
from pi_app.settings.evening import ClockReading, Evening, Score
from pi_app.settings.offers import all_rules, houses
from pi_app.settings.settings import EVENING, PLAYERS, STAND_INS, Player, Settings
from pi_app.table.core.state import Mode
from pi_app.table.modes.care.correcting import Correcting, Placing
from pi_app.table.modes.care.ending import ConfirmEnd
from pi_app.table.modes.care.leaving import ChoosingFate, ConfirmPawnsOff, ConfirmStandIn, Leaving
from pi_app.table.modes.care.moving_back import MovingBack
from pi_app.table.modes.care.self_test import (
    InstructionStep,
    PictureStep,
    PressesStep,
    ReadingStep,
    TonesStep,
)
from pi_app.table.modes.care.walking import Comparing, Walking
from pi_app.table.modes.menu.naming import Naming
from pi_app.table.modes.play.hinting import Hinting
from pi_app.table.modes.play.play import Playing
from pi_app.table.modes.play.refused_press import RefusedPress
from pi_app.table.modes.play.score import Scores
from pi_app.table.modes.play.showing_throw import ShowingThrow
from pi_app.table.modes.play.typed_dice import Typing, TypingEach
from pi_app.table.modes.play.why import AskingWhy
from pi_app.table.modes.setup.house_rules import ConfirmRemove, RefusedRules
from pi_app.table.modes.setup.joining import Joining, RulesMenu
from pi_app.table.modes.setup.players import NamingPawns, Players
from pi_app.table.modes.whole_menu import WholeMenu
from pi_app.table.session import Reply
from rules.actions import Throw
from rules.board import HOME
from rules.game import Phase
from rules.ruleset import PRESETS
from tests.asked import extent
from tests.pi_app.sitting import Sitting, must_fit
from tests.pi_app.table.dome_checks import check_wakes

SETUPS = {
    "two buttons": Setup(),
    "one button": Setup(next_buttons=()),
    "mixed, no dome": Setup(next_buttons=(0, 3), dome=False),
    "one button for A alone": Setup(next_buttons=(1, 2, 3)),
    "one button, no dome": Setup(next_buttons=(), dome=False),
    "two panels": Setup(panels=(1, 2), next_buttons=(1, 2)),
}
BUTTONS = [
    *(Button(seat, "ok") for seat in range(4)),
    *(Button(seat, "next") for seat in range(4)),
    Button(None, "dome"),
    Button(None, "power"),
]
WAITS = (0.0, 0.05, 0.3, 0.65, 1.0, 1.7, 31.0)
FINGER_WORK = st.lists(
    st.tuples(
        st.sampled_from(BUTTONS),
        st.sampled_from(("down", "up", "click", "hold", "disk", "stuck", "late", "rest")),
        st.sampled_from(WAITS),
    ),
    max_size=60,
)


def all_throws() -> Iterator[tuple[int, ...]]:
    throws = list(product(range(1, 7), repeat=2))
    Random(1).shuffle(throws)
    return cycle(throws)


def noted(
    throws: Iterator[tuple[int, ...]], drawn: list[tuple[int, ...]]
) -> Iterator[tuple[int, ...]]:
    """Yield throws, each noted when it is drawn."""
    for faces in throws:
        drawn.append(faces)
        yield faces


def watched(reply: Reply) -> None:
    """Check what must hold of every reply."""
    assert len(reply.rows) <= 1 or [row.by for row in reply.rows] == ["dome", None]
    check_wakes(reply)
    must_fit(reply)


def work(table: Sitting, button: Button, deed: str, wait: float) -> None:
    """Do one thing with one finger, or let the disk refuse or take rows from now on; then wait."""
    if deed == "disk":
        table.refusing = "" if table.refusing else "disk-full"
    if deed in ("down", "click", "hold"):
        table.tell(Down(button, table.t))
    table.wait({"click": 0.1, "hold": 1.05}.get(deed, 0.0))
    if deed == "stuck":
        table.tell(Stuck(button, table.t))
    if deed == "late":  # for all holds that are due meanwhile
        table.t += 1.3
        table.tell(Tick(table.t))
    if deed == "rest":  # at once: the ticks of so long a time take long
        table.t += DARK_AFTER_S
        table.tell(Tick(table.t))
    if deed in ("up", "click", "hold"):
        table.tell(Up(button, table.t))
    table.wait(wait)


def begun(setup: Setup, seats: tuple[int, ...], ruleset: str) -> Sitting:
    """Return a table at which these seats have begun a game, whatever buttons they have."""
    table = Sitting(setup, all_throws(), watched)
    for seat in seats:
        table.hold_ok(seat)
    while getattr(table.session.mode, "ruleset", ruleset) != ruleset:
        click_next(table, seats[0])
    while not table.rows:
        table.hold_ok(seats[0])
    return table


def click_next(table: Sitting, seat: int) -> None:
    table.press(seat, "ok" if table.session.setup.has_one_button(seat) else "next")


def press_ok(table: Sitting, seat: int) -> None:
    table.press(seat, "ok", table.hold_s(seat) if table.session.setup.has_one_button(seat) else 0.1)


@pytest.mark.slow
@pytest.mark.parametrize("name", SETUPS)
@settings(max_examples=extent(6, soak=60), deadline=None)
@given(
    fingers=FINGER_WORK,
    ruleset=st.sampled_from(list(all_rules(Settings()))),
    playing=st.booleans(),
    full=st.booleans(),
)
def test_whatever_is_pressed_nothing_raises_the_rows_are_the_game_and_there_is_a_way_out(
    name: str, fingers: list[tuple[Button, str, float]], ruleset: str, playing: bool, full: bool
) -> None:
    setup = SETUPS[name]
    table = Sitting(setup, all_throws(), watched)
    if playing:
        table = begun(setup, setup.panels[:3], ruleset)
    table.refusing = "disk-full" if full else ""
    work_and_leave(table, fingers)


@pytest.mark.slow
@pytest.mark.parametrize("name", SETUPS)
@settings(max_examples=extent(5, soak=40), deadline=None)
@given(
    fingers=FINGER_WORK,
    entry=st.sampled_from(["someone-leaves", "players", "score"]),
    handed_on=st.booleans(),
)
def test_likewise_in_what_is_asked_of_the_players(
    name: str, fingers: list[tuple[Button, str, float]], entry: str, handed_on: bool
) -> None:
    setup = SETUPS[name]
    table = begun(setup, setup.panels[:3], "royal-2023")
    evening = Evening(ClockReading(), (), (Score("LUC", 1, 2),))
    table.session = table.session.set(EVENING, evening).set(PLAYERS[1], Player("WWW", "quarters"))
    if handed_on:
        table.session = table.session.set(STAND_INS[1], "AC"[setup.panels == (1, 2)])
    driver = next(seat for seat in table.game.seats if seat not in drivers(table))
    (table.hold_ok if table.session.setup.has_one_button(driver) else table.hold_next)(driver)
    for line in ("game", entry):
        while table.marked != line:
            click_next(table, driver)
        table.read(driver)
        press_ok(table, driver)
    work_and_leave(table, fingers)


def work_and_leave(table: Sitting, fingers: list[tuple[Button, str, float]]) -> None:
    """Do all of it, its rows being the game all the time, and get back to joining."""
    for button, deed, wait in fingers:
        work(table, button, deed, wait)
        rows = [*table.rows, *table.waiting]
        if table.session.record is not None:
            first = max(n for n, row in enumerate(rows) if isinstance(row.entry, New))
            assert fold(rows[first:]) == table.record
        assert table.session.unsaved or not table.waiting
    leave(table)
    assert isinstance(table.session.mode, Joining)


def leave(table: Sitting) -> None:
    """Get back to joining by buttons alone, from wherever the table is."""
    for button in BUTTONS:
        table.tell(Up(button, table.t))
    for _ in range(60):
        mode = table.session.mode
        if isinstance(mode, Joining):
            return
        way_out_of(type(mode))(table)
        table.wait(0.0)


def _out_of_play(table: Sitting) -> None:
    if table.game.phase is Phase.OVER:
        seat = drivers(table)[0]  # a bot presses nothing
        while "new-game" not in table.hint:
            click_next(table, seat)
        table.hold_ok(seat)
        return
    out_of_turn = [seat for seat in table.game.seats if seat not in drivers(table)]
    if not table.session.setup.has_one_button(out_of_turn[0]):
        table.hold_next(out_of_turn[0])
    else:
        table.hold_ok(out_of_turn[0])


def drivers(table: Sitting) -> tuple[int, ...]:
    return table.session.mode.drivers(table.session)


def _out_of_menu(table: Sitting) -> None:
    driver = drivers(table)[0]
    lines = table.choices
    unended = table.session.record is not None and table.game.phase is not Phase.OVER
    ways = ("end", "game", "back") if unended else ("back",)
    wanted = next(line for line in ways if line in lines)
    while table.marked != wanted:
        click_next(table, driver)
    press_ok(table, driver)


WAYS_OUT: dict[type[Mode], Callable[[Sitting], object]] = {
    ShowingThrow: lambda table: table.wait(3.0),
    Playing: _out_of_play,
    WholeMenu: _out_of_menu,
    RulesMenu: lambda table: table.wait(31),
    ConfirmEnd: lambda table: table.hold_ok(drivers(table)[0]),
    Comparing: lambda table: table.wait(121),
    Walking: lambda table: table.wait(121),
    Correcting: lambda table: table.wait(121),
    Placing: lambda table: table.wait(121),
    Leaving: lambda table: table.wait(31),
    ChoosingFate: lambda table: table.wait(31),
    ConfirmPawnsOff: lambda table: table.wait(31),
    ConfirmStandIn: lambda table: table.wait(31),
    Naming: lambda table: table.wait(121),
    Players: lambda table: table.wait(31),
    NamingPawns: lambda table: table.wait(31),
    Scores: lambda table: table.wait(31),
    **dict.fromkeys(
        (InstructionStep, PictureStep, TonesStep, ReadingStep, PressesStep),
        lambda table: table.wait(121),
    ),
    Hinting: lambda table: table.wait(31),
    Typing: lambda table: table.wait(31),
    TypingEach: _out_of_play,
    MovingBack: lambda table: press_ok(table, table.game.seats[0]),
    RefusedPress: lambda table: table.hold_ok(drivers(table)[0]),
    AskingWhy: lambda table: press_ok(table, drivers(table)[0]),
    RefusedRules: lambda table: press_ok(table, drivers(table)[0]),
    ConfirmRemove: lambda table: click_next(table, drivers(table)[0]),
}


def way_out_of(mode: type[Mode]) -> Callable[[Sitting], object]:
    """Return the way out of a mode, which may be that of the mode it is a kind of."""
    known = [WAYS_OUT[kind] for kind in mode.__mro__ if kind in WAYS_OUT]
    assert known, f"add the way out of {mode.__name__} to WAYS_OUT"
    return known[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["two buttons", "one button"])
@pytest.mark.parametrize("playing", [True, False])
@settings(max_examples=extent(6, soak=50), deadline=None)
@given(
    fingers=st.lists(
        st.tuples(
            st.sampled_from([Button(0, "ok"), Button(0, "next")]),
            st.sampled_from(("click", "click", "hold", "disk")),
            st.sampled_from((0.0, 0.45)),
        ),
        max_size=80,
    ),
)
def test_whatever_is_pressed_among_house_rules_they_can_be_read_and_there_is_a_way_out(
    name: str, playing: bool, fingers: list[tuple[Button, str, float]]
) -> None:
    table = Sitting(SETUPS[name], all_throws(), watched, Settings({"house.x": '{"base":"sca"}'}))
    for seat in (2, 0):
        table.hold_ok(seat)
    if playing:
        table.hold_ok(2)
    table.hold_next(0)
    choose(table, "game")
    choose(table, "house-rules")
    for button, deed, wait in fingers:
        work(table, button, deed, wait)
        kept = table.session.settings
        assert kept.unreadable() == ()
        assert {one.removeprefix("house.") for one in kept.kept if "house." in one} == {
            *houses(kept)
        }
    leave(table)
    assert isinstance(table.session.mode, Joining)


def choose(table: Sitting, words: str) -> None:
    while table.marked != words:
        click_next(table, 0)
    press_ok(table, 0)


# --- whole games -----------------------------------------------------------------------------


MOST_CHOICES = 2500  # a game of four seats by each rule set took 413 to 923


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [
        *((ruleset, (2, 3, 0, 1)) for ruleset in all_rules(Settings())),
        ("royal-2023", (1, 0, 3)),
        ("one-die", (0, 2)),
    ][:: extent(21, soak=1)],
)
def test_every_screen_of_a_game_played_to_its_end_fits_and_its_rows_replay(
    ruleset: str, seats: tuple[int, ...]
) -> None:
    table = begun(SETUPS["two buttons"], seats, ruleset)
    player = Random(f"{ruleset} {seats}")
    for _ in range(MOST_CHOICES):
        if table.game.phase is Phase.OVER:
            break
        make_one_choice(table, player)
    if table.game.ruleset.total_move == "only" and table.game.phase is not Phase.OVER:
        leave(table)  # a total never brings a pawn from home row 7 home: nobody can win
        assert str(table.rows[-1].entry) == "end"
        return
    assert (HOME,) * 4 in table.game.position
    assert fold(table.rows) == table.record


def make_one_choice(table: Sitting, player: Random) -> None:
    """Do what the screen asks for, by the buttons: throw, or go round the choices and confirm."""
    game = table.game
    if game.phase in (Phase.ORDER, Phase.THROW):
        table.throw()
    else:
        go_round_and_confirm(table, player)
        while table.game is game and table.game.grant_left:  # show the pawn, then how far it goes
            go_round_and_confirm(table, player)
    assert table.game is not game
    if player.random() < 0.05:
        undo_and_move_back(table, player.choice(game.seats))


def go_round_and_confirm(table: Sitting, player: Random) -> None:
    driver = drivers(table)[0]
    for _ in range(player.randint(0, 3)):
        table.next(driver)
    table.ok(driver)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_a_game_whose_disk_comes_and_goes_is_recorded_in_order_and_each_throw_is_drawn_once(
    seed: int,
) -> None:
    table = begun(SETUPS["two buttons"], (1, 3), "royal-2023")
    player = Random(seed)
    drawn: list[tuple[int, ...]] = []
    table.dice = noted(all_throws(), drawn)
    asked = 0
    for _ in range(400):
        if table.session.record is None or table.game.phase is Phase.OVER:
            break
        if player.random() < 0.1:
            table.refusing = "" if table.refusing else "disk-full"
        if isinstance(table.session.mode, RefusedPress):
            asked += 1
            (table.hold_ok if player.random() < 0.3 else table.ok)(3)
        elif table.game.phase in (Phase.ORDER, Phase.THROW):
            table.throw()
        else:
            go_round_and_confirm(table, player)
    rows = [*table.rows, *table.waiting]
    assert asked > 5
    assert fold(rows) == table.record
    thrown = [str(row.entry) for row in rows if isinstance(row.entry, Throw)]
    thrown += [str(held.throw) for held in table.session.held]
    assert thrown == [str(Throw(faces)) for faces in drawn]


def undo_and_move_back(table: Sitting, seat: int) -> None:
    table.hold_next(seat)
    table.ok(seat)
    while isinstance(table.session.mode, MovingBack):
        table.ok(seat)
    if isinstance(table.session.mode, WholeMenu):  # nothing to undo: "board" came first
        table.wait(31)


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["standard", "corner-64", "pachisi", "tip-entry"])
def test_places_fit_on_every_board(layout: str) -> None:
    for seat, faces in product((0, 1, 3), ((1, 1), (6, 5), (5, 4))):
        table = Sitting(dice=[faces], watch=watched)
        rules = replace(PRESETS["findler"], layout=layout, overtaking_captures=True)
        table.resume("r3,50,16,N/r7,46,12,N/-/r5,30,13,1", seat, rules)
        table.throw()
        assert isinstance(table.screen, BoardScreen | TextScreen)
        while table.game.phase is Phase.MOVE:
            for _ in range(12):
                table.next(seat)
            table.ok(seat)
