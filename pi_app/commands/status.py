"""The state of the table as one line for logs and services. Reads no device."""

from pi_app.settings.offers import rules_name
from pi_app.table.core.state import Session
from pi_app.texts.words import seat_letter
from rules.game import Phase

DOING = {
    Phase.ORDER: "{} to throw for who begins",
    Phase.STARTER: "who begins is chosen",
    Phase.THROW: "{} to throw",
    Phase.MOVE: "{} to move",
    Phase.PENALTY: "{} to move",
    Phase.OVER: "over",
}


def status_line(session: Session) -> str:
    """Return the state of the table as one line: `royal-2023, B to throw, turn 31`."""
    if session.mode.off:
        return "switching off"
    if session.record is None:
        return "players join"
    game = session.record.game
    doing = DOING[game.phase].format(seat_letter(game.seat))
    rules = rules_name(session.settings, game.ruleset) or "house rules"
    return ", ".join((rules, doing, *([f"turn {game.turns}"] if game.turns else [])))
