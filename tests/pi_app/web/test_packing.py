"""Messages that go to another process as JSON come back as they were."""

import json

import pytest

from pi_app.model.screens import NOTHING, Seat, message
from pi_app.web.packing import pack, unpack
from pi_app.web.spectator_state import spectator_state
from tests.pi_app.sitting import Sitting, thrown


@pytest.mark.parametrize(
    "value",
    [
        message("from", origin=message("place-past", spaces=3, seat=Seat(2), number=20)),
        message("dice-are", faces=(5, 3)),
        {"who": Seat(0), "lines": [["1", message("list-last", before="A", word="$seat")]]},
        (Seat(0), (1, "two", NOTHING)),
        [NOTHING, None, True, 1.5, ""],
        spectator_state(Sitting().reply),
        spectator_state(thrown("30,12,N,N/1,N,N,N/N,N,N,N/-", (6, 2), "findler").reply),
    ],
)
def test_what_was_packed_comes_back(value: object) -> None:
    assert json.loads(json.dumps(pack(value)), object_hook=unpack) == value
