"""The package's answers beside the brute force's, for as many seeded requests as asked for.

    python -m tests.rules.compare --seed 1 --count 2000 --seconds 200 [--house] [--play]

Prints each request whose answers differ, with both; keeps out of judging which is right.
"""

import argparse
import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from tests.rules import draw
from tests.rules.brute_force import PRESETS, Plays, TooManyError, Turn, answer, answer_after

Request = dict[str, Any]
Ruleset = str | dict[str, Any]

LOT = 50  # requests for one process
LIMIT = 6000  # plays; about two seconds of brute force


class Difference(NamedTuple):
    """One request and the keys in which the two answers differ: ours, then the brute force's."""

    request: Request
    keys: dict[str, tuple[Any, Any]]

    def __str__(self) -> str:
        lines = [json.dumps(self.request)]
        lines += [
            f"  {key}: {ours}\n    brute: {brute}" for key, (ours, brute) in self.keys.items()
        ]
        return "\n".join(lines)


def analysed(requests: list[Request]) -> list[dict[str, Any]]:
    """What `python -m rules analyse` answers, one process for all."""
    lines = "".join(f"{json.dumps(request)}\n" for request in requests)
    command = [sys.executable, "-m", "rules", "analyse"]
    run = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


class Case(NamedTuple):
    """A request with the brute force's answer."""

    request: Request
    brute: dict[str, Any]


def differing(cases: list[Case]) -> Iterator[Difference]:
    """The requests that the two answer differently."""
    found = analysed([case.request for case in cases])
    for (request, brute), ours in zip(cases, found, strict=True):
        keys = {
            key: (ours.get(key), brute.get(key))
            for key in ours.keys() | brute.keys()
            if ours.get(key) != brute.get(key)
        }
        if keys:
            yield Difference(request, keys)


def steps_of(request: Request, limit: int) -> list[str]:
    """The legal first steps, none where there are more plays than the limit."""
    try:
        return list(answer(request, limit)["steps"])
    except TooManyError:
        return []


def under_way(rng: random.Random, case: Case) -> Case:
    """The same request some legal steps into a play."""
    made: list[str] = []
    request, brute = case
    if brute["penalty"]:
        return case
    plays = Plays(Turn(request))
    while brute["steps"] and len(made) < 3 and rng.random() < 0.7:
        made.append(rng.choice(brute["steps"]))
        brute = answer_after(plays, made)
    return Case(request | {"play": made}, brute) if made else case


def drawn(
    rng: random.Random, rulesets: Sequence[Ruleset | None], play: bool = False, limit: int = LIMIT
) -> Case:
    """A request under one of the rule sets, None being house rules drawn anew.

    Those with more plays than the limit, for which the brute force takes long, are passed over.
    """
    while True:
        ruleset = rng.choice(rulesets)
        request = draw.request(rng, draw.house_rules(rng) if ruleset is None else ruleset)
        try:
            case = Case(request, answer(request, limit))
        except TooManyError:
            continue
        return under_way(rng, case) if play else case


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--ruleset", choices=list(PRESETS), help="this preset only")
    parser.add_argument("--house", action="store_true", help="house rules only")
    parser.add_argument("--play", action="store_true", help="some steps into each play")
    asked = parser.parse_args()
    every: list[Ruleset | None] = [None] if asked.house else list(PRESETS)
    names = [asked.ruleset] if asked.ruleset else every
    rng, began, compared, found = random.Random(asked.seed), time.monotonic(), 0, 0
    while compared < asked.count and time.monotonic() - began < asked.seconds:
        lot = [drawn(rng, names, asked.play) for _ in range(LOT)]
        for difference in differing(lot):
            found += 1
            print(difference, flush=True)
        compared += len(lot)
    print(f"{compared} compared, {found} different")


if __name__ == "__main__":
    main()
