"""`referee show`: print a game for people, turn by turn, in the words of the panel."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from pi_app.commands import add_game, add_journal, count_of, journal_path
from pi_app.record.games import name_game_in_error, names_in, open_games, ruleset_name, started_at
from pi_app.settings.offers import edition_title
from pi_app.table.telling.chronicle import entry_lines, who_played
from pi_app.texts.language import ENGLISH
from pi_app.texts.rule_words import GROUPS, OPTION_WORDS, value_words
from pi_app.texts.words import ORDINALS, place_words, seat_letter
from rules.actions import Throw
from rules.board import HOME, NEST, SEATS
from rules.game import Game, Phase
from rules.history import Record, Undo
from rules.jsonl import RecordLine, read_lines
from rules.ruleset import RuleSet

DICE_SOURCES = {
    "kernel": "by the referee",
    "typed": "typed in",
    "chamber": "by the dice chamber",
    "simulated": "simulated",
}
ALL_SEATS = range(SEATS)
UNKNOWN_SOURCE = "from an unknown source"


class StoryLine(NamedTuple):
    """One line of what happened, and the turn it belongs to.

    doer: who played for the seat, "" where its own player did, None where nobody played.
    """

    turn: int
    seat: int
    words: str
    doer: str | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_game(parser)
    add_journal(parser)


def main(options: argparse.Namespace) -> None:
    """Print who played and how it ended, every turn, where the pawns are, then the rules."""
    with open_games(journal_path(options)) as games, name_game_in_error(options.game):
        played = tuple(read_lines(games.lines(options.game)))
    first, record = played[0], played[-1].record
    names = names_in(first.said)
    called = {
        seat: f"{seat_letter(seat)} {names.get(seat_letter(seat), '')}".rstrip()
        for seat in ALL_SEATS
    }
    joined = first.record.game.seats
    began = started_at(first.said)
    who = ENGLISH.say(tuple(called[seat] for seat in joined))
    day = f", played on {began.astimezone():%Y-%m-%d}" if began else ""
    parts = (
        (
            f"Game {options.game}: {who}{day}",
            *_about(record),
        ),
        _turns(played, called),
        (
            "Where the pawns are",
            *(f"  {called[seat]}: {_pawns(record.game, seat)}" for seat in joined),
        ),
        _rules(record.game.ruleset),
    )
    print("\n\n".join("\n".join(lines) for lines in parts if lines))


def _about(record: Record) -> Iterator[str]:
    """Yield the rules' name, how the game came out, and how many throws by whom there were."""
    game = record.game
    yield ENGLISH.say(edition_title(ruleset_name(game.ruleset)))
    yield ", ".join(_places(game)) or "over, nobody has won"
    throws = (done for done in record.past if isinstance(done.action, Throw) and not done.kept)
    made = Counter(DICE_SOURCES.get(done.source or "", UNKNOWN_SOURCE) for done in throws)
    yield ", ".join(f"{count_of(count, 'throw')} {how}" for how, count in made.most_common())


def _places(game: Game) -> Iterator[str]:
    for seat, ordinal in zip(game.places, ORDINALS, strict=False):
        place = "has won" if seat == game.places[0] else f"is {ENGLISH.say(ordinal)}"
        yield f"{seat_letter(seat)} {place}"
    if game.phase is not Phase.OVER:
        yield "not over"


def _turns(played: Sequence[RecordLine], called: Mapping[int, str]) -> list[str]:
    """Return every turn: whose it is and, below that, what happened in it."""
    shown: list[str] = []
    seen = set()
    for turn, together in groupby(_lines(played), lambda line: line[:2]):
        lines = list(together)
        doers = {line.doer for line in lines} - {None}
        all_by = doers.pop() if len(doers) == 1 else None
        title = f"Turn {turn[0]}, {called[turn[1]]}" if turn[0] else "Who begins"
        shown.append(title + ", again" * (turn in seen) + _by(all_by))
        shown += [f"  {words}{'' if all_by else _by(doer)}" for *_, words, doer in lines]
        seen.add(turn)
    return shown


def _lines(played: Sequence[RecordLine]) -> Iterator[StoryLine]:
    """Yield what happened, in order. An undo belongs to the turn that it goes back to."""
    for before, after in pairwise(played):
        told = after.record.told[-1]
        game = (after if isinstance(told.entry, Undo) else before).record.game
        seat = game.seat if game.turns else 0  # before the first turn they throw one after another
        player, hint = who_played(told, after.said.get("by")), after.said.get("hint")
        doer = None if player is None else ENGLISH.say(player)
        for line in entry_lines(game.ruleset, told):
            words = ENGLISH.say(line)
            yield StoryLine(game.turns, seat, words + ", after a hint" * bool(hint), doer)
            doer = hint = None  # what follows from it is nobody's doing


def _by(doer: str | None) -> str:
    return f", played by {doer}" if doer else ""


def _pawns(game: Game, seat: int) -> str:
    """Return where a seat's pawns are: `2 home, 1 in the nest, 1 at 12 past A`."""
    layout, inside = game.ruleset.layout, {NEST: "in the nest", HOME: "home"}
    places = Counter(game.position[seat])
    where = (
        f"{count} {inside.get(place) or f'at {ENGLISH.say(place_words(layout, seat, place))}'}"
        for place, count in places.items()
    )
    return ", ".join(where) or "off the board"


def _rules(rules: RuleSet) -> Iterator[str]:
    """Yield every option as the panel names it, by group."""
    yield "The rules"
    for group, options in OPTION_WORDS.items():
        yield f"  {ENGLISH.say(GROUPS[group])}"
        for option, words in options.items():
            value = value_words(option, getattr(rules, option))
            yield f"    {ENGLISH.say(words.name)}: {ENGLISH.say(value)}"
