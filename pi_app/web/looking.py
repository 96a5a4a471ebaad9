"""What those are told who look on: the table, whose turn it is, what is offered. Tells no key."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pi_app.table.choices import Choice, Deed, choices, increments
from pi_app.table.modes.play import Play
from pi_app.table.offers import name_of, title
from pi_app.table.screen import Die, Screen, Table
from pi_app.table.session import Reply
from pi_app.table.state import Session
from pi_app.table.who import named
from pi_app.table.words import ORDINALS, many
from pi_app.web.state import is_tumbling, table_state
from rules.board import HOME
from rules.game import Game, Phase

DOING = {
    Phase.ORDER: "{} throws for who begins",
    Phase.STARTER: "who begins is chosen",
    Phase.THROW: "{} is to throw",
    Phase.MOVE: "{} is to move",
    Phase.PENALTY: "{} takes a pawn back",
}


def looked_on(reply: Reply) -> dict[str, Any]:
    """Return what a page shows to those who look on, beside what lies on the table.

    doing: whose turn it is, or how it stands. rules, turns: the edition, and how far the game is.
    increments: each text, and whether it is open, spent or chosen. offered: what can be chosen, and
    whether it is what the panel shows. standings: seat and how far each is, the first first.
    """
    s, tumbling = reply.session, is_tumbling(reply.screen)
    game = None if s.record is None else s.record.game
    return {
        **table_state(reply),
        "doing": _doing(s, tumbling),
        "rules": "" if game is None else title(name_of(s.settings, game.ruleset)),
        "turns": 0 if game is None else game.turns,
        "increments": [] if game is None or tumbling else _increments(s, game),
        "offered": [] if game is None or tumbling else _offered(s, game),
        "standings": [] if game is None else _standings(s, game),
    }


def same_but_for_blinks(one: Reply, other: Reply) -> bool:
    """Whether those who look on see the same: what blinks and breathes is the panel's alone."""
    before, after = one.session, other.session
    return (
        (before.mode, before.record, before.settings) == (after.mode, after.record, after.settings)
    ) and _still(one.screen) == _still(other.screen)


def _still(screen: Screen) -> Screen:
    if not isinstance(screen, Table):
        return screen
    dice = (Die(1, tumbling=True),) if is_tumbling(screen) else screen.dice
    board = replace(screen.board, lit=True)
    return replace(screen, board=board, dice=dice, beat=0, pane=None, hold=None)


def _doing(s: Session, tumbling: bool) -> str:
    if s.record is None:
        return "players join"
    game = s.record.game
    if tumbling:
        return "the dice are thrown"
    if game.phase is not Phase.OVER:
        return DOING[game.phase].format(named(s, game.seat))
    return f"{named(s, game.places[0])} has won!" if game.places else "the game has ended"


def _increments(s: Session, game: Game) -> list[list[str]]:
    shown = _shown(s)
    return [[one.text, one.state] for one in increments(game, shown.uses if shown else "")]


def _shown(s: Session) -> Choice | None:
    """Return the choice that the panel shows; None while it shows something else."""
    return s.mode.chosen(s) if isinstance(s.mode, Play) else None


def _offered(s: Session, game: Game) -> list[dict[str, Any]]:
    """Return what can be done with a throw; while a menu is open, what will be then."""
    if game.phase is not Phase.MOVE:
        return []
    listed = s.mode.choices(s) if isinstance(s.mode, Play) else choices(s.playing, s.dome)
    shown = _shown(s)
    return [
        {"words": _words(one), "chosen": one == shown} for one in listed if one.deed != Deed.MENU
    ]


def _words(choice: Choice) -> str:
    """Return a choice in words: what it uses, from where to where, and who goes to the nest."""
    uses = choice.uses.partition("/")[0]
    lead = choice.lead if choice.lead.startswith(uses) else f"{uses}: {choice.lead}"
    return " ".join(filter(None, (lead, ", ".join(choice.words), choice.note)))


def _standings(s: Session, game: Game) -> list[list[Any]]:
    """Return seat, name and how far each is: who has come home wholly, then by pawns at home."""
    left = [seat for seat in game.seats if seat not in game.places]
    order = (*game.places, *sorted(left, key=lambda seat: -_home(game, seat)))
    return [[seat, named(s, seat), _far(game, seat)] for seat in order]


def _far(game: Game, seat: int) -> str:
    if seat in game.places:
        return ORDINALS[game.places.index(seat)]
    return f"{many(_home(game, seat), 'pawn')} home"


def _home(game: Game, seat: int) -> int:
    return game.position[seat].count(HOME)
