"""The game on the table waits for a choice, a throw among them. No menu, no tumbling dice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from pi_app.table.core.acting import act, rematch
from pi_app.table.core.advice import planned
from pi_app.table.core.forced import forced
from pi_app.table.core.state import Change, Forced, Lamps, Mode, Session, Tip, ToGame, lamps
from pi_app.table.core.tips import can_hint, tip
from pi_app.table.core.who import (
    called,
    level,
    may_press_for,
    named,
    panels_of,
    played_by,
    player,
    seen_by,
    turn,
)
from pi_app.table.input.events import Button, Drawn, Tone
from pi_app.table.modes.menu.menu import Menu
from pi_app.table.modes.play.reviewing import begun, curve_shown, luck
from pi_app.table.modes.play.thrown import record_throw
from pi_app.table.modes.play.typing import Typed, Typing
from pi_app.table.modes.play.typing_each import types_each
from pi_app.table.screens.map import table_map
from pi_app.table.screens.message import NOTHING, Message, Seat, Text, message
from pi_app.table.screens.screen import (
    ByHand,
    Die,
    Key,
    Page,
    Pawn,
    Podium,
    Screen,
    SeatMark,
    Table,
)
from pi_app.table.telling.choices import (
    GO_ON,
    MENU,
    Choice,
    Deed,
    choice_of,
    choices,
    drivers,
    increments,
)
from pi_app.table.telling.standings import standings
from pi_app.table.texts.terms import (
    asks,
    choosing,
    hold_key,
    keys,
    menu_key,
    next_key,
    ok_key,
    row_of,
)
from pi_app.table.texts.words import in_a_row, starter_rule, starter_score
from rules.actions import Move, Throw
from rules.board import NEST
from rules.game import Game, Phase

DOME = "dome"  # who confirmed a row where its press did
NEXT_GAME = (Deed.REMATCH, Deed.NEW_GAME)
THROWING = (Phase.ORDER, Phase.THROW)
REVIEWING = (Deed.LUCK, Deed.CURVE)
REVIEW_S = 5.0  # after the end: whoever goes on at once wants to know nothing of it
CHEER_S = 4.0  # how long the winner is celebrated, unless a button is pressed
THINK_S = 1.0  # a bot mostly thinks for less: by then its choice is said, and not that it thinks
STEPPED_OK_S = 0.4  # after the dome has stepped back no OK counts for so long,
STEPPED_THROW_S = 1.0  # and the dome throws nothing
BY_DOME = {
    "back": Key(message("press-dome"), message("do-back")),
    "confirm": Key(message("press-dome"), message("do-throw")),
}


@dataclass(frozen=True, slots=True)
class Play(Mode):
    """The game waits for a choice: NEXT goes round them, OK does the one shown.

    `index` is where NEXT has gone to; read it by `at`. `since` is when this came up, `news` what
    happened before it, `last` what was confirmed before it, until the next press. `pawn` is the one
    chosen, where its way is chosen after it. `cheers`: the game was won by the press that led here,
    and nothing has been pressed since.
    """

    since: float
    index: int = 0
    news: Text = ""
    last: Text = ""
    pawn: Pawn | None = None
    cheers: bool = False

    def celebrates(self, s: Session) -> bool:
        """Whether the winner is celebrated now."""
        return self.cheers and s.t < self.since + CHEER_S

    def drivers(self, s: Session) -> tuple[int, ...]:
        seats = drivers(s.playing)
        if len(seats) == 1 and s.playing.game.phase is not Phase.OVER:
            return panels_of(s, seats[0])
        return tuple(seat for seat in seats if level(s, seat) is None) or seats

    def may_press(self, s: Session, seat: int) -> bool:
        seats = drivers(s.playing)
        for_one = len(seats) == 1 and s.playing.game.phase is not Phase.OVER
        return may_press_for(s, seats[0], seat) if for_one else seat in self.drivers(s)

    def whose(self, s: Session) -> Text:
        if s.playing.game.phase is Phase.OVER:
            return message("game-over")
        seat = s.playing.game.seat
        if level(s, seat) is not None:
            return message("box-for", who=Seat(seat))
        return message("corrected-turn", seat=Seat(self.drivers(s)[0]))

    def choices(self, s: Session) -> tuple[Choice, ...]:
        """Return what can be chosen; on a panel with one button the menu is the last.

        Who chose other rules for the next game is offered that before a rematch.
        """
        menu = any(s.only(seat) for seat in self.drivers(s))
        listed = choices(s.playing, s.dome, self.pawn)
        if _box_moves(s):
            listed = (choice_of(s.playing.game, planned(s)),)
        if s.playing.game.phase is Phase.OVER and s.other_rules:
            listed = tuple(sorted(listed, key=lambda one: one.deed is not Deed.NEW_GAME))
        return (*listed, *((MENU,) if menu else ()))

    def at(self, s: Session) -> int:
        """Return which of the choices is shown: the first where the one chosen is gone.

        Other players may have come to choose since then, whose panels have other choices.
        """
        return self._at(self.choices(s))

    def _at(self, listed: tuple[Choice, ...]) -> int:
        return self.index if self.index < len(listed) else 0

    def chosen(self, s: Session) -> Choice:
        """Return the choice that OK would do."""
        listed = self.choices(s)
        return listed[self._at(listed)]

    def keys(self, s: Session) -> tuple[Key[Text], ...]:
        """Return what to press for the choice that is shown."""
        listed = self.choices(s)
        at = self._at(listed)
        choice = listed[at]
        only = any(s.only(seat) for seat in self.drivers(s))
        if choice.deed is Deed.WAIT or (choice.deed is Deed.THROW and s.dome):
            return menu_key(only)
        pressed = choosing(only, at, len(listed), choice.does, held=_is_held(choice, s))
        by_dome = self._by_dome(s)
        return pressed if by_dome is None else (*pressed, BY_DOME[by_dome])

    def holds_ok(self, s: Session, seat: int) -> bool:
        return _is_held(self.chosen(s), s)

    def ok(self, s: Session, seat: int) -> Change:
        deed = self.chosen(s).deed
        if isinstance(deed, Deed):
            return DEEDS[deed](self, s, seat)
        return act(s, deed)

    def hold_ok(self, s: Session, seat: int) -> Change:
        if not self.holds_ok(s, seat):
            return Change(s)
        deed = self.chosen(s).deed
        if deed is Deed.REMATCH:
            return rematch(s)
        if deed is Deed.NEW_GAME:
            return Change(s.anew(), tones=(Tone(seat, "press"),))
        return _throw(s)

    def next(self, s: Session, seat: int) -> Change:
        if s.review is not None and s.review.failed:
            s = replace(s, review=None)  # who looks again has it tried again
        listed, at = self.choices(s), self.at(s)
        following = (at + 1) % len(listed)
        if following == at and _box_moves(s):
            thinks = planned(s) is None
            return s.refuse(message("box-thinks") if thinks else message("box-has-chosen"))
        mode = replace(self, index=following, since=s.t, last="")
        return Change(begun(s.into(mode)) if mode.reviews(s) else s.into(mode))

    def dome(self, s: Session) -> Change:
        if s.t < s.deaf_until:
            return Change(s)
        if s.playing.game.phase in THROWING:
            return _throw(s) if s.t >= s.throws_from else Change(s)
        does = self._by_dome(s)
        if does == "back":
            return self._step_back(s)
        if does == "confirm" and s.forced is not None:
            too_soon = s.t < max(s.forced.counts_from, s.throws_from)
            return s.refuse(message("a-moment")) if too_soon else _confirm_and_throw(s)
        return s.refuse(row_of(self.keys(s)[-1:]) if self.chosen(s).does else self.whose(s))

    def dome_counts_from(self, s: Session) -> float | None:
        if s.playing.game.phase in THROWING:
            return max(s.deaf_until, s.throws_from)
        does = self._by_dome(s)
        if does == "confirm" and s.forced is not None:
            return max(s.deaf_until, s.throws_from, s.forced.counts_from)
        return s.deaf_until if does == "back" else None

    def forced(self, s: Session) -> Forced | None:
        shows_menu = self.chosen(s) is MENU  # what comes after it has to be read anew
        return None if shows_menu else forced(s, lambda: self._messages(s))

    def _messages(self, s: Session) -> int:
        """Return how many texts are on the screen."""
        choice = self.chosen(s)
        texts = (choice.lead, *choice.words, choice.note or self.news, self.last)
        return sum(map(bool, texts))

    def passes_on(self, s: Session, seat: int) -> bool:
        """Whether this panel's OK goes on where no pawn can be moved: two buttons suffice."""
        game = s.playing.game
        if s.only(seat) or seat not in game.seats or self.chosen(s) is MENU:
            return False
        if game.phase is Phase.PENALTY:
            return game.penalty is None
        return game.phase is Phase.MOVE and not game.steps

    def _by_dome(self, s: Session) -> Literal["back", "confirm"] | None:
        """Return what a press of the dome does while something is chosen."""
        if not s.dome_chooses or s.playing.game.phase not in (
            Phase.STARTER,
            Phase.MOVE,
            Phase.PENALTY,
        ):
            return None
        if s.forced is not None:
            return "confirm"
        rolls = s.setup.rolls and s.lit
        return "back" if len(self.choices(s)) > 1 and not rolls else None

    def _step_back(self, s: Session) -> Change:
        """Go to the choice before.

        Whoever presses once more by mistake, or holds OK already, neither moves nor throws.
        """
        mode = replace(self, index=(self.at(s) - 1) % len(self.choices(s)), since=s.t, last="")
        deaf = (s.t + STEPPED_OK_S,) * len(s.ok_deaf)
        after = s.into(
            mode, ok_deaf=deaf, throws_from=s.t + STEPPED_THROW_S, fingers=s.fingers.spend()
        )
        return Change(after, tones=(Tone(s.playing.game.seat, "press"),))

    def pressed_now(self, s: Session, button: Button) -> Session:
        """End the celebration; the press then does what it does on the screen that follows."""
        deaf = button.kind == "ok" and button.seat is not None and s.t < s.ok_deaf[button.seat]
        return s.into(replace(self, cheers=False)) if self.cheers and not deaf else s

    def screen(self, s: Session) -> Screen:
        return SCREENS.get(s.playing.game.phase, _table)(self, s)

    def lamps(self, s: Session) -> Lamps:
        captured = tuple(played_by(s, seat) for seat, _ in self.chosen(s).captured)
        cheer = s.playing.game.places[0] if self.celebrates(s) else None
        return lamps(self.drivers(s), blink=captured, cheer=cheer)

    def shown_since(self, s: Session) -> float:
        return self.since

    def wake_at(self, s: Session) -> float | None:
        ends = (self.since + after for after in (THINK_S, CHEER_S, REVIEW_S))
        return min((end for end in ends if end > s.t), default=None)

    def pass_time(self, s: Session) -> Change:
        if types_each(s):
            return Change(s.at_rest(self.news, self.last))
        return Change(begun(s) if self.reviews(s) else s)

    def hints(self, s: Session) -> bool:
        """Whether a child is to choose, for whom what is best is marked."""
        return all(map(s.is_childs, self.drivers(s))) and len(self.choices(s)) > 1 and can_hint(s)

    def reviews(self, s: Session) -> bool:
        """Whether somebody looks at it, or the game has been over for a while."""
        game = s.playing.game
        if game.phase is not Phase.OVER or not game.turns:
            return False
        return self.chosen(s).deed in REVIEWING or s.t >= self.since + REVIEW_S

    def resting(self, s: Session) -> bool:
        return s.playing.game.phase in (*THROWING, Phase.OVER)


def _is_held(choice: Choice, s: Session) -> bool:
    """Whether OK must be held to do this."""
    return choice.deed in NEXT_GAME or (choice.deed is Deed.THROW and not s.dome)


def _press_dome(mode: Play, s: Session, seat: int) -> Change:
    return s.refuse(message("press-the-dome") if s.dome else message("press-hold-ok"))


def _type(mode: Play, s: Session, seat: int) -> Change:
    """Type real dice in; what is thrown already comes again and can't be typed."""
    if s.playing.ready is not None:
        return s.refuse(message("hold-thrown-already"))
    return Change(s.into(Typing(Menu(seat, mode, s.t, ()), Typed(s.playing.game.dice))))


def _choose_pawn(mode: Play, s: Session, seat: int) -> Change:
    return Change(s.into(Play(s.t, pawn=mode.chosen(s).origin)), tones=(Tone(seat, "press"),))


def _choose_other_pawn(mode: Play, s: Session, seat: int) -> Change:
    pawns = replace(mode, since=s.t, index=0, pawn=None)
    origins = [choice.origin for choice in pawns.choices(s)]
    return Change(s.into(replace(pawns, index=(origins.index(mode.pawn) + 1) % len(origins))))


def _choose_menu(mode: Play, s: Session, seat: int) -> Change:
    return s.open_menu(seat)


def _wait(mode: Play, s: Session, seat: int) -> Change:
    return s.refuse(message("box-thinks"))


def _box_moves(s: Session) -> bool:
    """Whether a box chooses now: where no step is legal there is nothing to choose."""
    game = s.playing.game
    return game.phase is Phase.MOVE and level(s, game.seat) is not None and bool(game.steps)


def _only_shown(mode: Play, s: Session, seat: int) -> Change:
    return s.refuse(row_of([next_key(s.only(seat), GO_ON)]))


def _ask_to_hold(mode: Play, s: Session, seat: int) -> Change:
    return s.refuse(row_of([Key(message("press-hold-ok"), mode.chosen(s).does)]))


DEEDS: dict[Deed, Callable[[Play, Session, int], Change]] = {
    Deed.THROW: _press_dome,
    Deed.TYPE: _type,
    Deed.PAWN: _choose_pawn,
    Deed.OTHER_PAWN: _choose_other_pawn,
    Deed.MENU: _choose_menu,
    Deed.WAIT: _wait,
    Deed.NEW_GAME: _ask_to_hold,
    Deed.REMATCH: _ask_to_hold,
    Deed.LUCK: _only_shown,
    Deed.CURVE: _only_shown,
}


def _table(mode: Play, s: Session) -> Table[Text]:
    game, choice = s.playing.game, mode.chosen(s)
    taken = tuple(ByHand(*pawn, NEST) for pawn in choice.captured)
    shown = table_map(game, choice.origin, choice.target, taken)
    return Table(
        board=replace(shown, seat=seen_by(s, game.seat)),
        seat=game.seat,
        heading=turn(s, game.seat, _does(game)),
        dice=tuple(Die(face) for face in game.throw),
        increments=increments(game, choice.uses),
        words=choice.words,
        lead=choice.lead or _whose_throw(s),
        short_lead=choice.short_lead,
        note=choice.note or mode.news or _called(s, choice),
        last=mode.last,
        keys=mode.keys(s),
        star=mode.hints(s) and _is_best(tip(s), choice),
        passing=choice.deed is Deed.WAIT and s.t < mode.since + THINK_S,
    )


def _is_best(best: Tip | None, choice: Choice) -> bool:
    """Whether a choice is the best, or the pawn of which one way is."""
    if best is None:
        return False
    if choice.deed is Deed.PAWN and isinstance(best.action, Move):
        return choice.origin == (best.game.seat, best.action.step.origin)
    return choice.deed == best.action


def _whose_throw(s: Session) -> Text:
    """Return the name of who is to throw, for whom there is room: `LUC's turn`."""
    game = s.playing.game
    if game.phase is Phase.THROW and level(s, game.seat) is not None:
        return message("throw-for-it")
    name = player(s, game.seat).name
    return message("names-turn", name=name) if name and game.phase is Phase.THROW else NOTHING


def _called(s: Session, choice: Choice) -> Text:
    """Return what the captured pawns are called, which are to be taken off the board by hand."""
    names = (called(s, seat) for seat in dict(choice.captured))
    return in_a_row([name for name in names if name])


def _does(game: Game) -> Message:
    """Return what the seat whose turn it is does in this phase."""
    seat = Seat(game.seat)
    if game.phase is Phase.MOVE:
        return message("moves", seat=seat) if game.steps else message("passes", seat=seat)
    if game.phase is Phase.PENALTY:
        return message("oh-no", seat=seat)
    return message("throws", seat=seat)


def _who_begins(mode: Play, s: Session) -> Page[Text]:
    game = s.playing.game
    thrown = dict(game.order_throws)
    starter = game.ruleset.starter
    said: dict[int, Text] = {
        **{seat: message("out") for seat in game.seats if seat not in game.to_order},
        **{seat: str(starter_score(starter, faces)) for seat, faces in thrown.items()},
    }
    marks = tuple(SeatMark(seat, said.get(seat, NOTHING)) for seat in game.seats)
    lines = (_in_a_line(mode.chosen(s)),)
    other, seat = played_by(s, game.seat), Seat(game.seat)
    for_other = message("plays-seat", who=Seat(other), seat=seat)
    who = named(s, game.seat) if other == game.seat else for_other
    hint = mode.news or starter_rule(starter)
    return Page(message("who-throws", who=who), lines, hint=hint, seats=marks)


def _who_is_chosen(mode: Play, s: Session) -> Page[Text]:
    lines = tuple(map(_in_a_line, mode.choices(s)))
    host = mode.drivers(s)[0]
    only, other, begin = s.only(host), message("do-other"), message("do-begin")
    to_next = next_key(only, other)
    if mode._by_dome(s) == "back":
        press = message("press-tap-or-dome") if only else message("press-next-or-dome")
        to_next = Key(press, other)
    title = asks(host, message("ask-who-begins"))
    return Page(title, lines, (to_next, ok_key(only, begin)), chosen=mode.at(s))


def _in_a_line(choice: Choice) -> Text:
    """Return the words of a choice, which are two lines at most, as one."""
    first, *others = choice.words
    return message("in-one-line", one=first, other=others[0]) if others else first


def _game_over(mode: Play, s: Session) -> Screen:
    """Return who has won, or what came of the game in luck and skill."""
    deed, does = mode.chosen(s).deed, _end_keys(mode, s)
    if deed is Deed.LUCK:
        return luck(s, does)
    if deed is Deed.CURVE:
        return curve_shown(s, does)
    return _podium(mode, s)


def _podium(mode: Play, s: Session) -> Podium[Text]:
    game = s.playing.game
    winner = game.places[0] if game.places else None
    title = message("game-ended") if winner is None else message("has-won", who=named(s, winner))
    marks = tuple(SeatMark(seat, far) for seat, far in standings(game))
    turns, throws = message("turns", count=game.turns), message("throws-made", count=game.throws)
    line = message("and-then", before=turns, then=throws)
    return Podium(winner, title, marks, line, _end_keys(mode, s), cheers=mode.celebrates(s))


def _end_keys(mode: Play, s: Session) -> tuple[Key[Text], ...]:
    """Return what to hold for the next game, and that there is more."""
    only = any(s.only(seat) for seat in mode.drivers(s))
    choice = mode.chosen(s)
    if choice.deed is Deed.MENU:
        return keys(only, GO_ON, message("menu"))
    if choice.deed in REVIEWING:
        return (next_key(only, choice.does),)
    hold, listed = hold_key(only, choice.does), mode.choices(s)
    short = choice.deed is Deed.NEW_GAME and not only  # as there is room
    others = message("do-on") if short else message("do-more")
    return (hold, next_key(only, others)) if len(listed) > 1 else (hold,)


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
    last: Text = s.mode.last if isinstance(s.mode, ToGame) else NOTHING
    return record_throw(s, ready.throw, ready.source, last=last)


def confirm(s: Session) -> Change:
    """Do the one thing that is left, as the dome's press says, too."""
    assert s.forced is not None
    change = act(s, s.forced.action)
    if level(s, s.playing.game.seat) is not None:
        return change  # a row of a box's says so
    return replace(change, rows=tuple(replace(row, by=DOME) for row in change.rows))


def _confirm_and_throw(s: Session) -> Change:
    confirmed = confirm(s)
    thrown = _throw(confirmed.session)
    rows, tones = (*confirmed.rows, *thrown.rows), (*confirmed.tones, *thrown.tones)
    return replace(thrown, rows=rows, tones=tones)


def drawn(s: Session, event: Drawn) -> Change:
    """Record the dice drawn for the seat that is to throw; dice at any other time don't count."""
    if not isinstance(s.mode, Play) or s.playing.game.phase not in THROWING:
        return Change(s)
    if len(event.faces) != s.playing.game.dice:
        return s.refuse(message("wrong-dice", thrown=len(event.faces), dice=s.playing.game.dice))
    ready = s.ready
    throw, source = (ready.throw, ready.source) if ready else (Throw(event.faces), event.source)
    last = s.mode.last if s.mode.since == s.t else NOTHING  # else a press came after it
    return record_throw(s, throw, source, event.boot, event.n, last)
