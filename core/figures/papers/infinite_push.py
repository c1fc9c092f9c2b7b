"""Figures of Table 1 and Figs. 1 to 3 of the infinite push paper."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from core.experiments.infinite_push.push_timing import MOST_REPEATS, Timing, timing_curves
from core.experiments.infinite_push.top_table import TopOutcome, top_rows
from core.experiments.infinite_push.toy_study import REFERENCE, TITLES, ToyOutcome, ToyPoint, toy_points
from core.figures.top.push_timing import timing_figure, timing_sentence
from core.figures.top.table import table_sentence, top_table_figure
from core.figures.top.toy_study import retrieval_panels, retrieval_sentence, top_panels, top_sentence, toy_figure


def sets_figure(outcomes: Sequence[TopOutcome]) -> go.Figure:
    """Draw Table 1 as a dot plot: ours filled, published values open."""
    rows = top_rows(outcomes)
    return top_table_figure(
        rows, title=table_sentence(rows),
        subtitle=f"mean ± standard deviation over {max((row.n_splits for row in rows), default=0)} splits · grey and "
        "open: printed\nin brackets: significantly worse than the best (Wilcoxon's signed-rank test at 0.05)",
    )  # fmt: skip


def top_figure(outcomes: Sequence[ToyOutcome]) -> go.Figure:
    """Draw Fig. 1: the rate on top against the number of training examples."""
    points = toy_points(outcomes)
    return toy_figure(
        top_panels(points, "training examples"), "training examples", "rate of positives on top",
        title=top_sentence(points, "training examples"),
        subtitle=f"toy problem, mean of {_trials(points)}, bars: one standard error · p: Wilcoxon's signed-rank test "
        f"against the {TITLES[REFERENCE]}, two-sided, equal pairs dropped",
    )  # fmt: skip


def found_figure(outcomes: Sequence[ToyOutcome]) -> go.Figure:
    """Draw Fig. 2: precision, recall and F-measure against the number of noisy features."""
    points = toy_points(outcomes)
    examples = points[0].n_train if points else 0
    return toy_figure(
        retrieval_panels(points), "noisy features", "share", title=retrieval_sentence(points),
        subtitle=f"toy problem, {examples} training examples, mean of {_trials(points)}, bars: one standard error · "
        "ten features are relevant; the ℓ2 model retrieves all there are",
    )  # fmt: skip


def time_figure(timings: Sequence[Timing]) -> go.Figure:
    """Draw Fig. 3: seconds against pairs, both on log axes."""
    curves = timing_curves(timings)
    return timing_figure(
        curves, title=timing_sentence(curves),
        subtitle="exponents are fitted to the filled marks; open ones were given up · least of up to "
        f"{MOST_REPEATS} fits, on the machine that timed them",
    )  # fmt: skip


def _trials(points: Sequence[ToyPoint]) -> str:
    least, most = min((p.n_trials for p in points), default=0), max((p.n_trials for p in points), default=0)
    number = f"{most}" if least == most else f"{least} to {most}"
    return f"{number} trial{'s' if number != '1' else ''}"
