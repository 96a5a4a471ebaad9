"""All that the displays and the voice say is messages: in another language no word is English."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

import pytest

from pi_app.display.fitting import visible_notice
from pi_app.display.moment import FrameTime
from pi_app.model.screens import BoardMap, Increment, Message, Pattern, QrScreen, Text
from pi_app.table.core.speech import screen_words, speech_of
from pi_app.table.modes.menu.naming import GROUPS
from tests.pi_app.table.test_screens import LANGUAGES, LAST, PLAYED
from tests.pi_app.texts.pseudo import pseudo, stray_words

# What is the same in all languages: what people typed, hosts' names, a line of house rules, the
# letters that are chosen from, and the languages' own names.
HOSTS = (
    "pachisi.local",
    "raspberrypi.local",
    "parcheesi-table.fritz.example.org:65535",
    *("w" * 20, "w" * 4, "local"),  # the longest name comes in pieces
)
LINE = "royal-2023 to-win:1"
SAME_IN_ALL = ("LUC", "TOM", "WWW", *HOSTS, LINE, *GROUPS, *(one.name for one in LANGUAGES))
NO_TEXT = {Increment: {"state"}, QrScreen: {"scanned"}, Pattern: {"picture"}}


def texts(value: object) -> Iterator[Text]:
    """Yield each text of a screen."""
    if isinstance(value, Message | str):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from texts(one)
    elif is_dataclass(value) and not isinstance(value, BoardMap):
        for one in fields(value):
            if one.name not in NO_TEXT.get(type(value), ()):
                yield from texts(getattr(value, one.name))


def test_a_screen_of_play_and_what_is_heard_of_it_is_messages() -> None:
    language = pseudo()
    for name, play in PLAYED.items():
        table = play()
        reply = table.reply
        said = [language.say(text) for text in texts(reply.screen)]
        said.append(visible_notice(reply.motion, FrameTime(table.t, reply.motion.since), language))
        heard = speech_of(table.session, reply.screen, language)
        said += [*heard.parts, *heard.notices, heard.aside[0]]
        assert stray_words(" ".join(said), SAME_IN_ALL) == [], name


@pytest.mark.parametrize("name", LAST)
def test_a_page_that_stays_when_no_table_runs_is_messages(name: str) -> None:
    said = [pseudo().say(text) for text in texts(LAST[name])]
    assert stray_words(" ".join([*said, screen_words(LAST[name], pseudo())]), SAME_IN_ALL) == []
