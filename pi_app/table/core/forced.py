"""Where nothing is left to choose: what the dome confirms before it throws. No fingers."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from pi_app.settings.settings import DICE
from pi_app.table.core.advice import planned
from pi_app.table.core.state import Forced, Session
from pi_app.table.core.who import level
from rules.actions import Action, Move, Stop
from rules.game import Game, Phase, play

READ_S = 2.0  # how long each message of such a screen stands before the dome confirms it


def forced(session: Session, count_messages: Callable[[], int]) -> Forced | None:
    """Return what a press of the dome confirms now, None where there is more to decide.

    count_messages: tells how many texts are on the screen, which a child reads one by one.
    """
    action = _left(session)
    if action is None:
        return None
    game, known = session.playing.game, session.forced
    if known is not None and (known.game, known.action) == (game, action):
        return known
    children = all(map(session.is_childs, session.mode.drivers(session)))
    return Forced(game, action, session.t + READ_S * (count_messages() if children else 1))


def _left(session: Session) -> Action | None:
    """Return the only thing left to do, if the dome throws as soon as that is done."""
    game = session.playing.game
    if game.phase not in (Phase.MOVE, Phase.PENALTY) or not session.dome_chooses:
        return None
    if session.settings.get(DICE) == "typed":
        return None
    boxed = level(session, game.seat) is not None and bool(game.steps)
    return before_a_throw(game, planned(session) if boxed else only_action(game))


def only_action(game: Game) -> Action | None:
    """Return the only thing that can be done in a game, None where there is more to choose."""
    if game.phase is Phase.PENALTY:
        return Stop() if game.penalty is None else None
    if game.phase is not Phase.MOVE:
        return None
    if not game.steps:
        return Stop()
    [first, *others] = game.steps
    return None if others or game.may_stop else Move(first)


def before_a_throw(game: Game, action: Action | None) -> Action | None:
    """Return an action if it captures nothing and a throw follows it."""
    if action is None or (isinstance(action, Move) and action.step.captures):
        return None
    return action if _throw_follows(game, action) else None


@lru_cache(maxsize=1)  # asked at every blink, and playing a step may search for what follows it
def _throw_follows(game: Game, action: Action) -> bool:
    return play(game, action)[0].phase is Phase.THROW
