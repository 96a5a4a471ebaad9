"""hardware/pcb/route.py: nets find their way on a small board, or it says which one does not."""

import pytest

from hardware.pcb.circuit import GROUND
from hardware.pcb.footprints import Pad
from hardware.pcb.place import Board, Point, Track, Via
from hardware.pcb.route import NoWayError, route

SQUARE = Board("small", "", ((0, 0), (12, 0), (12, 12), (0, 12)), (), (), ())


def pad(net: str, at: Point, size: Point = (1.0, 1.0), layers: tuple[int, ...] = (0,)) -> Pad:
    return Pad("X", net, net, at, size, layers, drill=0.5, paste=False, round=False)


GROUNDS = [pad(GROUND, (2, 2), layers=(0, 1)), pad(GROUND, (10, 10), layers=(0, 1))]
ACROSS = [pad("across", (2, 6)), pad("across", (10, 6))]


def tracks_of(net: str, copper: list[Track | Via]) -> list[Track]:
    return [one for one in copper if one.net == net and isinstance(one, Track)]


def vias_of(net: str, copper: list[Track | Via]) -> list[Via]:
    return [one for one in copper if one.net == net and isinstance(one, Via)]


def test_a_free_way_is_straight() -> None:
    copper = route(SQUARE, [*GROUNDS, *ACROSS])
    [track] = tracks_of("across", copper)
    assert track.layer == 0
    assert abs(track.start[1] - track.end[1]) < 0.01
    assert vias_of("across", copper) == []


def test_of_two_nets_that_cross_one_goes_below() -> None:
    down = [pad("down", (6, 2)), pad("down", (6, 10))]
    copper = route(SQUARE, [*GROUNDS, *ACROSS, *down])
    assert {len(vias_of(net, copper)) for net in ("across", "down")} == {0, 2}


def test_a_net_goes_round_another_s_pad() -> None:
    copper = route(SQUARE, [*GROUNDS, *ACROSS, pad("other", (6, 6), (2, 2), (0, 1))])
    for track in tracks_of("across", copper):
        for x, y in (track.start, track.end):
            assert max(abs(x - 6), abs(y - 6)) >= 1 + 0.2 + 0.125  # clearance, half a width


def test_a_net_behind_a_wall_is_named() -> None:
    wall = pad("wall", (6, 6), (0.6, 12), (0, 1))
    with pytest.raises(NoWayError, match="no way for across"):
        route(SQUARE, [*GROUNDS[:1], pad(GROUND, (2, 10), layers=(0, 1)), *ACROSS, wall])


def test_the_same_board_gives_the_same_copper() -> None:
    pads = [*GROUNDS, *ACROSS]
    assert route(SQUARE, pads) == route(SQUARE, pads)
