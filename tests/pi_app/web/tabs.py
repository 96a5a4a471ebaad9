"""What a tab of the spectators' page gets. No test is in here."""

import json
from typing import Any

from pi_app.table.session import Reply
from pi_app.texts.language import ENGLISH, Language
from pi_app.web.drawing import spectator_page
from pi_app.web.packing import unpack
from pi_app.web.state import say_state


def tab_state(reply: Reply, language: Language = ENGLISH) -> dict[str, Any]:
    """Return the state of a reply in a language, after its way between the processes."""
    return say_state(unpack(json.loads(json.dumps(spectator_page(reply)))), language)
