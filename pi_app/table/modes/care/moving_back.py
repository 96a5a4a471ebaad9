"""Undo has moved pawns on the table that still stand elsewhere on the board: back by hand."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pi_app.input.events import Tone
from pi_app.screens.screen import BoardScreen, ByHand, Seat, Text, message, moved_pawns, table_map
from pi_app.table.core.state import Change, Lamps, Mode, Session, ToGame, lamps
from pi_app.texts.words import choice_keys, place_words, position_in_list
from rules.board import NEST
from rules.history import Record
from rules.position import Position

TO_GAME = ToGame()


@dataclass(frozen=True, slots=True)
class MovingBack(Mode):
    """Undo has moved pawns: each is shown to be moved back by hand, OK goes on to what follows."""

    moves: tuple[ByHand, ...]
    since: float
    following: Mode
    index: int = 0

    def drivers(self, session: Session) -> tuple[int, ...]:
        return session.people()

    def whose(self, session: Session) -> Text:
        return message("pawns-go-back-first")

    def ok(self, session: Session, seat: int) -> Change:
        if self.index + 1 == len(self.moves):
            record = replace(session.playing, displaced=None)
            after = session.into(self.following, record=record)
            return Change(after, tones=(Tone(seat, "press"),))
        return self.next(session, seat)

    def next(self, session: Session, seat: int) -> Change:
        following = (self.index + 1) % len(self.moves)
        return Change(session.into(replace(self, index=following, since=session.t)))

    def screen(self, session: Session) -> BoardScreen[Text]:
        game = session.playing.game
        seat, origin, target, _ = self.moves[self.index]
        layout = game.ruleset.layout
        shown = table_map(game, (seat, origin), (seat, target))
        nth = position_in_list(self.index, len(self.moves))
        pawns = session.called(seat)
        note: Text = nth if len(self.moves) > 1 else pawns
        if pawns and note is nth:
            note = message("pawns-and-nth", pawns=pawns, nth=nth)
        return BoardScreen(
            board=replace(shown, hand="moved"),
            seat=seat,
            heading=message("put-back"),
            dice=(),
            increments=(),
            words=(place_words(layout, seat, target),),
            lead=message("pawn-from", seat=Seat(seat), origin=place_words(layout, seat, origin)),
            note=note,
            keys=choice_keys(session.only(game.seat), 0, 1, message("do-moved")),
        )

    def lamps(self, session: Session) -> Lamps:
        return lamps(self.drivers(session), blink=(self.moves[self.index].seat,))

    def shown_since(self, session: Session) -> float:
        return self.since


def _as_if_in_nests(before: Position, now: Position) -> Position:
    """Return where pawns stood, those that were off the board put into their nests."""
    a, b, c, d = (was or (NEST,) * len(pawns) for was, pawns in zip(before, now, strict=True))
    return a, b, c, d


def resume_after_undo(session: Session, record: Record, following: Mode = TO_GAME) -> Session:
    """Put a game on the table, after the pawns that undo has moved are shown to be put back.

    following: what comes then.
    """
    now = record.game.position
    moves = moved_pawns(_as_if_in_nests(record.displaced or now, now), now)
    return session.into(
        MovingBack(moves, session.t, following) if moves else following, record=record
    )
