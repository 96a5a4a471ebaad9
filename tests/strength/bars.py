"""Measures the chances and the losses of the tables that ship, prints them and keeps them."""

import sys
import time
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import TypeVar

from pi_app.model.tables import table_name
from pi_app.players.averaging import average_chances
from pi_app.players.tables import load_judge, parse_table
from pi_app.players.value import Judge
from rules import PRESETS, SEAT_LETTERS, format_position
from tests.strength.chances import (
    MOST_BEYOND,
    MOST_OFF,
    POINTS,
    Rolled,
    compare_networks,
    measure,
    measure_position,
    read_rolled,
    roll_positions,
)
from tests.strength.kept import FOLDER, WORK, keep_row, mark
from tests.strength.losses import MOST_LOST, mean_loss, measure_losses
from tests.strength.picture import COLUMNS, KEYS, SHOWN
from tests.strength.positions import DECISIONS, MISJUDGED, POSITIONS, Measured, read_measured

CHANCES, LOSSES = FOLDER / "chances.csv", FOLDER / "losses.csv"
MADE = ("table", "date")
CHANCES_COLUMNS = ("ruleset", "leader", "off", "low", "high", "beyond", "positions", *MADE)
LOSSES_COLUMNS = ("ruleset", "loss", "interval", "decisions", *MADE)
TOLD_EVERY_S = 30
Item = TypeVar("Item")


def check_chances(preset: str, first: int | None = None) -> bool:
    """Measure the chances of an edition; return whether the bars are met.

    first: how many positions; all, whose results are kept, if None.
    """
    judge, table = load_judge(PRESETS[preset]), table_name(PRESETS[preset])
    positions, misjudged = (read_measured(file, preset) for file in (POSITIONS, MISJUDGED))
    wanted = [*misjudged, *positions[:first]]
    kept = _rolled_file(preset, mark(table))
    found = dict(_tell(f"{preset}: chances", roll_positions(judge, wanted, kept), len(wanted)))
    met = [_is_judged_well(judge, one, found.pop(one)) for one in misjudged]
    if first is None:
        _keep_shown(judge, found)
    for group, (error, _) in measure(judge, found).items():
        bars = f"at most {MOST_OFF[group]:g} and {MOST_BEYOND:g}"
        _print_bar(f"{preset}, leader's spaces to go {group}: {error}", error.is_met, bars)
        met.append(error.is_met)
        figures = [f"{x:.1f}" for x in (error.off, error.low, error.high, error.beyond)]
        row = (preset, group, *figures, error.positions, table, date.today())
        if first is None:
            keep_row(CHANCES, CHANCES_COLUMNS, 2, row)
    return all(met)


def _keep_shown(judge: Judge, found: Mapping[Measured, Rolled]) -> None:
    """Keep the chances that are drawn."""
    for one, rolled in found.items():
        shown, position = average_chances(judge, *one.situation[:3]), one.situation.position
        for seat, chance in shown.items():
            key = (one.preset, one.group, format_position(position), seat)
            numbers = (rolled.means[seat], rolled.variance(seat), chance)
            keep_row(SHOWN, COLUMNS, KEYS, (*key, *(f"{number:.4f}" for number in numbers)))


def _is_judged_well(judge: Judge, one: Measured, rolled: Rolled) -> bool:
    """Print the chances in a position that was once misjudged; return whether the bar is met."""
    shown = average_chances(judge, *one.situation[:3])
    seats = ", ".join(
        f"{SEAT_LETTERS[seat]} {POINTS * shown[seat]:.1f} "
        f"({POINTS * rolled.means[seat]:.1f} +- {POINTS * rolled.margin(seat):.1f})"
        for seat in sorted(shown)
    )
    met = measure_position(judge, one, rolled).beyond <= MOST_BEYOND
    _print_bar(
        f"{format_position(one.situation.position)}: {seats}",
        met,
        f"at most {MOST_BEYOND:g} beyond",
    )
    return met


def check_losses(preset: str, first: int | None = None) -> bool:
    """Measure the losses of an edition's decisions; return whether the bar is met.

    first: how many decisions; all, whose results are kept, if None.
    """
    decisions, table = read_measured(DECISIONS, preset)[:first], table_name(PRESETS[preset])
    kept = WORK / "losses" / f"{preset}-{mark(table)}.csv"
    judge = load_judge(PRESETS[preset])
    losses = measure_losses(judge, decisions, kept)
    loss = mean_loss(list(_tell(f"{preset}: losses", losses, len(decisions))))
    _print_bar(f"{preset}, loss of a decision: {loss}", loss.is_met, f"at most {MOST_LOST:g}")
    figures = (f"{loss.mean:.2f}", f"{loss.margin:.2f}", loss.decisions)
    if first is None:
        keep_row(LOSSES, LOSSES_COLUMNS, 1, (preset, *figures, table, date.today()))
    return loss.is_met


def compare_chances(preset: str, against: Path) -> None:
    """Print the errors of the table that ships and of another, by rollouts that are kept.

    The rollouts are the most complete ones of this edition, by whatever state of a table. The
    players of the rollouts are not quite those of either table, so this compares, no more.
    """
    ruleset, names = PRESETS[preset], {one.key: one for one in read_measured(POSITIONS, preset)}
    files = (WORK / "chances").glob(_rolled_file(preset, "*").name)
    rolled = {file.name: read_rolled(file) for file in files}
    if not rolled:
        print(f"{preset}: there are no rollouts; make strength plays them")
        return
    name, kept = max(rolled.items(), key=lambda item: len(item[1]))
    found = {names[key]: one for key, one in kept.items() if key in names}
    theirs = Judge(parse_table(against.read_bytes()), ruleset)
    print(f"{preset}: rollouts of {name}")
    for group, ours, other, (low, high) in compare_networks(load_judge(ruleset), theirs, found):
        print(f"{group}: ours {ours}")
        print(f"{group}: {against.stem} {other}")
        print(f"{group}: mean square of {against.stem} less ours: {low:.1f} to {high:.1f}")


def _rolled_file(preset: str, marked: str) -> Path:
    return WORK / "chances" / f"{preset}-{marked}.csv"


def _print_bar(text: str, met: bool, bar: str) -> None:
    print(f"{text}: {'met' if met else 'MISSED'}: {bar}", flush=True)


def _tell(name: str, items: Iterator[Item], total: int) -> Iterator[Item]:
    """Yield the items, and tell now and then how many there are and how long the rest will take."""
    begin = told = last = time.monotonic()
    waits = list[float]()  # for items that were not kept
    for number, item in enumerate(items, 1):
        now = time.monotonic()
        if now - last > 0.01:
            waits.append(now - last)
        if now - told > TOLD_EVERY_S:
            told, left = now, (total - number) * sum(waits) / max(1, len(waits))
            print(
                f"{name}: {number} of {total} in {(now - begin) / 60:.0f} min, "
                f"about {left / 60:.0f} min to go",
                file=sys.stderr,
            )
        yield item
        last = time.monotonic()
