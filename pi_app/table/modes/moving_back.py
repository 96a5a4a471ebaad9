"""Undo has moved pawns on the table that still stand elsewhere on the board: back by hand."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pi_app.table.events import Resume, Tone
from pi_app.table.map import BLINK_S, lit, next_step, table_map
from pi_app.table.screen import Pawn, Table
from pi_app.table.state import SEATS, Change, Lamps, Mode, Session, lamps
from pi_app.table.who import called
from pi_app.table.words import choosing, letter, where_in_brief
from rules.board import NEST
from rules.history import Record
from rules.position import Position


@dataclass(frozen=True, slots=True)
class MovedBack(Mode):
    """Undo has moved pawns: each is shown to be moved back by hand, OK goes on."""

    moves: tuple[tuple[Pawn, Pawn], ...]  # from where to where
    since: float
    index: int = 0

    def drivers(self, s: Session) -> tuple[int, ...]:
        return self.joined(s)

    def whose(self, s: Session) -> str:
        return "pawns go back first"

    def ok(self, s: Session, seat: int) -> Change:
        if self.index + 1 == len(self.moves):
            record = replace(s.playing, displaced=None)
            return Change(replace(s, record=record).at_rest(), tones=(Tone(seat, "press"),))
        return self.next(s, seat)

    def next(self, s: Session, seat: int) -> Change:
        following = (self.index + 1) % len(self.moves)
        return Change(s.into(replace(self, index=following, since=s.t)))

    def screen(self, s: Session) -> Table:
        game = s.playing.game
        origin, target = self.moves[self.index]
        seat, layout = origin[0], game.ruleset.layout
        count = f"{self.index + 1} of {len(self.moves)}" if len(self.moves) > 1 else ""
        return Table(
            board=table_map(game, origin, target, lit(self.since, s.t)),
            seat=seat,
            heading="put back",
            dice=(),
            increments=(),
            words=(where_in_brief(layout, *target),),
            lead=f"{letter(seat)}: {where_in_brief(layout, *origin)} →",
            note=", ".join(filter(None, (called(s, seat), count))),
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


def resume(s: Session, event: Resume) -> Change:
    """Put a game in progress on the table, pawns that undo has moved to be put back first."""
    return Change(put_back(s, event.record))


def _as_if_in_nests(before: Position, now: Position) -> Position:
    """Return where pawns stood, those that were off the board put into their nests."""
    a, b, c, d = (was or (NEST,) * len(pawns) for was, pawns in zip(before, now, strict=True))
    return a, b, c, d


def put_back(s: Session, record: Record) -> Session:
    """Put a game on the table, after the pawns that undo has moved are shown to be put back."""
    now = record.game.position
    moves = tuple(_moved_back(_as_if_in_nests(record.displaced or now, now), now))
    after = replace(s, record=record)
    return after.into(MovedBack(moves, s.t)) if moves else after.at_rest()
