"""Where nothing is left to choose: what the dome confirms before it throws. No fingers."""

from __future__ import annotations

from functools import lru_cache

from pi_app.table.advice import planned
from pi_app.table.settings import DICE
from pi_app.table.state import Forced, Session
from pi_app.table.who import level
from rules.actions import Action, Move, Stop
from rules.game import Game, Phase, play

READ_S = 2.0  # how long each message of such a screen stands before the dome confirms it


def forced(session: Session, messages: int) -> Forced | None:
    """Return what a press of the dome confirms now, None where there is more to decide.

    messages: how many texts are on the screen, which a child reads one after the other.
    """
    action = _left(session)
    if action is None:
        return None
    game, known = session.playing.game, session.forced
    if known is not None and (known.game, known.action) == (game, action):
        return known
    children = all(map(session.is_childs, session.mode.drivers(session)))
    return Forced(game, action, session.t + READ_S * (messages if children else 1))


def _left(session: Session) -> Action | None:
    """Return the only thing left to do, if the dome throws as soon as that is done."""
    game = session.playing.game
    typed = session.settings.get(DICE) == "typed"
    if typed or not session.dome or game.phase not in (Phase.MOVE, Phase.PENALTY):
        return None
    action = _only_action(session, game)
    if action is None or (isinstance(action, Move) and action.step.captures):
        return None
    return action if _throw_follows(game, action) else None


def _only_action(session: Session, game: Game) -> Action | None:
    if game.phase is Phase.PENALTY:
        return Stop() if game.penalty is None else None
    if not game.steps:
        return Stop()
    if level(session, game.seat) is not None:
        return planned(session)
    [first, *others] = game.steps
    return None if others or game.may_stop else Move(first)


@lru_cache(maxsize=1)  # asked at every blink, and playing a step may search for what follows it
def _throw_follows(game: Game, action: Action) -> bool:
    return play(game, action)[0].phase is Phase.THROW
