"""Dice: fair, and from nowhere but the kernel wherever people play."""

import ast
import secrets
from functools import cache
from pathlib import Path

import pi_app
from pi_app.__main__ import make_parser
from pi_app.config.keys import Config
from pi_app.runtime.dice import KERNEL, Dice
from pi_app.simulate.simulation import seeded_dice

PI_APP = Path(pi_app.__file__).parent
SOURCES = tuple(sorted(PI_APP.rglob("*.py")))


def asked(count: int) -> tuple[list[int], tuple[int, ...]]:
    """Return what a throw asks its source for, and the faces it makes of 0, 1, 2, ..."""
    sides: list[int] = []

    def randbelow(n: int) -> int:
        sides.append(n)
        return len(sides) - 1

    return sides, Dice("test", randbelow).throw(count)


def test_each_die_is_one_draw_among_six() -> None:
    assert asked(2) == ([6, 6], (1, 2))
    assert asked(6) == ([6] * 6, (1, 2, 3, 4, 5, 6))


def test_six_shells_are_one_draw_among_sixty_four_whose_bits_are_the_mouths() -> None:
    cases = iter(range(64))

    def randbelow(n: int) -> int:
        assert n == 64
        return next(cases)

    thrown = [Dice("test", randbelow).throw(1, shells=True) for _ in range(64)]
    assert [thrown.count((up,)) for up in range(7)] == [1, 6, 15, 20, 15, 6, 1]


def test_the_kernels_dice_are_drawn_by_secrets() -> None:
    assert KERNEL.source == "kernel"
    assert KERNEL.randbelow is secrets.randbelow


def test_the_kernels_dice_show_every_face() -> None:
    assert set(KERNEL.throw(500)) == {1, 2, 3, 4, 5, 6}


def test_seeded_dice_fall_alike_for_the_same_seed_and_say_that_they_are_simulated() -> None:
    assert seeded_dice(7).source == "simulated"
    assert seeded_dice(7).throw(50) == seeded_dice(7).throw(50)
    assert seeded_dice(7).throw(50) != seeded_dice(8).throw(50)


def test_run_and_the_page_are_given_the_kernels_dice() -> None:
    assert dice_given_in("commands/run.py", "_run_table") == ["KERNEL"]
    assert dice_given_in("commands/simulate.py", "_simulate_page") == ["KERNEL"]


def test_only_script_and_auto_reach_the_seeded_dice() -> None:
    assert callers_of("seeded_dice") == {"open_simulation"}
    assert callers_of("open_simulation") == {"_unwatched"}
    assert callers_of("_unwatched") == {"_simulate_script", "_simulate_auto"}
    assert callers_of("Dice") == {"seeded_dice"}  # and KERNEL, outside any function


def test_no_option_of_run_is_about_dice() -> None:
    assert vars(make_parser().parse_args(["run"])).keys() == {"command", "config", "level"}


def test_a_key_of_the_configuration_may_say_who_throws_the_dice_and_nothing_more() -> None:
    about_dice = ("dice", "die", "seed", "random", "source", "throw")
    names = Config.__dataclass_fields__
    found = [name for name in names if any(word in name for word in about_dice)]
    assert found == ["chamber_dice_from"]


def test_nothing_under_pi_app_reads_the_environment_for_dice() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
    reads = [line.strip() for line in text.splitlines() if "environ" in line]
    known = (
        "JOURNAL_STREAM",
        "LG_WD",
        "LISTEN_",
        "NOTIFY_SOCKET",
        "PYTHONPATH",
        "RUNTIME_DIRECTORY",
        "SUDO_USER",
        "WATCHDOG_",
        "XDG_STATE_HOME",
    )
    assert [line for line in reads if not any(name in line for name in known)] == []


@cache
def functions(sources: tuple[Path, ...] = SOURCES) -> list[tuple[str, ast.FunctionDef]]:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sources]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    return [(node.name, node) for node in nodes if isinstance(node, ast.FunctionDef)]


def calls(function: ast.FunctionDef) -> list[ast.Call]:
    return [node for node in ast.walk(function) if isinstance(node, ast.Call)]


def callers_of(name: str) -> set[str]:
    return {
        caller
        for caller, function in functions()
        for call in calls(function)
        if isinstance(call.func, ast.Name) and call.func.id == name
    }


def dice_given_in(file: str, name: str) -> list[str]:
    return [
        ast.unparse(keyword.value)
        for caller, function in functions((PI_APP / file,))
        if caller == name
        for call in calls(function)
        for keyword in call.keywords
        if keyword.arg == "dice"
    ]
