"""What a screen says, and that a game can be played by hearing it alone."""

import re
from collections.abc import Iterator
from random import Random

import pytest

from pi_app.model.events import Notice, Setup, Tick
from pi_app.model.screens import (
    DARK_AFTER_S,
    NOTHING,
    BoardMap,
    BoardScreen,
    Die,
    Message,
    Screen,
    Seat,
    SeatMark,
    Text,
    TextScreen,
    message,
)
from pi_app.players.working import answer_line
from pi_app.settings.settings import Settings
from pi_app.table.core.speech import (
    ASLEEP,
    SILENCE,
    join_lines,
    new_words,
    screen_words,
    speech_of,
)
from pi_app.table.core.state import NO_SETTINGS
from pi_app.table.session import Reply
from pi_app.texts.language import ENGLISH, codes, find_language
from rules.game import Phase
from rules.ruleset import PRESETS
from tests.pi_app.keyed import keyed
from tests.pi_app.sitting import Sitting
from tests.rules import draw

NESTS = "N,N,N,N/-/N,N,N,N/-"
BOARD = BoardMap("standard", "clockwise", "twelve", 0, ((), (), (), ()), (), None, None)


def thrown(*dice: Die) -> BoardScreen[str]:
    keys = keyed("NEXT: 2 of 5", "OK: go on")
    return BoardScreen(BOARD, 0, "A", dice, (), ("3 past C",), "5: nest →", "note", keys=keys)


def test_what_a_screen_says_has_the_dice_once_they_lie_and_the_notice_last() -> None:
    said = "A, {}5: nest →, 3 past C, note, NEXT: 2 of 5, OK: go on"
    assert screen_words(thrown(Die(5), Die(3))) == said.format("dice 5 and 3, ")
    assert screen_words(thrown(Die(5, tumbling=True))) == said.format("")


def test_of_a_menu_the_chosen_line_is_said() -> None:
    menu = TextScreen("menu", ("undo", "rules", "close"), keyed("OK: do it"), chosen=1)
    assert screen_words(menu) == "menu, rules, 2 of 3, OK: do it"


def test_of_the_seats_those_are_said_of_which_there_is_something_to_say() -> None:
    marks = (SeatMark(0, "joined"), SeatMark(1, NOTHING), SeatMark(2, "joined"))
    assert (
        screen_words(TextScreen("Who plays?", (), (), "hint", marks))
        == "Who plays? A joined, C joined, hint"
    )


class Listener:
    """Hears a table; `text` is what was spoken last."""

    def __init__(self, setup: Setup, seed: int = 1, settings: Settings = NO_SETTINGS) -> None:
        self.chance = Random(seed)
        self.before = SILENCE
        self.spoken: list[str] = []
        self.table = Sitting(setup, self._dice(), self._hear, settings)

    def _dice(self) -> Iterator[tuple[int, int]]:
        while True:
            yield self.chance.randint(1, 6), self.chance.randint(1, 6)

    def _hear(self, reply: Reply) -> None:
        said = speech_of(reply.session, reply.screen, ENGLISH)
        self.spoken += filter(None, [new_words(self.before, said)])
        self.before = said

    @property
    def text(self) -> str:
        return self.spoken[-1]

    @property
    def whole(self) -> str:
        """What was heard of the screen since it came up, as one who listens remembers it."""
        return join_lines(self.before.parts)

    def heard_since(self, count: int) -> list[str]:
        return self.spoken[count:]


def at_the_throw(*notices: str) -> Listener:
    one = Listener(Setup())
    one.table.resume(NESTS, 0)
    for notice in notices:
        one.table.tell(Notice(notice, message(notice), one.table.t))
    return one


def test_a_screen_is_spoken_once_though_it_blinks_and_its_keys_take_turns() -> None:
    one = at_the_throw()
    count = len(one.spoken)
    one.table.wait(50)
    assert (one.text, one.heard_since(count)) == ("A throws, press the dome, hold NEXT: menu", [])


def test_a_notice_is_spoken_once_and_whole_and_then_the_screen_again() -> None:
    one = at_the_throw()
    count = len(one.spoken)
    one.table.tell(Notice("chamber", message("chamber-alone"), 0.0))
    one.table.wait(50)
    assert one.heard_since(count) == [
        "dome rolled alone: does not count. Throw again, A throws, press the dome, hold NEXT: menu"
    ]


def test_each_press_out_of_turn_is_answered() -> None:
    one = at_the_throw()
    count = len(one.spoken)
    for _ in range(2):
        one.table.ok(2)
        one.table.wait(3)
    assert one.heard_since(count) == ["A's turn", "A's turn"]


def test_a_screen_that_goes_dark_says_so_and_speaks_again_when_it_wakes() -> None:
    one = at_the_throw()
    count, screen = len(one.spoken), one.text
    one.table.t += DARK_AFTER_S
    one.table.tell(Tick(one.table.t))
    one.table.dome()
    assert one.heard_since(count) == [ENGLISH.say(ASLEEP), screen]


def test_after_next_only_what_changed_is_said() -> None:
    one = Listener(Setup())
    one.table.dice = iter([(5, 3)])
    one.table.resume("30,12,N,N/-/N,N,N,N/-", 0)
    one.table.throw()
    first = one.text
    one.table.next(0)
    assert first.startswith("A moves, dice 5 and 3, 5: nest to A's entry, ")
    assert one.text == "2 of 3, 3: 13 past B to 16 past B"


def test_a_capture_is_said_after_a_pause() -> None:
    one = Listener(Setup())
    one.table.dice = iter([(6, 2)])
    one.table.resume("30,12,N,N/1,N,N,N/N,N,N,N/-", 0, "findler")
    one.table.throw()
    assert one.text.startswith("A moves, dice 6 and 2, 6: 12 past A to 1 past B, B to nest, NEXT: ")


def test_a_full_stop_is_no_pause_for_the_voice_and_gives_way() -> None:
    lines = ("Throw again.", "", "press the dome", "Who plays?", "of these:", "A, C,", "rest")
    assert join_lines(lines) == "Throw again, press the dome, Who plays? of these: A, C, rest"


def test_a_full_stop_after_a_number_gives_way_as_it_makes_an_ordinal_in_german() -> None:
    assert join_lines(("Ein Würfel gibt nie 14.", "weiter")) == "Ein Würfel gibt nie 14, weiter"


TWO_MARKS = re.compile(r"[.,;:?!] ?[.,;]")


def lines_of(screen: Screen) -> list[Text]:
    """Return the lines of a board's screen that begin a thought; a target is in the lead."""
    assert isinstance(screen, BoardScreen)
    has_target = isinstance(screen.lead, Message) and "target" in dict(screen.lead.slots)
    words = screen.words[1:] if has_target else screen.words[:1]
    return [screen.lead, *words, screen.note, screen.last]


@pytest.mark.parametrize("code", codes())
def test_a_pause_is_before_each_line_and_next_says_neither_who_nor_the_dice(code: str) -> None:
    drawn = Random(code)
    for preset in PRESETS:
        asked = draw.request(drawn, preset)
        table = Sitting(dice=[tuple(asked["throw"])])
        table.resume(asked["position"], asked["seat"], preset)
        table.throw()
        language = find_language(code)
        spoken = language.in_idioms(*table.session.idioms)
        before = speech_of(table.session, table.reply.screen, language)
        for _ in range(3):
            for line in lines_of(table.reply.screen):
                said = re.escape(spoken.say(line, "voice").rstrip("."))
                assert re.search(f"(^|[,:?!] ){said}", join_lines(before.parts))
            assert not TWO_MARKS.search(join_lines(before.parts)), join_lines(before.parts)
            table.next(asked["seat"])
            now = speech_of(table.session, table.reply.screen, language)
            if now.parts[0] == before.parts[0]:
                heard = new_words(before, now)
                assert now == before or not any(part in heard for part in now.parts[:2]), heard
            before = now


def test_the_target_of_a_step_is_in_the_form_that_the_language_asks_for() -> None:
    one = Listener(Setup())
    one.table.dice = iter([(5, 3)])
    one.table.resume("30,12,N,N/-/N,N,N,N/-", 0)
    one.table.throw()
    german, entry = find_language("de"), message("place-entry", seat=Seat(0))
    parts = screen_words(one.table.reply.screen, german).split(", ")
    assert parts[2].endswith(f" {german.say(entry, 'voice', 'to')}")
    assert parts[3].startswith("NEXT")


def bots_turn(one: Listener, thinks_s: float) -> list[str]:
    """Have a bot's dice thrown; return what is spoken until it has thought and a while longer."""
    one.table.advise = None
    one.table.dice = iter([(6, 3)])
    one.table.resume("20,N,N,N/N,N,N,N/3,N,N,N/-", 2, "findler")
    count = len(one.spoken)
    one.table.wait(2.0)
    one.table.dome()
    one.table.wait(0.5 + thinks_s)
    one.table.advise = answer_line
    one.table.tell(Tick(one.table.t))
    one.table.wait(5.0)
    return one.heard_since(count)


def test_a_bots_screen_is_said_once_and_not_while_it_thinks_for_a_moment() -> None:
    one = Listener(Setup(), settings=Settings({"box.C": "club"}))
    assert bots_turn(one, 0.3) == [
        "bot for seat C, dice 6 and 3, 6: 3 past C to 9 past C, OK: I moved it"
    ]


def test_a_bot_that_thinks_for_longer_says_so() -> None:
    one = Listener(Setup(), settings=Settings({"box.C": "club"}))
    thinks, chosen = bots_turn(one, 3.0)
    assert thinks == "bot for seat C, dice 6 and 3, thinks, hold NEXT: menu"
    assert chosen == "6: 3 past C to 9 past C, OK: I moved it"


def press(one: Listener) -> None:
    """Do what is heard, without a look at the table: on panels of one button, by chance."""
    one.table.wait(2.0)
    heard = one.whole
    first = re.search("(?:^|, )([A-D])(?: (?:throws|moves|passes|oh no!)|: )", heard)
    seat = "ABCD".index(first[1]) if first else 0
    if "press the dome" in heard:
        one.table.dome()
    elif "hold OK to throw" in heard:
        one.table.hold_ok(seat)
    else:
        assert "hold: " in heard, heard
        other = "tap: " in heard and (one.chance.random() < 0.4 or "open it" in heard)
        one.table.press(seat, "ok", 0.1 if other else 1.2)


@pytest.mark.slow
@pytest.mark.parametrize("dome", [True, False])
def test_a_one_button_panel_and_the_voice_are_enough_for_a_whole_game(dome: bool) -> None:
    one = Listener(Setup(next_buttons=(), dome=dome), seed=5)
    assert "tap: join" in one.text
    one.table.press(0, "ok")
    one.table.press(2, "ok")
    assert "C joined, A: hold to begin" in one.text
    one.table.press(0, "ok", 1.2)
    while "has won!" not in one.text:
        press(one)
    assert one.table.game.phase is Phase.OVER
    assert "refused" not in {tone.name for tone in one.table.tones}
    assert "hold: rematch" in one.text
