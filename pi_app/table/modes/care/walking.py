"""Walking the pawns: the map shows each place with pawns, to compare with the board."""

from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from pi_app.model.events import Resume
from pi_app.model.screens import BoardScreen, Seat, Text, TextScreen, message, table_map
from pi_app.table.core.advice import BOARD_PHASES
from pi_app.table.core.state import Change, Mode, Session, ToGame
from pi_app.table.modes.care.correcting import Placing, draft_of
from pi_app.table.modes.care.moving_back import TO_GAME, resume_after_undo
from pi_app.table.modes.menu.menu import Looking, Menu, OnePanel
from pi_app.texts.words import comma_list, keys, place_words, position_in_list
from rules.actions import Correct, Move
from rules.board import NEST, board
from rules.game import Game


class WalkStop(NamedTuple):
    """A place and how many pawns of a seat are there."""

    seat: int
    place: int
    pawns: int


def walk_stops(game: Game) -> tuple[WalkStop, ...]:
    """Return the places with pawns: seat by seat, each along its way from the nest."""
    return tuple(
        WalkStop(seat, place, game.position[seat].count(place))
        for seat in game.seats
        for place in dict.fromkeys(reversed(game.position[seat]))
    )


def sharing_seats(game: Game, stop: WalkStop) -> tuple[Seat, ...]:
    layout = board(game.ruleset.layout)
    space = layout.space(stop.seat, stop.place)
    others = [seat for seat in game.seats if seat != stop.seat and space is not None]
    spaces = {seat: {layout.space(seat, place) for place in game.position[seat]} for seat in others}
    return tuple(Seat(seat) for seat in others if space in spaces[seat])


@dataclass(frozen=True, slots=True)
class Comparing(Looking):
    """Asks whether the board looks like the map. OK returns to the game, NEXT starts the walk."""

    def ok(self, session: Session, seat: int) -> Change:
        return self.menu_before.close(session)

    def next(self, session: Session, seat: int) -> Change:
        walk = walk_stops(session.playing.game)
        return session.lead_to(Walking(self.touched_menu(session), walk))

    def screen(self, session: Session) -> BoardScreen[Text]:
        return BoardScreen(
            board=table_map(session.playing.game, still=True, seat=self.driver),
            seat=self.driver,
            heading=message("looks", seat=Seat(self.driver)),
            words=(message("all-as-on-the-map"),),
            keys=keys(self.has_one_button(session), message("do-look"), message("do-yes")),
        )


@dataclass(frozen=True, slots=True)
class Walking(Looking):
    """OK goes on to the next stop; NEXT corrects the one that is shown.

    On a one-button panel a tap goes on, because there are many stops, and a hold corrects.
    """

    quick: ClassVar[bool] = True
    walk: tuple[WalkStop, ...]
    index: int = 0

    def ok(self, session: Session, seat: int) -> Change:
        return self._correct(session) if self.has_one_button(session) else self._go_on(session)

    def next(self, session: Session, seat: int) -> Change:
        return self._go_on(session) if self.has_one_button(session) else self._correct(session)

    def _go_on(self, session: Session) -> Change:
        if self.index + 1 == len(self.walk):
            return self.menu_before.close(session)
        return session.lead_to(self.touched(session, index=self.index + 1))

    def _correct(self, session: Session) -> Change:
        stop = self.walk[self.index]
        menu = self.touched_menu(session)
        placing = Placing(menu, draft_of(session.playing.game), stop.seat)
        return session.lead_to(placing.choose_pawn(session, stop.place))

    def screen(self, session: Session) -> BoardScreen[Text]:
        game, stop, only = session.playing.game, self.walk[self.index], self.has_one_button(session)
        correct, go_on = message("do-correct"), message("do-yes-go-on")
        place = place_words(game.ruleset, stop.seat, stop.place)
        others = sharing_seats(game, stop)
        note = (message("shares-with", seats=others),) if others else ()
        return BoardScreen(
            board=table_map(game, (stop.seat, stop.place), seat=self.driver),
            seat=stop.seat,
            heading=message("has", seat=Seat(stop.seat)),
            words=(message("pawns-on", count=stop.pawns, place=place),),
            lead=session.seats.pawns_name(stop.seat),
            note=comma_list((*note, position_in_list(self.index, len(self.walk)))),
            keys=keys(True, go_on, correct) if only else keys(False, correct, go_on)[::-1],
        )


@dataclass(frozen=True, slots=True)
class AskingWalk(Mode):
    """Asks whether to walk the pawns: OK begins, NEXT plays on. Correcting leads to `back_menu`."""

    back_menu: Menu

    def drivers(self, session: Session) -> tuple[int, ...]:
        return self.joined(session)

    def whose(self, session: Session) -> Text:
        return message("ask-walk")

    def ok(self, session: Session, seat: int) -> Change:
        menu = replace(self.back_menu, driver=seat, touched_at=session.t)
        return session.lead_to(Comparing(menu), pressed=seat)

    def next(self, session: Session, seat: int) -> Change:
        return session.lead_to(ToGame(), pressed=seat)

    def screen(self, session: Session) -> TextScreen[Text]:
        only = self.has_one_button(session)
        hints = keys(only, message("do-play-on"), message("do-look"))
        return TextScreen(message("ask-walk-the-pawns"), (message("i-was-off"),), hints)

    def resting(self, session: Session) -> bool:
        return True


def asks_walk(mode: Mode) -> bool:
    """Whether the question is open, on the screen or behind a menu."""
    while isinstance(mode, OnePanel):
        mode = mode.root.back
    return isinstance(mode, AskingWalk)


def resume_game(session: Session, event: Resume, menu: type[Menu]) -> Change:
    """Put a game on the table. menu: the class of the menu to which a walk of the pawns returns."""
    game = event.record.game
    may_have_moved = any(place != NEST for pawns in game.position for place in pawns) or any(
        isinstance(done.action, Move | Correct) for done in event.record.past
    )
    next_mode: Mode = TO_GAME
    if event.walk and game.phase in BOARD_PHASES and may_have_moved:
        next_mode = AskingWalk(menu(game.seat, TO_GAME, session.t))
    return Change(resume_after_undo(session, event.record, next_mode))
