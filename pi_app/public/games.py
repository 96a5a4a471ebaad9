"""Kept games in words: a list, one game action by action, its luck and skill. Reads nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Any, NamedTuple

from pi_app.advice.reviews import (
    ReviewRequest,
    SeatReview,
    ThrowReview,
    review_requests,
    sum_reviews,
)
from pi_app.players.tables import load_judge
from pi_app.public.state import places
from pi_app.record.games import HOUSE_RULES, Summary, names_in, ruleset_name
from pi_app.screens.screen import NOTHING, Message, Seat, Text, Value, message
from pi_app.settings.offers import edition_title
from pi_app.table.telling.chronicle import entry_lines, used_increments, who_played
from pi_app.texts.language import Language
from pi_app.texts.words import comma_list, seat_letter, way_words
from rules.actions import Move, Stop, Throw
from rules.board import NEST, SEATS
from rules.facts import Captured, Fact, Moved, Penalized
from rules.game import Game, Phase
from rules.history import EntryReport, Record, Retype, Undo
from rules.jsonl import read_lines
from rules.record import parse_game
from rules.ruleset import RuleSet
from rules.steps import Step, parse_step

MINUTE_S = 60

Chances = list[float | None]


# --- the list ------------------------------------------------------------------------------------


def list_games(summaries: Iterable[Summary], language: Language) -> list[dict[str, Any]]:
    """Return what a list says of each game, in the words of a language.

    started: when it began, as ISO 8601, or None. Where it is known, `about` has a slot {when} for
    it, since only the browser knows in which time zone it is read.
    """
    return [_listed(summary, language) for summary in summaries]


def _listed(summary: Summary, language: Language) -> dict[str, Any]:
    number, started = summary.number, summary.started
    if summary.seats:
        players, about = player_list(summary.seats, summary.names), _about(summary)
    else:
        players, about = (message("game-not-read"),), message("show-says-why", number=number)
    return {
        "number": number,
        "who": language.say(players, "page"),
        "about": language.say(about, "page"),
        "started": started.isoformat() if started is not None else None,
        "result": language.say(_result(summary), "page"),
    }


def _about(summary: Summary) -> Text:
    """Return when and by which rules a game was played, how long it was, and whether elsewhere."""
    about: list[Text] = [] if summary.started is None else ["{when}"]
    about.append(_rules_called(summary.ruleset))
    if summary.seconds is not None:
        about.append(message("minutes", count=max(1, round(summary.seconds / MINUTE_S))))
    if not summary.damaged:
        about.append(message("throws-made", count=summary.throws))
    if summary.imported:
        about.append(message("game-imported"))
    return comma_list(about)


def _rules_called(name: str) -> Text:
    """Return what rules are called to which a list of games gives this name."""
    return edition_title(None if name == HOUSE_RULES else name)


def _result(summary: Summary) -> Message:
    if summary.damaged:
        return message("game-damaged")
    if summary.winner is not None:
        return message("won", seat=Seat(summary.winner))
    return message("over-nobody-won") if summary.over else message("game-not-over")


def player_list(seats: Iterable[int], names: dict[str, str]) -> tuple[Value, ...]:
    """Return who plays: `A Mia and C`."""
    return tuple(_player(seat, names.get(seat_letter(seat))) for seat in seats)


def _player(seat: int, name: str | None) -> Value:
    return message("seat-and-name", seat=Seat(seat), name=name) if name else Seat(seat)


# --- one game ------------------------------------------------------------------------------------


class GameStory(NamedTuple):
    """A game in words: its rules, what there is to say of the whole, and its frames.

    A frame is how it stands after an action, the first before any: turn, words, how far it is,
    dice, the same in words, position, the pawns' places in words, the pawns that went (seat, origin
    and target of each), each seat's chance to win.
    """

    rules: RuleSet
    about: dict[str, Any]
    frames: list[dict[str, Any]]


def game_story(number: str, lines: Iterable[str], language: Language) -> GameStory:
    """Return a judged record's game in the words of a language: who plays what, what was done."""
    following = read_lines(lines)
    start = next(following)
    names, rules, seats = names_in(start.said), start.record.game.ruleset, start.record.game.seats
    frames = [_frame(rules, message("pawns-in-nests"), start.record, language)]
    for before, after in pairwise(chain([start], following)):
        frames.append(_action(before.record, after.record, after.said, language))
    heading = message("heading-of-game", number=number, who=player_list(seats, names))
    about = {
        "title": language.say(message("title-of-game", number=number), "page"),
        "heading": language.say(heading, "page"),
        "rules": language.say(_rules_called(ruleset_name(rules)), "page"),
        "board": f"{rules.layout}/{rules.travel}/{rules.safety}",
        "seats": [[seat, names.get(seat_letter(seat), "")] for seat in seats],
    }
    return GameStory(rules, about, list(_said(frames, language)))


def _frame(rules: RuleSet, words: Message, record: Record, language: Language) -> dict[str, Any]:
    """Return a frame; what was done is a message still."""
    game = record.game
    return {
        "turn": game.turns,
        "words": words,
        "dice": list(game.throw),
        "position": game.position,
        "places": places(rules.layout, game.position, language),
        "moves": [],
        "chances": chances(game),
    }


def _action(
    before: Record, after: Record, said: dict[str, Any], language: Language
) -> dict[str, Any]:
    """Return the frame of an action."""
    told, rules = after.told[-1], after.game.ruleset
    frame = _frame(rules, _words(rules, told, said), after, language)
    frame["moves"] = [move for fact in told.facts for move in _moves(fact)]
    if isinstance(told.entry, Throw | Retype):
        frame["dice"] = list(told.entry.faces)
    elif isinstance(told.entry, Move | Stop):
        frame["dice"] = list(before.game.throw)
    if isinstance(told.entry, Move | Stop | Throw):
        frame["turn"] = before.game.turns
    return frame


def _words(rules: RuleSet, told: EntryReport, said: dict[str, Any]) -> Message:
    """Return what an action did; as it was recorded, where the chronicle has no line for it."""
    recorded = message("of-seat", seat=Seat(told.seat), what=str(told.entry))
    lines = entry_lines(rules, told) or [recorded]
    player = who_played(told, said.get("by"))
    if player:
        lines.append(message("played-by", who=player))
    if said.get("hint"):
        lines.append(message("after-a-hint"))
    return _one_after_another(lines)


def _one_after_another(sentences: Iterable[Message]) -> Message:
    """Return sentences as one text."""
    text = NOTHING
    for one in sentences:
        text = message("one-after-another", before=text, then=one) if text else one
    return text


def _said(frames: Sequence[dict[str, Any]], language: Language) -> Iterator[dict[str, Any]]:
    """Yield frames with what was done, how far they are and their dice in words."""
    last = len(frames) - 1
    for n, frame in enumerate(frames):
        turn, faces = frame["turn"], tuple(frame["dice"])
        thrown = message("dice-are", faces=faces) if faces else message("no-dice")
        yield {
            **frame,
            "words": language.say(message("at-turn", turn=turn, what=frame["words"]), "page"),
            "at": language.say(message("at-action", turn=turn, n=n, last=last), "page"),
            "thrown": language.say(thrown, "page"),
        }


def _moves(fact: Fact) -> Iterator[tuple[int, int, int]]:
    """Yield the seat, origin and target of the pawn that a fact moved."""
    match fact:
        case Moved(seat, step):
            yield seat, step.origin, step.target
        case Captured(seat, place) | Penalized(seat, int(place)):
            yield seat, place, NEST


def chances(game: Game) -> Chances | None:
    """Return each seat's chance to win, 0 to 1, None of one that doesn't play.

    None for all in the middle of a play, before anybody has begun, and where nobody has won.
    """
    if game.places:
        return [float(seat == game.places[0]) if game.position[seat] else None for seat in _ALL]
    if game.phase is not Phase.THROW:
        return None
    found = load_judge(game.ruleset).chances(game.position, game.seat)
    return [round(found[seat], 4) if seat in found else None for seat in _ALL]


_ALL = range(SEATS)


# --- luck and skill ------------------------------------------------------------------------------


def throws_to_review(lines: Iterable[str]) -> tuple[tuple[ReviewRequest, ...], tuple[int, ...]]:
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
    return review_requests(record), tuple(at_turns)


def review_state(
    asked: Sequence[ReviewRequest],
    frames: Sequence[int],
    found: Sequence[ThrowReview | None],
    language: Language,
    failed: bool = False,
) -> dict[str, Any]:
    """Return what is ready of a game's luck and skill, in the words of a language.

    of: how many throws there are to look at. over: whether nothing more comes. progress: how far it
    is, until all is ready. failed: nobody can work out the rest. Each throw has its frame.
    """
    review = sum_reviews(asked, found)

    def told(n: int, points: Message, better: Message = NOTHING) -> dict[str, Any]:
        slots: dict[str, Value] = {"turn": asked[n].turn, "faces": asked[n].throw, "points": points}
        words = language.say(message("throw-and-points", **slots), "page")
        return {"frame": frames[n], "words": words, "better": language.say(better, "page")}

    def decision(n: int) -> dict[str, Any]:
        what = _ready(found[n])
        better = message("better", steps=_better_steps(asked[n], what))
        return told(n, _tenths(what.given_away), better)

    def luck(n: int) -> dict[str, Any]:
        return told(n, _signed(_ready(found[n]).luck))

    def of_seat(one: SeatReview) -> dict[str, Any]:
        luck_words = message("luck-of-seat", luck=_signed(one.luck), gave=_tenths(one.gave_away))
        extremes = [n for n in (one.luckiest, one.unluckiest) if n is not None]
        return {
            "seat": one.seat,
            "words": language.say(luck_words, "page"),
            "dearest": list(map(decision, one.dearest)),
            "extremes": list(map(luck, extremes)),
        }

    return {
        "of": review.of,
        "over": failed or review.ready == review.of,
        "progress": language.say(_progress(review.ready, review.of, failed), "page"),
        "seats": list(map(of_seat, review.seats)),
    }


def _progress(ready: int, of: int, failed: bool) -> Message:
    if ready == of:
        return NOTHING
    if failed:
        return message("review-failed", ready=ready, count=of)
    return message("review-goes-on", ready=ready, count=of)


def _signed(points: float) -> Message:
    """Return points with their sign and one decimal."""
    number = _tenths(points)
    return message("minus" if round(10 * points) < 0 else "plus", number=number)


def _tenths(points: float) -> Message:
    """Return points without their sign, with one decimal."""
    whole, tenth = divmod(abs(round(10 * points)), 10)
    return message("decimal", whole=whole, tenth=tenth)


def _ready(found: ThrowReview | None) -> ThrowReview:
    assert found is not None  # a review names only what is ready
    return found


def _better_steps(one: ReviewRequest, found: ThrowReview) -> Message:
    """Return what would have been better."""
    rules = parse_game(one.thrown_in).ruleset
    steps = (_better(rules, one.seat, parse_step(step)) for step in found.best)
    return _one_after_another(steps) or message("better-not")


def _better(rules: RuleSet, seat: int, step: Step) -> Message:
    if step.origin == NEST:
        return message("better-enter", used=used_increments(step))
    there = way_words(rules.layout, seat, step.origin, step.target)
    return message("better-move", used=used_increments(step), way=there)
