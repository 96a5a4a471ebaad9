"""Kept games as the page shows them: a list, and one game action by action. Reads nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Any

from pi_app.players.looks import Found, Look, looks, reviewed
from pi_app.players.tables import judge
from pi_app.record.games import Summary, names_in, ruleset_name
from pi_app.table.chronicle import lines_of, used, who_played
from pi_app.table.texts.language import ENGLISH
from pi_app.table.texts.message import Message, message
from pi_app.table.texts.terms import way_of
from pi_app.table.words import letter
from pi_app.web.geometry import way
from pi_app.web.state import pawns, places
from rules.actions import Move, Stop, Throw
from rules.board import NEST, SEATS
from rules.facts import Captured, Fact, Moved, Penalized
from rules.game import Game, Phase
from rules.history import Record, Retype, Told, Undo
from rules.jsonl import read_lines
from rules.record import parse_game
from rules.ruleset import PRESETS, RuleSet, preset_title
from rules.steps import Step, parse_step

MINUTE_S = 60

Chances = list[float | None]


# --- the list ------------------------------------------------------------------------------------


def listing(summaries: Iterable[Summary]) -> list[dict[str, Any]]:
    """Return what a list says of each game, in words but for when it began."""
    return [_listed(summary) for summary in summaries]


def _listed(summary: Summary) -> dict[str, Any]:
    if not summary.seats:
        return _unreadable(summary)
    throws = [] if summary.damaged else [_counted(summary.throws, "throw")]
    about = [_title(summary.ruleset), *_lasted(summary.seconds), *throws]
    return {
        "number": summary.number,
        "imported": summary.imported,
        "who": who(summary.seats, summary.names),
        "about": ", ".join(about),
        "started": summary.started.isoformat() if summary.started else None,
        "result": _result(summary),
    }


def _result(summary: Summary) -> str:
    if summary.damaged:
        return "damaged"
    if summary.winner is not None:
        return f"{letter(summary.winner)} has won"
    return "over, nobody has won" if summary.over else "not over"


def _unreadable(summary: Summary) -> dict[str, Any]:
    return {
        "number": summary.number,
        "imported": summary.imported,
        "who": summary.ruleset,
        "about": f"`referee show {summary.number}` says why",
        "started": None,
        "result": _result(summary),
    }


def who(seats: Iterable[int], names: dict[str, str]) -> str:
    """Return who plays: `A Mia and C`."""
    named = (f"{letter(seat)} {names.get(letter(seat), '')}".strip() for seat in seats)
    return ENGLISH.say(tuple(named), "page")


def _title(ruleset: str) -> str:
    return preset_title(ruleset) if ruleset in PRESETS else ruleset


def _lasted(seconds: float | None) -> list[str]:
    return [] if seconds is None else [_counted(max(1, round(seconds / MINUTE_S)), "minute")]


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


# --- one game ------------------------------------------------------------------------------------


def shown(lines: Iterable[str]) -> dict[str, Any]:
    """Return a judged record's game: who plays what, and what each action led to.

    A frame says what is other than in the one before: turn, words, dice, pawns, their places in
    words, ways that they went, each seat's chance to win. The first is before any action.
    """
    following = read_lines(lines)
    start = next(following)
    names, rules, seats = names_in(start.said), start.record.game.ruleset, start.record.game.seats
    frames = [_frame(rules, "the pawns are in their nests", start.record)]
    for before, after in pairwise(chain([start], following)):
        frames.append(_action(before.record, after.record, after.said))
    return {
        "who": who(seats, names),
        "rules": _title(ruleset_name(rules)),
        "board": f"{rules.layout}/{rules.travel}/{rules.safety}",
        "seats": [[seat, names.get(letter(seat), "")] for seat in seats],
        "frames": list(_news(frames)),
    }


def _frame(rules: RuleSet, words: str, record: Record) -> dict[str, Any]:
    game = record.game
    return {
        "turn": game.turns,
        "words": words,
        "dice": list(game.throw),
        "pawns": pawns(rules.layout, rules.travel, game.position),
        "places": places(rules.layout, game.position),
        "moves": [],
        "chances": chances(game),
    }


def _action(before: Record, after: Record, said: dict[str, Any]) -> dict[str, Any]:
    """Return the frame of an action."""
    told, rules = after.told[-1], after.game.ruleset
    frame = _frame(rules, _words(rules, told, said), after)
    frame["moves"] = [move for fact in told.facts for move in _move(rules, fact)]
    if isinstance(told.entry, Throw | Retype):
        frame["dice"] = list(told.entry.faces)
    elif isinstance(told.entry, Move | Stop):
        frame["dice"] = list(before.game.throw)
    if isinstance(told.entry, Move | Stop | Throw):
        frame["turn"] = before.game.turns
    return frame


def _words(rules: RuleSet, told: Told, said: dict[str, Any]) -> str:
    lines = [ENGLISH.say(line, "page") for line in lines_of(rules, told)]
    lines = lines or [f"{letter(told.seat)}: {told.entry}"]
    player = who_played(told, said.get("by"))
    also = [ENGLISH.say(message("played-by", who=player), "page")] if player else []
    also += [ENGLISH.say(message("after-a-hint"), "page")] if said.get("hint") else []
    return "; ".join([*lines, *also])


def _move(rules: RuleSet, fact: Fact) -> Iterator[dict[str, Any]]:
    """Yield the way that a pawn went, as the board draws one that a hand has made."""
    match fact:
        case Moved(seat, step):
            ends = seat, step.origin, step.target
        case Captured(seat, place) | Penalized(seat, int(place)):
            ends = seat, place, NEST
        case _:
            return
    trail = way(rules.layout, rules.travel, *ends)
    yield {"seat": ends[0], "trail": trail, "there": True}


def chances(game: Game) -> Chances | None:
    """Return each seat's chance to win, 0 to 1, None of one that doesn't play.

    None for all in the middle of a play, before anybody has begun, and where nobody has won.
    """
    if game.places:
        return [float(seat == game.places[0]) if game.position[seat] else None for seat in _ALL]
    if game.phase is not Phase.THROW:
        return None
    found = judge(game.ruleset).chances(game.position, game.seat)
    return [round(found[seat], 4) if seat in found else None for seat in _ALL]


_ALL = range(SEATS)


def _news(frames: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield of each frame what is other than in the one before, its chances only where known."""
    before: dict[str, Any] = {}
    for frame in frames:
        known = {k: v for k, v in frame.items() if k != "chances" or v is not None}
        yield {key: value for key, value in known.items() if before.get(key) != value}
        before |= known


# --- luck and skill ------------------------------------------------------------------------------


def to_review(lines: Iterable[str]) -> tuple[tuple[Look, ...], tuple[int, ...]]:
    """Return what there is to look at in a game that is over, and the frame of each throw of it.

    Nothing where it is not over: who plays on shall not be told.
    """
    frames: list[int] = []
    record: Record | None = None
    for number, played in enumerate(read_lines(lines)):
        record = played.record
        told = record.told[-1].entry if record.told else None
        del frames[len(record.past) - (not isinstance(told, Undo)) :]
        frames += [number] * (len(record.past) - len(frames))
    if record is None or record.game.phase is not Phase.OVER:
        return (), ()
    at_turns = (
        frame
        for frame, done in zip(frames, record.past, strict=True)
        if isinstance(done.action, Throw) and done.before.phase is Phase.THROW
    )
    return looks(record), tuple(at_turns)


def review_shown(
    asked: Sequence[Look], frames: Sequence[int], found: Sequence[Found | None]
) -> dict[str, Any]:
    """Return what is ready of a game's luck and skill, in points, each throw with its frame."""
    review = reviewed(asked, found)

    def told(n: int | None, points: float, better: str = "") -> dict[str, Any] | None:
        if n is None:
            return None
        words = f"turn {asked[n].turn}, {ENGLISH.say(tuple(asked[n].throw), 'page')}"
        return {"frame": frames[n], "words": words, "points": round(points, 1), "better": better}

    def decision(n: int) -> dict[str, Any] | None:
        what = _ready(found[n])
        return told(n, what.given_away, _steps(asked[n], what))

    def luck(n: int | None) -> dict[str, Any] | None:
        return told(n, _ready(found[n]).luck if n is not None else 0.0)

    seats = [
        {
            "seat": one.seat,
            "luck": round(one.luck, 1),
            "gaveAway": round(one.gave_away, 1),
            "dearest": list(map(decision, one.dearest)),
            "luckiest": luck(one.luckiest),
            "unluckiest": luck(one.unluckiest),
        }
        for one in review.seats
    ]
    return {"ready": review.ready, "of": review.of, "seats": seats}


def _ready(found: Found | None) -> Found:
    assert found is not None  # a review names only what is ready
    return found


def _steps(one: Look, found: Found) -> str:
    """Return what would have been better, in words."""
    rules = parse_game(one.thrown_in).ruleset
    steps = (parse_step(step) for step in found.best)
    said = [ENGLISH.say(_better(rules, one.seat, step), "page") for step in steps]
    return "; ".join(said) or ENGLISH.say(message("better-not"), "page")


def _better(rules: RuleSet, seat: int, step: Step) -> Message:
    if step.origin == NEST:
        return message("better-enter", used=used(step))
    there = way_of(rules.layout, seat, step.origin, step.target)
    return message("better-move", used=used(step), way=there)
