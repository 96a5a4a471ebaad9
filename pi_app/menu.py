"""The menu, and what it leads to: undo with the pawns to move back, the end of the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pi_app import history
from pi_app.events import Resume, Tone
from pi_app.history import Record
from pi_app.mode import SEATS, Change, Lamps, Mode, lamps
from pi_app.play import act, at_rest
from pi_app.screen import Page, Pawn, Table
from pi_app.table import BLINK_S, lit, next_step, place_text, table_map
from pi_app.words import keys, keys_in_brief, letter, where, where_in_brief
from rules.actions import End
from rules.game import Phase
from rules.position import Position

if TYPE_CHECKING:
    from pi_app.session import Session

MENU_S = 30.0


@dataclass(frozen=True, slots=True)
class Menu(Mode):
    """One panel drives the menu; untouched it closes and `back` is shown again."""

    driver: int
    back: Mode
    touched: float
    index: int = 0

    def joined(self, s: Session) -> tuple[int, ...]:
        return self.back.joined(s)

    def drivers(self, s: Session) -> tuple[int, ...]:
        return (self.driver,)

    def whose(self, s: Session) -> str:
        return f"{letter(self.driver)} has the menu"

    def items(self, s: Session) -> tuple[str, ...]:
        """Return what the menu offers now."""
        record = s.record
        possible = {
            "undo": record is not None and record.undoable,
            "end game": record is not None and record.game.phase is not Phase.OVER,
            "back": True,
        }
        return tuple(item for item, here in possible.items() if here)

    def ok(self, s: Session, seat: int) -> Change:
        return ITEMS[self.items(s)[self.index]](self, s)

    def next(self, s: Session, seat: int) -> Change:
        following = (self.index + 1) % len(self.items(s))
        return Change(s.into(replace(self, index=following, touched=s.t)))

    def menu(self, s: Session, seat: int) -> Change:
        return _close(self, s) if seat == self.driver else s.refuse(self.whose(s))

    def screen(self, s: Session) -> Page:
        hint = keys(s.only(self.driver), "other", "do it")
        title = f"{letter(self.driver)}: menu"
        return Page(title, self.items(s), hint, chosen=self.index)

    def wake_at(self, s: Session) -> float:
        return self.touched + MENU_S

    def pass_time(self, s: Session) -> Change:
        return _close(self, s) if s.t >= self.touched + MENU_S else Change(s)


def _close(menu: Menu, s: Session) -> Change:
    return menu.back.pass_time(s.into(menu.back))


def _undo(menu: Menu, s: Session) -> Change:
    record, row = history.undo(s.playing)
    return Change(_put_back(s, record), (row,), tones=(Tone(menu.driver, "press"),))


def resume(s: Session, event: Resume) -> Change:
    """Put a game in progress on the table, pawns that undo has moved to be put back first."""
    return Change(_put_back(s, event.record))


def _put_back(s: Session, record: Record) -> Session:
    now = record.game.position
    moves = tuple(_moved_back(record.displaced or now, now))
    after = replace(s, record=record)
    return after.into(MovedBack(moves, s.t)) if moves else at_rest(after)


def _ask_end(menu: Menu, s: Session) -> Change:
    return Change(s.into(ConfirmEnd(replace(menu, touched=s.t))))


ITEMS: dict[str, Callable[[Menu, Session], Change]] = {
    "undo": _undo,
    "end game": _ask_end,
    "back": _close,
}


@dataclass(frozen=True, slots=True)
class ConfirmEnd(Mode):
    """The menu asks again before it ends the game: only holding OK does."""

    menu_before: Menu

    def drivers(self, s: Session) -> tuple[int, ...]:
        return self.menu_before.drivers(s)

    def whose(self, s: Session) -> str:
        return self.menu_before.whose(s)

    def holds_ok(self, s: Session, seat: int) -> bool:
        return True

    def ok(self, s: Session, seat: int) -> Change:
        return s.refuse("hold OK to end")

    def hold_ok(self, s: Session, seat: int) -> Change:
        return act(s, End())

    def next(self, s: Session, seat: int) -> Change:
        return Change(s.into(replace(self.menu_before, touched=s.t)))

    def menu(self, s: Session, seat: int) -> Change:
        return self.menu_before.menu(s, seat)

    def screen(self, s: Session) -> Page:
        driver = self.menu_before.driver
        hint = "tap: no, hold: end" if s.only(driver) else "NEXT: no, hold OK: end"
        return Page(f"{letter(driver)}: end game?", ("The game ends now.",), hint)

    def wake_at(self, s: Session) -> float:
        return self.menu_before.wake_at(s)

    def pass_time(self, s: Session) -> Change:
        return self.menu_before.pass_time(s)


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
            return Change(at_rest(replace(s, record=record)), tones=(Tone(seat, "press"),))
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
            words=(f"{letter(seat)} back to", where_in_brief(layout, *target)),
            note=f"from {where(layout, *origin)}",
            keys=keys_in_brief(s.only(game.seat), 1, "done"),
            place=place_text(self.index, len(self.moves)),
        )

    def lamps(self, s: Session) -> Lamps:
        return lamps(on=(s.playing.game.seat,), blink=(self.moves[self.index][0][0],))

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
