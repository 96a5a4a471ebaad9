"""Correcting: the machine is told where the pawns stand, and whose turn it is. Moves nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, NamedTuple

from pi_app.screens.screen import (
    NOTHING,
    BoardMap,
    BoardScreen,
    Message,
    Pawn,
    Seat,
    Text,
    TextScreen,
    message,
    moved_pawns,
    table_map,
)
from pi_app.table.core.acting import act
from pi_app.table.core.state import Change, Mode, Session
from pi_app.table.modes.menu.menu import LOOK_S, FromMenu, with_way_out
from pi_app.texts.words import choice_keys, keys, place_words, question_title
from rules.actions import Correct
from rules.board import HOME, NEST, ROW, board, safety_spaces
from rules.game import Game
from rules.position import PAWNS, Position, format_position, ordered

Way = Literal["back", "menu"]  # out of a choice
BACK: Way = "back"
MENU: Way = "menu"
WAYS: dict[Way, Message] = {BACK: message("do-back"), MENU: message("menu")}

DOUBLETS = (0, 1, 2)  # thrown before in this turn; the next after two is the third
BEFORE = (message("no-doublets-before"), message("one-doublet-before"), message("two-before"))

Item = Literal["record", "turn", "doublets", "leave"]  # the lines that are not a seat's pawns
RECORD: Item = "record"
TURN: Item = "turn"
DOUBLETS_BEFORE: Item = "doublets"
LEAVE: Item = "leave"


class Draft(NamedTuple):
    """What will have been corrected: it may be impossible until it is recorded."""

    position: Position
    seat: int
    doublets: int


def draft_of(game: Game) -> Draft:
    """Return the game's own position and turn, to be corrected."""
    return Draft(game.position, game.seat, min(game.doublets, DOUBLETS[-1]))


def draft_fault(game: Game, draft: Draft) -> Message:
    """Return what can't stand so, nothing if all of it can: `A and B: 3 past C`."""
    for pawns in _standing(game, draft).values():
        seats = sorted({seat for seat, _ in pawns})
        if len(seats) > 1 or len(pawns) > 2:
            there = place_words(game.ruleset.layout, *pawns[0])
            if len(seats) > 1:
                return message("seats-stand-there", seats=tuple(map(Seat, seats)), place=there)
            return message("pawns-stand-there", count=len(pawns), place=there)
    if draft.position[draft.seat] == (HOME,) * PAWNS:
        return message("is-home", seat=Seat(draft.seat))
    return NOTHING


def _standing(game: Game, draft: Draft) -> dict[tuple[int | None, int], list[Pawn]]:
    """Return the pawns on each space of ring and home rows."""
    on, taken = board(game.ruleset.layout), dict[tuple[int | None, int], list[Pawn]]()
    for seat in game.seats:
        for place in draft.position[seat]:
            if place not in (NEST, HOME):
                space = on.space(seat, place)
                own = (None, space) if space is not None else (seat, place)
                taken.setdefault(own, []).append((seat, place))
    return taken


@dataclass(frozen=True, slots=True)
class Correcting(FromMenu):
    """What is to be corrected: a seat's pawns, whose turn it is, its doublets; then recorded."""

    stays_s: ClassVar[float] = LOOK_S

    draft: Draft
    index: int = 0

    def choices(self, session: Session) -> tuple[int | Item, ...]:
        """Return what the lines stand for. RECORD is there once the draft is new and possible."""
        game, draft = session.playing.game, self.draft
        new = draft != draft_of(game) and not draft_fault(game, draft)
        return (*([RECORD] if new else []), *game.seats, TURN, DOUBLETS_BEFORE, LEAVE)

    def lines(self, session: Session) -> tuple[Message, ...]:
        """Return the words of the lines."""
        return tuple(self._words(session, one) for one in self.choices(session))

    def _words(self, session: Session, choice: int | Item) -> Message:
        if isinstance(choice, int):
            return message("pawns-of", seat=Seat(choice))
        if choice == RECORD:
            return message("record-it")
        if choice == TURN:
            return message("turn-of", seat=Seat(self.draft.seat))
        if choice == DOUBLETS_BEFORE:
            return BEFORE[self.draft.doublets]
        changed = self.draft != draft_of(session.playing.game)
        return message("leave-it-as-it-was") if changed else message("do-back")

    def ok(self, session: Session, seat: int) -> Change:
        choice, menu = self.choices(session)[self.index], self.touched_menu(session)
        if isinstance(choice, int):
            return Change(session.into(Placing(menu, self.draft, choice)))
        if choice == RECORD:
            text = format_position(self.draft.position)
            return act(session, Correct(text, self.draft.seat, self.draft.doublets))
        if choice == TURN:
            seats = session.playing.game.seats
            return self._drafted(session, self.draft._replace(seat=_after(seats, self.draft.seat)))
        if choice == DOUBLETS_BEFORE:
            following = _after(DOUBLETS, self.draft.doublets)
            return self._drafted(session, self.draft._replace(doublets=following))
        return self.out(session)

    def _drafted(self, session: Session, draft: Draft) -> Change:
        """Return this with another draft and the same line chosen."""
        menu = self.touched_menu(session)
        line = self.index - len(self.lines(session))
        after = replace(self, menu_before=menu, draft=draft)
        return Change(session.into(replace(after, index=len(after.lines(session)) + line)))

    def next(self, session: Session, seat: int) -> Change:
        menu, count = self.touched_menu(session), len(self.lines(session))
        return Change(session.into(replace(self, menu_before=menu, index=(self.index + 1) % count)))

    def held(self, session: Session) -> Change:
        return Change(session.into(self.touched_menu(session)))

    def screen(self, session: Session) -> TextScreen[Text]:
        driver = self.menu_before.driver
        wrong = draft_fault(session.playing.game, self.draft)
        does = (
            () if wrong else keys(session.only(driver), message("do-other"), message("do-choose"))
        )
        title = question_title(driver, message("can-not-stand-so") if wrong else message("correct"))
        board = _with_draft(table_map(session.playing.game, None, None, still=True), self.draft)
        return TextScreen(title, self.lines(session), does, wrong, chosen=self.index, board=board)


def _with_draft(shown: BoardMap, draft: Draft) -> BoardMap:
    """Return the board as it is drafted, with the pawns that were recorded elsewhere."""
    also = moved_pawns(shown.position, draft.position)
    return replace(shown, position=draft.position, also=also)


def _after(numbers: tuple[int, ...], one: int) -> int:
    return numbers[(numbers.index(one) + 1) % len(numbers)]


@dataclass(frozen=True, slots=True)
class Placing(FromMenu):
    """Which pawn of a seat stands elsewhere; then near what, the landmark; then on which space.

    A landmark is the nest, a safety space, the home row or home; its spaces go on up to the next.
    Holding NEXT goes one choice back; with one button the last choice does, and the menu is among
    the choices.
    """

    stays_s: ClassVar[float] = LOOK_S

    draft: Draft
    seat: int
    pawn: int | None = None
    landmark: int | None = None
    index: int = 0

    def leaving(self, session: Session, pawn: int) -> Placing:
        """Return the choice of a landmark for this pawn, the one at or before it first."""
        near = max(mark for mark in landmarks(session.playing.game, self.seat) if mark <= pawn)
        placing = replace(self, pawn=pawn)
        return replace(placing, index=placing.options(session).index(near))

    def options(self, session: Session) -> tuple[int | Way, ...]:
        """Return the places to choose from, and with one button the ways out."""
        game = session.playing.game
        if self.pawn is None:
            places = tuple(dict.fromkeys(reversed(self.draft.position[self.seat])))
        elif self.landmark is None:
            places = landmarks(game, self.seat)
        else:
            places = spaces(game, self.seat, self.landmark)
        if not session.only(self.menu_before.driver):
            return places
        return (*with_way_out(places, MENU, only=True), MENU, BACK)

    def ok(self, session: Session, seat: int) -> Change:
        chosen = self.options(session)[self.index]
        placing = replace(self, menu_before=self.touched_menu(session))
        if chosen == MENU:
            return placing.over(session)
        if isinstance(chosen, str):
            return Change(session.into(placing.earlier(session)))
        if self.pawn is None:
            return Change(session.into(placing.leaving(session, chosen)))
        if self.landmark is None and len(spaces(session.playing.game, self.seat, chosen)) > 1:
            return Change(session.into(replace(placing, landmark=chosen, index=0)))
        return Change(session.into(placing.placed(session.playing.game, chosen)))

    def next(self, session: Session, seat: int) -> Change:
        menu = self.touched_menu(session)
        following = (self.index + 1) % len(self.options(session))
        return Change(session.into(replace(self, menu_before=menu, index=following)))

    def held(self, session: Session) -> Change:
        return Change(
            session.into(replace(self, menu_before=self.touched_menu(session)).earlier(session))
        )

    def earlier(self, session: Session) -> Mode:
        """Return the choice before this one, as it was made."""
        if self.landmark is not None:
            at, made = replace(self, landmark=None), self.landmark
        elif self.pawn is not None:
            at, made = replace(self, pawn=None), self.pawn
        else:
            correcting = Correcting(self.menu_before, self.draft)
            line = correcting.choices(session).index(self.seat)
            return replace(correcting, index=line)
        return replace(at, index=at.options(session).index(made))

    def placed(self, game: Game, place: int) -> Correcting:
        """Return what is to be corrected with the pawn on its place."""
        assert self.pawn is not None
        pawns = list(self.draft.position[self.seat])
        pawns[pawns.index(self.pawn)] = place
        seats = list(self.draft.position)
        seats[self.seat] = ordered(tuple(pawns), board(game.ruleset.layout))
        a, b, c, d = seats
        return Correcting(self.menu_before, self.draft._replace(position=(a, b, c, d)))

    def screen(self, session: Session) -> BoardScreen[Text]:
        game, driver = session.playing.game, self.menu_before.driver
        chosen, count = self.options(session)[self.index], len(self.options(session))
        place = None if isinstance(chosen, str) else chosen
        origin, target = (place, None) if self.pawn is None else (self.pawn, place)
        shown = table_map(
            game,
            None if origin is None else (self.seat, origin),
            None if target is None else (self.seat, target),
        )
        lead: Text = ""
        if self.pawn is not None:
            lead = message("pawn-from", seat=Seat(self.seat), origin=self._where(game, self.pawn))
        asked = message("which-pawn") if self.pawn is None else message("where-to")
        return BoardScreen(
            board=replace(_with_draft(shown, self.draft), seat=driver),
            seat=self.seat,
            heading=question_title(self.seat, asked),
            dice=(),
            increments=(),
            words=(WAYS[chosen] if isinstance(chosen, str) else self._words(game, chosen),),
            lead=lead,
            note=self._note(game, place),
            keys=choice_keys(session.only(driver), self.index, count, message("do-this-one")),
        )

    def _words(self, game: Game, place: int) -> Message:
        in_row = place == ROW + 1 and self.pawn is not None and self.landmark is None
        return message("home-row") if in_row else self._where(game, place)

    def _note(self, game: Game, place: int | None) -> Message:
        if self.pawn is None and place is not None:
            count = self.draft.position[self.seat].count(place)
            return message("pawns", count=count) if count > 1 else NOTHING
        near = self.landmark is None and place is not None
        several = near and len(spaces(game, self.seat, place or 0)) > 1
        return message("or-soon-after") if several else NOTHING

    def _where(self, game: Game, place: int) -> Message:
        return place_words(game.ruleset.layout, self.seat, place)


def landmarks(game: Game, seat: int) -> tuple[int, ...]:
    """Return the places by which others are found, along a seat's way from the nest."""
    on = board(game.ruleset.layout)
    safe = safety_spaces(game.ruleset.layout, "twelve")
    steps = range(on.ring if game.ruleset.second_circuit else on.last + 1)
    return (NEST, *(step for step in steps if on.space(seat, step) in safe), ROW + 1, HOME)


def spaces(game: Game, seat: int, landmark: int) -> tuple[int, ...]:
    """Return the places from a landmark on up to the next."""
    marks = landmarks(game, seat)
    end = marks[marks.index(landmark) + 1] if landmark < HOME else HOME + 1
    if landmark == ROW + 1 or landmark in (NEST, HOME):
        return tuple(range(landmark, end))
    last = board(game.ruleset.layout).last
    highest = board(game.ruleset.layout).ring - 1 if game.ruleset.second_circuit else last
    return tuple(range(landmark, min(end, highest + 1)))
