"""The boards, against the numbers of the sources."""

import pytest

from rules.board import (
    BOARDS,
    HOME,
    NEST,
    board,
    parse_place,
    place_text,
    routes,
    safety_spaces,
    walks,
)


@pytest.mark.parametrize(
    ("layout", "arm", "ring", "last", "to_home"),
    [
        ("standard", 17, 68, 63, 71),
        ("corner-64", 16, 64, 59, 67),
        ("pachisi", 17, 68, 64, 72),
        ("tip-entry", 17, 68, 68, 76),
        ("ludo-52", 13, 52, 50, 56),
        ("cross", 17, 68, 68, 76),
    ],
)
def test_layout_has_the_counts_of_its_source(
    layout: str, arm: int, ring: int, last: int, to_home: int
) -> None:
    this = board(layout)
    assert (this.arm, this.ring, this.last) == (arm, ring, last)
    assert this.spaces_to_go(0) == to_home


@pytest.mark.parametrize(("layout", "left_entry_to_finish"), [("standard", 20), ("pachisi", 21)])
def test_left_opponents_entry_is_as_far_from_finish_as_the_source_says(
    layout: str, left_entry_to_finish: int
) -> None:
    this = board(layout)
    assert this.spaces_to_go(this.seen_from(0, 3 * this.arm)) == left_entry_to_finish


def test_standard_board_has_twelve_safety_spaces_with_the_entries_among_them() -> None:
    safe = safety_spaces("standard", "twelve")
    assert sorted(safe) == [0, 7, 12, 17, 24, 29, 34, 41, 46, 51, 58, 63]
    assert safety_spaces("standard", "entries") == {0, 17, 34, 51}
    assert safety_spaces("standard", "tips") == {12, 29, 46, 63}
    assert safety_spaces("standard", "none") == frozenset()


@pytest.mark.parametrize("layout", [name for name in BOARDS if BOARDS[name].guard is not None])
def test_every_layout_with_a_guard_has_twelve_safety_spaces(layout: str) -> None:
    assert len(safety_spaces(layout, "twelve")) == 12


def test_ludo_has_a_globe_on_each_entry_and_eight_past_it() -> None:
    assert sorted(safety_spaces("ludo-52", "entries-stars")) == [0, 8, 13, 21, 26, 34, 39, 47]
    assert "twelve" not in board("ludo-52").safety
    assert "entries-stars" not in board("standard").safety


def test_ludo_has_stars_four_and_eleven_past_each_entry_of_which_the_second_is_a_tip() -> None:
    this = board("ludo-52")
    assert this.stars == (4, 11, 17, 24, 30, 37, 43, 50)
    assert this.stars[-1] == this.last
    assert not {*this.stars} & this.safety["entries-stars"]
    assert board("standard").stars == ()


@pytest.mark.parametrize(
    ("start", "spaces", "overshoot", "walk"),
    [
        ("52", 4, "back", "53 54 55 54"),  # 54 is passed first, and then it is where the pawn lands
        ("54", 2, "back", "55 54"),
        ("54", 3, "stop", ""),
        ("55", 1, "back", "r1"),
        ("55", 2, "back", ""),
        ("r1", 2, "stop", "r2"),
        ("r1", 1, "stop", ""),
        ("r5", 6, "back", "r6"),
        ("r6", 6, "back", "H"),
        ("r6", 1, "back", ""),
    ],
)
def test_on_a_ladder_each_space_asks_for_its_number_and_the_foot_is_the_end_of_the_ring(
    start: str, spaces: int, overshoot: str, walk: str
) -> None:
    found = walks("ring-56", False, overshoot, "ladder")[parse_place(start)][spaces]
    assert [" ".join(map(place_text, one.places)) for one in found] == [walk] * (walk != "")


def test_a_space_that_a_walk_touches_twice_is_passed() -> None:
    (walk,) = walks("ring-56", False, "back", "ladder")[52][4]
    assert walk.passed == 1 << 53 | 1 << 54 | 1 << 55
    assert (walk.target, walk.landed) == (54, 1 << 54)


def test_on_40_spaces_a_pawn_is_home_in_the_goal_and_may_move_on_there() -> None:
    this = board("ring-40")
    assert (this.ring, this.last, place_text(this.end)) == (40, 39, "r4")
    assert sorted(map(place_text, this.home)) == ["r1", "r2", "r3", "r4"]
    ways = routes("ring-40", False)
    assert [place_text(way.target) for way in ways[39][4]] == ["r4"]
    assert ways[39][5] == ways[this.end][1] == ()
    assert [place_text(way.target) for way in ways[101][3]] == ["r4"]


def test_on_the_cross_a_pawn_goes_out_round_and_in() -> None:
    this = board("cross")
    way = list(map(place_text, this.way))
    assert way[:9] == ["N", "o1", "o2", "o3", "o4", "o5", "o6", "o7", "0"]
    assert (way.index("68"), way.index("r1"), way.index("H")) == (76, 77, 84)
    assert this.space(2, 0) == this.space(2, 68) == 34
    assert this.bit(parse_place("o1")) not in (0, this.bit(parse_place("r7")))
    targets = [route.target for route in routes("cross", False)[parse_place("N")][25]]
    assert list(map(place_text, targets)) == ["17"]


def test_tip_entry_counts_its_entry_and_its_tip_as_one_space() -> None:
    this = board("tip-entry")
    assert this.space(2, 0) == this.space(2, 68) == 34
    assert this.bit(0) == this.bit(68)


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (NEST, "N"),
        (-7, "o1"),
        (-1, "o7"),
        (0, "0"),
        (68, "68"),
        (101, "r1"),
        (107, "r7"),
        (HOME, "H"),
    ],
)
def test_place_text_reads_back(place: int, text: str) -> None:
    assert place_text(place) == text
    assert parse_place(text) == place


@pytest.mark.parametrize("text", ["", "n", "07", "69", "r0", "r8", "-1", "h", "１"])
def test_a_text_that_names_no_place_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a place"):
        parse_place(text)


@pytest.mark.parametrize(
    ("start", "spaces", "targets"),
    [
        (61, 2, ["63"]),
        (61, 3, ["r1"]),
        (61, 10, ["H"]),
        (61, 11, []),
        (104, 4, ["H"]),
        (104, 5, []),
    ],
)
def test_a_pawn_turns_into_its_home_row_and_reaches_home_by_exact_count(
    start: int, spaces: int, targets: list[str]
) -> None:
    ways = routes("standard", False)[start][spaces]
    assert [place_text(way.target) for way in ways] == targets


@pytest.mark.parametrize(
    ("start", "spaces", "targets"),
    [(61, 3, ["r1", "64"]), (61, 8, ["r6", "1"]), (63, 1, ["r1", "64"]), (65, 4, ["1"])],
)
def test_on_a_second_circuit_a_pawn_may_pass_its_home_row(
    start: int, spaces: int, targets: list[str]
) -> None:
    ways = routes("standard", True)[start][spaces]
    assert [place_text(way.target) for way in ways] == targets
