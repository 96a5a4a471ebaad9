"""Undo has moved pawns on the table that still stand elsewhere on the board: back by hand."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pi_app.table.events import Tone
from pi_app.table.map import BLINK_S, lit, next_step, table_map
from pi_app.table.screen import Pawn, Table
from pi_app.table.state import SEATS, Change, Lamps, Mode, Session, ToGame, lamps
from pi_app.table.words import choosing, letter, where_in_brief
from rules.history import Record
from rules.position import Position

TO_GAME = ToGame()


@dataclass(frozen=True, slots=True)
class MovedBack(Mode):
    """Undo has moved pawns: each is shown to be moved back by hand, OK goes on to what follows."""

    moves: tuple[tuple[Pawn, Pawn], ...]  # from where to where
    since: float
    following: Mode
    index: int = 0

    def drivers(self, s: Session) -> tuple[int, ...]:
        return self.joined(s)

    def whose(self, s: Session) -> str:
        return "pawns go back first"

    def ok(self, s: Session, seat: int) -> Change:
        if self.index + 1 == len(self.moves):
            record = replace(s.playing, displaced=None)
            after = s.into(self.following, record=record)
            return Change(after, tones=(Tone(seat, "press"),))
        return self.next(s, seat)

    def next(self, s: Session, seat: int) -> Change:
        following = (self.index + 1) % len(self.moves)
        return Change(s.into(replace(self, index=following, since=s.t)))

    def screen(self, s: Session) -> Table:
        game = s.playing.game
        origin, target = self.moves[self.index]
        seat, layout = origin[0], game.ruleset.layout
        return Table(
            board=table_map(game, origin, target, lit(self.since, s.t)),
            seat=seat,
            heading="put back",
            dice=(),
            increments=(),
            words=(where_in_brief(layout, *target),),
            lead=f"{letter(seat)}: {where_in_brief(layout, *origin)} →",
            note=f"{self.index + 1} of {len(self.moves)}" if len(self.moves) > 1 else "",
            keys=choosing(s.only(game.seat), 0, 1, "I moved it"),
        )

    def lamps(self, s: Session) -> Lamps:
        return lamps(self.drivers(s), blink=(self.moves[self.index][0][0],))

    def wake_at(self, s: Session) -> float:
        return next_step(self.since, BLINK_S, s.t)


def _moved_back(before: Position, after: Position) -> list[tuple[Pawn, Pawn]]:
    """Return each pawn that differs, as where it stands on the board and where it belongs."""
    moves = []
    for seat in SEATS:
        gone, come = list(before[seat]), list(after[seat])
        for place in before[seat]:
            if place in come:
                come.remove(place)
                gone.remove(place)
        moves += [
            ((seat, origin), (seat, target)) for origin, target in zip(gone, come, strict=True)
        ]
    return moves


def put_back(s: Session, record: Record, following: Mode = TO_GAME) -> Session:
    """Put a game on the table, after the pawns that undo has moved are shown to be put back.

    following: what comes then.
    """
    now = record.game.position
    moves = tuple(_moved_back(record.displaced or now, now))
    return s.into(MovedBack(moves, s.t, following) if moves else following, record=record)
