"""How fast the compiled rules are, in a process of its own: all other rows measure pure Python."""

import json
import subprocess
import sys
from collections.abc import Iterator

from tests.bench.bars import COMPILED_GAMES
from tests.bench.measure import Measured
from tests.bench.rules import bench_whole_games
from tests.core import compiled_environment, describe_core, is_compiled, why_not_built


def bench_games_of_the_compiled_core() -> Iterator[Measured]:
    """The rows of whole games, by the build in build/compiled."""
    missing = why_not_built()
    if missing:
        yield from (Measured(name, None, missing) for name in COMPILED_GAMES)
        return
    words = [sys.executable, "-P", "-m", "tests.bench.core"]
    done = subprocess.run(
        words, env=compiled_environment(), stdout=subprocess.PIPE, text=True, check=True
    )
    for name, value, note in json.loads(done.stdout):
        yield Measured(f"compiled, {name}", value, note)


if __name__ == "__main__":
    print(describe_core(), file=sys.stderr)
    if not is_compiled():
        raise SystemExit(1)
    print(json.dumps(list(bench_whole_games())))
