"""Walking the pawns: each place with pawns in turn, to be compared with the cardboard.

After a start that finds the table to have been away, players are asked whether they want to.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from pi_app.input.events import Resume, Tone
from pi_app.screens.screen import BoardScreen, Message, Seat, Text, TextScreen, message, table_map
from pi_app.table.core.state import Change, Mode, Session
from pi_app.table.modes.care.correcting import Placing, draft_of
from pi_app.table.modes.care.moving_back import TO_GAME, resume_after_undo
from pi_app.table.modes.menu.menu import LOOK_S, FromMenu, Menu
from pi_app.texts.words import keys, place_words, position_in_list
from rules.actions import Correct, Move
from rules.board import NEST
from rules.game import Game, Phase
from rules.history import Record

STANDING = (Phase.THROW, Phase.MOVE, Phase.PENALTY)


class WalkStop(NamedTuple):
    """One place with the pawns of a seat that stand there."""

    seat: int
    place: int
    pawns: int


def walk_stops(game: Game) -> tuple[WalkStop, ...]:
    """Return the places with pawns seat by seat, each seat's along its way from the nest."""
    return tuple(
        WalkStop(seat, place, game.position[seat].count(place))
        for seat in game.seats
        for place in dict.fromkeys(reversed(game.position[seat]))
    )


@dataclass(frozen=True, slots=True)
class Comparing(FromMenu):
    """Is all as on the map? OK says yes and goes back to the game, NEXT goes through the places."""

    stays_s: ClassVar[float] = LOOK_S

    def ok(self, session: Session, seat: int) -> Change:
        return self.menu_before.close(session)

    def next(self, session: Session, seat: int) -> Change:
        walk = walk_stops(session.playing.game)
        return Change(session.into(Walking(self.touched_menu(session), walk)))

    def screen(self, session: Session) -> BoardScreen[Text]:
        driver = self.menu_before.driver
        return BoardScreen(
            board=replace(table_map(session.playing.game, None, None, still=True), seat=driver),
            seat=driver,
            heading=message("looks", seat=Seat(driver)),
            dice=(),
            increments=(),
            words=(message("all-as-on"), message("the-map")),
            keys=keys(session.only(driver), message("do-look"), message("do-yes")),
        )


@dataclass(frozen=True, slots=True)
class Walking(FromMenu):
    """OK goes from stop to stop, as quickly as it is tapped; NEXT corrects the one shown.

    With one button a tap goes on, since there are many stops, and a hold corrects.
    """

    quick: ClassVar[bool] = True
    stays_s: ClassVar[float] = LOOK_S

    walk: tuple[WalkStop, ...]
    index: int = 0

    def ok(self, session: Session, seat: int) -> Change:
        return self._correct(session) if session.only(seat) else self._go_on(session)

    def next(self, session: Session, seat: int) -> Change:
        return self._go_on(session) if session.only(seat) else self._correct(session)

    def _go_on(self, session: Session) -> Change:
        if self.index + 1 == len(self.walk):
            return self.menu_before.close(session)
        menu = self.touched_menu(session)
        return Change(session.into(replace(self, menu_before=menu, index=self.index + 1)))

    def _correct(self, session: Session) -> Change:
        stop = self.walk[self.index]
        menu = self.touched_menu(session)
        placing = Placing(menu, draft_of(session.playing.game), stop.seat)
        return Change(session.into(placing.leaving(session, stop.place)))

    def screen(self, session: Session) -> BoardScreen[Text]:
        game, stop, driver = session.playing.game, self.walk[self.index], self.menu_before.driver
        only, correct, go_on = session.only(driver), message("do-correct"), message("do-yes-go-on")
        shown = table_map(game, (stop.seat, stop.place), None)
        return BoardScreen(
            board=replace(shown, seat=driver),
            seat=stop.seat,
            heading=message("has", seat=Seat(stop.seat)),
            dice=(),
            increments=(),
            words=(message("pawns", count=stop.pawns), _at(game, stop)),
            lead=session.called(stop.seat),
            note=position_in_list(self.index, len(self.walk)),
            keys=keys(True, go_on, correct) if only else keys(False, correct, go_on)[::-1],
        )


def _at(game: Game, stop: WalkStop) -> Message:
    return place_words(game.ruleset.layout, stop.seat, stop.place)


@dataclass(frozen=True, slots=True)
class WalkAsked(Mode):
    """Players are asked to walk the pawns: any panel's OK begins it there, NEXT goes on playing.

    to: the menu that correcting goes back to.
    """

    to: Menu

    def drivers(self, session: Session) -> tuple[int, ...]:
        return self.joined(session)

    def whose(self, session: Session) -> Text:
        return message("ask-walk")

    def ok(self, session: Session, seat: int) -> Change:
        menu = replace(self.to, driver=seat, touched=session.t)
        return Change(session.into(Comparing(menu)), tones=(Tone(seat, "press"),))

    def next(self, session: Session, seat: int) -> Change:
        return Change(session.at_rest(), tones=(Tone(seat, "press"),))

    def screen(self, session: Session) -> TextScreen[Text]:
        only = all(session.only(seat) for seat in self.drivers(session))
        does = keys(only, message("do-play-on"), message("do-look"))
        return TextScreen(message("ask-walk-the-pawns"), (message("i-was-off"),), does)

    def resting(self, session: Session) -> bool:
        return True


def is_asked(mode: Mode) -> bool:
    """Whether the question is open, on the screen or under a menu that is."""
    while isinstance(mode, Menu | FromMenu):
        mode = mode.back if isinstance(mode, Menu) else mode.menu_before
    return isinstance(mode, WalkAsked)


def resume_game(session: Session, event: Resume, menu: type[Menu]) -> Change:
    """Put a game in progress on the table, pawns that undo has moved to be put back first.

    menu: the one that a walk of the pawns can lead to.
    """
    asked = event.walk and _has_moved(event.record)
    following = WalkAsked(menu(event.record.game.seat, TO_GAME, session.t)) if asked else TO_GAME
    return Change(resume_after_undo(session, event.record, following))


def _has_moved(record: Record) -> bool:
    """Whether there may be a pawn that does not stand where everybody knows: in its nest."""
    if record.game.phase not in STANDING:
        return False
    out = any(place != NEST for pawns in record.game.position for place in pawns)
    return out or any(isinstance(done.action, Move | Correct) for done in record.past)
