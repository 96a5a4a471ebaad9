"""How the table stands, in one line for who looks after it. Shows nothing."""

from pi_app.table.state import Session
from pi_app.table.words import letter
from rules.game import Game, Phase
from rules.ruleset import PRESETS

DOING = {
    Phase.ORDER: "{} to throw for who begins",
    Phase.STARTER: "who begins is chosen",
    Phase.THROW: "{} to throw",
    Phase.MOVE: "{} to move",
    Phase.PENALTY: "{} to move",
    Phase.OVER: "over",
}


def standing(s: Session) -> str:
    """Return it: `royal-2023, B to throw, turn 31`, or `players join`."""
    if s.off:
        return "switching off"
    if s.record is None:
        return "players join"
    game = s.record.game
    doing = DOING[game.phase].format(letter(game.seat))
    return ", ".join((_rules(game), doing, *([f"turn {game.turns}"] if game.turns else [])))


def _rules(game: Game) -> str:
    return next((name for name, one in PRESETS.items() if one == game.ruleset), "house rules")
