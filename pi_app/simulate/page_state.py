"""The newest state of the simulated table, as JSON for its pages."""

import base64
import json
from collections.abc import Callable
from typing import Any

from pi_app.devices.buzzer import Note, tune
from pi_app.model.events import Button, Kind
from pi_app.simulate.glass import DummyDisplay
from pi_app.simulate.hands import button_name
from pi_app.simulate.touches import Touches
from pi_app.table.core.speech import join_lines, speech_of, with_pauses
from pi_app.table.core.state import Session
from pi_app.table.modes.play.typed_dice import Typing, TypingEach
from pi_app.table.session import Reply
from pi_app.texts.language import COWRIES, ENGLISH, Language
from pi_app.web.spectator_state import looks_the_same, spectator_state
from pi_app.web.state import say_all, table_state


class PageState:
    """Keeps the newest reply, and gives it with the displays' pixels and the pressed buttons.

    The deciding thread calls `watch`, the page's thread calls the others. `changed` is called for
    each change, `changed_for_spectators` for each one that spectators see.
    """

    def __init__(self, touches: Touches, *displays: DummyDisplay) -> None:
        self.changed: Callable[[], None] = lambda: None
        self.changed_for_spectators: Callable[[], None] = lambda: None
        self._touches = touches
        self._displays = displays
        self._reply: Reply | None = None
        self._tones: tuple[int, tuple[Note, ...]] = (0, ())
        # The last screen with words, these in English, and how many there have been to read so far.
        self._spoken: tuple[Reply | None, str, int] = (None, "", 0)
        for display in displays:
            display.changed = self._report_change

    def watch(self, reply: Reply) -> None:
        """Take the newest reply. A lamp's blinking alone is not a change."""
        before, self._reply = self._reply, reply
        if words := join_lines(speech_of(reply.session, reply.screen, ENGLISH).parts):
            _, read, times = self._spoken
            is_pressed = before is not None and before.session.mode != reply.session.mode
            self._spoken = (reply, words, times + (is_pressed or words != read))
        if reply.tones:
            notes = tuple(note for tone in reply.tones for note in tune(tone))
            self._tones = (self._tones[0] + 1, notes)
        if reply.tones or before is None or _shown(reply) != _shown(before):
            self.changed()
        if before is None or not looks_the_same(before, reply):
            self.changed_for_spectators()

    def spectators_text(self, language: Language) -> str:
        """Return the state for spectators as a line of JSON, in a language."""
        assert self._reply is not None  # a table has its first screen before a page
        return json.dumps(say_all(spectator_state(self._reply), language))

    def text(self, language: Language) -> str:
        """Return the state as a line of JSON, in a language."""
        table: dict[str, Any] = {}
        if (reply := self._reply) is not None:
            is_dark = reply.glow.level == "dark"
            table = {
                **say_all(table_state(reply), language),
                "lamps": [
                    lamp if seat in reply.session.setup.lamps else ""
                    for seat, lamp in enumerate(reply.lamps)
                ],
                "asides": side_texts(reply.session, language),
                "turns": reply.session.record.game.turns if reply.session.record else 0,
                "thrown": COWRIES if COWRIES in reply.session.idioms else "dice",
                "dark": is_dark,
                "typing": die_to_type(reply.session, awake=not is_dark),
            }
        count, notes = self._tones
        tones = {"count": count, "notes": notes}
        fingers = {"buttons": self._touches.buttons, "held": self._touches.held}
        read, _, times = self._spoken
        parts = () if read is None else speech_of(read.session, read.screen, language).parts
        says = {"parts": with_pauses(parts), "times": times}
        frames = [base64.b64encode(display.pixels).decode() for display in self._displays]
        return json.dumps({**table, **fingers, "says": says, "tones": tones, "frames": frames})

    def _report_change(self) -> None:
        self.changed()  # the server sets it later


def _shown(reply: Reply) -> tuple[object, ...]:
    session = reply.session
    return reply.screen, reply.motion, reply.lamps, reply.glow, session.mode, session.record


def die_to_type(session: Session, awake: bool) -> dict[str, Any] | None:
    """Return the die that a player must type now; None if there is none.

    awake: whether the display is lit; if not, a press only wakes it.
    """
    mode = session.mode
    if not isinstance(mode, Typing | TypingEach):
        return None
    seat, typed = mode.drivers(session)[0], mode.typed
    confirm = button_name(Button(seat, "ok"))
    to_count: Kind = "ok" if session.setup.has_one_button(seat) else "next"
    return {
        "throw": session.playing.game.throws,  # its number in the game
        "die": len(typed.faces),  # its index among the dice
        "dice": typed.dice,  # how many there are
        "first": typed.first,  # the lowest face, 0 of cowries
        "face": typed.face,  # on the display; 7 is the menu of a one-button panel
        "awake": awake,
        # A one-button panel has one button for both: a tap counts, a hold confirms.
        "count": button_name(Button(seat, to_count)),
        "confirm": confirm,
    }


def side_texts(session: Session, language: Language) -> list[tuple[str, str]]:
    """Return the texts beside the screen, each with a key by which the page recognises it."""
    notices = [language.say(text, "page") for _, text in session.notices]
    texts = [(notice, notice) for notice in notices]
    if session.whisper is not None:
        texts.append((str(session.whisper.until), language.say(session.whisper.text, "page")))
    return texts
