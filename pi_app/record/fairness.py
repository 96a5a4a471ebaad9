"""Tests how evenly dice and cowries fell: counts, chi-square and runs, each explained.

It draws nothing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import ceil, comb, erfc, exp, floor, pi, sqrt
from statistics import NormalDist

from rules.ruleset import SHELLS

MIN_DICE = 30  # dice: chi-square needs five of each face on average (Cochran 1954)
MIN_EXPECTED = 5


def judge_dice(throws: Iterable[tuple[int, ...]]) -> Iterator[str]:
    """Yield lines with the counts, chi-square and runs of at least one throw, with their p."""
    faces = [face for throw in throws for face in throw]
    counts = Counter(faces)
    yield f"face        {''.join(f'{face:>7}' for face in range(1, 7))}"
    yield f"how often   {''.join(f'{counts[face]:>7}' for face in range(1, 7))}"
    if len(faces) < MIN_DICE:
        yield f"fewer than {MIN_DICE} dice say nothing of whether they are fair"
        return
    yield from _judge_counts([(counts[face], len(faces) / 6) for face in range(1, 7)])
    runs, z = count_runs(faces)
    p = erfc(abs(z) / sqrt(2))
    yield f"runs        {runs} above and below 3.5, z = {z:.2f}, p = {p:.4f}"
    yield f"            as odd as {p_in_words(p)}"


def judge_shells(throws: Iterable[tuple[int, ...]], are_real: bool) -> Iterator[str]:
    """Yield lines with how often so many of six mouths were up, and a chi-square with its p.

    are_real: the shells were thrown by hand. Their mouths need not be up as often as down, so that
    there is nothing to test.
    """
    ups = [up for (up,) in throws]
    counts, all_ups = Counter(ups), range(SHELLS + 1)
    yield f"mouths up   {''.join(f'{up:>7}' for up in all_ups)}"
    yield f"how often   {''.join(f'{counts[up]:>7}' for up in all_ups)}"
    expected = [len(ups) * comb(SHELLS, up) / 2**SHELLS for up in all_ups]
    yield f"on average  {''.join(f'{often:>7.1f}' for often in expected)}"
    if are_real:
        yield "real shells are not even: their mouths need not be up half of the time"
        return
    if len(ups) < MIN_DICE:
        yield f"fewer than {MIN_DICE} throws say nothing of whether the shells are fair"
        return
    yield from _judge_counts(merge_classes([counts[up] for up in all_ups], expected))


def chance_band(n: int, chance: float, classes: int) -> tuple[int, int] | None:
    """Return the lowest and the highest usual count of one of several classes in `n` fair throws.

    In 95 % of all series the counts of all classes are inside their bands: each band is as wide as
    Bonferroni's inequality asks for. None if too few are expected for a normal distribution.
    """
    mean = n * chance
    if mean < MIN_EXPECTED:
        return None
    half = NormalDist().inv_cdf(1 - 0.05 / 2 / classes) * sqrt(mean * (1 - chance))
    return max(0, floor(mean - half)), min(n, ceil(mean + half))


def _judge_counts(classes: Sequence[tuple[int, float]]) -> Iterator[str]:
    chi_square, freedom = sum((seen - mean) ** 2 / mean for seen, mean in classes), len(classes) - 1
    p = chi_square_p(chi_square, freedom)
    yield f"chi-square  {chi_square:.2f} with {freedom} degrees of freedom, p = {p:.4f}"
    yield f"            as uneven as {p_in_words(p)}"


def merge_classes(seen: Sequence[int], expected: Sequence[float]) -> list[tuple[int, float]]:
    """Return how often neighbouring classes together were seen and are expected, at least 5 times.

    seen, expected: of each class, in order. Too few in the last classes go to the one before.
    """
    merged: list[tuple[int, float]] = []
    open_seen, open_mean = 0, 0.0
    for often, mean in zip(seen, expected, strict=True):
        open_seen, open_mean = open_seen + often, open_mean + mean
        if open_mean >= MIN_EXPECTED:
            merged.append((open_seen, open_mean))
            open_seen, open_mean = 0, 0.0
    last_seen, last_mean = merged.pop() if merged else (0, 0.0)
    return [*merged, (last_seen + open_seen, last_mean + open_mean)]


def p_in_words(p: float) -> str:
    """Return the share of fair games with this p or a smaller one, such as `1 fair game in 4`."""
    if p >= 0.95:
        return "nearly every fair game"
    if p >= 0.55:
        return f"{round(10 * p)} fair games in 10"
    if p >= 1e-6:
        return f"1 fair game in {round(1 / p)}"
    return "less than 1 fair game in a million"


def chi_square_p(x: float, freedom: int) -> float:
    """Return the probability of a chi-square of x or more. freedom: degrees of freedom."""
    is_odd = freedom % 2
    term, series = 1.0, 0.0
    for k in range(2 + is_odd, freedom + 2, 2):
        series += term
        term *= x / k
    if is_odd:
        return erfc(sqrt(x / 2)) + sqrt(2 * x / pi) * exp(-x / 2) * series
    return exp(-x / 2) * series


def count_runs(faces: Sequence[int]) -> tuple[int, float]:
    """Return the number of runs of faces above and below 3.5, and its z by Wald and Wolfowitz.

    z: standard deviations from the mean of fair dice; 0 if all faces are on one side.
    """
    high = [face > 3 for face in faces]
    runs = 1 + sum(one != other for one, other in pairwise(high))
    n, above = len(high), sum(high)
    mixed = 2 * above * (n - above)
    spread = mixed * (mixed - n) / (n * n * (n - 1)) if n > 1 else 0.0
    return runs, (runs - mixed / n - 1) / sqrt(spread) if spread > 0 else 0.0
