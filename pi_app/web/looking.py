"""What those are told who look on: the table, whose turn it is, what is offered. Tells no key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pi_app.table.advice import TURN
from pi_app.table.choices import DONE, Choice, Deed, choices, increments
from pi_app.table.modes.joining import Joining
from pi_app.table.modes.play import Play
from pi_app.table.modes.thrown import Thrown
from pi_app.table.offers import name_of, title
from pi_app.table.screen import Curve, Die, Podium, Screen, Table
from pi_app.table.session import Reply
from pi_app.table.state import Session
from pi_app.table.texts.language import ENGLISH
from pi_app.table.texts.message import Message, Text, message
from pi_app.table.texts.terms import ORDINALS
from pi_app.table.who import level, named
from pi_app.web.state import TURNS, is_tumbling, table_state
from rules.board import HOME, SEATS
from rules.game import Game, Phase

CHOOSING = (Phase.STARTER, Phase.MOVE, Phase.PENALTY)
ASIDE = (Deed.MENU, Deed.OTHER_PAWN, Deed.WAIT)  # what is chosen among, but is no play


def looked_on(reply: Reply) -> dict[str, Any]:
    """Return what a page shows to those who look on, beside what lies on the table.

    doing, who: whose turn it is, or how it stands, and the seat that this is about. rules, turns:
    the edition, and how far the game is. chances: each seat's to win, in hundredths, None for who
    has none; None altogether where they are not to be shown. increments: each text, and whether it
    is open, spent or chosen. offered: what can be chosen, and whether it is what the panel shows.
    standings: seat, name and how far each is, the first first.
    """
    s, tumbling = reply.session, is_tumbling(reply.screen)
    game = None if s.record is None else s.record.game
    who, doing = _thrower(s) if isinstance(s.mode, Thrown) else _doing(s)
    return {
        **table_state(reply),
        "doing": doing,
        "who": who,
        "rules": _rules(s),
        "turns": 0 if game is None else game.turns,
        "increments": [] if game is None or tumbling else _increments(s, game),
        "offered": [] if game is None or tumbling else _offered(s, game),
        "chances": _chances(s),
        "standings": _joined(s) if game is None else _standings(s, game),
    }


def same_but_for_blinks(one: Reply, other: Reply) -> bool:
    """Whether those who look on see the same: what blinks and breathes is the panel's alone."""
    before, after = one.session, other.session
    return (
        (before.mode, before.record, before.settings, before.odds)
        == (after.mode, after.record, after.settings, after.odds)
    ) and _still(one.screen) == _still(other.screen)


def _still(screen: Screen) -> Screen:
    if isinstance(screen, Curve):
        return replace(screen, beat=0)
    if isinstance(screen, Podium) and screen.cheer is not None:
        return replace(screen, cheer=0)
    if not isinstance(screen, Table):
        return screen
    dice = (Die(1, tumbling=True),) if is_tumbling(screen) else screen.dice
    board = replace(screen.board, lit=True)
    return replace(screen, board=board, dice=dice, beat=0, pane=None, hold=None, passing=False)


def _thrower(s: Session) -> tuple[int, str]:
    """Return who has thrown the dice that are shown: the game knows already what follows."""
    seat = s.playing.told[-1].seat
    return seat, _say(message("who-throws", who=named(s, seat)))


def _doing(s: Session) -> tuple[int | None, str]:
    """Return whose turn it is or who has won, and how it stands."""
    if s.record is None:
        return None, _say(message("players-join"))
    game = s.record.game
    if game.phase is Phase.OVER:
        return _ended(s, game)
    return game.seat if game.phase in TURNS else None, _say(_asked(game, named(s, game.seat)))


def _asked(game: Game, who: Text) -> Message:
    """Return what the game waits for."""
    match game.phase:
        case Phase.ORDER:
            return message("throws-for-who-begins", who=who)
        case Phase.STARTER:
            return message("who-begins-is-chosen")
        case Phase.THROW:
            return message("is-to-throw", who=who)
        case Phase.PENALTY if game.penalty is None:
            return message("two-alike-too-often", who=who)
        case Phase.PENALTY:
            return message("takes-a-pawn-back", who=who)
    return message("is-to-move", who=who)


def _ended(s: Session, game: Game) -> tuple[int | None, str]:
    if not game.places:
        return None, _say(message("game-has-ended"))
    return game.places[0], _say(message("has-won", who=named(s, game.places[0])))


def _rules(s: Session) -> str:
    """Return the edition of the game, or before it the one that is offered."""
    if s.record is not None:
        return _say(title(name_of(s.settings, s.record.game.ruleset)))
    return _say(title(s.mode.ruleset if isinstance(s.mode, Joining) else s.next_rules))


def _increments(s: Session, game: Game) -> list[list[str]]:
    shown = _shown(s)
    found = increments(game, shown.uses if shown else "")
    return [[_say(one.text), one.state] for one in found]


def _shown(s: Session) -> Choice | None:
    """Return the choice that the panel shows; None while it shows something else."""
    return s.mode.chosen(s) if isinstance(s.mode, Play) else None


def _offered(s: Session, game: Game) -> list[dict[str, Any]]:
    """Return what can be chosen; while a menu is open, what will be then."""
    if game.phase not in CHOOSING:
        return []
    listed = s.mode.choices(s) if isinstance(s.mode, Play) else choices(s.playing, s.dome)
    shown = _shown(s)
    return [
        {"words": _words(one), "chosen": one == shown} for one in listed if one.deed not in ASIDE
    ]


def _words(choice: Choice) -> str:
    """Return a choice in words: what it uses, from where to where, and who goes to the nest."""
    if choice == DONE:
        return _say(choice.note)
    lead, note = _say(choice.lead), _say(choice.note)
    words = (", " if choice.uses else " ").join(map(_say, choice.words))
    told = ", ".join(filter(None, (words, note)))
    return f"{lead}{' ' if lead[-1] in '→?' else ': '}{told}" if lead else told


def _say(text: Text) -> str:
    return ENGLISH.say(text, "page")


def _chances(s: Session) -> list[int | None] | None:
    """Return each seat's chance, those of the last throw while the newest are worked out."""
    if not s.setup.chances:
        return None
    game = None if s.record is None else s.record.game
    if game is None or game.phase not in TURN or s.odds is None or s.odds.throws > game.throws:
        return [None] * SEATS  # more throws: they are of the game before, or were undone
    return hundredths(s.odds.chances)


def hundredths(chances: Sequence[float | None]) -> list[int | None]:
    """Return chances as whole hundredths of all, which sum to 100: the largest rests round up."""
    known = [0.0 if one is None else 100 * one for one in chances]
    short = round(sum(known)) - sum(map(int, known))
    up = sorted(range(len(known)), key=lambda n: int(known[n]) - known[n])[:short]
    return [None if one is None else int(known[n]) + (n in up) for n, one in enumerate(chances)]


def _joined(s: Session) -> list[list[Any]]:
    boxes = (one for one in s.setup.panels if one not in s.joined and level(s, one) is not None)
    return [[seat, _say(named(s, seat)), _say(message("joined"))] for seat in (*s.joined, *boxes)]


def _standings(s: Session, game: Game) -> list[list[Any]]:
    """Return seat, name and how far each is: who has come home wholly, then by pawns at home."""
    left = [seat for seat in game.seats if seat not in game.places]
    order = (*game.places, *sorted(left, key=lambda seat: -_home(game, seat)))
    return [[seat, _say(named(s, seat)), _say(_far(game, seat))] for seat in order]


def _far(game: Game, seat: int) -> Message:
    if seat in game.places:
        return ORDINALS[game.places.index(seat)]
    return message("so-many-home", pawns=_home(game, seat))


def _home(game: Game, seat: int) -> int:
    return game.position[seat].count(HOME)
