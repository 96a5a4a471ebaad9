"""One press is decided in few calls in few files, so that one can follow it from top to bottom."""

import sys
from collections import Counter
from types import FrameType
from typing import Any

from pi_app.input.events import Button, Down, Resume, Setup
from pi_app.table.session import handle, new_session
from rules import Record, parse_game

MOST_CALLS = 285
MOST_FILES = 8  # of pi_app
MOVING = (
    '{"ruleset": "royal-2023", "position": "20,3,N,N/-/47,44,12,N/-", "seat": 0, "throw": [3, 1]}'
)


def test_an_ok_that_confirms_a_step_is_few_calls_in_few_files() -> None:
    resume = Resume(Record(parse_game(MOVING), 0), 0.0)
    session = handle(new_session(Setup()), resume).session
    called = Counter[str]()

    def count(frame: FrameType, event: str, arg: Any) -> None:
        file = frame.f_code.co_filename
        if event == "call" and ("/rules/" in file or "/pi_app/" in file) and "/tests/" not in file:
            called[file] += 1

    before = sys.getprofile()
    sys.setprofile(count)
    reply = handle(session, Down(Button(0, "ok"), 10.0))
    sys.setprofile(before)
    assert [str(row.entry) for row in reply.rows] == ["move 20-23(3)"]
    assert called.total() <= MOST_CALLS
    assert len([file for file in called if "/pi_app/" in file]) <= MOST_FILES
