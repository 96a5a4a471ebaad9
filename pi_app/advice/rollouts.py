"""The rollouts of a game's throws: requests, and the lines that keep the results. Plays nothing.

The lines of a game are JSON. The first has the network by which the rollouts were played. Then a
line names the plays of a throw, and each line after it has chances at the ends of some rollouts of
one play. A throw's key depends on the throw and on all that came before it in the game.
"""

import json
from collections.abc import Iterable
from typing import Any, NamedTuple
from zlib import crc32

from pi_app.advice.reviews import Chances, ReviewRequest, json_line


class RolloutPlay(NamedTuple):
    """One play of a throw, to be rolled out from its end.

    ended: the position. first: the seat that throws next, or that has won. doublets: how many it
    has thrown before in this turn. is_exact: whether its chances are known without rollouts.
    length: how long a rollout takes, roughly, compared with others.
    """

    steps: tuple[str, ...]
    ended: str
    first: int
    doublets: int
    is_exact: bool
    length: int


class RolloutRequest(NamedTuple):
    """Some rollouts of one play.

    ruleset: as `rules.ruleset_text`. dice: the name of the dice. begin: the number of the first
    rollout. rolls: how many there are.
    """

    ruleset: str
    play: RolloutPlay
    dice: str
    begin: int
    rolls: int


class RolledThrow(NamedTuple):
    """The plays of a throw, that which was made first; and for each, what its rollouts found.

    chances: those of the seats at the end of rollout 0, 1, and so on, by play.
    """

    plays: tuple[RolloutPlay, ...]
    chances: tuple[list[Chances], ...]

    def chances_of(self, seat: int) -> dict[int, list[float]]:
        """Return a seat's chances at the ends of the rollouts, by the index of the play."""
        return {
            index: [chances[seat] or 0.0 for chances in found]
            for index, found in enumerate(self.chances)
        }


class RolledGame(NamedTuple):
    """The rollouts of a game so far. network: by which they were played. throws: by their keys."""

    network: str
    throws: dict[str, RolledThrow]


def throw_key(request: ReviewRequest) -> str:
    """Return the key of a throw."""
    return f"{crc32(json_line(request).encode()):08x}"


def request_line(request: RolloutRequest) -> str:
    """Return a request as one line of JSON."""
    return json.dumps(request)


def parse_rollout_request(line: str) -> RolloutRequest:
    """Return the request of a line from `request_line`."""
    ruleset, play, dice, begin, rolls = json.loads(line)
    return RolloutRequest(ruleset, parse_play(play), dice, begin, rolls)


def parse_play(values: list[Any]) -> RolloutPlay:
    """Return the play that has these values in JSON."""
    steps, ended, first, doublets, is_exact, length = values
    return RolloutPlay(tuple(steps), ended, first, doublets, is_exact, length)


# --- the lines of a game -------------------------------------------------------------------------


def network_line(network: str) -> str:
    """Return the first line of a game's rollouts."""
    return json.dumps({"network": network})


def plays_line(key: str, plays: Iterable[RolloutPlay]) -> str:
    """Return the line that names the plays of a throw."""
    return json.dumps({"throw": key, "plays": list(plays)})


def chances_line(key: str, play: int, begin: int, chances: Iterable[Chances]) -> str:
    """Return the line with what rollouts of a throw's play found. begin: the first one's number."""
    return json.dumps({"throw": key, "play": play, "begin": begin, "chances": list(chances)})


def parse_rollouts(lines: Iterable[str]) -> RolledGame:
    """Return the rollouts of a game's lines. A line that is damaged or does not follow is left out.

    A power cut may have damaged a line, and two processes may have written to the same file.
    """
    network, throws = "", dict[str, RolledThrow]()
    for line in lines:
        try:
            values = json.loads(line)
            if "network" in values:
                network = values["network"]
            elif "plays" in values:
                plays = tuple(map(parse_play, values["plays"]))
                throws.setdefault(values["throw"], RolledThrow(plays, tuple([] for _ in plays)))
            else:
                found = throws[values["throw"]].chances[values["play"]]
                if values["begin"] == len(found):
                    found.extend([_parse_chances(one) for one in values["chances"]])
        except (ValueError, TypeError, LookupError):
            continue
    return RolledGame(network, throws)


def _parse_chances(values: list[Any]) -> Chances:
    a, b, c, d = (None if value is None else float(value) for value in values)
    return a, b, c, d
