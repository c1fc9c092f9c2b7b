"""An ℓ1 fit: proximal Newton without pairs against LIBLINEAR on ready-made pairs."""

from __future__ import annotations

import warnings
from copy import copy
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from benchmarks.pairing import take_turns
from benchmarks.report import Column, Goal, Report
from benchmarks.shapes import TD2004, FloatArray, generate, pair_differences
from benchmarks.threads import limited_to
from core.data import RankingData
from core.methods import get_method
from core.solvers import Stop

SHARES = (0.1, 0.01, 0.001)
TOLERANCE = 1e-6
ROUNDS = 3
GOAL = 100.0
LIBLINEAR = {"LIBLINEAR, default tol 1e-4": 1e-4, "LIBLINEAR, tol 1e-3": 1e-3}
"""Its default, and the loosest power of ten at which it, too, comes within our tolerance of the optimum."""
Row = tuple[float, str, str, float, str, float, int]


@dataclass(frozen=True, eq=False)
class Pairs:
    """Explicit pairs for LIBLINEAR: it needs two classes, so every other pair is reversed."""

    turned: FloatArray
    signs: FloatArray = field(repr=False)

    @classmethod
    def of(cls, data: RankingData) -> Pairs:
        """Build the pairs of the data."""
        differences = pair_differences(data)
        signs = np.where(np.arange(len(differences)) % 2 == 0, 1.0, -1.0)
        differences *= signs[:, None]
        return cls(differences, signs)

    def loss(self, w: FloatArray) -> float:
        """Compute the mean squared hinge over the pairs."""
        slack = np.maximum(0.0, 1.0 - self.signs * (self.turned @ w))
        return float(slack @ slack) / len(slack)

    def fit(self, c: float, tol: float, max_iter: int = 10_000) -> FloatArray:
        """Fit by LIBLINEAR and return the weights, shape (n_features,)."""
        svm = LinearSVC(
            penalty="l1", loss="squared_hinge", dual=False, fit_intercept=False, C=c, tol=tol, max_iter=max_iter,
            random_state=0,
        )  # fmt: skip
        w: FloatArray = svm.fit(self.turned, self.signs).coef_[0]
        return w


def run(threads: int | None) -> Report:
    """Both on one thread (LIBLINEAR has no more), then ours on as many as a user has."""
    data = generate(TD2004)
    pairs = Pairs.of(data)
    rows: list[Row] = []
    goals: list[Goal] = []
    for share in SHARES:
        more_rows, more_goals = _at(data, pairs, share, threads)
        rows += more_rows
        goals += more_goals
    return Report(
        title="ℓ1 fit, cold start, loss object included",
        setting=f"{TD2004}; {ROUNDS} rounds; ready-made pairs of {pairs.turned.nbytes / 1e6:,.0f} MB",
        columns=(
            Column("λ_max over λ", "g"),
            Column("solver"),
            Column("threads"),
            Column("median, s", ".3g"),
            Column("ratio to ours (least-most)"),
            Column("relative suboptimality", ".1e"),
            Column("features kept", ","),
        ),
        rows=rows,
        goals=goals,
        notes=("Suboptimality is against the lower bound of a duality gap closed to 1e-13.",),
    )


def _at(data: RankingData, pairs: Pairs, share: float, threads: int | None) -> tuple[list[Row], list[Goal]]:
    training = get_method("l1").training(data)
    lam = training.lam_at(share)
    best = get_method("l1").fit(training, lam, stop=Stop(tol=1e-13)).result
    lower_bound = best.objective - best.certificate.value
    c = training.c_of(lam)
    ways = {"ours": partial(_ours, data, lam)} | {name: partial(pairs.fit, c, tol) for name, tol in LIBLINEAR.items()}
    with limited_to(1) as one:
        # One iteration warms LIBLINEAR up; a fit warms ours.
        with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
            pairs.fit(c, 1e-4, 1)
        ways["ours"]()
        times = take_turns(ways, ROUNDS, warm_up=False)
    with limited_to(threads) as used:
        in_parallel = take_turns({"ours": ways["ours"]}, 2 * ROUNDS).median("ours")
    rows: list[Row] = []
    for name, w in times.results.items():
        ratio = "" if name == "ours" else str(times.ratio(name, "ours"))
        above = max((pairs.loss(w) + lam * float(np.abs(w).sum()) - lower_bound) / lower_bound, 0.0)
        rows.append((1 / share, name, one, times.median(name), ratio, above, int(np.count_nonzero(w))))
    rows.insert(1, (1 / share, "ours", used, in_parallel, "", *rows[0][5:]))
    goals = [
        Goal(
            f"λ_max/{1 / share:g}: ours, to a relative gap of {TOLERANCE:g}, at least {GOAL:g}x as fast as {name}, "
            f"both on {one}",
            f"{times.ratio(name, 'ours')}x",
            times.ratio(name, "ours").median >= GOAL,
        )
        for name in LIBLINEAR
    ]
    return rows, goals


def _ours(data: RankingData, lam: float) -> FloatArray:
    """Fit to data that no fit has seen, so that pairs are grouped anew."""
    method = get_method("l1")
    return method.fit(method.training(copy(data)), lam, stop=Stop(tol=TOLERANCE)).weights
