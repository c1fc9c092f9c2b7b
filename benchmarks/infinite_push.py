"""ℓ1 infinite push: the exact solver against the paper's ADMM, against the number of pairs, and on many queries.

``python -m benchmarks.infinite_push`` alone prints the peak memory of the largest fit, as a fresh process meets it.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from functools import partial

import numpy as np

from benchmarks.one_fit import peak_bytes
from benchmarks.pairing import take_turns
from benchmarks.report import Cell, Column, Goal, Report
from benchmarks.threads import limited_to
from core.data import RankingData
from core.losses import InfinitePush
from core.methods import Fit, get_method
from core.penalties import L1
from core.solvers import Admm, ExactPush, FitResult, Problem, SolverRun, Stop, largest_lambda, solve

TOLERANCE = 1e-4  # relative, of the optimum
SHARE = 0.2  # of λ_max
ROUNDS = 3
ADMM_SECONDS = 60.0  # after which its time is only known to be more
ADMM_SHAPES = ((200, 300, 60), (40, 22, 2000))
GROWTH = ((20, 200), (63, 632), (200, 2000), (632, 6325), (2000, 20000))
LISTS = {0.0: 0.2, 0.25: 0.5}
"""Of 45 queries x 988 documents x 64 features: top share, and the share of λ_max at which it is fitted."""
ADMM_GOAL, GROWTH_GOAL, LISTS_GOAL = 50.0, 0.6, 60.0
MEMORY_GOAL = 300e6  # bytes, beside four times the features


def gaussians(m: int, n: int, d: int, seed: int = 0) -> RankingData:
    """Two overlapping Gaussian classes that differ in ten features, with a covariance each; standardised."""
    rng = np.random.default_rng(seed)
    relevant = 10
    features = rng.normal(size=(m + n, d))
    shift = rng.choice([-1.0, 1.0], relevant)
    for rows, sign in ((slice(0, m), 1.0), (slice(m, m + n), -1.0)):
        mixing = rng.normal(size=(relevant, 2 * relevant)) / np.sqrt(relevant)
        spread = np.linalg.cholesky(mixing @ mixing.T)
        features[rows, :relevant] = sign * shift + features[rows, :relevant] @ spread.T
    features = (features - features.mean(axis=0)) / features.std(axis=0)
    return RankingData.build(features, [1] * m + [0] * n, [0, m + n])


def lists(seed: int = 0) -> RankingData:
    """45 queries x 988 documents x 64 features; the 15 relevant ones lie ahead in twelve features, by 1.5 to 0.6."""
    rng = np.random.default_rng(seed)
    n_queries, n, d, relevant, informative = 45, 988, 64, 15, 12
    features = rng.normal(size=(n_queries, n, d))
    features[:, :relevant, :informative] += np.linspace(1.5, 0.6, informative)
    relevance = np.tile([1] * relevant + [0] * (n - relevant), n_queries)
    return RankingData.build(features.reshape(-1, d), relevance, n * np.arange(n_queries + 1))


@dataclass(frozen=True)
class _Row:
    task: str
    pairs: int
    solver: str
    seconds: float
    ratio: str
    suboptimality: float | str
    kept: int

    def cells(self) -> tuple[Cell, ...]:
        return (self.task, self.pairs, self.solver, self.seconds, self.ratio, self.suboptimality, self.kept)


def run(threads: int | None) -> Report:
    """All three comparisons."""
    rows: list[_Row] = []
    goals: list[Goal] = []
    with limited_to(threads) as used:
        for measure in (_against_admm, _against_pairs, _against_squared_hinge):
            more_rows, more_goals = measure()
            rows += more_rows
            goals += more_goals
    return Report(
        title=f"ℓ1 infinite push to {TOLERANCE:g} of the optimum",
        setting=f"{used}; {ROUNDS} rounds, one of ADMM; loss object included",
        columns=(
            Column("task"),
            Column("pairs", ","),
            Column("solver"),
            Column("median, s", ".3g"),
            Column("ratio to exact"),
            Column("relative suboptimality", ".1e"),
            Column("features kept", ","),
        ),
        rows=[row.cells() for row in rows],
        goals=goals,
        notes=("Suboptimality is against the lower bound of a gap closed to 1e-7 (many queries: the fit's own gap).",),
    )


def _against_admm() -> tuple[list[_Row], list[Goal]]:
    rows, goals = [], []
    for m, n, d in ADMM_SHAPES:
        problem = _problem(gaussians(m, n, d))
        best = _exact(problem, 1e-7)
        lower = best.objective - best.certificate.value
        times = take_turns({"exact": partial(_exact, problem, TOLERANCE)}, ROUNDS)
        fit, seconds = times.results["exact"], times.median("exact")
        slow = _admm(problem, lower * (1.0 + TOLERANCE))
        there = slow.objective <= lower * (1.0 + TOLERANCE)
        ratio = f"{'' if there else 'more than '}{slow.seconds / seconds:,.0f}"
        task = f"m = {m}, n = {n}, d = {d}"
        for name, result, took, told in (("exact", fit, seconds, ""), ("ADMM, Algorithm 1", slow, slow.seconds, ratio)):
            rows.append(_Row(task, m * n, name, took, told, result.objective / lower - 1.0, result.nonzero))
        claim = f"exact at least {ADMM_GOAL:g}x as fast as ADMM at {task}"
        goals.append(Goal(claim, f"{ratio}x", slow.seconds / seconds >= ADMM_GOAL))
    return rows, goals


def _against_pairs() -> tuple[list[_Row], list[Goal]]:
    rows = []
    for m, n in GROWTH:
        problem = _problem(gaussians(m, n, 60))
        best = _exact(problem, 1e-7)
        times = take_turns({"exact": partial(_exact, problem, TOLERANCE)}, ROUNDS)
        fit = times.results["exact"]
        above = fit.objective / (best.objective - best.certificate.value) - 1.0
        rows.append(_Row(f"m = {m}, n = {n}, d = 60", m * n, "exact", times.median("exact"), "", above, fit.nonzero))
    pairs, seconds = np.log([row.pairs for row in rows]), np.log([row.seconds for row in rows])
    exponent = float(np.polyfit(pairs, seconds, 1)[0])
    peak, size = _peak_of_largest()
    return rows, [
        Goal(f"time grows with pairs to the power {GROWTH_GOAL:g} at most", f"{exponent:.2f}", exponent <= GROWTH_GOAL),
        Goal(
            f"a process that fits {GROWTH[-1][0]:,} x {GROWTH[-1][1]:,} documents peaks below 4x its features + 300 MB",
            f"{peak / 1e6:,.0f} MB for features of {size / 1e6:.1f} MB",
            peak <= 4 * size + MEMORY_GOAL,
        ),
    ]  # fmt: skip


def _against_squared_hinge() -> tuple[list[_Row], list[Goal]]:
    data = lists()
    rows, goals = [], []
    for top_share, ratio in LISTS.items():
        lam = ratio * largest_lambda(data, InfinitePush.of(data, top_share))
        kept = _exact(_problem(data, lam, top_share), TOLERANCE).nonzero
        other = _as_sparse(data, kept)
        times = take_turns(
            {
                "exact": partial(_exact_from_data, data, lam, top_share),
                "squared hinge": partial(_squared_hinge, data, other.lam),
            },
            ROUNDS,
        )
        slower = times.ratio("exact", "squared hinge")
        fit = times.results["exact"]
        task = f"45 queries x 988 documents x 64 features, κ = {top_share:g}"
        pairs = InfinitePush.of(data).n_pairs
        rows.append(
            _Row(task, pairs, "exact", times.median("exact"), "", fit.certificate.relative, fit.nonzero)
        )  # fmt: skip
        rows.append(
            _Row(task, pairs, "ℓ1 RankSVM, proximal Newton", times.median("squared hinge"),
                 f"1 / {slower}", other.result.certificate.relative, other.result.nonzero)
        )  # fmt: skip
        claim = f"exact takes at most {LISTS_GOAL:g}x the ℓ1 RankSVM with about as many features, κ = {top_share:g}"
        goals.append(Goal(claim, f"{slower}x", slower.median <= LISTS_GOAL))
    return rows, goals


def _problem(data: RankingData, lam: float | None = None, top_share: float = 0.0) -> Problem:
    if lam is None:
        lam = SHARE * largest_lambda(data, InfinitePush.of(data, top_share))
    return Problem(data.features, InfinitePush.of(data, top_share), L1(), lam)


def _exact_from_data(data: RankingData, lam: float, top_share: float) -> FitResult:
    return _exact(_problem(data, lam, top_share), TOLERANCE)


def _exact(problem: Problem, tol: float) -> FitResult:
    return solve(ExactPush(), problem, Stop(tol=tol))


def _admm(problem: Problem, target: float) -> FitResult:
    """Until the objective is at the target; its own certificate would take longer."""
    run = SolverRun(Admm(), problem, Stop(tol=0.0, max_seconds=ADMM_SECONDS))
    while run.reason is None and not (run.trace and run.trace[-1].objective <= target):
        run.advance()
    return run.result()


def _squared_hinge(data: RankingData, lam: float) -> FitResult:
    method = get_method("l1")
    return method.fit(method.training(data), lam, stop=Stop(tol=1e-6)).result


def _as_sparse(data: RankingData, kept: int) -> Fit:
    """The ℓ1 RankSVM whose number of features is nearest."""
    method = get_method("l1")
    training = method.training(data)
    fits = [method.fit(training, training.lam_at(ratio)) for ratio in np.geomspace(0.5, 1e-3, 25)]
    return min(fits, key=lambda fit: abs(fit.result.nonzero - kept))


def _peak_of_largest() -> tuple[int, int]:
    """Bytes at the peak of a process of its own, and of the features."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.infinite_push"], check=True, capture_output=True, text=True
    )
    peak, size = map(int, done.stdout.split())
    return peak, size


def main() -> None:
    """Fit the largest problem once and print the peak memory and the size of its features, in bytes."""
    data = gaussians(*GROWTH[-1], 60)
    _exact(_problem(data), TOLERANCE)
    print(peak_bytes(), data.features.nbytes)


if __name__ == "__main__":
    main()
