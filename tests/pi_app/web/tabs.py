"""What a tab of the spectators' page gets. No test is in here."""

import json
from typing import Any

from pi_app.table.session import Reply
from pi_app.texts.language import ENGLISH, Language
from pi_app.web.packing import pack, unpack
from pi_app.web.spectator_state import spectator_state
from pi_app.web.state import say_all


def tab_state(reply: Reply, language: Language = ENGLISH) -> dict[str, Any]:
    """Return the state of a reply in a language, after its way between the processes."""
    line = json.dumps(pack(spectator_state(reply)))
    return dict(say_all(json.loads(line, object_hook=unpack), language))
