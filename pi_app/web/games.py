"""A stored game as the page gets it: the board's coordinates, and the changes of each action."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pi_app.public.games import game_story
from pi_app.texts.language import Language
from pi_app.web.drawing import pawn_places
from pi_app.web.geometry import find_way


def page_game(number: str, lines: Iterable[str], language: Language) -> dict[str, Any]:
    """Return the game of a checked record, with all that is said in `language`.

    number: the game's. lines: of the record. The frames have only what differs from the frame
    before: turn, words, progress, dice and dice in words, pawns and places in words, moves, and
    each seat's chance to win. The first frame is before any action.
    """
    rules, about, frames = game_story(number, lines, language)
    changes: list[dict[str, Any]] = []
    before: dict[str, Any] = {}
    for frame in frames:
        position = frame.pop("position")
        if frame["chances"] is None:
            del frame["chances"]
        trails = [
            (seat, find_way(rules.layout, rules.travel, seat, *ends))
            for seat, *ends in frame["moves"]
        ]
        known = {
            **frame,
            "pawns": pawn_places(rules.layout, rules.travel, position),
            "moves": [{"seat": seat, "trail": trail, "there": True} for seat, trail in trails],
        }
        changes.append({key: value for key, value in known.items() if before.get(key) != value})
        before |= known
    return {**about, "frames": changes}
