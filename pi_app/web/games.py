"""A kept game as the page is sent it: what lies where, and of each action only what is new."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pi_app.public.games import tell_game
from pi_app.texts.language import Language
from pi_app.web.drawing import pawn_places
from pi_app.web.geometry import spots_passed
from rules.ruleset import RuleSet


def page_game(number: str, lines: Iterable[str], language: Language) -> dict[str, Any]:
    """Return a judged record's game in the words of a language: who plays what, what was done.

    A frame says what is other than in the one before: turn, words, how far it is, dice, the same in
    words, pawns, their places in words, ways that they went, each seat's chance to win. The first
    is before any action.
    """
    rules, about, frames = tell_game(number, lines, language)
    return {**about, "frames": list(_news([_drawn(rules, frame) for frame in frames]))}


def _drawn(rules: RuleSet, frame: dict[str, Any]) -> dict[str, Any]:
    """Return a frame with each pawn and its way, as the board draws one that a hand has made."""
    told = {key: value for key, value in frame.items() if key != "position"}
    moves = [
        {
            "seat": seat,
            "trail": spots_passed(rules.layout, rules.travel, seat, *ends),
            "there": True,
        }
        for seat, *ends in frame["moves"]
    ]
    return {
        **told,
        "pawns": pawn_places(rules.layout, rules.travel, frame["position"]),
        "moves": moves,
    }


def _news(frames: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield of each frame what is other than in the one before, its chances only where known."""
    before: dict[str, Any] = {}
    for frame in frames:
        known = {k: v for k, v in frame.items() if k != "chances" or v is not None}
        yield {key: value for key, value in known.items() if before.get(key) != value}
        before |= known
