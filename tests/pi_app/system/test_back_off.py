"""After how long something that failed is tried again."""

from pi_app.system.back_off import BackOff, doubling_pauses


def test_the_last_pause_is_that_after_all_other_failures() -> None:
    back_off = BackOff(0.0, 60.0)
    assert [back_off.failed() for _ in range(4)] == [0.0, 60.0, 60.0, 60.0]


def test_once_it_works_the_pauses_begin_anew() -> None:
    back_off = BackOff(1.0, 2.0, 3.0)
    assert [back_off.failed() for _ in range(2)] == [1.0, 2.0]
    back_off.worked()
    assert back_off.failed() == 1.0


def test_pauses_double_up_to_the_longest() -> None:
    back_off = doubling_pauses(0.5, 5.0)
    assert [back_off.failed() for _ in range(6)] == [0.5, 1.0, 2.0, 4.0, 5.0, 5.0]
