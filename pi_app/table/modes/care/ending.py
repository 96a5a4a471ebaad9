"""The end of a game and of an evening: the questions, and switching off. Cuts no power."""

from dataclasses import dataclass, replace
from typing import ClassVar

from pi_app.model.screens import KeyHint, Message, Seat, Text, TextScreen, message
from pi_app.table.core.acting import act
from pi_app.table.core.gestures import OFF_S
from pi_app.table.core.state import Change, Mode, Session
from pi_app.table.modes.care.moving_back import put_back
from pi_app.table.modes.menu.menu import Confirm
from pi_app.table.telling.last_pages import SWITCHING_OFF
from pi_app.texts.words import ORDINALS, question_title
from rules.actions import End, PlayOn
from rules.game import Game


@dataclass(frozen=True, slots=True)
class ConfirmEnd(Confirm):
    too_short: ClassVar[Message] = message("hold-to-end")

    def hold_ok(self, session: Session, seat: int) -> Change:
        return act(session, End())

    def screen(self, session: Session) -> TextScreen[Text]:
        title = question_title(self.driver, message("ask-end-game"))
        return TextScreen(title, (message("game-ends"),), self.keys(session, message("do-end")))


def play_on_screen(game: Game, keys: tuple[KeyHint[Text], ...]) -> TextScreen[Text]:
    left = tuple(Seat(seat) for seat in game.seats if seat not in game.places)
    place = message("play-on-for", ordinal=ORDINALS[len(game.places)])
    return TextScreen(message("ask-play-on"), (place, message("they-play-on", seats=left)), keys)


@dataclass(frozen=True, slots=True)
class ConfirmPlayOn(Confirm):
    """Asks before the others play on after a win. No menu has opened it."""

    too_short: ClassVar[Message] = message("hold-to-play-on")

    def go_back(self, session: Session) -> Change:
        return self.menu_before.close(session)

    def hold_ok(self, session: Session, seat: int) -> Change:
        return put_back(session, act(session, PlayOn()), PlayOn())

    def screen(self, session: Session) -> TextScreen[Text]:
        shown = play_on_screen(session.playing.game, self.keys(session, message("do-play-on")))
        return replace(shown, title=question_title(self.driver, message("ask-play-on")))


@dataclass(frozen=True, slots=True)
class ConfirmOff(Confirm):
    """Asks before the referee is switched off. OK must be held for 3 s."""

    too_short: ClassVar[Message] = message("hold-to-switch-off")
    hold_ok_s: ClassVar[float] = OFF_S

    def hold_ok(self, session: Session, seat: int) -> Change:
        return session.lead_to(SwitchingOff())

    def screen(self, session: Session) -> TextScreen[Text]:
        title = question_title(self.driver, message("ask-off"))
        return TextScreen(title, (message("game-is-kept"),), self.keys(session, message("do-off")))


@dataclass(frozen=True, slots=True)
class SwitchingOff(Mode):
    """The referee is switching off. Presses no longer count."""

    off: ClassVar[bool] = True

    def joined(self, session: Session) -> tuple[int, ...]:
        return ()

    def whose(self, session: Session) -> str:
        return ""

    def dome(self, session: Session) -> Change:
        return Change(session)

    def screen(self, session: Session) -> TextScreen[Text]:
        return SWITCHING_OFF


def countdown_screen(seconds: int) -> TextScreen[Text]:
    """Return the screen during the hold that switches off. seconds: how long it must still last."""
    let_go = KeyHint(message("press-let-go"), message("do-no"))
    return TextScreen(message("ask-switch-off"), (), (let_go,), large=str(seconds))
