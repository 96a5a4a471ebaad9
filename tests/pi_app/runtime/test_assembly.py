"""The joined table: what is missing, slow or damaged does not keep it from refereeing."""

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from random import Random
from sqlite3 import connect
from threading import Event, Thread, current_thread
from typing import Any

import pytest
from gpiozero import LED
from luma.core.device import dummy

from pi_app.__main__ import main
from pi_app.config.keys import DEFAULT, Config, Display
from pi_app.config.reading import load_config, parse_config
from pi_app.devices.buttons import PinsError, pin_factory
from pi_app.display.view import frame
from pi_app.model.events import Address, Notice, Tick
from pi_app.model.history import Row
from pi_app.model.parts import PowerState
from pi_app.model.screens import message
from pi_app.record.clock import BootTime
from pi_app.record.journal import FILE
from pi_app.runtime import wiring
from pi_app.runtime.assembly import Parts, open_table
from pi_app.runtime.dice import KERNEL
from pi_app.runtime.loop import App
from pi_app.settings.houses import House
from pi_app.settings.offers import EDITIONS, all_rules
from pi_app.settings.settings import EVENING, PLAYERS
from pi_app.simulate.glass import DummyDisplay
from pi_app.simulate.hands import Hands
from pi_app.simulate.player import SimulatedPlayer
from pi_app.simulate.simulation import Simulation, VirtualClock, open_simulation, seeded_dice
from pi_app.system.slow_disk import SLOW_S
from pi_app.table.modes.care.self_test import begin_self_test
from pi_app.table.modes.menu.menu import Menu
from pi_app.table.modes.setup.languages import AskingLanguage
from pi_app.table.session import Reply, handle, new_session
from pi_app.texts.language import ENGLISH
from pi_app.texts.words import GAMES_IN_MEMORY, SLOW_DISK, reset_words
from pi_app.web.spectator_state import spectator_state
from rules.game import Phase
from rules.ruleset import PRESETS, written_options
from tests.pi_app.devices.busy_pin import fail_once
from tests.pi_app.sitting import notice_of

CONFIG = load_config(DEFAULT)


def parts(folder: Path, *devices: Callable[[], Any], **others: Any) -> Parts:
    return Parts(
        factory=pin_factory("mock"),
        devices=devices or (DummyDisplay,),
        folder=folder,
        # Tests may write to memory.
        **{"dice": KERNEL, "in_memory": lambda folder: False, **others},
    )


def on_a_clock(app: App, clock: VirtualClock, given: Parts) -> Simulation:
    hands = Hands(wiring.button_pins(CONFIG), given.factory)
    return Simulation(app, clock, hands, DummyDisplay())


def test_the_menu_is_told_where_the_page_is(tmp_path: Path) -> None:
    address = Address("pachisi.local", known=True)
    with open_table(CONFIG, parts(tmp_path, page=address)) as app:
        assert app.session.setup.page == address


def test_the_menu_names_the_version_that_the_command_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    with open_table(CONFIG, parts(tmp_path)) as app:
        assert capsys.readouterr().out == f"referee {app.session.setup.version}\n"


GERMAN_DISPLAY = replace(CONFIG.displays[0], language="de")
GERMAN_SETTINGS = {**CONFIG.settings, "language": "de"}


@pytest.mark.parametrize(
    ("config", "can_ask", "asks"),
    [
        (CONFIG, True, True),
        (CONFIG, False, False),  # a simulated table
        (replace(CONFIG, settings=GERMAN_SETTINGS), True, False),
        (replace(CONFIG, displays=(GERMAN_DISPLAY,)), True, False),
    ],
)
def test_a_new_table_asks_for_its_language_where_the_configuration_names_none(
    tmp_path: Path, config: Config, can_ask: bool, asks: bool
) -> None:
    others = {"asks_language": True} if can_ask else {}
    with open_table(config, parts(tmp_path, **others)) as app:
        assert isinstance(app.session.mode, AskingLanguage) == asks


@pytest.mark.parametrize("page", [None, Address("pachisi.local", known=True)])
def test_chances_are_worked_out_only_where_a_page_shows_them(
    tmp_path: Path, page: Address | None
) -> None:
    with open_table(replace(CONFIG, page_chances=True), parts(tmp_path, page=page)) as app:
        assert app.session.setup.chances == (page is not None)


class Running:
    """A table that decides in a thread of its own, with somebody who waits for what it says."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.joined = Event()

    def watch(self, reply: Reply) -> None:
        self.replies.append(reply)
        if reply.session.joined == (0,):
            self.joined.set()

    def press_a(self, app: App, given: Parts) -> bool:
        """Let A join; return whether the table takes it."""
        deciding = Thread(target=app.run)
        deciding.start()
        Hands(wiring.button_pins(CONFIG), given.factory).down("A.ok")
        taken = self.joined.wait(timeout=60.0)
        app.stop()
        deciding.join(timeout=60.0)
        return taken and not deciding.is_alive()


def test_rows_are_dated_while_the_clock_is_set_and_tell_how_long_the_table_was_on(
    tmp_path: Path,
) -> None:
    clock, glass, was_set = VirtualClock(), DummyDisplay(), list[bool]()
    given = parts(
        tmp_path,
        lambda: glass,
        clock=clock,
        now=lambda: 1763600000.0,
        clock_is_set=lambda: bool(was_set),
        stepped=True,
    )
    with open_table(CONFIG, given) as app:
        hands = Hands(wiring.button_pins(CONFIG), given.factory)
        player = SimulatedPlayer(Simulation(app, clock, hands, glass), Random(2))
        player.begin((0, 2))
        was_set.append(True)
        clock.now += 3600.0
        player.act()
    with closing(connect(tmp_path / FILE)) as journal:
        rows = journal.execute("SELECT at, played FROM rows ORDER BY n").fetchall()
    assert rows[0] == ("", 0)
    at, played = rows[-1]
    assert at == "2025-11-20T00:53:20.000+00:00"
    assert 3_600_000 < played < 3_660_000


def test_without_a_display_the_table_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def absent() -> dummy:
        raise OSError("no device at 0x3C")

    running = Running()
    given = parts(tmp_path, absent, watch=running.watch)
    with open_table(CONFIG, given) as app:
        assert running.press_a(app, given)
    assert "no device at 0x3C" in caplog.text


def test_a_display_that_hangs_delays_nobody(tmp_path: Path) -> None:
    let_go = Event()

    class Hanging(DummyDisplay):
        def display(self, image: Any) -> None:
            let_go.wait(timeout=100.0)

    running = Running()
    given = parts(tmp_path, Hanging, watch=running.watch)
    with open_table(CONFIG, given) as app:
        taken = running.press_a(app, given)
        let_go.set()
    assert taken


OPPOSITE = parse_config(
    DEFAULT.read_text().replace("\n[display]\n", "\n[[display]]\n")
    + "[[display]]\ni2c_address = 0x3D\n"
)


class Seen(DummyDisplay):
    """A panel that tells when it has a picture, and hangs then if it is asked to."""

    def __init__(self, let_go: Event | None = None) -> None:
        super().__init__()
        self.shown, self.let_go = Event(), let_go

    def display(self, image: Any) -> None:
        self.shown.set()
        if self.let_go is not None:
            self.let_go.wait(timeout=100.0)
        super().display(image)


def test_two_panels_show_the_same_picture(tmp_path: Path) -> None:
    glasses, clock = (DummyDisplay(), DummyDisplay()), VirtualClock()
    opened = (lambda one=one: one for one in glasses)
    with open_table(
        OPPOSITE, parts(tmp_path, *opened, clock=clock, now=clock, stepped=True)
    ) as app:
        app.process(Notice("chamber", message("chamber-missing"), clock.now))
        first, second = (glass.image.tobytes() for glass in glasses)
        reply = handle(app.session, Tick(clock.now))
        assert first == second == frame(reply.screen, reply.motion, clock.now).image.tobytes()


def test_a_second_panel_that_is_missing_is_told_once_and_delays_nobody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def absent() -> dummy:
        raise OSError("no device at 0x3D")

    first = Seen()
    running = Running()
    given = parts(tmp_path, lambda: first, absent, watch=running.watch)
    with open_table(OPPOSITE, given) as app:
        assert first.shown.wait(timeout=60.0)
        first.shown.clear()
        assert running.press_a(app, given)
        assert first.shown.wait(timeout=60.0)
    [told] = [record.getMessage() for record in caplog.records]
    assert told.startswith(
        "the second display can't be reached (no device at 0x3D): check its wires"
    )


@pytest.mark.parametrize("which", [0, 1])
def test_of_two_panels_one_that_hangs_delays_neither_the_other_nor_a_press(
    tmp_path: Path, which: int
) -> None:
    let_go = Event()
    glasses = [Seen(let_go if which == n else None) for n in (0, 1)]
    running = Running()
    given = parts(tmp_path, lambda: glasses[0], lambda: glasses[1], watch=running.watch)
    with open_table(OPPOSITE, given) as app:
        assert glasses[which].shown.wait(timeout=60.0)
        glasses[1 - which].shown.clear()
        assert running.press_a(app, given)
        assert glasses[1 - which].shown.wait(timeout=60.0)
        let_go.set()


def test_a_flat_panel_turns_to_whoever_is_to_press(tmp_path: Path) -> None:
    glass, clock = DummyDisplay(), VirtualClock()
    flat = replace(CONFIG, displays=(Display(rotation="turn", far_seats=("C",)),))
    given = parts(tmp_path, lambda: glass, clock=clock, now=clock, stepped=True)

    def upright() -> bool:
        reply = handle(app.session, Tick(clock.now))
        image = frame(reply.screen, reply.motion, clock.now).image
        assert glass.image.tobytes() in (image.tobytes(), image.rotate(180).tobytes())
        return bool(glass.image.tobytes() == image.tobytes())

    with open_table(flat, given) as app:
        played = Simulation(app, clock, Hands(wiring.button_pins(CONFIG), given.factory), glass)
        played.tap("A.ok")
        played.tap("C.ok")
        assert upright()
        played.tap("C.next", hold_s=1.2)
        assert not upright()
        played.tap("C.next", hold_s=1.2)
        assert not upright()  # who plays is everybody's question: it stays
        played.tap("A.next", hold_s=1.2)
        assert upright()


def test_the_first_picture_is_there_before_anybody_presses(tmp_path: Path) -> None:
    replies: list[Reply] = []
    with open_table(CONFIG, parts(tmp_path, watch=replies.append)):
        assert len(replies) == 1


def test_a_damaged_journal_is_set_aside_and_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / FILE).write_bytes(b"not a database at all" * 100)
    replies: list[Reply] = []
    with open_table(CONFIG, parts(tmp_path, watch=replies.append)):
        assert notice_of(replies[-1]).startswith("game-set-aside(")
    assert "kept whole as journal.aside.db" in caplog.text


def test_a_closed_table_lets_go_of_its_pins_and_its_journal(tmp_path: Path) -> None:
    given = parts(tmp_path)
    for _ in range(2):
        with open_table(CONFIG, given):
            pass


def test_a_table_that_can_not_open_lets_go_of_what_it_had(tmp_path: Path) -> None:
    given = parts(tmp_path)
    in_use = pytest.raises(PinsError, match=r"pin 22 can't be used \(.*already in use")
    with LED(CONFIG.lamps[0], pin_factory=given.factory), in_use, open_table(CONFIG, given):
        pass
    with open_table(CONFIG, given):
        pass


def test_a_chamber_that_is_missing_is_in_the_log_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    missing = Event()

    def watch(reply: Reply) -> None:
        if notice_of(reply) == "chamber-missing":
            missing.set()

    with open_table(CONFIG, parts(tmp_path, watch=watch, chamber=str(tmp_path / "no-port"))) as app:
        deciding = Thread(target=app.run)
        deciding.start()
        assert missing.wait(timeout=60.0)
        app.stop()
        deciding.join(timeout=60.0)
    assert [record.getMessage() for record in caplog.records] == ["dice chamber missing"]


def test_each_state_of_an_evening_has_the_number_of_its_own_game(tmp_path: Path) -> None:
    clock, replies = VirtualClock(), list[Reply]()
    given = parts(
        tmp_path,
        dice=seeded_dice(2),
        clock=clock,
        now=clock,
        stepped=True,
        watch=replies.append,
    )

    def numbers() -> list[str | None]:
        """Return the numbers in the states since the last call; without a game, None."""
        games = [spectator_state(reply)["game"] for reply in replies]
        replies.clear()
        return [number for number, _ in groupby(game and game["number"] for game in games)]

    with open_table(CONFIG, given) as app:
        player = SimulatedPlayer(on_a_clock(app, clock, given), Random(2))
        player.begin((0, 2))
        for _ in range(6):
            player.act()
        assert numbers() == [None, "1"]
        player.choose_in_menu(player.settle().drivers(app.session)[0], "undo")
        player.end()
        assert numbers() == ["1"]
        player.begin((0, 1, 2))
        player.act()
        assert numbers() == ["1", None, "2"]
    with open_table(CONFIG, given) as app:
        on_a_clock(app, clock, given).wait_until(clock.now + 5.0)
        assert numbers() == ["2"]


def choose(played: Simulation, line: str) -> None:
    """Go to a line of the menu that A has open, and confirm it."""
    menu = played.app.session.mode
    assert isinstance(menu, Menu)
    for _ in range(menu.ids(played.app.session).index(line)):
        played.tap("A.next")
    played.tap("A.ok")


def test_a_self_test_looks_after_power_and_journal_and_a_game_is_not_touched(
    tmp_path: Path,
) -> None:
    clock, replies = VirtualClock(), list[Reply]()
    given = parts(
        tmp_path,
        clock=clock,
        now=clock,
        stepped=True,
        watch=replies.append,
        supply=lambda: PowerState(low=True),
        free=lambda folder: 512_000_000,
    )
    with open_table(CONFIG, given) as app:
        played = on_a_clock(app, clock, given)
        played.tap("A.ok")
        played.tap("A.next", hold_s=1.2)
        choose(played, "setup")
        choose(played, "self-test")
        findings = replies[-1].session.findings
        assert [(one.part, one.good, *map(ENGLISH.say, one[2:])) for one in findings] == [
            ("chamber", False, "It does not answer.", "Check its USB cable."),
            ("power", False, "It is too low now.", "Use a stronger power supply."),
            ("voice", None, "It has not spoken yet.", ""),
            ("journal", True, "Written and read back. 512 MB are free.", ""),
        ]


def test_a_disk_that_hangs_in_a_self_test_hangs_no_press(tmp_path: Path) -> None:
    hanging, let_go = Event(), Event()

    def hang(folder: Path) -> int:
        if current_thread().name == "checks":
            hanging.set()
            let_go.wait(timeout=100.0)
        return 512_000_000

    running = Running()
    given = parts(tmp_path, watch=running.watch, free=hang, supply=PowerState)
    with open_table(CONFIG, given) as app:
        self_test = begin_self_test(app.session, Menu(0, app.session.mode, app.clock()))
        app.session = self_test
        app.process(Tick(app.clock()))
        assert hanging.wait(timeout=60.0)
        app.session = new_session(wiring.table_setup(CONFIG))
        assert running.press_a(app, given)
        let_go.set()


def test_that_the_disk_is_nearly_full_is_said_until_the_game_begins(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    left = [50_000_000]
    replies: list[Reply] = []
    clock = VirtualClock()
    given = parts(
        tmp_path,
        clock=clock,
        now=clock,
        stepped=True,
        watch=replies.append,
        free=lambda folder: left[0] if folder == tmp_path else None,
    )

    def notice() -> str:
        app.drain()
        return notice_of(replies[-1])

    with open_table(CONFIG, given) as app:
        table_ = on_a_clock(app, clock, given)
        assert notice() == ""
        left[0] -= 1
        table_.tap("A.ok")
        assert notice() == "disk-nearly-full"
        left[0] += 1
        table_.tap("C.ok")
        assert notice() == ""
        left[0] -= 1
        table_.tap("D.ok")
        assert notice() == "disk-nearly-full"
        table_.tap("A.ok", hold_s=1.2)
        assert replies[-1].session.notices == ()
        assert replies[-1].session.record is not None
    assert caplog.text == ""
    with open_table(CONFIG, given) as app:  # a game goes on: nothing to say on the panel
        app.drain()
        assert replies[-1].session.notices == ()
    assert f"{tmp_path} has less than 50 MB free" in caplog.text


def test_that_the_games_are_in_memory_is_said_until_the_game_begins(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    replies: list[Reply] = []
    clock = VirtualClock()
    given = parts(
        tmp_path,
        clock=clock,
        now=clock,
        stepped=True,
        watch=replies.append,
        in_memory=lambda folder: folder == tmp_path,
    )
    with open_table(CONFIG, given) as app:
        app.drain()
        assert GAMES_IN_MEMORY in replies[-1].motion.notices
        table = on_a_clock(app, clock, given)
        SimulatedPlayer(table, Random(2)).begin((0, 2))
        assert replies[-1].session.notices == ()
    assert f"{tmp_path} is in memory: the games are lost when the power goes" in caplog.text


@pytest.mark.slow
def test_names_and_score_are_there_after_a_boot_and_another_evening_begins_with_a_game(
    tmp_path: Path,
) -> None:
    clock, unix = VirtualClock(), [1.7e9]
    given = parts(
        tmp_path,
        clock=clock,
        now=lambda: unix[0] + clock(),
        moment=lambda: BootTime("monday", clock()),
        stepped=True,
        ruleset="pop-28",  # the shortest game
    )
    with open_table(CONFIG, given) as app:
        monday = on_a_clock(app, clock, given)
        luc = app.session.settings.get(PLAYERS[0])._replace(name="LUC")
        app.session = app.session.set(PLAYERS[0], luc)
        SimulatedPlayer(monday, Random(1)).play((0, 2))
        won = app.session.settings.get(EVENING)
    assert sum(score.wins for score in won.scores) == 1
    assert {score.who: score.games for score in won.scores} == {"LUC": 1, "C": 1}
    clock.now, unix[0] = 20.0, unix[0] + 20 * 3600
    tuesday = replace(
        given, moment=lambda: BootTime("tuesday", clock()), factory=pin_factory("mock")
    )
    with open_table(CONFIG, tuesday) as app:
        assert app.session.settings.get(EVENING).scores == won.scores
        hands = Hands(wiring.button_pins(CONFIG), tuesday.factory)
        SimulatedPlayer(Simulation(app, clock, hands, DummyDisplay()), Random(1)).begin((0, 2))
        begun = app.session.settings.get(EVENING)
    assert (begun.scores, begun.last.boot) == ((), "tuesday")


def test_a_clock_that_is_set_while_the_table_runs_is_heard_of(tmp_path: Path) -> None:
    clock, unix = VirtualClock(), [0.0]
    given = parts(
        tmp_path,
        clock=clock,
        now=lambda: unix[0] + clock(),
        moment=lambda: BootTime("monday", clock()),
        stepped=True,
    )
    with open_table(CONFIG, given) as app:
        running = on_a_clock(app, clock, given)
        running.tap("A.ok")
        unix[0] = 1.7e9
        running.tap("C.ok")
        running.tap("A.ok", hold_s=1.2)
        last = app.session.settings.get(EVENING).last
    assert last.unix - last.t == pytest.approx(1.7e9, abs=1.0)


# --- house rules -----------------------------------------------------------------------------

OURS = House("findler", replace(PRESETS["findler"], capture_bonus=0, play_on=True))
WITH_OURS = replace(CONFIG, houses={"ours": OURS}, ruleset="ours")


def test_a_game_keeps_its_house_rules_in_full_over_a_restart_whatever_the_configuration_says(
    tmp_path: Path,
) -> None:
    with open_simulation(WITH_OURS, 1, tmp_path) as played:
        player = SimulatedPlayer(played, Random(1))
        player.begin((0, 2))
        while player.game.throws < 10:
            player.act()
        before = player.game
    assert before.ruleset == OURS.ruleset
    others = replace(WITH_OURS, houses={"ours": House("pb", PRESETS["pb"])})
    for config in (CONFIG, others, WITH_OURS):
        with open_simulation(config, 1, tmp_path) as played:
            assert SimulatedPlayer(played, Random(1)).game == before


def test_a_finished_game_keeps_its_house_rules_too(tmp_path: Path) -> None:
    with open_simulation(WITH_OURS, 1, tmp_path) as played:
        player = SimulatedPlayer(played, Random(1))
        player.begin((0, 2))
        player.act()
        player.end()
    with closing(connect(tmp_path / FILE)) as database:
        [(text,)] = database.execute("SELECT action FROM rows WHERE n = 1").fetchall()
    ruleset = text.removeprefix("new ").partition(" seats ")[0]
    assert json.loads(ruleset) == written_options(OURS.ruleset)


def test_what_is_named_for_this_run_is_offered_before_what_was_played_last(tmp_path: Path) -> None:
    for ruleset, wanted in (("findler", "findler"), ("", "findler"), ("pb", "pb"), ("", "findler")):
        with open_simulation(CONFIG, 1, tmp_path, ruleset=ruleset) as played:
            assert played.app.session.next_rules == wanted
            if ruleset == "findler":
                player = SimulatedPlayer(played, Random(1))
                player.begin((0, 2))
                player.end()
                played.tap("A.ok", 1.2)
                played.tap("A.ok")


def test_damaged_house_rules_are_left_out_with_a_word(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with open_simulation(CONFIG, 1, tmp_path) as played:
        played.tap("A.ok")
        played.tap("A.next", 1.2)
        for line in ("game", "house-rules", "new-house-rules"):
            choose(played, line)
        assert list(all_rules(played.app.session.settings)) == ["1", *EDITIONS]
    with closing(connect(tmp_path / FILE)) as database, database:
        database.execute("UPDATE settings SET value = '{' WHERE key = 'house.1'")
    with open_simulation(CONFIG, 1, tmp_path) as played:
        assert played.app.session.notices == (("house.1", reset_words("house.1")),)
        assert list(all_rules(played.app.session.settings)) == list(EDITIONS)
        player = SimulatedPlayer(played, Random(1))
        player.begin((0, 2))
        assert player.game.ruleset == PRESETS["royal-2023"]
    assert "the setting house.1 can't be read" in caplog.text


def test_a_bot_that_had_thrown_when_the_power_went_plays_on_by_its_own_process(
    tmp_path: Path,
) -> None:
    with open_simulation(CONFIG, 3, tmp_path) as played:
        player = SimulatedPlayer(played, Random(3))
        player.begin((0, 2), {2: "strong"})
        while (player.game.seat, player.game.phase) != (2, Phase.MOVE) or not player.game.steps:
            player.act()
        player.settle()
        meant = played.app.session.plan
    with open_table(CONFIG, parts(tmp_path)) as app:
        assert app.session.plan is None
        while app.session.plan is None:
            event = app.inbox.get(timeout=60.0)
            assert event is not None
            app.process(event)
        assert app.session.plan == meant


def test_parts_that_cannot_be_closed_keep_no_other_open_and_the_table_ends(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    given = parts(tmp_path, stepped=True)
    pins = [
        given.factory.pin(pin)
        for pin in (CONFIG.buzzer, *CONFIG.lamps, *wiring.button_pins(CONFIG))
    ]
    with open_table(CONFIG, given):
        for pin in pins:
            fail_once(pin)
    complaints = [text for text in caplog.messages if "could not be closed" in text]
    assert len(complaints) == len(set(complaints)) == len(pins)
    with open_table(CONFIG, parts(tmp_path, stepped=True)):  # the journal was let go
        pass


def test_while_a_commit_waits_the_table_lives_and_says_that_the_card_is_slow(
    tmp_path: Path,
) -> None:
    clock, glass, replies, beats = VirtualClock(), DummyDisplay(), list[Reply](), list[float]()
    told = Event()

    def changed() -> None:
        reply = replies[-1]
        covered = frame(reply.screen, replace(reply.motion, notice=SLOW_DISK), clock.now)
        if glass.image.tobytes() == covered.image.tobytes():
            told.set()

    def pause(row: Row) -> None:
        """Keep the commit waiting, as a card does."""
        clock.now += SLOW_S
        assert told.wait(timeout=60.0)

    glass.changed = changed
    given = parts(
        tmp_path,
        lambda: glass,
        clock=clock,
        confirmed=pause,
        beat=lambda: beats.append(clock.now),
        watch=replies.append,
    )
    with open_table(CONFIG, given) as app:
        played = Simulation(app, clock, Hands(wiring.button_pins(CONFIG), given.factory), glass)
        SimulatedPlayer(played, Random(2)).begin((0, 2))
    assert beats
