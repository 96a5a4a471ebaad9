"""The last hint, and how much of it was shown. Asks for none."""

from typing import NamedTuple, Self

from pi_app.model.screens import Message
from rules.actions import Action
from rules.game import Game

HINT_LEVELS = ("pawn", "step", "why")


class Tip(NamedTuple):
    """The best action in a game, and why."""

    game: Game
    action: Action
    why: Message


class Hints(NamedTuple):
    """The last hint, and the game in which one was shown last, at which level."""

    tip: Tip | None = None
    game: Game | None = None
    level: str = ""

    def tip_for(self, game: Game) -> Tip | None:
        """Return the hint for a game, or None if it is not known."""
        return self.tip if self.tip is not None and self.tip.game == game else None

    def level_in(self, game: Game, is_marked: bool) -> str | None:
        """Return how much of a hint was shown for the choice in a game, or None.

        is_marked: the mode marks the best choice without being asked, which is "step".
        """
        if game == self.game:
            return self.level
        return "step" if is_marked and self.tip_for(game) is not None else None

    def keep_for(self, was: Game, now: Game) -> Self:
        """Return the hints after a game has changed in what no choice depends on."""
        tip = self.tip_for(was)
        kept = self if tip is None else self._replace(tip=tip._replace(game=now))
        return kept._replace(game=now) if self.game == was else kept

    def show(self, game: Game, level: str, is_marked: bool) -> Self:
        """Return the hints after a hint of this level was shown. A higher level stays."""
        farthest = max(level, self.level_in(game, is_marked) or level, key=HINT_LEVELS.index)
        return self._replace(game=game, level=farthest)
