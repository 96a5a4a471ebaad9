"""Raw edges become recorded presses, which replay as they were."""

from pi_app.model.events import Edge
from pi_app.proof.presses import count_presses, replay, split_presses


def edges(*parts: tuple[float, int]) -> list[Edge]:
    return [Edge(17, level, seconds) for seconds, level in parts]


def test_a_press_begins_when_the_contact_closes_after_a_rest() -> None:
    heard = edges((5.0, 0), (5.0003, 1), (5.001, 0), (5.2, 1), (5.2004, 0), (5.201, 1), (5.5, 0))
    assert split_presses(heard) == [
        [[0, 0], [300, 1], [1000, 0], [200000, 1], [200400, 0], [201000, 1]],
        [[0, 0]],
    ]


def test_an_opening_without_a_closing_is_kept() -> None:
    assert split_presses(edges((5.0, 1), (7.0, 0))) == [[[0, 1]], [[0, 0]]]


def test_a_replay_has_a_second_of_rest_before_each_press() -> None:
    presses = [[[0, 0], [200000, 1]], [[0, 0], [100000, 1]]]
    assert [(round(edge.t, 6), edge.level) for edge in replay(presses)] == [
        (1.0, 0),
        (1.2, 1),
        (2.2, 0),
        (2.3, 1),
    ]


def test_a_bounce_that_outlasts_the_dead_time_counts_twice() -> None:
    press = [[0, 0], [90_000, 1], [120_000, 0], [125_000, 1]]
    assert count_presses([press], (20, 20)) == 2
    assert count_presses([press], (20, 40)) == 1
