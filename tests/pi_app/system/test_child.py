"""A process of ours: programs that answer, end, hang or start others."""

import os
import select
from collections.abc import Iterator
from functools import partial

import pytest

from pi_app.system.back_off import BackOff
from pi_app.system.child import AnswerError, Child, start_process

pytestmark = pytest.mark.slow  # each test starts a process

LONG_S = 60.0  # for what comes at once, on a machine that is busy


class Clock:
    """A clock that stands unless a test moves it on."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def children(clock: Clock) -> Iterator[list[Child]]:
    made: list[Child] = []
    yield made
    for child in made:
        child.end()


def shell(children: list[Child], clock: Clock, script: str) -> Child:
    made = Child(partial(start_process, ["/bin/sh", "-c", script]), BackOff(0.0, 60.0), clock)
    children.append(made)
    return made


def ended(pid: int) -> bool:
    """Wait until a process has ended."""
    try:
        watched = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    found, _, _ = select.select([watched], [], [], LONG_S)
    os.close(watched)
    return found == [watched]


def test_it_is_begun_when_it_is_first_asked_and_asked_again(
    children: list[Child], clock: Clock
) -> None:
    child = shell(children, clock, 'while read line; do echo "$$ $line"; done')
    assert child.process is None
    first, second = child.ask("a").split(), child.ask("b").split()
    assert first == [str(child.begin().pid), "a"]
    assert second == [first[0], "b"]


def test_one_that_has_ended_is_begun_anew(children: list[Child], clock: Clock) -> None:
    child = shell(children, clock, "read line; echo $$")
    first = child.ask("a")
    assert ended(int(first))
    assert child.ask("b") != first


def test_one_that_ends_without_an_answer_gives_none(children: list[Child], clock: Clock) -> None:
    child = shell(children, clock, "read line")
    with pytest.raises(AnswerError, match="it has ended"):
        child.ask("a")


def test_after_a_failure_it_rests_and_after_it_worked_it_does_not(
    children: list[Child], clock: Clock
) -> None:
    child = shell(children, clock, "exit 3")
    assert (child.note_failure(), child.is_paused) == (0.0, False)
    assert (child.note_failure(), child.is_paused) == (60.0, True)
    clock.now = 60.0
    assert not child.is_paused
    child.note_success()
    assert child.note_failure() == 0.0


def test_it_ends_with_all_that_it_has_started(children: list[Child], clock: Clock) -> None:
    child = shell(children, clock, "read line; sleep 1000 & echo $!; wait")
    grandchild = int(child.ask("a"))
    process = child.begin()
    assert child.end()
    assert child.process is None
    assert process.returncode == -9
    assert ended(grandchild)
