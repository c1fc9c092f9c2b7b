"""FenchelRank's step: passes and sweeps a step, and the exact line search against the paper's sorted breakpoints."""

from __future__ import annotations

import time

import numpy as np

from benchmarks.report import Cell, Column, Goal, Report
from benchmarks.shapes import TD2004, FloatArray, generate, pair_differences
from benchmarks.threads import limited_to
from core.losses import LossEvaluation, SquaredHinge
from core.methods import get_method
from core.penalties import L1Ball
from core.solvers import Problem, SolverRun
from core.solvers.exact_line_search import exact_step

RATIOS = (0.1, 0.01)
MOST_PASSES = 4.0
SEARCHES = 5


class _Counting(SquaredHinge):
    """The loss, counting its sweeps over the documents."""

    sweeps = 0

    def evaluate(self, scores: FloatArray) -> LossEvaluation:
        self.sweeps += 1
        return super().evaluate(scores)

    def curvature_product(self, scores: FloatArray, direction: FloatArray) -> FloatArray:
        self.sweeps += 1
        return super().curvature_product(scores, direction)


def run(threads: int | None) -> Report:
    """All variants to the paper's stop, then one line search both ways."""
    data = generate(TD2004)
    method = get_method("fenchelrank")
    training = method.training(data)
    loss = _Counting(data.relevance, data.query_offsets)
    rows: list[list[Cell]] = []
    with limited_to(threads) as used:
        for ratio in RATIOS:
            penalty = method.problem(training, training.lam_at(ratio), method.settings()).penalty
            assert isinstance(penalty, L1Ball)
            for solver in method.solvers:
                loss.sweeps = 0
                steps = SolverRun(solver, Problem(data.features, loss, penalty, training.lam_at(ratio)), method.stop)
                while steps.reason is None:
                    steps.advance()
                last = steps.trace[-1]
                most = float(np.diff([point.passes for point in steps.trace]).max())
                rows.append([
                    solver.title, penalty.radius, last.step, last.certificate.value, last.nonzero, last.seconds,
                    1e3 * last.seconds / last.step, most, loss.sweeps / last.step,
                ])  # fmt: skip
        swept, sorted_, apart = _line_search(loss, data.features.astype(np.float64), pair_differences(data))
    worst = max(float(row[7]) for row in rows)
    return Report(
        title="FenchelRank and its variants, from the empty model to a gap of 0.001 or 1000 steps",
        setting=f"{TD2004}; {used}; the radii are those of the ℓ1 models at λ_max/10 and λ_max/100",
        columns=(
            Column("solver"),
            Column("r", ".3g"),
            Column("steps", ","),
            Column("gap", ".1e"),
            Column("features kept", ","),
            Column("s", ".2g"),
            Column("ms a step", ".2g"),
            Column("passes over X, most a step", ".2f"),
            Column("sweeps a step", ".1f"),
        ),
        rows=rows,
        goals=[Goal(f"a step takes at most {MOST_PASSES:g} passes over X", f"{worst:.2f}", worst <= MOST_PASSES)],
        notes=(
            f"One exact line search: {1e3 * swept:.1f} ms by sweeps, {1e3 * sorted_:,.0f} ms by sorting the "
            f"breakpoints of {TD2004.n_pairs:,} pairs, with X's products ready; the steps differ by {apart:.0e}.",
        ),
    )


def _line_search(loss: SquaredHinge, features: FloatArray, differences: FloatArray) -> tuple[float, float, float]:
    """From one feature towards another: median seconds by sweeps and by sorting, how far the steps are apart."""
    gradient = features.T @ loss.gradient(np.zeros(len(features)))
    first, second = np.argsort(-np.abs(gradient))[:2]
    w, vertex = np.zeros(len(gradient)), np.zeros(len(gradient))
    w[first], vertex[second] = -3.0 * np.sign(gradient[first]), -6.0 * np.sign(gradient[second])
    scores, along = features @ w, features @ (vertex - w)
    slack, bend = 1.0 - differences @ w, differences @ (vertex - w)
    start = loss.evaluate(scores)
    times: list[tuple[float, float]] = []
    for _ in range(SEARCHES):
        begun = time.perf_counter()
        swept, _ = exact_step(loss, scores, along, start, 1.0)
        halfway = time.perf_counter()
        sorted_ = _by_breakpoints(slack, bend)
        times.append((halfway - begun, time.perf_counter() - halfway))
    medians = np.median(times, axis=0)
    return float(medians[0]), float(medians[1]), abs(swept - sorted_)


def _by_breakpoints(slack: FloatArray, bend: FloatArray) -> float:
    """Minimise sum max(0, slack - bend mu)^2 over 0 <= mu <= 1 as Lai et al. (2013, eq. 20 and 21) do.

    With running sums over the sorted breakpoints, so that the search costs no more than the sort.
    """
    turning = np.flatnonzero(bend)
    at = slack[turning] / bend[turning]
    inside = (at > 0.0) & (at < 1.0)
    order = turning[inside][np.argsort(at[inside])]
    on = (slack > 0.0) | ((slack == 0.0) & (bend < 0.0))
    joins = np.where(bend[order] < 0.0, 1.0, -1.0)
    pull = float(slack[on] @ bend[on]) + np.cumsum(np.append(0.0, joins * slack[order] * bend[order]))
    size = float(bend[on] @ bend[on]) + np.cumsum(np.append(0.0, joins * bend[order] ** 2))
    edges = np.concatenate([[0.0], slack[order] / bend[order], [1.0]])
    rising = pull - size * edges[1:] <= 0.0  # the slope at the end of each piece, halved and turned round
    piece = int(np.argmax(rising)) if rising.any() else len(pull) - 1
    return float(np.clip(pull[piece] / size[piece], edges[piece], edges[piece + 1]))
