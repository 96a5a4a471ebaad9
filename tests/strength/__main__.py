"""Train the tables of weights, and measure how strong they are.

    make train                             all networks in use; the bear-off tables that are missing
    make strength                          all measurements; their results go to files beside this
    python -m tests.strength train sca-4            the network of any edition, in use or not
    python -m tests.strength train findler-4 --rounds 100 300 1000 --seed 2 --out new.bin
    python -m tests.strength match findler --first 200
    git show main:pi_app/players/tables/findler-4.bin > build/last.bin
    python -m tests.strength match findler --against build/last.bin
    python -m tests.strength chances findler           how far the chances are off
    python -m tests.strength chances findler --against build/last.bin
    python -m tests.strength losses                    what a decision of `strong` gives away

Each continues where it was stopped: build/strength keeps the results so far. With --first or
--against it prints results, but neither keeps them beside this file nor fails by a bar. `chances
--against` plays nothing: it compares both tables with the rollouts that are kept. The same seed
gives the same table by the same Python, whose `sum` of floats changed with 3.12.
"""

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from pi_app.model.tables import TABLES_BY_PRESET, table_name
from pi_app.players.choosing import LEVELS
from pi_app.players.tables import load_table, parse_table
from rules import PRESETS, RuleSet
from tests.core import describe_core
from tests.rules.editions import RELATIVES
from tests.strength import rounds
from tests.strength.bars import check_chances, check_losses, compare_chances
from tests.strength.bearoff import make_missing
from tests.strength.games import Picker
from tests.strength.kept import FOLDER, WORK, keep_row, mark
from tests.strength.matches import HOUSES, Match, is_met, result, shares
from tests.strength.positions import PRESETS_MEASURED, PRESETS_OF_DECISIONS
from tests.strength.rounds import TABLES
from tests.strength.yardsticks import YARDSTICKS, by_value

RESULTS = FOLDER / "results.csv"
COLUMNS = ("ruleset", "seats", "ours", "against", "wins", "interval", "games", "seeds", "date")
ALL, OPPOSITE = (0, 1, 2, 3), (0, 2)
STRONG = LEVELS[-1]
TRAINED_BY = ("rounds", "hidden", "seed")  # fields of `Table`
BEAROFF = "bearoff"  # names the bear-off tables that are missing
PAR = 25.0
TOLD_EVERY_S = 30
PARTNERS = tuple(preset for preset in RELATIVES if PRESETS[preset].partners)
OTHER_GAMES = tuple(preset for preset in RELATIVES if preset not in PARTNERS)
SEEDS = {"pop-28": 2000, "ludo-de": 1000}  # of games in which the dice decide more
DIFFERENT = {  # editions of Parcheesi, the game of `grace`; of twins, one
    ruleset: preset for preset, ruleset in PRESETS.items() if preset not in RELATIVES
}.values()
MATCHES = (
    Match("findler", ALL, (0,), 1000, 38.0, by_lower=True),
    Match("findler", ALL, (0, 1), 250, 55.0, by_lower=True),
    *(Match(p, ALL, (0,), 250, PAR) for p in DIFFERENT if p != "findler"),
    *(Match(p, OPPOSITE, (0,), 500, 2 * PAR) for p in DIFFERENT),
    *(
        Match(
            preset,
            ALL,
            heroes,
            SEEDS.get(preset, 250),
            PAR * len(heroes),
            by_lower=True,
            foe="thumb",
        )
        for preset in OTHER_GAMES
        for heroes in ((0,), (0, 1))
    ),
    *(Match(p, ALL, (0, 2), 500, 2 * PAR, by_lower=True, foe="thumb") for p in PARTNERS),
    # Bots without a table: a side, and a seat that need not bring all home.
    *(
        Match(house, ALL, (0, 2), seeds, 50.0, by_lower=True, foe=foe, player="spaces")
        for house in HOUSES
        for seeds, foe in ((100, "random"), (500, "alone" if "sides" in house else "all-home"))
    ),
    # The weaker levels, no weaker than is worth a game, and what `grace` itself is worth.
    Match("findler", ALL, (0,), 250, 20.0, player="club"),
    Match("findler", ALL, (0,), 250, 8.0, player="easy"),
    Match("findler", ALL, (0,), 250, 1.0, player="child"),
    Match("findler", ALL, (0,), 250, 3 * PAR, foe="random", player="grace"),
)
NAMES = {
    "train": (BEAROFF, *TABLES),
    "match": tuple(dict.fromkeys(match.preset for match in MATCHES)),
    "chances": PRESETS_MEASURED,
    "losses": PRESETS_OF_DECISIONS,
}
NAMES["all"] = NAMES["match"]


def main(words: list[str]) -> int:
    """Return the exit status: 1 if a bar is missed by a whole measurement."""
    given = parse_words(words)
    print(describe_core(), file=sys.stderr)
    if given.what == "train":
        if BEAROFF in given.names:
            make_missing(rounds.FOLDER, print)
        _train_all([name for name in given.names if name != BEAROFF], given)
        return 0
    began, met = time.monotonic(), list[bool]()
    if given.what in ("match", "all"):
        met += _play_matches(given)
    for preset in given.names:
        if given.what == "chances" and given.against:
            compare_chances(preset, Path(given.against))
        elif given.what in ("chances", "all") and preset in NAMES["chances"]:
            met.append(check_chances(preset, given.first))
        if given.what in ("losses", "all") and preset in NAMES["losses"]:
            met.append(check_losses(preset, given.first))
    print(f"{(time.monotonic() - began) / 60:.0f} minutes", flush=True)
    return int(_is_whole(given) and not all(met))


def parse_words(words: list[str]) -> argparse.Namespace:
    """Return what is asked for. Exits with one sentence if nothing is measured or made by it."""
    parser = argparse.ArgumentParser(prog="python -m tests.strength")
    parser.set_defaults(first=None, against=None, out=None, **dict.fromkeys(TRAINED_BY))
    asked = parser.add_subparsers(dest="what", required=True)
    each = {what: asked.add_parser(what) for what in NAMES}
    for what, one in each.items():
        one.add_argument("names", nargs="*", help=f"of {', '.join(NAMES[what])}; all if none")
    part = each["chances"].add_mutually_exclusive_group()
    for parted in (each["match"], part, each["losses"], each["all"]):
        parted.add_argument("--first", type=int, help="only so many seeds, positions or decisions")
    each["match"].add_argument("--against", help="a yardstick or a table's file; `grace` if none")
    part.add_argument("--against", help="a table's file")
    for name in TRAINED_BY:
        many = "+" if name == "rounds" else None
        each["train"].add_argument(
            f"--{name}", type=int, nargs=many, help="instead of the table's own"
        )
    each["train"].add_argument("--out", type=Path, help="a file beside the one that ships")
    given = parser.parse_args(words)
    if sentence := _find_fault(given):
        each[given.what].error(sentence)
    shipped = (BEAROFF, *dict.fromkeys(TABLES_BY_PRESET.values()))
    given.names = given.names or (shipped if given.what == "train" else NAMES[given.what])
    return given


def _find_fault(given: argparse.Namespace) -> str | None:
    """Return why what is asked for can't be done, if so."""
    known = NAMES[given.what]
    if unknown := set(given.names) - set(known):
        return f"{min(unknown)!r} is not one of {', '.join(known)}"
    if given.first is not None and given.first < 1:
        return f"--first is a number from 1 on, not {given.first}"
    yardsticks = YARDSTICKS if given.what == "match" else ()
    if given.against and given.against not in yardsticks and not Path(given.against).is_file():
        return f"there is no file {given.against!r}"
    if _made_another_way(given) and not given.out:
        return "name the table's file with --out: it is not made as the one that ships"
    if given.out and (len(given.names) != 1 or BEAROFF in given.names):
        return f"name one table of {', '.join(TABLES)} for --out"
    return None


def _made_another_way(given: argparse.Namespace) -> dict[str, Any]:
    """Return the fields of `Table` that are asked for instead of a table's own."""
    asked = {key: getattr(given, key) for key in TRAINED_BY}
    return {
        key: tuple(value) if key == "rounds" else value
        for key, value in asked.items()
        if value is not None
    }


def _is_whole(given: argparse.Namespace) -> bool:
    """Whether all is measured that the results beside this file and the bars are about."""
    return given.first is None and given.against is None


def _play_matches(given: argparse.Namespace) -> list[bool]:
    """Play the matches that were asked for; return which bars are met."""
    wanted = [m for m in MATCHES if m.preset in given.names]
    if given.against:
        wanted = [m for m in wanted if m.player == STRONG]
    return [_judged(_as_asked(match, given), keep=_is_whole(given)) for match in wanted]


def _train_all(names: list[str], given: argparse.Namespace) -> None:
    """Train tables, as many at a time as there are cores, after saying how long that will take."""
    ways = {name: TABLES[name]._replace(**_made_another_way(given)) for name in names}
    minutes = {name: rounds.estimate_minutes(name, way) for name, way in ways.items()}
    slowest_first = sorted(names, key=lambda name: -minutes[name])
    for name in slowest_first:
        print(f"{name}: {sum(ways[name].rounds)} games, about {minutes[name]:.0f} min", flush=True)
    cores = os.cpu_count() or 1
    whole = max([sum(minutes.values()) / cores, *minutes.values()], default=0.0)
    print(f"With {cores} cores: about {whole:.0f} min, less what is kept from before", flush=True)
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # several would add up in another order each time
    tell = partial(print, flush=True)
    with ProcessPoolExecutor(cores, get_context("spawn")) as processes:
        made = [
            processes.submit(rounds.train, name, ways[name], *_places(name, given), tell)
            for name in slowest_first
        ]
        for name, one in zip(slowest_first, made, strict=True):
            one.result()
            print(f"{name}: ready", flush=True)


def _places(name: str, given: argparse.Namespace) -> tuple[Path, Path]:
    """Return a training's folder, one for each way to train, and the file of its table."""
    numbers = (f"{key}-{value}" for key, value in _made_another_way(given).items())
    folder = "-".join([name, *numbers]).translate(str.maketrans(",", "-", "() "))
    return WORK / "training" / folder, given.out or rounds.FOLDER / f"{name}.bin"


def _as_asked(match: Match, given: argparse.Namespace) -> Match:
    """Return a match as it was asked for: against another table, the bar is par less one point."""
    match = match._replace(seeds=given.first or match.seeds, foe=given.against or match.foe)
    if match.foe in YARDSTICKS:
        return match
    par = 100 * len(match.heroes) / len(match.seats)
    return match._replace(least=par - 1, by_lower=False)


def _judged(match: Match, *, keep: bool) -> bool:
    """Play a match, print what came of it; return whether its bar is met. keep: in RESULTS."""
    ruleset = match.ruleset
    name = match.player if match.player in YARDSTICKS else table_name(ruleset)
    hero = _hero(match.player, ruleset)
    kept = WORK / "matches" / f"{match.name}-{mark(name)}-{mark(match.foe)}.csv"
    began, found = time.monotonic(), list[float]()
    for share in shares(match, ruleset, hero, _foe(match.foe, ruleset), kept):
        found.append(share)
        if time.monotonic() - began > TOLD_EVERY_S:
            began = time.monotonic()
            print(f"{match.name}: {result(found, len(match.rotations))}", file=sys.stderr)
    came = result(found, len(match.rotations))
    met = is_met(match, came)
    print(f"{match.name}: {came}, {'met' if met else 'MISSED'}: above {match.least:g}", flush=True)
    if keep:
        figures = (f"{came.wins:.1f}", f"{came.half:.1f}", came.games, f"0-{match.seeds - 1}")
        keep_row(RESULTS, COLUMNS, 4, (*row_key(match), *figures, date.today()))
    return met


def _hero(name: str, ruleset: RuleSet) -> Picker:
    """Return the measured player that is called so: a yardstick, or a level with its table."""
    if name in YARDSTICKS:
        return YARDSTICKS[name](ruleset)
    return by_value(ruleset, load_table(table_name(ruleset)), name)


def _foe(name: str, ruleset: RuleSet) -> Picker:
    """Return the player that is called so: a yardstick, or a table's file."""
    if name in YARDSTICKS:
        return YARDSTICKS[name](ruleset)
    return by_value(ruleset, parse_table(Path(name).read_bytes()))


def row_key(match: Match) -> tuple[str, ...]:
    """Return the first cells of a match's row in RESULTS. `strong` is called by its table."""
    player = table_name(match.ruleset) if match.player == STRONG else match.player
    ours = f"{len(match.heroes)} {player}"
    theirs = f"{len(match.seats) - len(match.heroes)} {Path(match.foe).stem}"
    return match.preset, str(len(match.seats)), ours, theirs


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
