"""Loss and gradient from the weights: the sweep over sorted scores against pairs held in memory."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.pairing import take_turns
from benchmarks.report import Column, Goal, Report
from benchmarks.shapes import TD2004, FloatArray, IntArray, generate, pair_differences, preference_pairs
from benchmarks.threads import limited_to
from core.data import RankingData
from core.methods import get_method
from core.penalties import L1
from core.solvers import Problem

ROUNDS = 15
GOAL = 5.0
Evaluated = tuple[float, FloatArray]


def run(threads: int | None) -> Report:
    """On one thread unless told otherwise: that is what the goal is about."""
    data = generate(TD2004)
    training = get_method("l1").training(data)
    problem = Problem(data.features, training.loss, L1(), training.lam_at(0.01))
    places = {"w = 0": np.zeros(data.n_features), "the ℓ1 optimum": get_method("l1").fit(training, problem.lam).weights}
    differences = pair_differences(data)
    ways = {
        "ours": partial(_swept, problem),
        "pair differences in memory": partial(_from_differences, differences),
        "pairs as two lists of rows": partial(_from_rows, data, *preference_pairs(data)),
    }
    rows: list[tuple[str, str, float, str, str]] = []
    goals = []
    with limited_to(threads or 1) as used:
        for place, w in places.items():
            times = take_turns({name: partial(way, w) for name, way in ways.items()}, ROUNDS)
            rows.append((place, "ours", 1e3 * times.median("ours"), "", ""))
            for name in list(ways)[1:]:
                ratio = times.ratio(name, "ours")
                same = f"{_difference(ways['ours'](w), ways[name](w)):.0e}"
                rows.append((place, name, 1e3 * times.median(name), str(ratio), same))
                if name == "pair differences in memory":
                    claim = f"loss and gradient at {place} at least {GOAL:g}x as fast as with {name}, {used}"
                    goals.append(Goal(claim, f"{ratio}x", ratio.median >= GOAL))
    return Report(
        title="Loss and gradient from w: scores, sweep, pull-back",
        setting=f"{TD2004}; {used}; {ROUNDS} rounds; the pair differences take {differences.nbytes / 1e6:,.0f} MB",
        columns=(
            Column("at"),
            Column("how"),
            Column("median, ms", ".2f"),
            Column("ratio to ours (least-most)"),
            Column("relative difference"),
        ),
        rows=rows,
        goals=goals,
    )


def _swept(problem: Problem, w: FloatArray) -> Evaluated:
    evaluation = problem.loss.evaluate(problem.scores(w))
    return evaluation.value, problem.pull_back(evaluation.gradient)


def _from_differences(differences: FloatArray, w: FloatArray) -> Evaluated:
    slack = np.maximum(0.0, 1.0 - differences @ w)
    n_pairs = len(differences)
    return float(slack @ slack) / n_pairs, (-2.0 / n_pairs) * (differences.T @ slack)


def _from_rows(data: RankingData, winners: IntArray, losers: IntArray, w: FloatArray) -> Evaluated:
    """A stronger baseline: pairs of scores only, the features are read once."""
    scores = data.features @ w
    slack = np.maximum(0.0, 1.0 - (scores[winners] - scores[losers]))
    slope = np.bincount(losers, slack, data.n_documents) - np.bincount(winners, slack, data.n_documents)
    n_pairs = len(slack)
    return float(slack @ slack) / n_pairs, (2.0 / n_pairs) * (data.features.T @ slope)


def _difference(ours: Evaluated, theirs: Evaluated) -> float:
    """Largest relative difference of value and gradient: both sides must compute the same thing."""
    value = abs(ours[0] - theirs[0]) / abs(theirs[0])
    return max(value, float(np.abs(ours[1] - theirs[1]).max() / np.abs(theirs[1]).max()))
