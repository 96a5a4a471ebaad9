"""The score of the evening: how many games each player has won. Asks no clock.

A Pi's clock stops while it is off. So a moment is stored by two clocks: the time since the computer
was started, which is right, and the time of day, which may be behind. Within one boot the first
counts, else the second. If the second shows that no time has passed, or less than none, the evening
goes on: players can reset a score, but they cannot bring back a lost one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

REST_S = 6 * 3600.0
NONE = "-"  # for a text that is empty
NAME_LETTERS = 3  # of a player's name, at most
NAME_LETTER = "[A-Z0-9À-ÖØ-ÞŒŸ]"  # in a pattern: one letter or digit of a name
SIDE_SIGN = "+"  # between the names of two partners
TIE_SIGN = "="  # between those who share a win
NAME = rf"{NAME_LETTER}{{1,{NAME_LETTERS}}}"
SCORE = rf"({NAME}(?:\+{NAME})?):([0-9]{{1,4}})/([0-9]{{1,4}})"
WINNERS = rf"-|(?:{NAME_LETTER}|[,+=])+"
TEXT = re.compile(rf"(\S+) ([0-9]{{1,12}}) ([0-9]{{1,12}}) won ({WINNERS})((?: {SCORE})*)")


class ClockReading(NamedTuple):
    """A time by both clocks: seconds since the start of this boot, and Unix time, right or not."""

    boot: str = ""
    t: float = 0.0
    unix: float = 0.0

    def since(self, earlier: ClockReading) -> float:
        """Return how many seconds have passed, or 0 if the clocks can't tell."""
        if self.boot == earlier.boot and self.t >= earlier.t:
            return self.t - earlier.t
        return max(0.0, self.unix - earlier.unix)


class Score(NamedTuple):
    """How many games a player or a side has won, of how many that anybody won."""

    who: str
    wins: int
    games: int


class Evening(NamedTuple):
    """The scores, and when the last game was started or ended.

    counted: the players of the game that was counted last, its winner first, or as one text all who
    share the win; () after the next game has started.
    """

    last: ClockReading = ClockReading()
    counted: tuple[str, ...] = ()
    scores: tuple[Score, ...] = ()

    def __str__(self) -> str:
        boot, t, unix = self.last
        scores = (f"{who}:{wins}/{games}" for who, wins, games in self.scores)
        when = f"{boot or NONE} {t:.0f} {unix:.0f}"
        return " ".join((when, "won", ",".join(self.counted) or NONE, *scores))

    def start_game(self, now: ClockReading) -> Evening:
        """Return the evening after a game has started. After a long rest it is a new evening."""
        rested = now.since(self.last) >= REST_S
        return Evening(now, (), () if rested else self.scores)

    def count_win(
        self, winners: Iterable[str], others: Iterable[str], now: ClockReading
    ) -> Evening:
        """Return the evening after a win, shared or not. A player at two seats counts once."""
        won = tuple(dict.fromkeys(winners))
        played = (TIE_SIGN.join(won), *(one for one in dict.fromkeys(others) if one not in won))
        return Evening(now, played, self._add_games(played, 1))

    def undo_win(self, now: ClockReading) -> Evening:
        """Return the evening without the game that was counted last, because it goes on."""
        return Evening(now, (), self._add_games(self.counted, -1))

    def has_score(self, who: str) -> bool:
        return any(score.who == who for score in self.scores)

    def rename_player(self, who: str, name: str) -> Evening:
        """Return the evening with another name for a player, unless the new name has a score."""
        if self.has_score(name):
            return self
        counted = tuple(
            TIE_SIGN.join(name if one == who else one for one in player.split(TIE_SIGN))
            for player in self.counted
        )
        scores = (score._replace(who=name) if score.who == who else score for score in self.scores)
        return self._replace(counted=counted, scores=tuple(scores))

    def _add_games(self, played: tuple[str, ...], count: int) -> tuple[Score, ...]:
        """Return the scores with `count` (1 or -1) more games of players, as `counted` has them."""
        scores = {score.who: score for score in self.scores}
        winners = played[0].split(TIE_SIGN) if played else []
        for who in (*winners, *played[1:]):
            _, wins, games = scores.get(who, Score(who, 0, 0))
            won = max(0, wins + count * (who in winners))  # a damaged text may have too few games
            scores[who] = Score(who, won, games + count)
        return tuple(score for score in scores.values() if score.games > 0)


def read_evening(text: str) -> Evening:
    """Return the evening from its text. Raises ValueError."""
    match = TEXT.fullmatch(text)
    if match is None:
        raise ValueError(
            f"{text!r} is not an evening: write BOOT SECONDS UNIX won LUC,B LUC:1/1 B:0/1"
        )
    boot = "" if match[1] == NONE else match[1]
    counted = () if match[4] == NONE else tuple(match[4].split(","))
    scores = (Score(who, int(wins), int(games)) for who, wins, games in re.findall(SCORE, match[5]))
    return Evening(ClockReading(boot, float(match[2]), float(match[3])), counted, tuple(scores))
