"""The game on the table: a choice to make, or a throw just made. No menu."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pi_app import history
from pi_app.choices import MENU, Choice, Deed, choices, drivers, increments
from pi_app.events import Drawn, Tone
from pi_app.mode import Change, Lamps, Mode, lamps
from pi_app.screen import Die, Page, Pawn, Screen, SeatMark, Table
from pi_app.table import BLINK_S, lit, next_step, place_text, steps_since, table_map
from pi_app.words import (
    ORDINALS,
    keys,
    keys_in_brief,
    letter,
    many,
    news,
    presses,
    starter_rule,
    starter_score,
)
from rules.actions import Action, Throw
from rules.board import HOME
from rules.facts import Begins, CameHome, Captured, Fact, TurnOf, Won
from rules.game import Game, Phase

if TYPE_CHECKING:
    from pi_app.session import Session

TUMBLE_S = 0.6
TUMBLE_FRAME_S = 0.1
TUMBLING = (6, 2, 5, 3, 1, 4)  # faces that pass by while a die tumbles, frame by frame
DEAF_S = TUMBLE_S + 1.0  # the faces stand for a second before the dome counts again
READ_S = 1.5  # how long a throw for who begins is shown
THROWING = (Phase.ORDER, Phase.THROW)


@dataclass(frozen=True, slots=True)
class Play(Mode):
    """The game waits for a choice: NEXT goes round them, OK does the one shown.

    `since` is when this came up, `news` what happened before it. `pawn` is the one chosen, where
    its way is chosen after it.
    """

    since: float
    index: int = 0
    news: str = ""
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

    def keys(self, s: Session) -> str:
        """Return what to press for the choice that is shown."""
        listed = self.choices(s)
        choice, count = listed[self.index], len(listed)
        only = any(s.only(seat) for seat in self.drivers(s))
        if choice.deed is Deed.THROW:
            return presses(only)[0] if count > 1 else ""
        return keys_in_brief(only, count, choice.does)

    def holds_ok(self, s: Session, seat: int) -> bool:
        return self.chosen(s).deed is Deed.THROW and not s.dome

    def ok(self, s: Session, seat: int) -> Change:
        deed = self.chosen(s).deed
        if isinstance(deed, Deed):
            return DEEDS[deed](self, s, seat)
        return act(s, deed)

    def hold_ok(self, s: Session, seat: int) -> Change:
        return _throw(s) if self.holds_ok(s, seat) else Change(s)

    def next(self, s: Session, seat: int) -> Change:
        following = (self.index + 1) % len(self.choices(s))
        return Change(s.into(replace(self, index=following, since=s.t)))

    def dome(self, s: Session) -> Change:
        if s.t < s.deaf_until:
            return Change(s)
        return _throw(s) if s.playing.game.phase in THROWING else s.refuse(self.whose(s))

    def screen(self, s: Session) -> Screen:
        return SCREENS.get(s.playing.game.phase, _table)(self, s)

    def lamps(self, s: Session) -> Lamps:
        return lamps(self.drivers(s), self.chosen(s).captured)

    def wake_at(self, s: Session) -> float | None:
        return next_step(self.since, BLINK_S, s.t)

    def resting(self, s: Session) -> bool:
        return s.playing.game.phase in (*THROWING, Phase.OVER)


def _press_dome(mode: Play, s: Session, seat: int) -> Change:
    return s.refuse("press the dome" if s.dome else "hold OK")


def _choose_pawn(mode: Play, s: Session, seat: int) -> Change:
    return Change(s.into(Play(s.t, pawn=mode.chosen(s).origin)), tones=(Tone(seat, "press"),))


def _choose_other_pawn(mode: Play, s: Session, seat: int) -> Change:
    pawns = replace(mode, since=s.t, index=0, pawn=None)
    origins = [choice.origin for choice in pawns.choices(s)]
    return Change(s.into(replace(pawns, index=(origins.index(mode.pawn) + 1) % len(origins))))


def _choose_menu(mode: Play, s: Session, seat: int) -> Change:
    return s.open_menu(seat)


def _new_game(mode: Play, s: Session, seat: int) -> Change:
    return Change(s.anew(), tones=(Tone(seat, "press"),))


DEEDS: dict[Deed, Callable[[Play, Session, int], Change]] = {
    Deed.THROW: _press_dome,
    Deed.PAWN: _choose_pawn,
    Deed.OTHER_PAWN: _choose_other_pawn,
    Deed.MENU: _choose_menu,
    Deed.NEW_GAME: _new_game,
}


def at_rest(s: Session, said: str = "") -> Session:
    """Return the session at the game on the table, ready for the next choice."""
    return s.into(Play(s.t, news=said))


def act(s: Session, action: Action) -> Change:
    """Do and record a confirmed action."""
    record, row, facts = history.act(s.playing, action)
    after = at_rest(replace(s, record=record), news(facts))
    return Change(after, (row,), tones=_tones(facts) or (Tone(s.playing.game.seat, "press"),))


def _tones(facts: tuple[Fact, ...]) -> tuple[Tone, ...]:
    heard = (_tone(fact) for fact in facts)
    return tuple(tone for tone in heard if tone is not None)


def _tone(fact: Fact) -> Tone | None:
    match fact:
        case Captured(_, _, by):
            return Tone(by, "capture")
        case CameHome(seat):
            return Tone(seat, "home")
        case TurnOf(seat) | Begins(seat):
            return Tone(seat, "turn")
        case Won(seat, _):
            return Tone(seat, "win")
    return None


def _table(mode: Play, s: Session) -> Table:
    game, choice = s.playing.game, mode.chosen(s)
    return Table(
        board=table_map(game, choice.origin, choice.target, lit(mode.since, s.t)),
        seat=game.seat,
        heading=f"{letter(game.seat)} {HEADINGS[game.phase]}",
        dice=tuple(Die(face) for face in game.throw),
        increments=increments(game, choice.uses),
        words=choice.words,
        note=choice.note or mode.news,
        keys=mode.keys(s),
        place=place_text(mode.index, len(mode.choices(s))),
    )


HEADINGS = {Phase.THROW: "throws", Phase.MOVE: "moves", Phase.PENALTY: "penalty"}


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


def _game_over(mode: Play, s: Session) -> Page:
    game = s.playing.game
    marks = tuple(SeatMark(seat, _rank(game, seat)) for seat in game.seats)
    title = f"{letter(game.places[0])} has won" if game.places else "Game ended"
    lines = (f"{many(game.turns, 'turn')}, {many(game.throws, 'throw')}",)
    return Page(title, lines, mode.keys(s), marks)


def _rank(game: Game, seat: int) -> str:
    if seat in game.places:
        return ORDINALS[game.places.index(seat)]
    return f"{game.position[seat].count(HOME)} home"


SCREENS: dict[Phase, Callable[[Play, Session], Screen]] = {
    Phase.ORDER: _who_begins,
    Phase.STARTER: _who_is_chosen,
    Phase.OVER: _game_over,
}


@dataclass(frozen=True, slots=True)
class Thrown(Mode):
    """The dice tumble, then stand; a throw for who begins stands long enough to read.

    `seat` threw these faces in `phase`; `news` comes with what follows.
    """

    since: float
    seat: int
    faces: tuple[int, ...]
    phase: Phase
    news: str = ""

    def drivers(self, s: Session) -> tuple[int, ...]:
        return s.playing.game.seats

    def dome(self, s: Session) -> Change:
        return Change(s)

    def screen(self, s: Session) -> Table:
        tumbling = s.t < self.since + TUMBLE_S
        words: tuple[str, ...] = ()
        if not tumbling and self.phase is Phase.ORDER:
            words = (f"throws {starter_score(s.playing.game.ruleset.starter, self.faces)}",)
        return Table(
            board=replace(table_map(s.playing.game, None, None, lit=False), seat=self.seat),
            seat=self.seat,
            heading=f"{letter(self.seat)} throws",
            dice=self._tumbling(s.t) if tumbling else tuple(Die(face) for face in self.faces),
            increments=(),
            words=words,
        )

    def _tumbling(self, t: float) -> tuple[Die, ...]:
        frame = steps_since(self.since, TUMBLE_FRAME_S, t)
        shown = (TUMBLING[(frame + 2 * die) % len(TUMBLING)] for die in range(len(self.faces)))
        return tuple(Die(face, tumbling=True) for face in shown)

    def lamps(self, s: Session) -> Lamps:
        return lamps(on=(self.seat,))

    def wake_at(self, s: Session) -> float:
        if s.t < self.since + TUMBLE_S:
            return min(self.since + TUMBLE_S, next_step(self.since, TUMBLE_FRAME_S, s.t))
        return self._until

    def pass_time(self, s: Session) -> Change:
        if s.t < self._until:
            return Change(s)
        return Change(s.into(Play(s.t, news=self.news)))

    @property
    def _until(self) -> float:
        return self.since + TUMBLE_S + (READ_S if self.phase is Phase.ORDER else 0.0)


def _throw(s: Session) -> Change:
    """Throw: the dice that wait for this seat after undo, else new ones must be drawn."""
    ready = s.playing.ready
    if ready is None:
        return Change(s, draw=s.playing.game.dice)
    return _record_throw(s, ready.throw, ready.source)


def thrown(s: Session, event: Drawn) -> Change:
    """Record the dice drawn for the seat that is to throw; dice at any other time don't count."""
    if not isinstance(s.mode, Play) or s.playing.game.phase not in THROWING:
        return Change(s)
    if len(event.faces) != s.playing.game.dice:
        return s.refuse(f"not {len(event.faces)} dice: throw {s.playing.game.dice}")
    ready = s.playing.ready
    throw, source = (ready.throw, ready.source) if ready else (Throw(event.faces), event.source)
    return _record_throw(s, throw, source, event.boot, event.n)


def _record_throw(
    s: Session, throw: Throw, source: str | None, boot: str | None = None, n: int | None = None
) -> Change:
    game = s.playing.game
    record, row, facts = history.act(s.playing, throw, source)
    mode = Thrown(s.t, game.seat, throw.faces, game.phase, news(facts))
    after = s.into(mode, record=record, deaf_until=s.t + DEAF_S)
    return Change(after, (replace(row, boot=boot, n=n),), tones=_tones(facts))
