"""Games of the journal in words: a list, one game with all its actions, its review. No files."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from pi_app.model.advice import ReviewQuestion, ThrowReview
from pi_app.model.reviews import SeatReview, chances_of_sides, review_questions, sum_reviews
from pi_app.model.screens import NOTHING, Message, Seat, Text, Value, message
from pi_app.model.tables import has_table
from pi_app.players.tables import find_judge
from pi_app.record.games import HOUSE_RULES, names_in, ruleset_name
from pi_app.record.stats import count_plays
from pi_app.record.summaries import Summary
from pi_app.settings.offers import edition_title, idioms_of, nearest_house, rules_lines
from pi_app.table.telling.chronicle import entry_lines, used_increments, who_played
from pi_app.table.telling.standings import standings
from pi_app.texts.words import (
    comma_list,
    faces_words,
    seat_letter,
    tenths_words,
    way_words,
    winners_words,
)
from pi_app.web.geometry import find_way, pawn_places
from pi_app.web.state import board_name, places
from rules.actions import LastTurn, Move, Stop, Throw
from rules.board import NEST, SEATS
from rules.facts import Captured, Moved, Penalized, PutBack
from rules.game import Game, Phase, walk_of
from rules.history import Record, Retype, Undo
from rules.lines.jsonl import read_lines
from rules.memory import Memory
from rules.position import PAWNS
from rules.ruleset import OPTIONS, PRESETS, RuleSet
from rules.steps import parse_step

MINUTE_S = 60

# --- the list ------------------------------------------------------------------------------------


def list_games(summaries: Iterable[Summary]) -> list[dict[str, Any]]:
    """Return an entry of the list for each game, with messages for `say_all`.

    started: when the game began, in ISO 8601, or None. If it is known, `about` contains the slot
    {when} for it, because only the browser knows its reader's time zone.
    """
    entries = []
    for summary in summaries:
        number, started = summary.number, summary.start
        if summary.seats:
            players, about = player_list(summary.seats, summary.names), _about(summary)
        else:
            players = (message("game-not-read"),)
            about = message("show-says-why", number=number)
        if summary.is_damaged:
            result = message("game-damaged")
        elif summary.winners:
            seat, *partners = summary.winners
            won = message("won", seat=Seat(seat))
            result = winners_words(summary.winners) if partners else won
        else:
            result = message("over-nobody-won") if summary.is_over else message("game-not-over")
        rules = PRESETS.get(summary.ruleset)
        entry = {
            "idioms": idioms_of(rules) if rules else (),
            "number": number,
            "who": players,
            "about": about,
            "started": started.isoformat() if started is not None else None,
            "result": result,
        }
        entries.append(entry)
    return entries


def _about(summary: Summary) -> Text:
    about: list[Text] = [] if summary.start is None else ["{when}"]
    about.append(rules_title(summary.ruleset))
    if summary.duration_s is not None:
        about.append(message("minutes", count=max(1, round(summary.duration_s / MINUTE_S))))
    if not summary.is_damaged:
        about.append(message("throws-made", count=summary.throws))
    if summary.is_imported:
        about.append(message("game-imported"))
    return comma_list(about)


def rules_title(name: str) -> Text:
    """Return the title of the rules that have this name in `Summary`."""
    return edition_title(None if name == HOUSE_RULES else name)


def player_list(seats: Iterable[int], names: dict[str, str]) -> tuple[Value, ...]:
    """Return the players as one list: `A Mia and C`. names: by letter."""
    players: list[Value] = []
    for seat in seats:
        name = names.get(seat_letter(seat))
        named = message("seat-and-name", seat=Seat(seat), name=name) if name else Seat(seat)
        players.append(named)
    return tuple(players)


# --- one game ------------------------------------------------------------------------------------


def game_story(number: str, lines: Iterable[str]) -> dict[str, Any]:
    """Return the game of a checked record, with messages for `say_all`.

    In the result, each of the `frames` has only what differs from the frame before. A frame is the
    state after an action; the first one is before any. turn: its number. words: what was done. at:
    how far the frame is in the game. dice, thrown: the faces, and the same in words. pawns, places:
    the pawns, and the same in words. moves: the way of each pawn that went. chances: each seat's
    chance to win. standings: each seat, and how far it has come. captures: who captured whom, and
    how often.
    """
    read = list(read_lines(lines))
    start, end = read[0], read[-1].record
    names, rules, seats = names_in(start.fields), start.record.game.ruleset, start.record.game.seats
    frames = [_frame(rules, message("pawns-in-nests"), start.record)]
    for before, after in pairwise(read):
        frames.append(_action_frame(before.record, after.record, after.fields))
    for n, frame in enumerate(frames):
        turn, faces = frame["turn"], tuple(frame["dice"])
        what, last = frame["words"], len(frames) - 1
        thrown = message("dice-are", faces=faces) if faces else message("no-dice")
        if faces and rules.throws_shells:
            thrown = message("cowries-are", thrown=faces_words(rules, faces))
        frame["words"] = message("at-turn", turn=turn, what=what)
        frame["at"] = message("at-action", turn=turn, n=n, last=last)
        frame["thrown"] = thrown
    _, captures = count_plays(seats, end.past)
    who = dict(zip(seats, player_list(seats, names), strict=True))
    return {
        "idioms": idioms_of(rules),
        "title": message("title-of-game", number=number),
        "heading": message("heading-of-game", number=number, who=player_list(seats, names)),
        "rules": rules_title(ruleset_name(rules)),
        "short": [*_short_rules(rules), *_own_rules(rules)],
        "board": board_name(rules),
        "shells": rules.throws_shells,
        "partners": rules.partners,
        "seats": [[seat, names.get(seat_letter(seat), "")] for seat in seats],
        "frames": _only_changes(frames),
        "standings": list(map(list, standings(end.game))),
        "captures": [
            [message("has-captured", who=who[by], whom=who[of]), often]
            for (by, of), often in captures.most_common()
        ],
    }


def _short_rules(rules: RuleSet) -> list[Message]:
    """Return the rules in a few sentences, for somebody who has never played."""
    if rules.to_win == PAWNS:
        way = message("short-rules-partners" if rules.partners else "short-rules-way")
    elif rules.partners:
        way = message("short-rules-partners-some", count=rules.to_win)
    else:
        way = message("short-rules-some", count=rules.to_win)
    numbers = tuple(str(n) for n in (rules.entry_number, rules.entry_also) if n)
    enters = {
        "die": message("short-rules-die", numbers=numbers),
        "die-or-sum": message("short-rules-die-or-sum", numbers=numbers),
        "sum": message("short-rules-sum", numbers=numbers),
        "lots": message("short-rules-lots"),
    }
    by_passing = rules.captures == "passing"
    captures = message("short-rules-passing" if by_passing else "short-rules-capture")
    stops_short = rules.passing == "none" and rules.stop_behind_blockade
    meets = [message("short-rules-nobody-passed")] * stops_short
    climbs = [message("short-rules-ladder")] * (rules.row_by == "ladder")
    return [way, enters[rules.entry_by], captures, *meets, *climbs]


def _own_rules(rules: RuleSet) -> tuple[Text, ...]:
    """Return the edition of house rules and all that differs from it; () of an edition's rules."""
    lines = rules_lines(nearest_house(rules), len(OPTIONS))
    return lines if len(lines) > 1 else ()


def _only_changes(frames: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    changes: list[dict[str, Any]] = []
    before: dict[str, Any] = {}
    for frame in frames:
        changes.append({key: value for key, value in frame.items() if before.get(key) != value})
        before |= frame
    return changes


def _frame(rules: RuleSet, words: Message, record: Record) -> dict[str, Any]:
    """Return the frame of a record. words: what was done."""
    game = record.game
    known = chances(game)
    return {
        "turn": game.turns,
        "words": words,
        "dice": list(game.throw),
        "pawns": pawn_places(rules.layout, rules.travel, game.position),
        "places": places(rules, game.position),
        "moves": [],
        **({} if known is None else {"chances": known}),
    }


def _action_frame(before: Record, after: Record, said: dict[str, Any]) -> dict[str, Any]:
    """Return the frame of the action from `before` to `after`. said: its line of the record."""
    told, rules = after.told[-1], after.game.ruleset
    recorded = message("of-seat", seat=Seat(told.seat), what=str(told.entry))
    lines = entry_lines(rules, told) or [recorded]
    if player := who_played(told, said.get("by")):
        lines.append(message("played-by", who=player))
    if said.get("hint"):
        lines.append(message("after-a-hint"))
    frame = _frame(rules, _join_sentences(lines), after)
    for fact in told.facts:
        match fact:
            case Moved(seat, step):
                walk = walk_of(before.game, step)
                frame["moves"].append(_move(rules, seat, step.origin, step.target, walk))
            case Captured(seat, place) | Penalized(seat, int(place)):
                frame["moves"].append(_move(rules, seat, place, NEST))
            case PutBack(seat, origin, target):
                there = _move(rules, seat, target, origin)
                frame["moves"].append({**there, "trail": there["trail"][::-1]})
    if isinstance(told.entry, Throw | Retype):
        frame["dice"] = list(told.entry.faces)
    elif isinstance(told.entry, Move | Stop):
        frame["dice"] = list(before.game.throw)
    if isinstance(told.entry, Move | Stop | Throw):
        frame["turn"] = before.game.turns
    return frame


def _move(
    rules: RuleSet, seat: int, origin: int, target: int, walk: tuple[int, ...] = ()
) -> dict[str, Any]:
    trail = find_way(rules.layout, rules.travel, seat, origin, target, walk=walk)
    return {"seat": seat, "trail": list(map(list, trail)), "there": True}


def _join_sentences(sentences: Iterable[Message]) -> Message:
    text = NOTHING
    for sentence in sentences:
        text = message("one-after-another", before=text, then=sentence) if text else sentence
    return text


def chances(game: Game) -> list[float | None] | None:
    """Return the chance to win of each seat or of its side, 0 to 1, or None for a seat without one.

    Return None during a play, before the first turn, after a game that nobody has won, and if the
    rules have no table of weights.
    """
    judge = find_judge(game.ruleset)
    if judge is None:
        return None
    if game.winners:
        return [float(seat in game.winners) if game.position[seat] else None for seat in _ALL]
    if game.phase is not Phase.THROW:
        return None
    memory = Memory(began=game.memory.began)
    found = judge.chances(game.position, game.seat, game.doublets, memory)
    known = chances_of_sides(game.ruleset, tuple(map(found.get, _ALL)))
    return [None if chance is None else round(chance, 4) for chance in known]


_ALL = range(SEATS)


# --- luck and skill ------------------------------------------------------------------------------


class Frames(NamedTuple):
    """The indexes of a throw's frames: where it was thrown, and where its play ended."""

    thrown: int
    ended: int


@lru_cache(maxsize=4)  # a page that waits for a review requests it every second
def throws_to_review(
    lines: tuple[str, ...],
) -> tuple[tuple[ReviewQuestion, ...], tuple[Frames, ...]]:
    """Return the throws of a finished game to review, and the indexes of each one's frames.

    Both are empty if the game is not over, because a review would help those who play it on, and
    if the rules have no table of weights.
    """
    frames: list[int] = []
    record: Record | None = None
    for number, played in enumerate(read_lines(lines)):
        record = played.record
        told = record.told[-1].entry if record.told else None
        del frames[len(record.past) - (not isinstance(told, Undo | LastTurn)) :]
        frames += [number] * (len(record.past) - len(frames))
    if record is None or record.game.phase is not Phase.OVER or not has_table(record.game.ruleset):
        return (), ()
    past, found = record.past, list[Frames]()
    phases = (*(done.before.phase for done in past[1:]), record.game.phase)
    for index, done in enumerate(past):
        if isinstance(done.action, Throw) and done.before.phase is Phase.THROW:
            ended = index
            while phases[ended] in (Phase.MOVE, Phase.PENALTY):
                ended += 1
            found.append(Frames(frames[index], frames[ended]))
    return review_questions(record), tuple(found)


def review_state(
    asked: Sequence[ReviewQuestion],
    frames: Sequence[Frames],
    found: Sequence[ThrowReview | None],
    failed: bool = False,
) -> dict[str, Any]:
    """Return as much of a game's review as is ready, with messages for `say_all`.

    asked, frames: as `throws_to_review` returns them. found: the review of each throw, or None.
    failed: the rest could not be computed.

    In the result, `of` is the number of throws, `over` is true when nothing more will come, and
    `progress` is a sentence until then. `chances` are those after each play that is ready, with the
    frame of its end: they are nearer to the truth than those of the frames, which are quicker.
    """
    ready = {throw: result for throw, result in enumerate(found) if result is not None}

    def entry(throw: int, points: Message, better: Message = NOTHING) -> dict[str, Any]:
        turn, faces = asked[throw].turn, asked[throw].throw
        words = message("throw-and-points", turn=turn, faces=faces, points=points)
        return {"frame": frames[throw].thrown, "words": words, "better": better}

    def mistake(throw: int) -> dict[str, Any]:
        better = message("better", steps=_better_steps(asked[throw], ready[throw]))
        return entry(throw, tenths_words(ready[throw].given_away), better)

    def seat_state(seat: SeatReview) -> dict[str, Any]:
        luck, gave = signed_words(seat.luck), tenths_words(seat.gave_away)
        return {
            "seat": seat.seat,
            "words": message("luck-of-seat", luck=luck, gave=gave),
            "dearest": list(map(mistake, seat.dearest)),
            "extremes": [
                entry(throw, signed_words(ready[throw].luck))
                for throw in (seat.luckiest, seat.unluckiest)
                if throw is not None
            ],
        }

    review = sum_reviews(asked, found)
    if review.ready == review.of:
        progress = NOTHING
    elif failed:
        progress = message("review-failed", ready=review.ready, count=review.of)
    else:
        progress = message("review-goes-on", ready=review.ready, count=review.of)
    return {
        "idioms": idioms_of(asked[0].game.ruleset) if asked else (),
        "of": review.of,
        "over": failed or review.ready == review.of,
        "progress": progress,
        "chances": [
            [
                frames[throw].ended,
                [None if one is None else round(one, 4) for one in result.chances],
            ]
            for throw, result in ready.items()
            if any(one is not None for one in result.chances)
        ],
        "seats": list(map(seat_state, review.seats)),
    }


def signed_words(points: float) -> Message:
    """Return points with their sign and one decimal."""
    number = tenths_words(points)
    return message("minus" if round(10 * points) < 0 else "plus", number=number)


def _better_steps(question: ReviewQuestion, result: ThrowReview) -> Message:
    rules = question.game.ruleset
    sentences: list[Message] = []
    for step in map(parse_step, result.best):
        used = used_increments(step)
        if step.origin == NEST:
            sentences.append(message("better-enter", used=used))
        else:
            way = way_words(rules, question.seat, step.origin, step.target)
            sentences.append(message("better-move", used=used, way=way))
    return _join_sentences(sentences) or message("better-not")
