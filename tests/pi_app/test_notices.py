"""Every notice that a device or the journal can give, as the panel shows it piece by piece."""

from typing import get_args

import pytest

from pi_app.devices import chamber, link
from pi_app.display.fitting import ROOM, split_notice, visible_notice
from pi_app.display.lettering import NOTES
from pi_app.display.moment import FrameTime
from pi_app.model.events import Button
from pi_app.model.parts import Fault
from pi_app.model.screens import Message, Motion, message
from pi_app.record.trouble import FAULTS_BY_ERRNO, REMEDIES
from pi_app.settings.settings import READERS
from pi_app.texts.language import ENGLISH
from pi_app.texts.words import (
    FAULT_REMEDIES,
    FAULTS,
    GAMES_IN_MEMORY,
    NEARLY_FULL,
    SLOW_DISK,
    button_name,
    missing_moves_words,
    reset_words,
)

COMMANDS = ("MODE", "SHOW", "BLANK", "ARM", "HOLD", "TEST")
NOTICES = {
    link.CHAMBER_MISSING: ["dice chamber missing"],
    link.MESSAGE_BY_ERRNO[13]: ["chamber: not allowed"],
    link.MESSAGE_BY_ERRNO[11]: ["chamber port in use"],
    chamber.SILENT: ["dice chamber silent:", "is the dome stuck?"],
    chamber.REFUSED: ["update the chamber"],
    chamber.ALONE: ["dome rolled alone:", "does not count.", "Throw again."],
    message("game-set-aside", file="journal.aside.db"): ["old game set aside:", "journal.aside.db"],
    message("game-set-aside", file="journal.aside-999.db"): [
        "old game set aside:",
        "journal.aside-999.db",
    ],
    missing_moves_words(9999, "journal.aside-2.db"): [
        "9999 moves missing:",
        "old game kept as:",
        "journal.aside-2.db",
    ],
    NEARLY_FULL: ["disk nearly full"],
    GAMES_IN_MEMORY: ["the games are lost when", "the power goes"],
    SLOW_DISK: ["the card is slow"],
    missing_moves_words(1): ["1 move is missing"],
    missing_moves_words(99): ["99 moves are missing"],
    missing_moves_words(9999): ["9999 moves missing"],
    **{
        message("is-stuck", button=button_name(button, one_button)): [f"{name} is stuck"]
        for button, one_button, name in (
            (Button(0, "ok"), False, "A's OK"),
            (Button(3, "next"), False, "D's NEXT"),
            (Button(2, "ok"), True, "C's button"),
            (Button(None, "dome"), False, "the dome"),
            (Button(None, "power"), False, "power button"),
        )
    },
    message("not-saved", why=FAULTS["disk-full"]): ["NOT SAVED: disk full"],
    message("not-saved", why=FAULTS["read-only"]): ["NOT SAVED: read-only"],
    message("not-saved", why=FAULTS["no-access"]): ["NOT SAVED: no access"],
    message("not-saved", why=FAULTS["disk-busy"]): ["NOT SAVED: disk busy"],
    message("not-saved", why=FAULTS["bad-disk"]): ["NOT SAVED: bad disk"],
    message("not-saved", why=FAULTS["disk-gone"]): ["NOT SAVED: disk gone"],
    reset_words("sound"): ["sound: reset"],
    reset_words("brightness"): ["brightness: reset"],
    reset_words("ruleset"): ["rules: reset"],
    reset_words("player.A"): ["can't read A"],
    **{chamber.refusal_notice(word): [f"chamber refused: {word}"] for word in COMMANDS},
}


@pytest.mark.parametrize("notice", NOTICES, ids=ENGLISH.say)
def test_a_notice_is_of_pieces_that_fit_and_make_sense_alone(notice: Message) -> None:
    parts = split_notice(ENGLISH.say(notice))
    assert parts == NOTICES[notice]
    assert all(NOTES.width(piece) <= ROOM for piece in parts)


def test_each_fault_of_the_disk_has_its_words_and_its_screen() -> None:
    faults = get_args(Fault)
    assert set(FAULT_REMEDIES) == set(FAULTS) == set(faults)
    assert {*(fault for _, fault, _ in REMEDIES), *FAULTS_BY_ERRNO.values()} <= set(faults)


def test_every_setting_with_one_value_has_a_name() -> None:
    for key in READERS:
        assert key.endswith(".") or ENGLISH.say(reset_words(key)).endswith(": reset")


def test_no_notice_is_forgotten_here() -> None:
    told = {
        *(message("not-saved", why=why) for why in FAULTS.values()),
        link.CHAMBER_MISSING,
        *link.MESSAGE_BY_ERRNO.values(),
    }
    assert told <= set(NOTICES)


def test_a_notice_is_broken_within_a_phrase_only_where_that_is_too_long() -> None:
    assert split_notice("one two three four five six: seven") == [
        "one two three four five",
        "six: seven",
    ]


def test_notices_of_devices_take_turns_piece_by_piece_and_then_leave_the_line_free() -> None:
    motion = Motion(
        notices=(chamber.ALONE, message("not-saved", why=FAULTS["no-access"])), noticed=1.0
    )
    shown = [visible_notice(motion, FrameTime(1.0 + 2 * n, 0.0), ENGLISH) for n in range(6)]
    said = ["dome rolled alone:", "does not count.", "Throw again.", "NOT SAVED: no access", ""]
    assert shown == [*said, said[0]]


def test_a_notice_loses_no_word() -> None:
    for text in map(ENGLISH.say, NOTICES):
        assert text.split(" ") == " ".join(split_notice(text)).split(" ")
