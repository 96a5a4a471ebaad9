"""Train the tables of weights, and measure how strong they are.

    make train                             all tables anew
    make strength                          all measurements; their results go to files beside this
    python -m tests.strength train findler-4
    python -m tests.strength train findler-4 --games 2000 --endings 2000 --seed 2 --out new.json
    python -m tests.strength match findler --first 200
    git show main:pi_app/players/tables/findler-4.json > build/last.json
    python -m tests.strength match findler --against build/last.json
    python -m tests.strength chances findler           how far the chances are off
    python -m tests.strength chances findler --against build/last.json
    python -m tests.strength losses                    what a decision of `strong` gives away

Each continues where it was stopped: build/strength keeps the results so far. `chances --against`
plays nothing: it compares both tables with the rollouts that are kept. The same seed gives
the same table by the same Python, whose `sum` of floats changed with 3.12.
"""

from __future__ import annotations

import argparse
import sys
import time
from datetime import date
from pathlib import Path

from pi_app.advice.tables import table_name
from pi_app.players.choosing import LEVELS
from pi_app.players.tables import load_table, parse_table
from rules import PRESETS, RuleSet
from tests.core import describe_core
from tests.strength import rounds
from tests.strength.bars import check_chances, check_losses, compare_chances
from tests.strength.bearoff import make_all
from tests.strength.games import Picker
from tests.strength.kept import FOLDER, WORK, keep_row, mark
from tests.strength.matches import Match, Result, is_met, result, shares
from tests.strength.positions import PRESETS_MEASURED
from tests.strength.rounds import TABLES
from tests.strength.yardsticks import YARDSTICKS, by_value

RESULTS = FOLDER / "results.csv"
COLUMNS = ("ruleset", "seats", "ours", "against", "wins", "interval", "games", "seeds", "date")
ALL, OPPOSITE = (0, 1, 2, 3), (0, 2)
STRONG = LEVELS[-1]
TRAINED_BY = ("rounds", "games", "endings", "hidden", "seed")  # fields of `Table`
BEAROFF = "bearoff"  # names all bear-off tables
PAR = 25.0
TOLD_EVERY_S = 30
OTHER_GAMES = ("parchis", "parchis-two", "ludo-uk", "ludo-india", "ludo-de", "pachisi-mitra")
PARTNERS = "pachisi-modern"
DIFFERENT = {  # editions of Parcheesi, the game of `grace`; of twins, one
    ruleset: preset for preset, ruleset in PRESETS.items() if preset not in (*OTHER_GAMES, PARTNERS)
}.values()
MATCHES = (
    Match("findler", ALL, (0,), 1000, 34.5, by_lower=True),
    Match("findler", ALL, (0, 1), 250, 55.0, by_lower=True),
    *(Match(p, ALL, (0,), 250, PAR) for p in DIFFERENT if p != "findler"),
    *(Match(p, OPPOSITE, (0,), 500, 2 * PAR) for p in DIFFERENT),
    *(
        Match(preset, ALL, heroes, 250, PAR * len(heroes), by_lower=True, foe="thumb")
        for preset in OTHER_GAMES
        for heroes in ((0,), (0, 1))
    ),
    Match(PARTNERS, ALL, (0, 2), 500, 2 * PAR, by_lower=True, foe="thumb"),
    # The weaker levels, no weaker than is worth a game, and what `grace` itself is worth.
    Match("findler", ALL, (0,), 250, 20.0, player="club"),
    Match("findler", ALL, (0,), 250, 8.0, player="easy"),
    Match("findler", ALL, (0,), 250, 1.0, player="child"),
    Match("findler", ALL, (0,), 250, 3 * PAR, foe="random", player="grace"),
)


def main(words: list[str]) -> int:
    """Return the exit status: 1 if a bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.strength")
    parser.add_argument("what", choices=("train", "match", "chances", "losses", "all"))
    parser.add_argument("names", nargs="*", help="tables, or presets; all if none")
    parser.add_argument("--against", help="a yardstick, or a table's file; `grace` if none")
    parser.add_argument("--first", type=int, help="only so many seeds, positions or decisions")
    trained = parser.add_argument_group("train")
    for name in TRAINED_BY:
        trained.add_argument(f"--{name}", type=int, help="instead of the table's own")
    trained.add_argument("--out", type=Path, help="the table's file, if not the one that ships")
    given = parser.parse_args(words)
    print(describe_core(), file=sys.stderr)
    if given.what == "train":
        for name in given.names or (BEAROFF, *TABLES):
            if name == BEAROFF:
                make_all(WORK / "training", rounds.FOLDER, print)
            else:
                _train(name, given)
        return 0
    began, met = time.monotonic(), list[bool]()
    if given.what in ("match", "all"):
        met += _play_matches(given)
    for preset in given.names or PRESETS_MEASURED:
        if given.what == "chances" and given.against:
            compare_chances(preset, Path(given.against))
        elif given.what in ("chances", "all"):
            met.append(check_chances(preset, given.first))
        if given.what in ("losses", "all"):
            met.append(check_losses(preset, given.first))
    print(f"{(time.monotonic() - began) / 60:.0f} minutes", flush=True)
    return int(not all(met))


def _play_matches(given: argparse.Namespace) -> list[bool]:
    """Play the matches that were asked for; return which bars are met."""
    wanted = [m for m in MATCHES if not given.names or m.preset in given.names]
    if given.against:
        wanted = [m for m in wanted if m.player == STRONG]
    return [_judged(_as_asked(match, given)) for match in wanted]


def _train(name: str, given: argparse.Namespace) -> None:
    """Train a table as it was asked for. Each way to train it has a folder of its own."""
    asked = {key: getattr(given, key) for key in TRAINED_BY}
    changed = {key: value for key, value in asked.items() if value is not None}
    made = TABLES[name]._replace(**changed)
    folder = "-".join([name, *(f"{key}-{value}" for key, value in changed.items())])
    work = WORK / "training" / folder
    rounds.train(name, made, work, given.out or rounds.FOLDER / f"{name}.json", print)


def _as_asked(match: Match, given: argparse.Namespace) -> Match:
    """Return a match as it was asked for: against another table, the bar is par less one point."""
    match = match._replace(seeds=given.first or match.seeds, foe=given.against or match.foe)
    if match.foe in YARDSTICKS:
        return match
    par = 100 * len(match.heroes) / len(match.seats)
    return match._replace(least=par - 1, by_lower=False)


def _judged(match: Match) -> bool:
    """Play a match, print and keep what came of it; return whether its bar is met."""
    ruleset = PRESETS[match.preset]
    name = table_name(ruleset)
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
    _keep(match, name if match.player == STRONG else match.player, came)
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
    return by_value(ruleset, parse_table(Path(name).read_text(encoding="utf-8")))


def _keep(match: Match, player: str, came: Result) -> None:
    """Put a result into the table of results, in place of an older one of the same match."""
    ours = f"{len(match.heroes)} {player}"
    theirs = f"{len(match.seats) - len(match.heroes)} {Path(match.foe).stem}"
    figures = (f"{came.wins:.1f}", f"{came.half:.1f}", came.games, f"0-{match.seeds - 1}")
    row = (match.preset, len(match.seats), ours, theirs, *figures, date.today())
    keep_row(RESULTS, COLUMNS, 4, row)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
