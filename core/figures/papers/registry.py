"""The figures of each experiment of the papers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from core.analysis.tradeoff.fold_truncation import mean_over_folds
from core.experiments.papers.fenchelrank_time import FENCHELRANK_TIME
from core.experiments.papers.fsmrank_convergence import FSMRANK_CONVERGENCE, SOLVERS, ConvergenceOutcome
from core.experiments.papers.fsmrank_sizes import FSMRANK_SIZES, SHOWN, SizeOutcome, size_curves
from core.experiments.papers.infinite_push_sets import INFINITE_PUSH_SETS, TopOutcome, top_rows
from core.experiments.papers.infinite_push_time import INFINITE_PUSH_TIME, MOST_REPEATS, Timing, timing_curves
from core.experiments.papers.infinite_push_toy import (
    INFINITE_PUSH_NOISE,
    INFINITE_PUSH_SIZES,
    REFERENCE,
    TITLES,
    ToyOutcome,
    ToyPoint,
    toy_points,
)
from core.experiments.run.titles import title_of
from core.figures.look.style import MUTED, layout, method_style, title_height
from core.figures.look.style import seconds as duration
from core.figures.papers.fenchelrank_time import ball_figure
from core.figures.top.push_timing import timing_figure, timing_sentence
from core.figures.top.table import table_sentence, top_table_figure
from core.figures.top.toy_study import retrieval_panels, retrieval_sentence, top_panels, top_sentence, toy_figure
from core.figures.tradeoff.fold_truncation import BAND, add_means, best_at_sentence, method_of
from core.names.numbers import short
from core.names.plain import in_plotly

COLUMNS = 2  # at most
DASHES = ("solid", "dot")


def convergence_sentence(outcomes: Sequence[ConvergenceOutcome]) -> str:
    """Count the datasets on which Nesterov's method is first within 1 % of the optimum; needs at least one outcome."""
    nesterov, subgradient = SOLVERS
    sooner = 0
    for outcome in outcomes:
        ours, theirs = outcome.seconds_to(nesterov), outcome.seconds_to(subgradient)
        sooner += ours is not None and (theirs is None or ours < theirs)
    sets = "dataset" if len(outcomes) == 1 else "datasets"
    return f"Nesterov's method is first within 1 % of the optimum on {sooner} of {len(outcomes)} {sets}"


def convergence_panels(outcomes: Sequence[ConvergenceOutcome]) -> go.Figure:
    """Draw a panel for every outcome, at least one."""
    columns = min(COLUMNS, len(outcomes))
    rows = -(-len(outcomes) // columns)
    figure = make_subplots(
        rows=rows, cols=columns, horizontal_spacing=0.09,
        subplot_titles=[
            f"{in_plotly(o.cell.where)}, λ₁ = {short(o.lambda1)}, λ₂ = {short(o.lambda2)}" for o in outcomes
        ],
    )  # fmt: skip
    style = method_style("fsmrank")
    for number, outcome in enumerate(outcomes):
        row, col = number // columns + 1, number % columns + 1
        for (solver, course), dash in zip(outcome.courses.items(), DASHES, strict=True):
            colour = style.colour if dash == "solid" else MUTED
            figure.add_scatter(
                x=course.seconds, y=course.objective, mode="lines", name=SOLVERS[solver], legendgroup=solver,
                line={"color": colour, "dash": dash, "width": 2.4}, showlegend=number == 0, row=row, col=col,
                hovertext=[
                    f"{duration(at)}, step {step}: objective {value:.6g}, {kept} features"
                    for step, (at, value, kept) in enumerate(
                        zip(course.seconds, course.objective, course.nonzero, strict=True)
                    )
                ],
                hovertemplate=f"<b>{SOLVERS[solver]}</b><br>%{{hovertext}}<extra></extra>",
            )  # fmt: skip
        figure.add_hline(y=outcome.optimum, line={"color": MUTED, "width": 1, "dash": "dash"}, row=row, col=col)
        figure.update_xaxes(title_text="solver seconds", row=row, col=col)
    layout(
        figure, title=convergence_sentence(outcomes), height=140 + ROW * rows,
        subtitle="FSMRank's objective from the empty model on; dashed: the optimum, as far as a reference solver's "
        "duality gap knows it · seconds on this machine",
    )  # fmt: skip
    figure.update_yaxes(title_text="Objective", col=1)
    figure.update_layout(
        showlegend=True,
        legend={"orientation": "h", "y": 0, "yref": "container"},
        margin_b=90,
        margin_t=title_height(figure.layout) + PANEL_TITLE,
    )
    return figure


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


ROW = 320  # pixels
PANEL_TITLE = 26
FEW = 10
"""Number of features in the sentence above the figure: that of the shortest of the papers' lists."""


def size_figure(outcomes: Sequence[SizeOutcome]) -> go.Figure:
    """Draw every dataset and both measures; datasets without a complete fold are left out."""
    found = size_curves(outcomes)
    titles = {label: title_of(label) for methods in found.values() for label in methods}
    figure = make_subplots(
        rows=max(len(found), 1), cols=len(SHOWN), horizontal_spacing=0.07,
        subplot_titles=[f"{dataset}, {measure}" for dataset in found for measure in SHOWN],
    )  # fmt: skip
    sentences = []
    for row, (dataset, methods) in enumerate(found.items(), start=1):
        for col, measure in enumerate(SHOWN, start=1):
            means = {label: mean_over_folds(curves, "test", measure) for label, curves in methods.items()}
            for label, line in means.items():
                add_means(figure, line, method=method_of(label), name=titles[label], row=row, col=col)
            if col == 1:
                sentences.append(f"{dataset}: {best_at_sentence(means, titles, f'test {measure}', FEW)}")
        folds = len(next(iter(methods.values())))
        figure.update_yaxes(title_text=f"mean of {folds} fold{'s' if folds > 1 else ''}", row=row, col=1)
    layout(
        figure, title="; ".join(sentences[:2]) or "No fold is complete yet", height=140 + ROW * max(len(found), 1),
        subtitle=f"FSMRank cut down to its largest weights, the others fitted with so few; test parts, band: {BAND}",
    )  # fmt: skip
    _legend_once(figure)
    figure.update_layout(
        showlegend=True,
        legend={"orientation": "h", "y": 0, "yref": "container"},
        margin_b=90,
        margin_t=title_height(figure.layout) + PANEL_TITLE,
    )
    figure.update_xaxes(title_text="features kept at most", row=max(len(found), 1))
    return figure


def _legend_once(figure: go.Figure) -> None:
    seen: set[str] = set()
    for trace in figure.data:
        if trace.mode == "lines+markers":
            trace.showlegend = trace.name not in seen
            seen.add(trace.name)


Draw = Callable[[Sequence[Any]], go.Figure]

PICTURES: Mapping[str, Mapping[str, Draw]] = {
    FENCHELRANK_TIME.name: {"time": ball_figure},
    FSMRANK_SIZES.name: {"sizes": size_figure},
    FSMRANK_CONVERGENCE.name: {"convergence": convergence_panels},
    INFINITE_PUSH_SETS.name: {"top": sets_figure},
    INFINITE_PUSH_SIZES.name: {"top": top_figure},
    INFINITE_PUSH_NOISE.name: {"found": found_figure},
    INFINITE_PUSH_TIME.name: {"time": time_figure},
}
"""Functions from outcomes (at least one) to a figure, by experiment, then by the figure's name."""
