"""The newest state of the simulated table, as its tabs are told it. Holds no connection."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any, NamedTuple

from pi_app.devices.buzzer import Note, tune
from pi_app.input.events import Button
from pi_app.public.state import table_state
from pi_app.simulate.glass import DummyDisplay
from pi_app.simulate.hands import Hands, button_name
from pi_app.table.core.speech import speech_of
from pi_app.table.core.state import Session
from pi_app.table.modes.play.typing import Typing
from pi_app.table.modes.play.typing_each import TypingEach
from pi_app.table.session import Reply
from pi_app.texts.language import Language
from pi_app.web.drawing import draw_state


class SpokenWords(NamedTuple):
    """A screen's words for a screen reader, and how many times there were words to be said."""

    words: str = ""
    times: int = 0

    def then(self, words: str, anew: bool) -> SpokenWords:
        """Return what is said next; `anew`: even where a press led back to the same words.

        Of a screen that stands for a moment only there are no words: the last ones stay.
        """
        if not words:
            return self
        return SpokenWords(words, self.times + (anew or words != self.words))


class PageState:
    """Keeps the newest reply; a tab that asks gets it with each display's pixels and the fingers.

    `watch` is called by the deciding thread, `text` by the page's; `changed` is told of news.
    """

    def __init__(self, hands: Hands, *glasses: DummyDisplay, language: Language) -> None:
        self.changed: Callable[[], None] = lambda: None
        self._hands = hands
        self._glasses = glasses
        self._language = language
        self._reply: Reply | None = None
        self._tones: tuple[int, tuple[Note, ...]] = (0, ())
        self._says = SpokenWords()
        for glass in glasses:
            glass.changed = self._say

    def watch(self, reply: Reply) -> None:
        """Take the newest reply; what only moves a lamp on is no news."""
        before, self._reply = self._reply, reply
        pressed = before is not None and before.session.mode != reply.session.mode
        said = speech_of(reply.session, reply.screen, self._language)
        self._says = self._says.then(said.words, pressed)
        if reply.tones:
            notes = tuple(note for tone in reply.tones for note in tune(tone))
            self._tones = (self._tones[0] + 1, notes)
        if reply.tones or before is None or _shown(reply) != _shown(before):
            self.changed()

    def text(self) -> str:
        """Return the state as the line of JSON that a tab is sent."""
        table = {} if self._reply is None else _told(self._reply, self._language)
        count, notes = self._tones
        tones = {"count": count, "notes": notes}
        fingers = {"buttons": self._hands.buttons, "held": self._hands.held}
        says = {"words": self._says.words, "times": self._says.times}
        told = {"says": says, "tones": tones, "frames": list(map(_frame, self._glasses))}
        return json.dumps({**table, **fingers, **told})

    def _say(self) -> None:
        self.changed()


def _frame(glass: DummyDisplay) -> str:
    image = glass.seen
    return base64.b64encode(image.tobytes()).decode() if image is not None else ""


def _shown(reply: Reply) -> tuple[object, ...]:
    """Return all that the page shows of a reply."""
    session = reply.session
    return reply.screen, reply.motion, reply.lamps, reply.glow, session.mode, session.record


def _told(reply: Reply, language: Language) -> dict[str, Any]:
    asked = die_to_type(reply.session, awake=reply.glow.level != "dark")
    return {
        **draw_state(reply, table_state(reply, language)),
        "lamps": reply.lamps,
        "asides": side_texts(reply.session, language),
        "typing": asked,
    }


def die_to_type(session: Session, awake: bool) -> dict[str, Any] | None:
    """Return the die that the table asks somebody to type, None while it asks for none.

    throw: which throw of the game. die, dice: which die of how many, from 0. face: the face shown,
    7 for the menu of a one-button panel. awake: the screen is lit, so that a press does more than
    wake it. count, confirm: the buttons that go on to the next face and that take this one; a panel
    with one button has it tapped to count and held to confirm.
    """
    mode = session.mode
    if not isinstance(mode, Typing | TypingEach):
        return None
    seat, typed = mode.drivers(session)[0], mode.typed
    confirm = button_name(Button(seat, "ok"))
    return {
        "throw": session.playing.game.throws,
        "die": len(typed.faces),
        "dice": typed.dice,
        "face": typed.face,
        "awake": awake,
        "count": confirm if session.only(seat) else button_name(Button(seat, "next")),
        "confirm": confirm,
    }


def side_texts(session: Session, language: Language) -> list[tuple[str, str]]:
    """Return what is said beside the screen's words, each under a key that only it has."""
    notices = [language.say(text, "page") for _, text in session.notices]
    said = [(notice, notice) for notice in notices]
    if session.whisper is not None:
        said.append((str(session.whisper.until), language.say(session.whisper.text, "page")))
    return said
