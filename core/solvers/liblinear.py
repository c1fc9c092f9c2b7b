"""LIBLINEAR through scikit-learn on explicit pairs: an independent check for small data."""

import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.losses import SquaredHinge
from core.losses.pair_groups import PairGroups
from core.penalties import L1
from core.solvers.base import Iterate
from core.solvers.certificates import Certifier
from core.solvers.problem import FloatArray, Problem

MOST_ENTRIES = 20_000_000  # of the matrix of pairs: 160 MB, and twice that again for LIBLINEAR's copy
MOST_ITERATIONS = 1000
TOLERANCES = tuple(10.0**-k for k in range(1, 11))


@dataclass(frozen=True)
class Liblinear:
    """scikit-learn's ``LinearSVC`` (l1, squared hinge, primal, no intercept) on the differences of all pairs.

    Its ||w||_1 + C sum_p slack_p^2 is F / lam with C = 1 / (lam P). It needs two classes, so every other pair is
    reversed; a row of zeros, whose loss is constant, makes sure that both classes occur.

    LIBLINEAR does not report intermediate iterates. So it runs to the tolerances 1e-1, 1e-2, ... one after the other,
    each time from zero, and every result is an iterate, certified by our own duality gap. With the same seed a run
    repeats the previous one and goes on from there, so only the additional time counts: the time of an iterate is that
    of one run to its tolerance, including the construction of the pairs. The first run that reaches `MOST_ITERATIONS`
    is the last.
    """

    id: ClassVar[str] = "liblinear"
    title: ClassVar[str] = "LIBLINEAR on pairs"
    explanation: ClassVar[str] = (
        "Coordinate descent with Newton directions on the differences of all pairs, as scikit-learn has it. It runs "
        "to one tolerance after another, each tighter; a point of the curve is one whole run."
    )

    def accepts(self, problem: Problem) -> str | None:
        if type(problem.penalty) is not L1 or type(problem.loss) is not SquaredHinge:
            return "LIBLINEAR is for the squared hinge over pairs with the ℓ1 penalty"
        most = MOST_ENTRIES // problem.n_features
        if problem.loss.n_pairs > most:
            return (
                f"LIBLINEAR needs every pair in memory: at most {most:,} pairs of {problem.n_features} features, not "
                f"{problem.loss.n_pairs:,}; use method l1, which has the same model and needs no pairs"
            )
        return None

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        """Yield the start, and then LIBLINEAR's results, which do not depend on it."""
        assert isinstance(problem.loss, SquaredHinge)
        begun = time.perf_counter()
        from sklearn.svm import LinearSVC  # noqa: F401  # heavy to import, which is no part of solving

        loading = time.perf_counter() - begun
        certifier = Certifier(problem)
        pairs, classes = _two_classes(problem.features, problem.loss.groups)
        sweep = len(pairs) / len(problem.features)  # passes over X that reading all pairs once amounts to
        yield self._judged(problem, certifier, start, 0, sweep, loading)
        before = 0.0
        for step, tol in enumerate(TOLERANCES, start=1):
            begun = time.perf_counter()
            w, iterations = self._run(pairs, classes, problem, tol)
            took = time.perf_counter() - begun
            judged = self._judged(problem, certifier, w, step, sweep * (1.0 + iterations), min(before, took))
            yield replace(judged, hidden=(tol,))
            before = max(before, took)
            if iterations >= MOST_ITERATIONS:
                return

    def _judged(
        self, problem: Problem, certifier: Certifier, w: FloatArray, step: int, passes: float, measuring: float
    ) -> Iterate:
        """Make the iterate at w; the loss is evaluated for its certificate only."""
        begun = time.perf_counter()
        evaluation = problem.loss.evaluate(problem.scores(w))
        gradient = problem.pull_back(evaluation.gradient)
        objective = evaluation.value + problem.lam * problem.penalty.value(w)
        certificate = certifier.certify(w, objective, evaluation, gradient)
        return Iterate(step, w, objective, certificate, passes, measuring + time.perf_counter() - begun)

    def _run(self, pairs: FloatArray, classes: FloatArray, problem: Problem, tol: float) -> tuple[FloatArray, int]:
        """Return weights and number of iterations, each of which reads all pairs at least once."""
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.svm import LinearSVC

        svm = LinearSVC(
            penalty="l1", loss="squared_hinge", dual=False, fit_intercept=False,
            C=1.0 / (problem.lam * problem.loss.n_terms), tol=tol, max_iter=MOST_ITERATIONS, random_state=0,
        )  # fmt: skip
        with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):  # the gap tells
            svm.fit(pairs, classes)
        return np.asarray(svm.coef_[0], dtype=np.float64), int(svm.n_iter_)


def _two_classes(features: NDArray[np.floating], groups: PairGroups) -> tuple[FloatArray, FloatArray]:
    """Build the differences of all pairs, every other one reversed, a row of zeros last, and their classes."""
    winners, losers = [], []
    for first, last in zip(groups.query_group[:-1], groups.query_group[1:], strict=True):
        end = groups.group_start[last]
        for group in range(first, last - 1):
            better = groups.order[groups.group_start[group] : groups.group_start[group + 1]]
            worse = groups.order[groups.group_start[group + 1] : end]
            winners.append(np.repeat(better, len(worse)))
            losers.append(np.tile(worse, len(better)))
    winner, loser = np.concatenate(winners), np.concatenate(losers)
    classes = np.where(np.arange(len(winner) + 1) % 2 == 0, 1.0, -1.0)
    pairs = np.zeros((len(winner) + 1, features.shape[1]))
    np.subtract(features[winner], features[loser], out=pairs[:-1])
    pairs *= classes[:, None]
    return pairs, classes
