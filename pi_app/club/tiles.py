"""What the club's page shows of each table: its board, who is doing what, how far each has come."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pi_app.club.people import Club
from pi_app.club.tables import NO_TABLES, LiveTable, State, Tables
from pi_app.model.screens import Message, Seat, message
from pi_app.mqtt.messages import LETTERS, OFFLINE
from pi_app.settings.offers import idioms_of
from pi_app.texts.language import Language
from pi_app.texts.words import winners_words
from pi_app.web.geometry import pawn_places
from pi_app.web.kept_games import rules_title
from pi_app.web.state import TURNS, doing_words, say_all
from rules.board import parse_place
from rules.position import Position
from rules.ruleset import PRESETS

WINNER_S = 600.0  # for so long a winner stays, if no other game begins


@dataclass(eq=False)
class Tile:
    """A table's tile. told: what it shows, as messages; see `make_tile`."""

    told: dict[str, Any]
    _said: dict[Language, str] = field(default_factory=dict)

    def say(self, language: Language) -> str:
        """Return the tile in words, as JSON."""
        if language not in self._said:
            self._said[language] = json.dumps(say_all(self.told, language))
        return self._said[language]


class Tiles:
    """The tiles of all tables, by name. One is a new object only if it differs from before."""

    def __init__(self) -> None:
        self._tables, self._club = NO_TABLES, Club()
        self._won: dict[str, tuple[float, State]] = {}
        self.all: dict[str, Tile] = {}

    def update(self, tables: Tables, club: Club, now: float, then: float) -> None:
        """Make the tiles as they are now. now: monotonic; then: the same in seconds since 1970."""
        late = [name for name, (at, _) in self._won.items() if at + WINNER_S < now]
        stale = [name for name, table in tables.items() if table is not self._tables.get(name)]
        for name in late:
            del self._won[name]
        for name in stale:
            state = tables[name].state
            if state and state["winners"]:
                self._won[name] = now, state
            elif state and state["game"] is not None:
                self._won.pop(name, None)
        for name in self.all.keys() - tables.keys():
            del self.all[name]
        for name in {*stale, *late} & {*tables} if club == self._club else tables:
            _, won = self._won.get(name, (now, None))
            sat = {seat: club.names[one] for seat, one in club.who_sat(name, then).items()}
            told = make_tile(tables[name], sat, won)
            if name not in self.all or told != self.all[name].told:
                self.all[name] = Tile(told)
        self._tables, self._club = tables, club


def make_tile(
    table: LiveTable, people: Mapping[int, str], won: State | None = None
) -> dict[str, Any]:
    """Return what the tile of a table shows, with messages for `say_all`.

    people: the names that the organiser has said, by seat. won: a state of the table with a winner,
    to show until the next game begins.

    In the result, `trouble` is away, since a time of the club's monotonic clock, or unknown or
    unreadable, or "". standings: seats from the first to the last, each with its player's name and
    its way so far in per cent. its: the seats whose turn it is, or that have won.
    """
    trouble, since = "" if table.availability else "unknown", 0.0
    if not table.readable:
        trouble = "unreadable"
    elif table.availability == OFFLINE:
        trouble, since = "away", table.since
    tile = {"name": table.name, "trouble": trouble, "since": since, "board": "", "pawns": []}
    tile |= {"rules": "", "doing": "", "its": [], "won": False, "standings": []}
    state = table.state
    if state is None:
        return tile
    if won is not None and state["game"] is None:
        state = won
    own_names = {LETTERS.index(letter): name for letter, name in state["names"].items()}
    names = {**own_names, **people}
    layout, travel, *_ = state["board"]
    rules = PRESETS.get(state["edition"] or "")
    winners, places = state["winners"], state["places"]

    def rank(seat: int) -> tuple[int, ...]:
        place = places.index(seat) if seat in places else len(places)
        return seat not in winners, place, -progress(seat)

    def progress(seat: int) -> int:
        far: int = state["progress"].get(LETTERS[seat], 0)
        return min(100, far)

    standings = [[s, names.get(s, ""), progress(s)] for s in sorted(state["seats"], key=rank)]
    return {
        **tile,
        "idioms": list(idioms_of(rules)) if rules else [],
        "board": "/".join(state["board"]),
        "pawns": pawn_places(layout, travel, _position(state["position"])),
        "rules": rules_title(state["edition"]) if rules else state["words"].get("rules", ""),
        "doing": _doing(state, names),
        "its": winners or ([state["seat"]] if state["phase"] in TURNS else []),
        "won": bool(winners),
        "standings": standings,
    }


def _doing(state: State, names: Mapping[int, str]) -> Message:
    winners = state["winners"]
    first, *others = winners or [state["seat"] or 0]
    who = names.get(first) or Seat(first)
    if others:
        return winners_words(winners)
    return message("has-won", who=who) if winners else doing_words(state["phase"], who)


def _position(text: str | None) -> Position:
    a, b, c, d = (
        tuple(map(parse_place, seat.split(","))) if seat != "-" else ()
        for seat in (text or "-/-/-/-").split("/")
    )
    return a, b, c, d
