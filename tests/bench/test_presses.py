"""What the count of presses counts is what fingers do: the same steps by as many presses."""

from typing import get_args

from pi_app.settings.settings import Settings
from rules.actions import Throw
from rules.game import Phase, at
from rules.history import Record, enter
from rules.position import parse_position
from rules.ruleset import PRESETS
from tests.bench.bars import Dice
from tests.bench.presses import Wanted, _played, _typing, pressed
from tests.pi_app.sitting import Sitting

FINDLER = PRESETS["findler"]


def thrown(position: str, *faces: int) -> Record:
    game = at(FINDLER, parse_position(position, FINDLER), 0)
    return enter(Record(game, host=0), Throw(faces))[0]


def test_the_last_of_four_choices_is_one_step_back_away_and_what_is_left_needs_no_press() -> None:
    before = "20,3,N,N/-/N,N,N,N/-"
    wanted = Wanted(parse_position("20,7,N,N/-/N,N,N,N/-", FINDLER), 2)
    presses, record = _played(thrown(before, 3, 1), wanted, "by the dome")
    table = Sitting(dice=[(3, 1)])
    table.resume(before, 0, "findler")
    table.throw()
    table.next(0)  # the three of the pawn on 3, the second choice
    table.ok(0)
    table.ok(0)  # its one comes first, now that it was moved
    assert record.game.position == table.game.position == wanted.position
    assert (presses, table.game.phase) == (3, Phase.THROW)


def test_the_only_step_left_is_confirmed_by_the_throw_that_follows() -> None:
    before = "H,H,H,20/-/N,N,N,N/-"
    wanted = Wanted(parse_position("H,H,H,23/-/N,N,N,N/-", FINDLER), 2)
    presses, record = _played(thrown(before, 2, 1), wanted, "by the dome")
    table = Sitting(dice=[(2, 1), (6, 4)])
    table.resume(before, 0, "findler")
    table.throw()
    table.ok(0)
    table.wait(2)
    table.dome()
    assert presses == 1
    assert [str(row.entry) for row in table.rows[-2:]] == ["move 22-23(1)", "throw 6 4"]
    assert record.game.position == wanted.position


def test_a_die_is_typed_by_next_or_by_the_dome_whichever_is_shorter() -> None:
    before = "H,H,H,20/-/N,N,N,N/-"
    table = Sitting(settings=Settings({"dice": "typed"}))
    table.resume(before, 0, "findler")
    presses = _typing(table.game, (5, 3))
    table.dome()
    table.dome()
    table.ok(0)
    table.next(0)
    table.next(0)
    table.ok(0)
    assert table.game.throw == (5, 3)
    assert presses == 6


def test_with_typed_dice_the_only_step_left_needs_an_ok() -> None:
    wanted = Wanted(parse_position("H,H,H,23/-/N,N,N,N/-", FINDLER), 2)
    presses, _ = _played(thrown("H,H,H,20/-/N,N,N,N/-", 2, 1), wanted, "typed")
    assert presses == 2


def test_the_same_seed_is_the_same_game() -> None:
    for dice in get_args(Dice):
        assert pressed("mb-total", (0, 2), dice, 1) == pressed("mb-total", (0, 2), dice, 1)
