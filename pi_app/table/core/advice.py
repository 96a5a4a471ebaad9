"""What the table asks the adviser, and how an answer changes the session. Computes no advice."""

from dataclasses import replace
from typing import Any

from pi_app.model.advice import AdviceQuestion, BotQuestion, ChancesQuestion, HintQuestion
from pi_app.model.tables import has_table
from pi_app.table.core.state import BotPlan, Odds, Session, Tip
from pi_app.texts.reasons import hint_words
from rules.actions import Action, Move, Stop, Throw
from rules.game import Phase, at
from rules.history import EntryReport, Record

BOARD_PHASES = (Phase.THROW, Phase.MOVE, Phase.PENALTY)


def next_question(session: Session) -> AdviceQuestion | None:
    """Return the most urgent question that the session has now, or None."""
    if session.record is None:
        return None
    game, review = session.record.game, session.review
    level = session.seats.level(game.seat)
    if game.phase is Phase.MOVE and level and game.steps and bot_choice(session) is None:
        return BotQuestion(game, level)
    if not has_table(game.ruleset):
        return None
    needs_hint = session.mode.hints(session) and may_ask_hint(session)
    if needs_hint and session.hints.tip_for(game) is None:
        return HintQuestion(game)
    if session.mode.reviews(session) and review is not None and not review.failed:
        reviewed = len(review.found)
        if review.past is session.record.past and reviewed != len(review.thrown):
            return review.thrown[reviewed]
    # While the screen shows a throw, the chances would reveal the last throw for who begins.
    if session.setup.chances and game.phase in BOARD_PHASES and not session.mode.shows_throw:
        # The position before the throw: its chances stay the same until the play is complete. To
        # rate a throw takes as long as to choose a play, and chances that changed with each step
        # would reveal what the next one is worth.
        before = at(game.ruleset, game.thrown_in, game.seat)
        if session.odds is None or session.odds.game != before:
            return ChancesQuestion(before)
    return None


def may_ask_hint(session: Session) -> bool:
    """Whether a person has something to choose, and hints are on."""
    if session.record is None or not session.settings.hints:
        return False
    game = session.record.game
    return not session.seats.has_bot(game.seat) and game.phase is Phase.MOVE and bool(game.steps)


def can_hint(session: Session) -> bool:
    """Whether a hint may be asked for, and can be found: that needs a table of weights."""
    return may_ask_hint(session) and has_table(session.playing.game.ruleset)


def take_answer(session: Session, question: AdviceQuestion, answer: Any) -> Session:
    """Return the session with the answer that the question has read."""
    match question:
        case BotQuestion():
            return replace(session, plan=BotPlan(question.level, answer))
        case HintQuestion():
            action, reason = answer
            tip = Tip(question.game, action, hint_words(reason))
            return replace(session, hints=session.hints._replace(tip=tip))
        case ChancesQuestion():
            odds = Odds(question.game, answer, session.playing.game.throws)
            play, old = _newest_play(session.playing), session.odds
            if play and old:
                thrown = play[0]
                if old.game == at(question.game.ruleset, thrown.position, thrown.seat):
                    odds = odds._replace(play=play, before=old.chances)
            return replace(session, odds=odds)
    assert session.review is not None
    if answer is None:
        return replace(session, review=session.review._replace(failed=True))
    return replace(session, review=session.review._replace(found=(*session.review.found, answer)))


def _newest_play(record: Record) -> tuple[EntryReport, ...]:
    """Return the newest complete play with its throw; () if anything else came between."""
    starts = [n for n, report in enumerate(record.told) if isinstance(report.entry, Throw)]
    if record.game.phase is Phase.THROW:
        starts.append(len(record.told))
    play = record.told[starts[-2] : starts[-1]] if len(starts) > 1 else ()
    return play if all(isinstance(one.entry, Throw | Move | Stop) for one in play) else ()


def bot_choice(session: Session) -> Action | None:
    """Return what the bot whose turn it is does next; None without a bot or before its answer."""
    record, plan = session.record, session.plan
    if record is None or plan is None or plan.level != session.seats.level(record.game.seat):
        return None
    return next((action for game, action in plan.steps if game == record.game), None)
