"""The plain player's measure of a play, with the numbers of its author."""

import pytest

from pi_app.players.features import feature_extractor
from pi_app.players.grace import grace_value
from pi_app.players.play_ends import PlayEnd
from rules import PRESETS, Throw, at, endings, parse_position, play

FINDLER = PRESETS["findler"]


def worth(text: str) -> float:
    """What a position is worth to A, C throwing next."""
    game, _ = play(at(FINDLER, parse_position(text, FINDLER), 0), Throw((6, 6)))
    ending = next(endings(game, most=3000, breadth=12))
    return grace_value(feature_extractor(FINDLER), PlayEnd(ending, game.position, 2), 0)


@pytest.mark.parametrize(
    ("position", "points"),
    [
        ("N,N,N,N/-/N,N,N,N/-", 2 * (500 - 4 * 100) + 36),
        ("20,N,N,N/-/N,N,N,N/-", 2 * (500 - 300 - 51) + 36),
        ("20,20,N,N/-/N,N,N,N/-", 2 * (500 - 200 - 102) + 36 + 10),
        ("H,H,H,r7/-/N,N,N,N/-", 2 * (500 - 1) + 36),
        # C's on its 49 is five behind A's 20: 15 throws, all of C's not being entered.
        ("20,N,N,N/-/49,N,N,N/-", 2 * (500 - 300 - 51) + 36 - 15),
        # On C's entry a throw that enters captures.
        ("34,N,N,N/-/N,N,N,N/-", 2 * (500 - 300 - 37) + 36 - 15),
    ],
)
def test_it_counts_spaces_to_go_throws_that_capture_and_blockades(
    position: str, points: int
) -> None:
    assert worth(position) == pytest.approx(points)
