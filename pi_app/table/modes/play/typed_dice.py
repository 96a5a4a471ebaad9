"""Players throw real dice and type the faces in: of one throw, from the menu, or of each throw."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from pi_app.model.screens import BoardScreen, KeyHint, Seat, Text, message, show_throw, table_map
from pi_app.table.core.state import SEATS, Change, Lamps, Mode, Session, ToGame, lamps
from pi_app.table.modes.menu.menu import FromMenu
from pi_app.table.modes.play.last_round import with_last_round
from pi_app.table.modes.play.showing_throw import record_throw
from pi_app.texts.words import STARTER_RULES, keys
from rules.actions import Throw
from rules.game import Game, Phase
from rules.history import TYPED, Retype
from rules.ruleset import LOTS

FACES = 6
MENU_FACE = 7  # on a one-button panel the menu follows the last face
COUNT_DOWN = KeyHint(message("press-dome"), message("do-count-down"))
DIE_NAMES = (message("first-die"), message("second-die"))
STEPPED_OK_S = 0.4  # after the dome has stepped back, OK does not count for so long,
STEPPED_THROW_S = 1.0  # and the dome does not throw


@dataclass(frozen=True, slots=True)
class TypedDice:
    """The dice typed in so far."""

    dice: int  # how many there are to type
    faces: tuple[int, ...] = ()  # of the first ones
    face: int = 1  # shown for the next one
    first: int = 1  # the face that is shown first, 0 of cowries

    @property
    def is_at_menu(self) -> bool:
        """Whether a one-button panel has come to the menu, past the last face."""
        return self.face == MENU_FACE

    def count_up(self, only: bool) -> TypedDice:
        """Return the dice with the next face shown. only: the panel has one button."""
        # Of a bot's dice, another panel may have come to the menu.
        is_last = self.face >= (MENU_FACE if only else FACES)
        return replace(self, face=self.first if is_last else self.face + 1)

    def count_down(self) -> TypedDice:
        """Return the dice with the face before shown, which never leads to the menu."""
        return replace(self, face=FACES if self.face == self.first else self.face - 1)

    def confirm_face(self) -> TypedDice:
        """Return the dice with the shown face typed in."""
        return replace(self, faces=(*self.faces, self.face), face=self.first)

    def screen(self, session: Session, game: Game, driver: int) -> BoardScreen[Text]:
        """Return the screen for the driver's panel. game: in which the throw is made."""
        faces = self.faces if self.is_at_menu else (*self.faces, self.face)
        die = DIE_NAMES[len(self.faces)] if self.dice > 1 else message("the-die")
        if game.ruleset.throws_shells:
            die = message("mouths-up", count=self.face)
        does_ok = message("do-open-it") if self.is_at_menu else message("do-go-on")
        hints = keys(session.setup.has_one_button(driver), message("do-count-up"), does_ok)
        return BoardScreen(
            board=table_map(game, still=True, seat=driver),
            seat=game.seat,
            heading=session.seats.turn_heading(game.seat, message("throws", seat=Seat(game.seat))),
            dice=show_throw(game.ruleset, faces),
            words=(message("menu") if self.is_at_menu else die,),
            keys=(*hints, COUNT_DOWN) if dome_steps_back(session) else hints,
        )


def nothing_typed(game: Game) -> TypedDice:
    """Return the dice or shells of a game's next throw before any of them is typed in."""
    first = min(LOTS[game.ruleset.lots])
    return TypedDice(game.dice, face=first, first=first)


def dome_steps_back(session: Session) -> bool:
    """Whether the dome can step back or count down: a chamber that throws by itself can't."""
    return session.dome and not (session.setup.rolls and session.lit)


def step_back(session: Session, mode: Mode) -> Change:
    """Return the change of a press of the dome that steps back, or counts down, to a mode.

    A second press by mistake throws nothing, and an OK already held confirms nothing.
    """
    return session.lead_to(
        mode,
        pressed=session.playing.game.seat,
        ok_deaf=(session.t + STEPPED_OK_S,) * len(SEATS),
        throws_from=session.t + STEPPED_THROW_S,
        fingers=session.fingers.spend(),
    )


class CountingFaces(Mode):
    """NEXT counts a die's face up, the dome counts it down, and both go round."""

    __slots__ = ()
    typed: TypedDice

    def count(self, session: Session, typed: TypedDice) -> Mode:
        """Return the mode with these dice, after a press."""
        raise NotImplementedError

    def next(self, session: Session, seat: int) -> Change:
        typed = self.typed.count_up(session.setup.has_one_button(seat))
        return session.lead_to(self.count(session, typed))

    def dome(self, session: Session) -> Change:
        if not dome_steps_back(session):
            return session.refuse(message("type-in-real-dice"))
        if session.t < session.deaf_until:
            return Change(session)
        return step_back(session, self.count(session, self.typed.count_down()))

    def dome_counts_from(self, session: Session) -> float | None:
        return session.deaf_until if dome_steps_back(session) else None


@dataclass(frozen=True, slots=True)
class Typing(CountingFaces, FromMenu):
    """OK goes on to the next die. The last OK makes the throw."""

    typed: TypedDice
    retypes: bool = False  # the last throw is typed in once more, to correct it

    def ok(self, session: Session, seat: int) -> Change:
        if self.typed.is_at_menu:
            return self.go_back(session)
        typed = self.typed.confirm_face()
        if len(typed.faces) < typed.dice:
            return session.lead_to(self.count(session, typed))
        if self.retypes:
            return record_throw(session, Retype(typed.faces), None)
        return record_throw(session, Throw(typed.faces), TYPED)

    def count(self, session: Session, typed: TypedDice) -> Typing:
        return self.touched(session, typed=typed)

    def screen(self, session: Session) -> BoardScreen[Text]:
        record = session.playing
        game = record.past[-1].before if self.retypes else record.game
        return self.typed.screen(session, game, self.driver)


@dataclass(frozen=True, slots=True)
class TypingEach(CountingFaces):
    """Whoever plays the seat types each throw in. The last OK makes the throw."""

    typed: TypedDice
    since: float  # when this screen came up
    news: Text = ""  # shown until the first press, as `last`
    last: Text = ""

    runs_clocks: ClassVar[bool] = True

    def drivers(self, session: Session) -> tuple[int, ...]:
        return session.seats.panels_of(session.playing.game.seat)

    def whose(self, session: Session) -> Text:
        seat = session.playing.game.seat
        if session.seats.has_bot(seat):
            return message("bot-for", who=Seat(seat))
        return message("types-the-dice", seat=Seat(self.drivers(session)[0]))

    def may_press(self, session: Session, seat: int) -> bool:
        return session.seats.may_press_for(session.playing.game.seat, seat)

    def ok(self, session: Session, seat: int) -> Change:
        if self.typed.is_at_menu:
            return self.menu(session, seat)
        typed = self.typed.confirm_face()
        if len(typed.faces) < typed.dice:
            return session.lead_to(self.count(session, typed))
        return record_throw(session, Throw(typed.faces), TYPED)

    def count(self, session: Session, typed: TypedDice) -> TypingEach:
        return TypingEach(typed, session.t)

    def screen(self, session: Session) -> BoardScreen[Text]:
        game = session.playing.game
        shown = self.typed.screen(session, game, session.seats.facing_seat(game.seat))
        if self.typed.is_at_menu:
            return shown
        return replace(shown, note=with_last_round(session, self.news), last=self.last)

    def lamps(self, session: Session) -> Lamps:
        return lamps(self.drivers(session), blink=session.late)

    def shown_since(self, session: Session) -> float:
        return self.since

    def pass_time(self, session: Session) -> Change:
        if types_every_throw(session):
            return Change(session)
        return session.lead_to(ToGame(self.news, self.last))

    def resting(self, session: Session) -> bool:
        return self.typed == nothing_typed(session.playing.game)


def awaits_throw(session: Session) -> bool:
    """Whether the next throw must still be made; one that was made before is ready instead."""
    return session.phase in (Phase.ORDER, Phase.THROW) and session.ready is None


def types_every_throw(session: Session) -> bool:
    """Whether the next throw must be made, and this game has real dice."""
    return session.settings.typed and awaits_throw(session)


def type_throw(session: Session, news: Text, last: Text) -> TypingEach:
    """Return the mode in which the next throw is typed in."""
    game = session.playing.game
    rule = STARTER_RULES[game.ruleset.starter] if game.phase is Phase.ORDER else ""
    return TypingEach(nothing_typed(game), session.t, news or rule, last)
