"""`referee show`: prints a game turn by turn, in the words of the display."""

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from pi_app.commands import add_game, add_journal, format_count, journal_path
from pi_app.record.games import add_game_to_error, names_in, open_games, parse_start, ruleset_name
from pi_app.settings.offers import edition_title, idioms_of
from pi_app.table.telling.chronicle import entry_lines, who_played
from pi_app.texts.language import ENGLISH, Language
from pi_app.texts.rule_words import rules_in_words
from pi_app.texts.words import ORDINALS, place_words, seat_letter
from rules.actions import LastTurn, Throw
from rules.board import HOME, NEST, SEATS
from rules.game import Game, Phase
from rules.history import Record, Undo
from rules.lines.jsonl import RecordLine, read_lines
from rules.position import has_won
from rules.ruleset import RuleSet

DICE_SOURCES = {
    "kernel": "by the referee",
    "typed": "typed in",
    "chamber": "by the chamber",
    "simulated": "simulated",
}
UNKNOWN_SOURCE = "from an unknown source"


class StoryLine(NamedTuple):
    """One line about what happened in a turn."""

    turn: int
    seat: int
    words: str
    actor: str | None  # who played; "" for the seat's own player, None for nobody


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_journal(parser)


def main(options: argparse.Namespace) -> None:
    with open_games(journal_path(options)) as games, add_game_to_error(options.game):
        record_lines = tuple(read_lines(games.record_lines(options.game)))
    first, record = record_lines[0], record_lines[-1].record
    language = ENGLISH.in_idioms(*idioms_of(record.game.ruleset))
    names = names_in(first.fields)
    titles = {
        seat: f"{seat_letter(seat)} {names.get(seat_letter(seat), '')}".rstrip()
        for seat in range(SEATS)
    }
    joined = first.record.game.seats
    start = parse_start(first.fields)
    players = ENGLISH.say(tuple(titles[seat] for seat in joined))
    day = f", played on {start.astimezone():%Y-%m-%d}" if start else ""
    pawns = (f"  {titles[seat]}: {_pawns_text(record.game, seat, language)}" for seat in joined)
    parts = (
        (f"Game {options.game}: {players}{day}", *_summary_lines(record)),
        _turn_lines(record_lines, titles, language),
        ("Where the pawns are", *pawns),
        ("The rules", *rule_lines(record.game.ruleset, language)),
    )
    print("\n\n".join("\n".join(lines) for lines in parts if lines))


def _summary_lines(record: Record) -> Iterator[str]:
    game = record.game
    yield ENGLISH.say(edition_title(ruleset_name(game.ruleset)))
    results = []
    ordinals = {seat: ORDINALS[game.places.index(tied[0])] for tied in game.ranks for seat in tied}
    for seat, ordinal in ordinals.items():
        rank = ENGLISH.say(ordinal)
        if game.ruleset.partners:
            rank = "home" if has_won(game.ruleset, game.position[seat]) else "not home"
        place = "has won" if seat in game.winners else f"is {rank}"
        results.append(f"{seat_letter(seat)} {place}")
    if game.phase is not Phase.OVER:
        results.append("not over")
    yield ", ".join(results) or "over, nobody has won"
    throws = (past for past in record.past if isinstance(past.action, Throw) and not past.kept)
    counts = Counter(DICE_SOURCES.get(past.source or "", UNKNOWN_SOURCE) for past in throws)
    yield ", ".join(
        f"{format_count(count, 'throw')} {source}" for source, count in counts.most_common()
    )


def _turn_lines(
    record_lines: Sequence[RecordLine], titles: Mapping[int, str], language: Language
) -> list[str]:
    """Return each turn's seat and, indented, what happened. titles: by seat.

    A turn has more than one group of lines if an undo goes back to it.
    """
    text: list[str] = []
    listed = set()
    by_turn = attrgetter("turn", "seat")
    for (turn, seat), group in groupby(_story(record_lines, language), by_turn):
        lines = list(group)
        actors = {line.actor for line in lines} - {None}
        only_actor = actors.pop() if len(actors) == 1 else None
        title = f"Turn {turn}, {titles[seat]}" if turn else "Who begins"
        text.append(title + ", continued" * ((turn, seat) in listed) + _by(only_actor))
        text += [f"  {line.words}{'' if only_actor else _by(line.actor)}" for line in lines]
        listed.add((turn, seat))
    return text


def _story(record_lines: Sequence[RecordLine], language: Language) -> Iterator[StoryLine]:
    """Yield what happened, in order. An undo belongs to the turn to which it goes back."""
    for fields, record in ((line.fields, line.record) for line in record_lines[1:]):
        report = record.told[-1]
        # A throw that is typed again belongs to the turn in which it was made.
        is_past = not isinstance(report.entry, Undo | LastTurn)
        game = record.past[-1].before if is_past else record.game
        seat = game.seat if game.turns else 0  # throwing for who begins counts as one turn
        player, hint = who_played(report, fields.get("by")), fields.get("hint")
        actor = None if player is None else ENGLISH.say(player)
        for line in entry_lines(game.ruleset, report):
            words = language.say(line, "page")
            yield StoryLine(game.turns, seat, words + ", after a hint" * bool(hint), actor)
            actor = hint = None  # the consequences are nobody's action


def _by(actor: str | None) -> str:
    return f", played by {actor}" if actor else ""


def _pawns_text(game: Game, seat: int, language: Language) -> str:
    """Return where a seat's pawns are: `2 home, 1 in the nest, 1 at 12 past A`."""
    off_ring = {NEST: "in the nest", HOME: "home"}
    counts = []
    for place, count in Counter(game.position[seat]).items():
        words = language.say(place_words(game.ruleset, seat, place), "page")
        counts.append(f"{count} {off_ring.get(place, f'at {words}')}")
    return ", ".join(counts) or "off the board"


def rule_lines(rules: RuleSet, language: Language) -> Iterator[str]:
    """Yield all rules in words, in their groups."""
    for group, options in rules_in_words(rules):
        yield f"  {language.say(group)}"
        for name, value in options:
            yield f"    {language.say(name)}: {language.say(value)}"
