"""The game on the table waits for a choice, a throw among them. No menu, no tumbling dice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pi_app.table.acting import act
from pi_app.table.choices import MENU, Choice, Deed, choices, drivers, increments
from pi_app.table.events import Drawn, Tone
from pi_app.table.map import BLINK_S, lit, next_step, steps_since, table_map
from pi_app.table.modes.menu import Menu
from pi_app.table.modes.thrown import record_throw
from pi_app.table.modes.typing import Typed, Typing
from pi_app.table.modes.typing_each import types_each
from pi_app.table.screen import Die, Page, Pawn, Podium, Screen, SeatMark, Table
from pi_app.table.state import Change, Lamps, Mode, Session, lamps
from pi_app.table.words import (
    ORDINALS,
    choosing,
    keys,
    letter,
    many,
    menu_key,
    starter_rule,
    starter_score,
)
from rules.actions import Throw
from rules.board import HOME
from rules.game import Game, Phase

THROWING = (Phase.ORDER, Phase.THROW)
BEAT_S = 2.0  # how long each of several keys is shown


@dataclass(frozen=True, slots=True)
class Play(Mode):
    """The game waits for a choice: NEXT goes round them, OK does the one shown.

    `since` is when this came up, `news` what happened before it, `last` what was confirmed before
    it, until the next press. `pawn` is the one chosen, where its way is chosen after it.
    """

    since: float
    index: int = 0
    news: str = ""
    last: str = ""
    pawn: Pawn | None = None

    def drivers(self, s: Session) -> tuple[int, ...]:
        return drivers(s.playing)

    def whose(self, s: Session) -> str:
        if s.playing.game.phase is Phase.OVER:
            return "the game is over"
        return f"{letter(self.drivers(s)[0])}'s turn"

    def choices(self, s: Session) -> tuple[Choice, ...]:
        """Return what can be chosen; on a panel with one button the menu is the last."""
        menu = any(s.only(seat) for seat in self.drivers(s))
        return (*choices(s.playing, s.dome, self.pawn), *((MENU,) if menu else ()))

    def chosen(self, s: Session) -> Choice:
        """Return the choice that OK would do."""
        return self.choices(s)[self.index]

    def keys(self, s: Session) -> tuple[str, ...]:
        """Return what to press for the choice that is shown."""
        listed = self.choices(s)
        choice = listed[self.index]
        only = any(s.only(seat) for seat in self.drivers(s))
        if choice.deed is Deed.THROW and s.dome:
            return menu_key(only)
        return choosing(only, self.index, len(listed), choice.does)

    def holds_ok(self, s: Session, seat: int) -> bool:
        deed = self.chosen(s).deed
        return deed is Deed.NEW_GAME or (deed is Deed.THROW and not s.dome)

    def ok(self, s: Session, seat: int) -> Change:
        deed = self.chosen(s).deed
        if isinstance(deed, Deed):
            return DEEDS[deed](self, s, seat)
        return act(s, deed)

    def hold_ok(self, s: Session, seat: int) -> Change:
        if not self.holds_ok(s, seat):
            return Change(s)
        if self.chosen(s).deed is Deed.NEW_GAME:
            return Change(s.anew(), tones=(Tone(seat, "press"),))
        return _throw(s)

    def next(self, s: Session, seat: int) -> Change:
        following = (self.index + 1) % len(self.choices(s))
        return Change(s.into(replace(self, index=following, since=s.t, last="")))

    def dome(self, s: Session) -> Change:
        if s.t < s.deaf_until:
            return Change(s)
        return _throw(s) if s.playing.game.phase in THROWING else s.refuse(self.whose(s))

    def screen(self, s: Session) -> Screen:
        return SCREENS.get(s.playing.game.phase, _table)(self, s)

    def lamps(self, s: Session) -> Lamps:
        return lamps(self.drivers(s), blink=self.chosen(s).captured)

    def wake_at(self, s: Session) -> float | None:
        return next_step(self.since, BLINK_S, s.t)

    def pass_time(self, s: Session) -> Change:
        return Change(s.at_rest(self.news, self.last) if types_each(s) else s)

    def resting(self, s: Session) -> bool:
        return s.playing.game.phase in (*THROWING, Phase.OVER)


def _press_dome(mode: Play, s: Session, seat: int) -> Change:
    return s.refuse("press the dome" if s.dome else "hold OK")


def _type(mode: Play, s: Session, seat: int) -> Change:
    """Type real dice in; what is thrown already comes again and can't be typed."""
    if s.playing.ready is not None:
        return s.refuse("hold OK: thrown already")
    return Change(s.into(Typing(Menu(seat, mode, s.t, ()), Typed(s.playing.game.dice), s.t)))


def _choose_pawn(mode: Play, s: Session, seat: int) -> Change:
    return Change(s.into(Play(s.t, pawn=mode.chosen(s).origin)), tones=(Tone(seat, "press"),))


def _choose_other_pawn(mode: Play, s: Session, seat: int) -> Change:
    pawns = replace(mode, since=s.t, index=0, pawn=None)
    origins = [choice.origin for choice in pawns.choices(s)]
    return Change(s.into(replace(pawns, index=(origins.index(mode.pawn) + 1) % len(origins))))


def _choose_menu(mode: Play, s: Session, seat: int) -> Change:
    return s.open_menu(seat)


def _ask_to_hold(mode: Play, s: Session, seat: int) -> Change:
    return s.refuse("hold OK: new game")


DEEDS: dict[Deed, Callable[[Play, Session, int], Change]] = {
    Deed.THROW: _press_dome,
    Deed.TYPE: _type,
    Deed.PAWN: _choose_pawn,
    Deed.OTHER_PAWN: _choose_other_pawn,
    Deed.MENU: _choose_menu,
    Deed.NEW_GAME: _ask_to_hold,
}


def _table(mode: Play, s: Session) -> Table:
    game, choice = s.playing.game, mode.chosen(s)
    return Table(
        board=table_map(game, choice.origin, choice.target, lit(mode.since, s.t)),
        seat=game.seat,
        heading=f"{letter(game.seat)} {HEADINGS[game.phase]}",
        dice=tuple(Die(face) for face in game.throw),
        increments=increments(game, choice.uses),
        words=choice.words,
        lead=choice.lead,
        note=choice.note or mode.news,
        last=mode.last,
        keys=mode.keys(s),
        beat=steps_since(mode.since, BEAT_S, s.t),
    )


HEADINGS = {Phase.THROW: "throws", Phase.MOVE: "moves", Phase.PENALTY: "oh no!"}


def _who_begins(mode: Play, s: Session) -> Page:
    game = s.playing.game
    thrown = dict(game.order_throws)
    starter = game.ruleset.starter
    out = {seat: "out" for seat in game.seats if seat not in game.to_order}
    scores = {seat: str(starter_score(starter, faces)) for seat, faces in thrown.items()}
    marks = tuple(SeatMark(seat, {**out, **scores}.get(seat, "-")) for seat in game.seats)
    lines = (" ".join(mode.chosen(s).words),)
    return Page(f"{letter(game.seat)} throws", lines, mode.news or starter_rule(starter), marks)


def _who_is_chosen(mode: Play, s: Session) -> Page:
    lines = tuple(" ".join(choice.words) for choice in mode.choices(s))
    host = s.playing.host
    hint = f"{letter(host)}: {keys(s.only(host), 'other', 'begin')}"
    return Page("Who begins?", lines, hint, chosen=mode.index)


def _game_over(mode: Play, s: Session) -> Podium:
    game = s.playing.game
    winner = game.places[0] if game.places else None
    left = [seat for seat in game.seats if seat not in game.places]
    order = (*game.places, *sorted(left, key=lambda seat: -_home(game, seat)))
    title = "Game ended" if winner is None else f"{letter(winner)} has won!"
    marks = tuple(SeatMark(seat, _rank(game, seat)) for seat in order)
    line = f"{many(game.turns, 'turn')}, {many(game.throws, 'throw')}"
    return Podium(winner, title, marks, line, _end_key(mode, s))


def _end_key(mode: Play, s: Session) -> str:
    only = any(s.only(seat) for seat in mode.drivers(s))
    if mode.chosen(s).deed is Deed.MENU:
        return keys(only, "go on", "menu")
    return "hold: new game, tap: menu" if only else "hold OK: new game"


def _home(game: Game, seat: int) -> int:
    return game.position[seat].count(HOME)


def _rank(game: Game, seat: int) -> str:
    if seat in game.places:
        return ORDINALS[game.places.index(seat)]
    return f"{_home(game, seat)} home"


SCREENS: dict[Phase, Callable[[Play, Session], Screen]] = {
    Phase.ORDER: _who_begins,
    Phase.STARTER: _who_is_chosen,
    Phase.OVER: _game_over,
}


def _throw(s: Session) -> Change:
    """Throw: the dice that wait for this seat, else new ones must be drawn."""
    ready = s.ready
    if ready is None:
        return Change(s, draw=s.playing.game.dice)
    return record_throw(s, ready.throw, ready.source)


def drawn(s: Session, event: Drawn) -> Change:
    """Record the dice drawn for the seat that is to throw; dice at any other time don't count."""
    if not isinstance(s.mode, Play) or s.playing.game.phase not in THROWING:
        return Change(s)
    if len(event.faces) != s.playing.game.dice:
        return s.refuse(f"not {len(event.faces)} dice: throw {s.playing.game.dice}")
    ready = s.ready
    throw, source = (ready.throw, ready.source) if ready else (Throw(event.faces), event.source)
    return record_throw(s, throw, source, event.boot, event.n)
