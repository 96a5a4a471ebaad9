"""Tests how evenly dice fell: counts, chi-square and runs, each explained. It draws nothing."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import erfc, exp, pi, sqrt

MIN_DICE = 30  # dice: chi-square needs five of each face on average (Cochran 1954)


def judge_dice(throws: Iterable[tuple[int, ...]]) -> Iterator[str]:
    """Yield lines with the counts, chi-square and runs of at least one throw, with their p."""
    faces = [face for throw in throws for face in throw]
    counts = Counter(faces)
    yield f"face        {''.join(f'{face:>7}' for face in range(1, 7))}"
    yield f"how often   {''.join(f'{counts[face]:>7}' for face in range(1, 7))}"
    if len(faces) < MIN_DICE:
        yield f"fewer than {MIN_DICE} dice say nothing of whether they are fair"
        return
    chi_square = sum((counts[face] - len(faces) / 6) ** 2 for face in range(1, 7)) * 6 / len(faces)
    p = chi_square_p(chi_square, 5)
    yield f"chi-square  {chi_square:.2f} with 5 degrees of freedom, p = {p:.4f}"
    yield f"            as uneven as {p_in_words(p)}"
    runs, z = count_runs(faces)
    p = erfc(abs(z) / sqrt(2))
    yield f"runs        {runs} above and below 3.5, z = {z:.2f}, p = {p:.4f}"
    yield f"            as odd as {p_in_words(p)}"


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
    """Return the probability of a chi-square of x or more.

    freedom: degrees of freedom, an odd number: the series is then finite.
    """
    term, series = 1.0, 0.0
    for k in range(1, freedom, 2):
        series += term
        term *= x / (k + 2)
    return erfc(sqrt(x / 2)) + sqrt(2 * x / pi) * exp(-x / 2) * series


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
