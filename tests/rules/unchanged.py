"""What the editions answer, as lines of text that no change may alter.

`unchanged.json` has a digest of the lines of each edition. To find the first line that differs
from an older checkout, print the lines of both:

    diff <(cd OLDER && python -m tests.rules.unchanged cases sca) \\
         <(python -m tests.rules.unchanged cases sca)
"""

import json
import random
import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from rules.facts import Fact
from rules.game import Phase
from rules.history import enter, new_record
from rules.lines.analyse import answer
from rules.lines.record import game_text, parse_game
from rules.lines.sheet import sheet_lines
from rules.position import format_position, parse_position
from rules.ruleset import PRESETS, ruleset_text
from tests.rules import draw
from tests.rules.editions import PARCHEESI
from tests.rules.moments import choices
from tests.rules.records import drawn_record

DIGESTS = Path(__file__).with_name("unchanged.json")
PARTS = range(2)
MOST_STATES = 3000  # so that tr-1938 answers 200 cases in seconds


def cases(edition: str, part: int) -> Iterator[str]:
    """Yield the answers to 100 drawn requests, and the same games as text."""
    rng = random.Random(f"cases of {edition}, {part}")
    for _ in range(100):
        request = draw.request(rng, edition)
        yield json.dumps(answer(request, MOST_STATES))
        yield game_text(parse_game(json.dumps(request)))
        yield format_position(parse_position(request["position"], PRESETS[edition]))


def games(edition: str, part: int) -> Iterator[str]:
    """Yield the records and sheets of 4 whole games.

    Of an edition of Parcheesi also of 4 beginnings with undo and such.
    """
    rng = random.Random(f"games of {edition}, {part}")
    for _ in range(4):
        yield from _with_its_sheet(list(_whole_game(rng, edition)))
        if edition in PARCHEESI:
            yield from _with_its_sheet(_beginning(rng, edition))


def _with_its_sheet(lines: list[str]) -> list[str]:
    return [*lines, *sheet_lines(lines)]


KINDS = {"cases": cases, "games": games}


def digest(lines: Iterable[str]) -> str:
    """Return the SHA-256 of some lines, in hexadecimal."""
    return sha256("\n".join(lines).encode()).hexdigest()


def _whole_game(rng: random.Random, edition: str) -> Iterator[str]:
    """Yield the lines of a whole random game, each with the facts of its action."""
    least = 4 if PRESETS[edition].partners else 2
    seats = sorted(rng.sample(range(4), rng.randint(least, 4)))
    record = new_record(PRESETS[edition], seats)
    ruleset = json.loads(ruleset_text(PRESETS[edition]))
    first = {"format": "pachisi-record", "version": 1, "ruleset": ruleset, "seats": seats}
    yield json.dumps(first)
    while record.game.phase is not Phase.OVER:
        action = rng.choice(choices(record.game, rng))
        record, facts = enter(record, action)
        line = {"action": str(action), "position": format_position(record.game.position)}
        yield json.dumps({**line, "facts": list(map(_fact_text, facts))})


def _fact_text(fact: Fact) -> str:
    """Return a fact as text, without the numbers of the places that its step has."""
    return " ".join([type(fact).__name__, *map(str, fact)])


def _beginning(rng: random.Random, edition: str) -> list[str]:
    return [json.dumps(line) for line in drawn_record(rng, edition)[0]]


def main(words: list[str]) -> None:
    """Write the digests anew, or print the lines of an edition."""
    match words:
        case ["digests"]:
            found = {
                edition: {
                    kind: [digest(lines(edition, part)) for part in PARTS]
                    for kind, lines in KINDS.items()
                }
                for edition in PRESETS
            }
            DIGESTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        case [kind, edition] if kind in KINDS and edition in PRESETS:
            for part in PARTS:
                print(*KINDS[kind](edition, part), sep="\n")
        case _:
            raise SystemExit(
                f"tests.rules.unchanged: write digests, or one of {', '.join(KINDS)} "
                f"and one of {', '.join(PRESETS)}"
            )


if __name__ == "__main__":
    main(sys.argv[1:])
