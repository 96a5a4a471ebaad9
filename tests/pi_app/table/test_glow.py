"""The screen rests while nothing is decided: dim, moved by a dot, dark; a press only wakes it."""

import pytest
from PIL import Image

from pi_app.display.view import shift_left
from pi_app.model.events import Button, ChamberLine, ChamberPress, ChamberRolled, Setup, Stuck, Tick
from pi_app.model.screens import AWAKE, DARK_AFTER_S, DIM_AFTER_S, Glow, glow, next_glow
from pi_app.table.wishes import wishes_of
from tests.pi_app.sitting import Sitting
from tests.pi_app.table.test_screens import PLAYED

NESTS = "N,N,N,N/-/N,N,N,N/-"
ONE_BUTTON = Setup(next_buttons=(), dome=False)


def rest(table: Sitting, seconds: float = DARK_AFTER_S) -> None:
    """Let time pass at once, without the ticks by which places blink."""
    table.t += seconds
    table.tell(Tick(table.t))


def at_rest(setup: Setup | None = None, *dice: tuple[int, ...]) -> Sitting:
    """Return a table at which A is to throw and nobody has, until its screen is dark."""
    table = Sitting(setup, dice)
    table.resume(NESTS, 0)
    rest(table)
    assert table.reply.glow == Glow("dark")
    return table


def test_a_screen_that_rests_is_dim_after_a_minute_and_dark_after_ten() -> None:
    dim, moved_too = Glow("dim"), Glow("dim", moved=True)
    told = [glow(60.0 * minutes) for minutes in range(12)]
    assert told == [AWAKE, *[dim, moved_too] * 4, dim, Glow("dark"), Glow("dark")]
    assert (glow(59.9), glow(599.9)) == (AWAKE, dim)
    assert [next_glow(t) for t in (0.0, 60.0, 99.0, 599.0, 600.0)] == [60, 120, 120, 600, None]


def test_the_session_asks_to_be_woken_for_it() -> None:
    table = Sitting()
    table.resume(NESTS, 0)
    seen: list[tuple[float, str]] = []
    since = table.t
    while table.t - since < 700:
        table.wait(0.5)
        if not seen or seen[-1][1] != table.reply.glow.level:
            seen.append((table.t - since, table.reply.glow.level))
    assert seen == [(0.5, "bright"), (DIM_AFTER_S, "dim"), (DARK_AFTER_S, "dark")]


def test_it_rests_only_while_nothing_is_decided_and_nobody_presses() -> None:
    table = Sitting(dice=[(5, 3)])
    rest(table, 70)
    glows = [table.reply.glow.level]
    table.resume(NESTS, 0)
    rest(table, 70)
    glows.append(table.reply.glow.level)
    table.down(2, "next")
    glows.append(table.reply.glow.level)
    table.up(2, "next")
    table.throw()
    rest(table, 5000)
    glows.append(table.reply.glow.level)
    assert glows == ["dim", "dim", "bright", "bright"]


def test_it_rests_beside_a_button_that_is_stuck() -> None:
    table = Sitting()
    table.resume(NESTS, 0)
    table.down(2, "ok")
    rest(table, 700)
    assert table.reply.glow == AWAKE
    table.tell(Stuck(Button(2, "ok"), table.t))
    rest(table, 700)
    assert table.reply.glow == Glow("dark")


@pytest.mark.parametrize("seconds", [0.1, 3.0])
@pytest.mark.parametrize("seat", [None, 0, 1, 2])
def test_the_press_that_wakes_a_dark_screen_does_nothing_else(
    seat: int | None, seconds: float
) -> None:
    table = at_rest(None, (5, 3))
    before = table.session.mode
    for kind in ("dome",) if seat is None else ("ok", "next"):
        table.press(seat, kind, seconds)  # type: ignore[arg-type]
        assert (table.rows, table.tones, table.session.mode) == ([], [], before)
        assert (table.reply.glow, table.notice) == (AWAKE, "")
        rest(table)
    table.dome()
    table.dome()
    assert [str(row.entry) for row in table.rows] == ["throw 5 3"]


def test_a_hold_on_a_one_button_panel_only_wakes_it_too() -> None:
    table = at_rest(ONE_BUTTON, (5, 3))
    table.press(0, "ok", 3.0)
    assert table.rows == []
    table.hold_ok(0)
    assert [str(row.entry) for row in table.rows] == ["throw 5 3"]


def test_a_second_ok_counts_once_the_screen_can_have_been_read() -> None:
    table = Sitting()
    rest(table)
    for _ in range(2):
        table.tell_ok(0)
        assert table.session.joined == ()
    table.ok(0)
    assert table.session.joined == (0,)


def test_a_dim_screen_takes_a_press_as_any_other() -> None:
    table = Sitting(dice=[(5, 3)])
    table.resume(NESTS, 0)
    rest(table, DARK_AFTER_S - 1)
    table.dome()
    assert [str(row.entry) for row in table.rows] == ["throw 5 3"]


# --- the lit chamber -------------------------------------------------------------------------


def lit(rolls: bool, *dice: tuple[int, ...]) -> Sitting:
    table = Sitting(Setup(dome=False, rolls=rolls), dice)
    table.resume(NESTS, 0)
    table.tell(ChamberLine(up=True, t=table.t))
    rest(table)
    return table


def test_the_lit_dome_wakes_a_dark_screen_and_is_armed_anew() -> None:
    table = lit(False, (5, 3))
    asleep = wishes_of(table.session)
    table.tell(ChamberPress("b007", 1, asleep.key, table.t))
    awake = wishes_of(table.session)
    assert (table.rows, table.reply.glow) == ([], AWAKE)
    assert (asleep.seat, awake.seat, awake.key) == (0, 0, asleep.key + 1)
    table.tell(ChamberPress("b007", 1, asleep.key, table.t))  # said again: its GOT was lost
    assert table.rows == []
    table.tell(ChamberPress("b007", 2, awake.key, table.t))
    assert [str(row.entry) for row in table.rows] == ["throw 5 3"]


def test_a_chamber_that_throws_its_own_dice_throws_none_in_the_dark() -> None:
    table = lit(True)
    asleep = wishes_of(table.session)
    table.tell(ChamberPress("b007", 1, asleep.key, table.t))
    assert (asleep.mode, wishes_of(table.session).mode, table.rows) == ("press", "roll", [])


def test_dice_that_were_thrown_as_the_screen_went_dark_count() -> None:
    table = lit(True)
    table.tell(ChamberRolled("b007", 1, wishes_of(table.session).key, (4, 4), table.t))
    assert [(str(row.entry), row.source) for row in table.rows] == [("throw 4 4", "chamber")]
    assert table.reply.glow == AWAKE


# --- a dot to the left -----------------------------------------------------------------------


def columns(image: Image.Image, left: int, right: int) -> bytes:
    return image.crop((left, 0, right, 64)).tobytes()


def resting() -> list[Image.Image]:
    """Return the screens of play on which nothing is being decided."""
    tables = [played() for played in PLAYED.values()]
    return [one.frame.image for one in tables if one.session.resting_since is not None]


@pytest.mark.slow
def test_no_screen_that_rests_loses_a_dot_when_it_is_moved() -> None:
    images = resting()
    assert len(images) >= 8
    for image in images:
        after, first, last = shift_left(image), columns(image, 0, 1), columns(image, 127, 128)
        assert bytes(one & other for one, other in zip(first, last, strict=True)) == first  # bars
        assert columns(after, 0, 127) == columns(image, 1, 128)
        assert columns(after, 127, 128) == last
