"""Why can't I? Answers for each pawn and increment: where the pawn may go, or what stops it."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from pi_app.model.screens import NOTHING, BoardScreen, Message, Seat, Text, message, table_map
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.menu.menu import Choosing
from pi_app.texts.reasons import short_reason
from pi_app.texts.words import choice_keys, place_words, spent_words
from rules.board import board
from rules.game import Game, Phase
from rules.questions.explain import try_increment
from rules.steps import Step


class WhyQuestion(NamedTuple):
    """Why can the pawn on this place not use this increment, or bonus, of so many spaces?"""

    place: int
    spaces: int
    bonus: bool


@dataclass(frozen=True, slots=True)
class AskingWhy(Choosing):
    """One panel asks. NEXT goes to the next question; OK, a hold of NEXT or 30 s close it."""

    questions: tuple[WhyQuestion, ...]

    def options(self, session: Session) -> tuple[WhyQuestion, ...]:
        return self.questions

    def whose(self, session: Session) -> Text:
        return message("asks-why-not", seat=Seat(self.driver))

    def ok(self, session: Session, seat: int) -> Change:
        return self.menu_before.close(session)

    def hold_next(self, session: Session) -> Change:
        return self.menu_before.close(session)

    def screen(self, session: Session) -> BoardScreen[Text]:
        game, question = session.playing.game, self.questions[self.index]
        place, words, note = _answer(game, question)
        target = None if place is None else (game.seat, place)
        shown = table_map(game, (game.seat, question.place), target)
        only, count = self.has_one_button(session), len(self.questions)
        return BoardScreen(
            board=replace(shown, hand="rests"),
            seat=game.seat,
            heading=message("why-not"),
            words=(words,),
            lead=_lead(game, question),
            note=note,
            keys=choice_keys(only, self.index, count, message("do-back")),
        )


def can_ask(session: Session) -> bool:
    """Whether there is an unused increment that a player can ask about."""
    return session.record is not None and bool(why_questions(session.record.game))


def stopped_first(game: Game) -> tuple[WhyQuestion, ...]:
    """Return all questions, first those whose pawn is stopped: players wonder about these."""
    questions = why_questions(game)
    return tuple(sorted(questions, key=lambda one: isinstance(try_increment(game, *one), Step)))


def why_questions(game: Game) -> tuple[WhyQuestion, ...]:
    """Return each unused increment, then each bonus, with each pawn that has a way to go."""
    if game.phase is not Phase.MOVE:
        return ()
    dice = [(spaces, False) for spaces, spent in game.increments if not spent]
    bonuses = [(spaces, True) for spaces in game.bonuses]
    end = board(game.ruleset.layout).end
    places = dict.fromkeys(place for place in game.position[game.seat] if place != end)
    return tuple(
        WhyQuestion(place, *increment)
        for increment in dict.fromkeys([*dice, *bonuses])
        for place in places
    )


def _lead(game: Game, question: WhyQuestion) -> Message:
    """Return the question: `+20: row 6`. For a grant it has the number of spaces that are left."""
    spaces = question.spaces if question.bonus else game.grant_left or question.spaces
    uses = spent_words(f"{'+' * question.bonus}{spaces}")
    origin = place_words(game.ruleset, game.seat, question.place)
    return message("uses-at", uses=uses, place=origin)


def _answer(game: Game, question: WhyQuestion) -> tuple[int | None, Message, Message]:
    """Return where the pawn may go, or what stops it, if that has a place; large words; a note."""
    tried = try_increment(game, *question)
    if not isinstance(tried, Step):
        if tried.place is None:
            return None, short_reason(tried), NOTHING
        note = message("on-place", place=place_words(game.ruleset, game.seat, tried.place))
        return tried.place, short_reason(tried), note
    target = place_words(game.ruleset, game.seat, tried.target)
    if "/" in tried.spent:  # a part of a grant
        return tried.target, message("you-can-go-as-far-as", place=target), NOTHING
    same = tried.spent == str(question.spaces)
    note = NOTHING if same else message("with-numbers", numbers=spent_words(tried.spent))
    return tried.target, message("you-can-go-to", place=target), note
