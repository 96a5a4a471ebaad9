"""Why can't I? Each pawn with each open increment: where it may go, or what stops it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from pi_app.screens.screen import NOTHING, BoardScreen, Message, Seat, Text, message, table_map
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.menu.menu import FromMenu, Menu
from pi_app.texts.reasons import short_reason
from pi_app.texts.words import choice_keys, place_words
from rules.board import HOME, NEST, ROW, board
from rules.explain import try_increment
from rules.game import Game, Phase
from rules.reasons import Reason
from rules.steps import Step


class WhyQuestion(NamedTuple):
    """What is asked: a pawn by its place, and an increment."""

    place: int
    spaces: int
    bonus: bool


class WhyAnswer(NamedTuple):
    """What is said: the place to look at, None without one, large words and a small note."""

    place: int | None
    words: tuple[Text, ...]
    note: Text


@dataclass(frozen=True, slots=True)
class AskingWhy(FromMenu):
    """One panel asks: NEXT goes round what can be asked, all else and 30 s untouched go back.

    asked: the questions, those whose answer is that something stops the pawn first.
    """

    asked: tuple[WhyQuestion, ...]
    index: int = 0

    def whose(self, session: Session) -> Text:
        return message("asks-why-not", seat=Seat(self.menu_before.driver))

    def ok(self, session: Session, seat: int) -> Change:
        return self.menu_before.close(session)

    def next(self, session: Session, seat: int) -> Change:
        following = (self.index + 1) % len(self.asked)
        return Change(
            session.into(replace(self, menu_before=self.touched_menu(session), index=following))
        )

    def held(self, session: Session) -> Change:
        return self.menu_before.close(session)

    def screen(self, session: Session) -> BoardScreen[Text]:
        game, asks = session.playing.game, self.asked[self.index]
        said = _answered(game, asks)
        lead, short_lead = _lead(game, asks)
        only = session.only(self.menu_before.driver)
        target = None if said.place is None else (game.seat, said.place)
        shown = table_map(game, (game.seat, asks.place), target)
        return BoardScreen(
            board=replace(shown, hand="rests"),
            seat=game.seat,
            heading=message("why-not"),
            dice=(),
            increments=(),
            words=said.words,
            lead=lead,
            short_lead=short_lead,
            note=said.note,
            keys=choice_keys(only, self.index, len(self.asked), message("do-back")),
        )


def can_ask(session: Session) -> bool:
    """Whether a throw is on the table of which something is open."""
    return session.record is not None and bool(why_questions(session.record.game))


def asking_why(session: Session, menu: Menu) -> AskingWhy:
    """Return the mode in which the menu's panel asks, what is stopped first."""
    return AskingWhy(menu, what_stops_first(session.playing.game))


def what_stops_first(game: Game) -> tuple[WhyQuestion, ...]:
    """Return what can be asked, first where something stops the pawn: that is what one wonders."""
    return tuple(sorted(why_questions(game), key=lambda one: _may(game, one)))


def _may(game: Game, asked: WhyQuestion) -> bool:
    return isinstance(try_increment(game, *asked), Step)


def why_questions(game: Game) -> tuple[WhyQuestion, ...]:
    """Return what can be asked: each open increment, then each bonus, with each pawn not home."""
    if game.phase is not Phase.MOVE:
        return ()
    dice = [(spaces, False) for spaces, spent in game.increments if not spent]
    bonuses = [(spaces, True) for spaces in game.bonuses]
    places = dict.fromkeys(place for place in game.position[game.seat] if place != HOME)
    return tuple(
        WhyQuestion(place, *increment)
        for increment in dict.fromkeys([*dice, *bonuses])
        for place in places
    )


def _lead(game: Game, asked: WhyQuestion) -> tuple[Message, Message]:
    """Return the question, and a shorter form of it: `+20: home row 6`, `+20: row 6`.

    For a grant it names the spaces that are left.
    """
    spaces = asked.spaces if asked.bonus else game.grant_left or asked.spaces
    uses = f"{'+' * asked.bonus}{spaces}"
    origin = place_words(game.ruleset.layout, game.seat, asked.place)
    whole = message("uses-at", uses=uses, place=origin)
    on_ring = board(game.ruleset.layout).space(game.seat, asked.place) is not None
    if on_ring or asked.place in (NEST, HOME):
        return whole, NOTHING
    return whole, message("uses-at-row", uses=uses, space=asked.place - ROW)


def _answered(game: Game, asked: WhyQuestion) -> WhyAnswer:
    tried = try_increment(game, *asked)
    return _can(game, asked, tried) if isinstance(tried, Step) else _can_not(game, tried)


def _can(game: Game, asked: WhyQuestion, step: Step) -> WhyAnswer:
    target = place_words(game.ruleset.layout, game.seat, step.target)
    if "/" in step.spent:
        far = (message("you-can-go"), message("as-far-as"), target)
        return WhyAnswer(step.target, far, NOTHING)
    same = step.spent == str(asked.spaces)
    note = NOTHING if same else message("with-numbers", numbers=step.spent)
    return WhyAnswer(step.target, (message("you-can"), target), note)


def _can_not(game: Game, reason: Reason) -> WhyAnswer:
    words = (short_reason(reason),)
    if reason.place is None:
        return WhyAnswer(None, words, NOTHING)
    there = place_words(game.ruleset.layout, game.seat, reason.place)
    return WhyAnswer(reason.place, words, message("on-place", place=there))
