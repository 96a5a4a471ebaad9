"""The pictures to compare with a printed sheet: test patterns and three real screens."""

from PIL.Image import Image

from pi_app.display.view import draw
from pi_app.model.events import Resume, Setup, Tick
from pi_app.model.screens import Pattern
from pi_app.table.session import handle, new_session
from pi_app.table.telling.last_pages import SAFE_TO_UNPLUG
from pi_app.texts.words import PATTERNS
from rules.game import at
from rules.history import Record
from rules.position import parse_position
from rules.ruleset import PRESETS

RULES = PRESETS["royal-2023"]
POSITION = parse_position("H,r3,12,N/45,45,7,N/20,3,N,N/60,N,N,N", RULES)


def proof_pictures() -> tuple[Image, ...]:
    """Return the test patterns and the screens in the sheet's order, 128 by 64 dots."""
    return (*map(draw, map(Pattern, PATTERNS)), *draw_screens())


def draw_screens() -> tuple[Image, ...]:
    """Return three screens as the referee draws them, in English."""
    session = new_session(Setup())
    turn = Resume(Record(at(RULES, POSITION, 0), host=0), 0.0)
    screens = handle(session, Tick(0.0)).screen, handle(session, turn).screen, SAFE_TO_UNPLUG
    return tuple(map(draw, screens))
