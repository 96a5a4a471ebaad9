"""The score of the evening: who has won how many games, since when. Asks no clock.

A Pi has no clock that goes on while it is off, so a moment is told by two: by the time since the
computer was started, which is right, and by its time of day, which may be behind. On one boot the
first counts. Over a boot the second does; where it says that no time has passed, or less than none,
the evening goes on: a score that should be gone is begun anew by hand, one that is gone is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

REST_S = 6 * 3600.0
NONE = "-"
SCORE = "([A-Z0-9]{1,3}):([0-9]{1,4})/([0-9]{1,4})"
TEXT = re.compile(rf"(\S+) ([0-9]{{1,12}}) ([0-9]{{1,12}}) won (-|[A-Z0-9,]+)((?: {SCORE})*)")


class ClockReading(NamedTuple):
    """A time by both clocks: seconds of this boot of the computer, and Unix time, right or not."""

    boot: str = ""
    t: float = 0.0
    unix: float = 0.0

    def since(self, earlier: ClockReading) -> float:
        """Return how many seconds have passed, 0 where the clocks can't tell."""
        if self.boot == earlier.boot and self.t >= earlier.t:
            return self.t - earlier.t
        return max(0.0, self.unix - earlier.unix)


class Score(NamedTuple):
    """How many games a player has won, and how many were won by anybody with this player in it."""

    who: str
    wins: int
    games: int


class Evening(NamedTuple):
    """The scores, and when a game was last begun or ended.

    counted: who played the game that was counted last, its winner first; () since another began.
    """

    last: ClockReading = ClockReading()
    counted: tuple[str, ...] = ()
    scores: tuple[Score, ...] = ()

    def __str__(self) -> str:
        boot, t, unix = self.last
        scores = (f"{who}:{wins}/{games}" for who, wins, games in self.scores)
        when = f"{boot or NONE} {t:.0f} {unix:.0f}"
        return " ".join((when, "won", ",".join(self.counted) or NONE, *scores))

    def begun(self, now: ClockReading) -> Evening:
        """Return the evening in which a game begins: another one after a long rest."""
        rested = now.since(self.last) >= REST_S
        return Evening(now, (), () if rested else self.scores)

    def won(self, winner: str, others: Iterable[str], now: ClockReading) -> Evening:
        """Return it after a game that was won; nobody counts twice."""
        played = tuple(dict.fromkeys((winner, *others)))
        return Evening(now, played, self._with(played, 1))

    def undone(self, now: ClockReading) -> Evening:
        """Return it without the game that was counted last, which goes on."""
        return Evening(now, (), self._with(self.counted, -1))

    def knows(self, who: str) -> bool:
        """Whether a player has a score."""
        return any(score.who == who for score in self.scores)

    def renamed(self, who: str, name: str) -> Evening:
        """Return it with another name for a player, unless that name has a score of its own."""
        if self.knows(name):
            return self
        counted = tuple(name if one == who else one for one in self.counted)
        scores = (score._replace(who=name) if score.who == who else score for score in self.scores)
        return self._replace(counted=counted, scores=tuple(scores))

    def _with(self, played: tuple[str, ...], count: int) -> tuple[Score, ...]:
        """Return the scores with so many games more for these players, the first of whom won."""
        scores = {score.who: score for score in self.scores}
        for who in played:
            _, wins, games = scores.get(who, Score(who, 0, 0))
            won = max(0, wins + count * (who == played[0]))  # damaged, it may know of a game less
            scores[who] = Score(who, won, games + count)
        return tuple(score for score in scores.values() if score.games > 0)


def read_evening(text: str) -> Evening:
    """Return the evening that a text gives; ValueError where it gives none."""
    said = TEXT.fullmatch(text)
    if said is None:
        raise ValueError(f"{text!r} is no evening: write BOOT SECONDS UNIX won LUC,B LUC:1/1 B:0/1")
    boot = "" if said[1] == NONE else said[1]
    counted = () if said[4] == NONE else tuple(said[4].split(","))
    scores = (Score(who, int(wins), int(games)) for who, wins, games in re.findall(SCORE, said[5]))
    return Evening(ClockReading(boot, float(said[2]), float(said[3])), counted, tuple(scores))
