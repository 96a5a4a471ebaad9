"""Change the code in small ways, drawn at random, and see whether the tests notice.

    make mutants
    python -m tests.mutants --count 60 --seed 1
    python -m tests.mutants --count 5 --module rules/board.py --tests tests/rules/test_board.py

Works on a copy of the tree. A mutant that lives is printed with what was changed: either it does
not matter, since nobody could tell, or a test is missing. One that runs out of time counts as
noticed: it hangs, unless the machine was busy.
"""

import argparse
import os
import random
import shlex
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import TestOutcome, WorkItem

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / ".venv" / "bin" / "python"  # that of the checks, which has no cosmic-ray
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", ".*_cache", "build", "dist", "__pycache__")
SOURCES = ("rules", "pi_app")
NO_MUTANTS = {"__init__.py"}
# What touches types alone changes nothing that runs. Of None, of an enumeration's names and of
# small numbers nobody can tell `==` from `is`; of other values every test that compares them would.
IDLE = (
    "core/NoOp",
    "core/RemoveDecorator",
    "core/ReplaceBinaryOperator_BitOr",
    *(
        f"core/ReplaceComparisonOperator_{change}"
        for change in ("Is_Eq", "Eq_Is", "IsNot_NotEq", "NotEq_IsNot")
    ),
)
QUICK = "--numprocesses logical -m 'not browser and not kill and not micropython' tests"
OF_ROOM = "--numprocesses logical -m 'not browser and not kill and not micropython and not slow'"
SAID = {
    TestOutcome.SURVIVED: "LIVES",
    TestOutcome.KILLED: "noticed",
    TestOutcome.INCOMPETENT: "can't be made",
}
PATIENCE = 3.0  # times what the tests take without a mutant; those that still run hang, or nearly


def main() -> None:
    """Draw mutants, try each, print those that live and a last line with the figure."""
    asked = _asked()
    with tempfile.TemporaryDirectory("-mutants") as folder:
        Path(folder).chmod(0o755)  # some tests start the tree's programs as another user
        tree = Path(folder) / "tree"
        shutil.copytree(ROOT, tree, ignore=LEFT_OUT)
        os.chdir(tree)
        os.environ["PYTHONPATH"] = str(tree)  # for processes that tests start, too
        began = time.monotonic()
        if subprocess.run(shlex.split(_pytest(asked.tests or QUICK)), check=False).returncode != 0:
            raise SystemExit("the tests fail without any mutant: mend that first")
        limit = PATIENCE * (time.monotonic() - began)
        with use_db(f"{folder}/mutants.sqlite", WorkDB.Mode.create) as database:
            init([asked.module] if asked.module else _modules(), database, {})
            drawn = _drawn(list(database.work_items), asked.count, random.Random(asked.seed))
        outcomes = [_tried(n, item, limit, asked.tests) for n, item in enumerate(drawn, 1)]
    lived, noticed = map(outcomes.count, (TestOutcome.SURVIVED, TestOutcome.KILLED))
    print(f"{noticed} of {noticed + lived} mutants noticed (seed {asked.seed}), {lived} lived")


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=60, help="how many mutants to draw")
    parser.add_argument("--seed", type=int, default=1, help="the same seed draws the same mutants")
    parser.add_argument("--module", type=Path, help="change this file alone")
    parser.add_argument("--tests", help="only these must notice, for example a file's name")
    asked = parser.parse_args()
    if asked.count < 1 or asked.module not in (None, *_modules()):
        parser.error("ask for one mutant or more, of a module of rules or pi_app")
    return asked


def _modules() -> list[Path]:
    found = (path for source in SOURCES for path in sorted(Path(source).rglob("*.py")))
    return [path for path in found if path.name not in NO_MUTANTS]


def _drawn(items: list[WorkItem], count: int, chance: random.Random) -> list[WorkItem]:
    """Draw mutants, fewer if there are fewer lines; each line is as likely as any other."""
    lines: dict[tuple[str, int], list[WorkItem]] = {}
    for item in items:
        mutation = item.mutations[0]
        if not mutation.operator_name.startswith(IDLE):
            place = str(mutation.module_path), mutation.start_pos[0]
            lines.setdefault(place, []).append(item)
    return [
        chance.choice(lines[place])
        for place in chance.sample(sorted(lines), min(count, len(lines)))
    ]


def _tried(number: int, item: WorkItem, limit: float, asked: str | None) -> TestOutcome:
    """Try a mutant: the tests most likely to notice first, all the quick ones last.

    asked: the tests to try instead.
    """
    began = time.monotonic()
    mutation = item.mutations[0]
    for tests in [asked] if asked else _tests(Path(mutation.module_path)):
        result = mutate_and_test(item.mutations, _pytest(tests), limit)
        if result.test_outcome is not TestOutcome.SURVIVED:
            break
    where = f"{mutation.module_path}:{mutation.start_pos[0]} {mutation.operator_name}"
    seconds = time.monotonic() - began
    said = "OUT OF TIME" if result.output == "timeout" else SAID[result.test_outcome]
    print(f"{number}. {said} {where} ({seconds:.0f} s)", flush=True)
    if result.test_outcome is TestOutcome.SURVIVED:
        print(result.diff, flush=True)
    return result.test_outcome


def _pytest(tests: str) -> str:
    return f"{PYTHON} -m pytest -q -x -p no:cacheprovider {tests}"


def _tests(module: Path) -> list[str]:
    """Return the tests to try, from the nearest on: of the module's name, of its room, all.

    `rules` knows nothing of `pi_app`, nor do its tests.
    """
    in_rules = module.parts[0] == "rules"
    room = Path("tests", *module.parent.parts[: 1 if in_rules else 2])
    assert room.is_dir(), f"{room} is not there, and pytest would fail whatever the mutant is"
    quick = QUICK if in_rules else f"{QUICK} --ignore tests/rules"
    named = sorted(map(str, room.rglob(f"test_{module.stem}*.py")))
    return [*([" ".join(named)] if named else []), f"{OF_ROOM} {room}", quick]


if __name__ == "__main__":
    main()
