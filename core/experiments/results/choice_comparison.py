"""Two methods with both draws, that of the test queries and that of the choice of C: different, equivalent, undecided.

That a test finds no difference does not show that there is none. Two one-sided tests at 5 % do (Schuirmann, 1987): two
methods are equivalent within a margin if the 90 % interval of their difference lies between minus the margin and the
margin. They are different if the 95 % interval excludes 0. Both can hold, and where neither does nothing is decided.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from core.analysis.choosing import FEWEST_QUERIES, ChoiceRule
from core.analysis.evaluation import FloatArray, FoldJudge
from core.analysis.tuning.choice_noise import NoisyPath
from core.experiments.results.statistics import CONFIDENCE, LEVEL, RESAMPLES, canonical, chunks
from core.metrics.equal_values import rounded

Verdict = Literal["equivalent", "different", "different, but by less than the margin", "undecided"]
DEFAULT_MARGIN = 0.01
"""Of a measure between 0 and 1, as it is and not as a share: what a reader of tables calls a point."""
MOST_MARGIN = 1.0
CLOSE = 2.0
"""A verdict is narrow if an end of an interval is within so many standard errors of what decides."""


@dataclass(frozen=True)
class ChoiceComparison:
    """A method against a reference when both choose again on resampled validation queries.

    Attributes
    ----------
    n_queries : int
    mean : float
        Of the method's mean minus the reference's, over the choices: what the two differ by on average over draws of
        the validation queries. The difference of the two models that a table prints is one draw of it.
    deviation : float
        Standard deviation of that difference from choice to choice, on the test queries as they are.
    interval : tuple of float
        95 % percentile interval with the test queries drawn anew as well.
    p : float
        Two-sided, that the difference over choices is 0, from the same draws: twice the smaller share of them on either
        side of 0, counted in.
    inner : tuple of float
        The 90 % interval, which decides on equivalence.
    error : float
        Standard error of the ends of both intervals due to the number of resamples and of choices; the largest.

    Notes
    -----
    It is conservative: what models differ by on single test queries is counted in the draw of these queries and again
    in the spread between choices.
    """

    n_queries: int
    mean: float
    deviation: float
    interval: tuple[float, float]
    p: float
    inner: tuple[float, float]
    error: float

    def verdict(self, margin: float = DEFAULT_MARGIN) -> Verdict:
        """What may be said of the two methods; nothing of few queries."""
        if self.n_queries < FEWEST_QUERIES:
            return "undecided"
        equivalent = max(map(abs, self.inner)) <= margin
        if not rounded(self.interval[0]) <= 0.0 <= rounded(self.interval[1]):
            return "different, but by less than the margin" if equivalent else "different"
        return "equivalent" if equivalent else "undecided"

    def narrow(self, margin: float = DEFAULT_MARGIN) -> bool:
        """Whether other resamples could change the verdict."""
        room = [margin - max(map(abs, self.inner)), *self.interval]
        return self.n_queries >= FEWEST_QUERIES and min(map(abs, room)) < CLOSE * self.error

    def words(self, margin: float = DEFAULT_MARGIN) -> str:
        """The verdict, and whether it is narrow."""
        return f"{self.verdict(margin)}{' (narrowly)' if self.narrow(margin) else ''}"


def compare_choices(
    method: ArrayLike, reference: ArrayLike, *, resamples: int = RESAMPLES, seed: int = 0
) -> ChoiceComparison:
    """Compare two methods with both draws, that of the test queries and that of the validation queries.

    The other tests take the two chosen models as given; another draw of validation queries would have chosen others.

    Parameters
    ----------
    method, reference : array-like, shape (n_choices, n_queries)
        Values of the same test queries under choices made on the same resampled validation queries, row by row.
    resamples : int
    seed : int

    Raises
    ------
    ValueError
        If they are not of the same queries and choices, or there are none.
    """
    x, y = np.asarray(method, dtype=np.float64), np.asarray(reference, dtype=np.float64)
    if x.shape != y.shape or x.ndim != 2 or x.size == 0:
        msg = f"a comparison needs the same choices and queries of both methods, not shapes {x.shape} and {y.shape}"
        raise ValueError(msg)
    difference, turn = canonical(x - y)
    n_choices, n = difference.shape
    rng = np.random.default_rng(seed)
    means, done = [], 0
    for rows in chunks(resamples, n):
        choice = (done + np.arange(rows)) % n_choices
        queries = rng.integers(n, size=(rows, n), dtype=np.int32)
        means.append(difference[choice[:, None], queries].mean(axis=1))
        done += rows
    drawn, difference = turn * np.concatenate(means), turn * difference
    below, above = int((drawn <= 0.0).sum()), int((drawn >= 0.0).sum())
    by_choice = difference.mean(axis=1)
    (interval, one), (inner, other) = (_interval(drawn, n_choices, level) for level in (CONFIDENCE, 1.0 - 2.0 * LEVEL))
    return ChoiceComparison(
        n_queries=n,
        mean=float(by_choice.mean()),
        deviation=float(by_choice.std(ddof=1)) if n_choices > 1 else 0.0,
        interval=interval,
        p=min(2.0 * (min(below, above) + 1) / (len(drawn) + 1), 1.0),
        inner=inner,
        error=max(one, other),
    )


def _interval(drawn: FloatArray, n_choices: int, confidence: float) -> tuple[tuple[float, float], float]:
    """Percentile interval of the draws, and the larger standard error of its ends.

    The draws of a choice are not independent of one another, so the share of draws below an end is a mean over choices.
    """
    ends, errors = [], []
    choice = np.arange(len(drawn)) % n_choices
    for share in ((1.0 - confidence) / 2.0, (1.0 + confidence) / 2.0):
        end = float(np.quantile(drawn, share))
        by_choice = np.bincount(choice, drawn <= end) / np.bincount(choice)
        reach = float(by_choice.std()) / np.sqrt(len(by_choice))
        low, high = np.quantile(drawn, [max(share - reach, 0.0), min(share + reach, 1.0)])
        ends.append(end)
        errors.append(float(high - low) / 2.0)
    return (ends[0], ends[1]), max(errors)


def compare_paths(
    paths: Mapping[str, NoisyPath], judge: FoldJudge, measure: str
) -> dict[str, dict[ChoiceRule, ChoiceComparison]]:
    """Compare every path but the first with the first; both choose again on the same resampled validation queries.

    Parameters
    ----------
    paths : mapping
        Paths of one fold by method, in order.
    judge : FoldJudge
        Of that fold.
    measure : str
        On the part that the noise of the choices is reported on.
    """
    first, *others = paths
    rules = list(paths[first].noise)
    reference = {rule: _drawn(paths[first], rule, judge, measure) for rule in rules}
    return {
        method: {rule: compare_choices(_drawn(paths[method], rule, judge, measure), reference[rule]) for rule in rules}
        for method in others
    }


def _drawn(path: NoisyPath, rule: ChoiceRule, judge: FoldJudge, measure: str) -> FloatArray:
    """The measure of every query under every choice of a rule, shape (n_resamples, n_queries)."""
    noise = path.noise[rule]
    values = {
        place: judge.per_query(path.points[place].fit.weights, noise.part, measure)
        for place in set(noise.noise.drawn.tolist())
    }
    return np.stack([values[place] for place in noise.noise.drawn.tolist()])
