"""The screens of a game as it is really played, from joining to the end, each a kept picture."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pi_app.table.events import Button, Notice, Setup, Stuck
from tests.pi_app.kept import SCREENS, check_picture
from tests.pi_app.sitting import Sitting

CROWDED = "H,r3,12,N/45,45,7,N/20,3,N,N/-"
CAPTURE = "30,12,N,N/1,N,N,N/N,N,N,N/-"


def joined() -> Sitting:
    table = Sitting()
    table.ok(0)
    table.ok(2)
    return table


def neighbours() -> Sitting:
    table = Sitting()
    table.ok(0)
    table.ok(1)
    table.hold_ok(0)
    return table


def ordering() -> Sitting:
    table = Sitting(dice=[(6, 4), (5, 5), (2, 1)])
    table.begin(0, 1, 2)
    table.throw()
    table.throw()
    return table


def tied() -> Sitting:
    table = Sitting(dice=[(6, 4), (5, 5)])
    table.begin(0, 2)
    table.throw()
    table.throw()
    return table


def choosing_starter() -> Sitting:
    table = Sitting()
    table.begin(0, 1, 2, ruleset="findler")
    table.next(0)
    return table


def at(position: str, ruleset: str = "royal-2023", *dice: tuple[int, ...]) -> Sitting:
    table = Sitting(dice=dice)
    table.resume(position, 0, ruleset)
    return table


def thrown(position: str, dice: tuple[int, ...], ruleset: str = "royal-2023") -> Sitting:
    table = at(position, ruleset, dice)
    table.throw()
    return table


def tumbling() -> Sitting:
    table = at(CROWDED, "royal-2023", (5, 3))
    table.wait(2.0)
    table.dome()
    table.wait(0.2)
    return table


def capturing() -> Sitting:
    table = thrown(CAPTURE, (6, 2), "findler")
    while "B to nest" not in table.table.words:
        table.next(0)
    return table


def captured() -> Sitting:
    table = capturing()
    table.ok(0)
    return table


def passed() -> Sitting:
    table = thrown("H,r3,12,5/45,45,7,N/20,3,N,N/-", (6, 3))
    while table.game.seat == 0:
        table.ok(0)
    return table


def others_won() -> Sitting:
    table = Sitting(dice=[(2, 1)])
    table.resume("H,H,H,r6/H,3,N,N/20,3,N,N/H,H,r1,2", 0)
    table.throw()
    table.ok(0)
    return table


def bonus() -> Sitting:
    table = captured()
    while not any(one.text == "+20" and one.state == "chosen" for one in table.table.increments):
        table.next(0)
    return table


def penalty() -> Sitting:
    table = Sitting(dice=[(4, 4)])
    table.resume(CROWDED, 0, doublets=2)
    table.throw()
    return table


def menu() -> Sitting:
    table = captured()
    table.hold_next(0)
    return table


def undone() -> Sitting:
    return entered("undo")


def confirming_end() -> Sitting:
    return entered("end game")


def entered(words: str) -> Sitting:
    table = menu()
    for _ in range(table.page.lines.index(words)):
        table.next(0)
    table.ok(0)
    return table


def somebody_else() -> Sitting:
    table = thrown(CROWDED, (5, 3))
    table.ok(1)
    return table


def missing() -> Sitting:
    table = thrown(CROWDED, (5, 3))
    table.tell(Notice("chamber", "dice chamber missing", table.t))
    return table


def stuck() -> Sitting:
    table = at(CROWDED)
    table.tell(Stuck(Button(0, "ok"), table.t))
    return table


def one_button() -> Sitting:
    table = Sitting(Setup(next_buttons=()), dice=[(5, 3)])
    table.resume(CROWDED, 0)
    table.throw()
    return table


def won() -> Sitting:
    table = thrown("H,H,H,r6/N,N,N,N/20,3,N,N/-", (2, 1))
    table.ok(0)
    return table


PLAYED: dict[str, Callable[[], Sitting]] = {
    "nobody-joined": Sitting,
    "joined": joined,
    "neighbours": neighbours,
    "who-begins": ordering,
    "tied": tied,
    "starter": choosing_starter,
    "to-throw": lambda: at(CROWDED),
    "tumbling": tumbling,
    "choose": lambda: thrown(CROWDED, (5, 3)),
    "enter-by-sum": lambda: thrown("12,N,N,N/N,N,N,N/-/-", (4, 1)),
    "capture": capturing,
    "captured": captured,
    "passed": passed,
    "bonus": bonus,
    "four-increments": lambda: thrown("r3,40,22,12/45,45,7,N/-/-", (2, 2)),
    "grant": lambda: thrown("40,22,12,N/45,45,7,N/-/-", (2, 2), "tr-1938"),
    "no-move": lambda: thrown("N,N,N,N/N,N,N,N/-/-", (6, 1)),
    "penalty": penalty,
    "menu": menu,
    "undone": undone,
    "confirm-end": confirming_end,
    "not-your-turn": somebody_else,
    "chamber-missing": missing,
    "stuck": stuck,
    "one-button": one_button,
    "one-die": lambda: thrown("40,22,12,N/45,45,7,N/-/-", (6,), "one-die"),
    "won": won,
    "won-by-four": others_won,
}


@pytest.mark.parametrize("name", PLAYED)
def test_a_screen_of_play_is_its_picture(name: str, redraw: bool, tmp_path: Path) -> None:
    check_picture(f"play-{name}", PLAYED[name]().screen, redraw, tmp_path)


def test_every_picture_of_play_has_its_screen() -> None:
    assert {path.stem for path in SCREENS.glob("play-*.png")} == {f"play-{one}" for one in PLAYED}
