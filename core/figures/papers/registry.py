"""The figures of each experiment of the papers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from core.analysis.tradeoff.fold_tradeoff import SizeMean, mean_over_folds
from core.experiments.papers.fenchelrank_time import FENCHELRANK_TIME, BallOutcome
from core.experiments.papers.fsmrank_convergence import FSMRANK_CONVERGENCE, SOLVERS, ConvergenceOutcome
from core.experiments.papers.fsmrank_sizes import FSMRANK_SIZES, SHOWN, SizeOutcome, size_curves
from core.experiments.papers.infinite_push_sets import INFINITE_PUSH_SETS, top_rows
from core.experiments.papers.infinite_push_time import INFINITE_PUSH_TIME, timing_curves
from core.experiments.papers.infinite_push_toy import (
    INFINITE_PUSH_NOISE,
    INFINITE_PUSH_SIZES,
    REFERENCE,
    TITLES,
    ToyOutcome,
    ToyPoint,
    toy_points,
)
from core.experiments.run.cells import title_of
from core.figures.look.colours import faded
from core.figures.look.labels import told
from core.figures.look.style import MUTED, Words, layout, method_style, title_height
from core.figures.look.style import seconds as duration
from core.figures.papers.infinite_push import (
    retrieval_panels,
    retrieval_sentence,
    timing_figure,
    top_panels,
    top_sentence,
    top_table_figure,
    toy_figure,
)
from core.figures.path.path import listed
from core.names.counted import features
from core.names.numbers import short
from core.names.plain import in_plotly

FOLD_ROW = 26  # pixels
SYSTEMS = (("tgrank", "TGRank"), ("fenchelrank", "FenchelRank"))


def ball_figure(outcomes: Sequence[BallOutcome]) -> go.Figure:
    """Draw a row a fold: solver seconds on the left, share of features on the right."""
    figure = make_subplots(cols=2, shared_yaxes=True, horizontal_spacing=0.05)
    places = list(range(len(outcomes)))
    for method, title in SYSTEMS:
        fits = [found.tgrank if method == "tgrank" else found.same_ball for found in outcomes]
        style = method_style(method)
        for column, values in enumerate(([f.seconds for f in fits], [f.share for f in fits]), start=1):
            figure.add_scatter(
                x=values, y=places, mode="markers", row=1, col=column, name=title, cliponaxis=False,
                marker={"size": 11, "symbol": style.marker, "color": style.colour}, showlegend=column == 1,
                hovertext=[
                    f"{title}: {duration(fit.seconds)}, {fit.share:.4f} of the features, {fit.steps} steps, {fit.stop}"
                    for fit in fits
                ], hoverinfo="text",
            )  # fmt: skip
    subtitle = (
        "TGRank at C = 0.1 after 1000 steps; FenchelRank in the ball r = ‖w‖₁ of TGRank's model, to ε = 0.001 or 1000 "
        "steps · seconds on this machine"
    )
    faster = sum(found.same_ball.seconds < found.tgrank.seconds for found in outcomes)
    sparser = sum(found.same_ball.share < found.tgrank.share for found in outcomes)
    of = f"{faster} of {len(outcomes)} folds"  # at r = |w_TG|_1
    title = f"FenchelRank takes less time than TGRank on {of} and keeps fewer features on {sparser}"
    key: dict[str, Any] = {"showlegend": True, "legend": {"orientation": "h", "y": -0.35}, "margin_l": 120}
    layout(figure, Words(title, subtitle), height=150 + FOLD_ROW * len(outcomes), **key)
    figure.update_yaxes(
        tickvals=places, ticktext=[in_plotly(found.cell.where) for found in outcomes], autorange="reversed"
    )
    figure.update_xaxes(title_text="solver seconds", type="log", exponentformat="e", row=1, col=1)
    figure.update_xaxes(title_text="share of all features", rangemode="tozero", row=1, col=2)
    return figure


BAND = "one standard error of the mean to either side"
BAND_OPACITY = 0.16

Means = Mapping[str, Sequence[SizeMean]]


def add_means(figure: go.Figure, means: Sequence[SizeMean], label: str, row: int, col: int) -> None:
    """Draw the line and the band of the method with this label in a panel."""
    style, name = method_style(label.partition(":")[0]), title_of(label)
    sizes = [mean.size for mean in means]
    figure.add_scatter(
        x=[*sizes, *reversed(sizes)],
        y=[*(m.value.mean + m.value.reach for m in means), *(m.value.mean - m.value.reach for m in reversed(means))],
        fill="toself", fillcolor=faded(style.colour, BAND_OPACITY), mode="lines", line={"width": 0}, hoverinfo="skip",
        name=f"{name}, band", legendgroup=name, showlegend=False, row=row, col=col,
    )  # fmt: skip
    figure.add_scatter(
        x=sizes, y=[mean.value.mean for mean in means], mode="lines+markers", name=name, legendgroup=name,
        line={"color": style.colour, "width": 2.2, "dash": style.dash},
        marker={"size": 6, "symbol": style.marker, "color": style.colour},
        **told(name, [_hover(mean) for mean in means]), row=row, col=col,
    )  # fmt: skip


def best_at_sentence(means: Means, titles: Mapping[str, str], measure: str, size: int) -> str:
    """Say which method has the highest mean with at most ``size`` features, and which are within its standard error."""
    within = {label: [mean for mean in row if mean.size <= size] for label, row in means.items()}
    at = {label: row[-1] for label, row in within.items() if row}
    if not at:
        return f"No method has a model with at most {features(size)} on every fold"
    best = max(at, key=lambda label: at[label].value.mean)
    value = at[best].value
    near = [titles[label] for label in at if label != best and at[label].value.mean >= value.mean - value.reach]
    sentence = f"With at most {features(size)} {titles[best]} has the highest mean {measure}, {value.mean:.4f}"
    are = "is" if len(near) == 1 else "are"
    return f"{sentence}; {listed(near)} {are} within its standard error" if near else sentence


def _hover(mean: SizeMean) -> str:
    value = mean.value
    told = "" if value.error is None else f" (standard error of {mean.n_folds} folds)"
    return f"at most {features(mean.size)}<br>{value.words}{told}, {value.low:.4f} to {value.high:.4f}"


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
            steps = enumerate(zip(course.seconds, course.objective, course.nonzero, strict=True))
            words = [f"{duration(at)}, step {k}: objective {y:.6g}, {kept} features" for k, (at, y, kept) in steps]
            figure.add_scatter(
                x=course.seconds, y=course.objective, mode="lines", name=SOLVERS[solver], legendgroup=solver,
                line={"color": colour, "dash": dash, "width": 2.4}, showlegend=number == 0, row=row, col=col,
                **told(SOLVERS[solver], words),
            )  # fmt: skip
        figure.add_hline(y=outcome.optimum, line={"color": MUTED, "width": 1, "dash": "dash"}, row=row, col=col)
        figure.update_xaxes(title_text="solver seconds", row=row, col=col)
    subtitle = (
        "FSMRank's objective from the empty model on; dashed: the optimum, as far as a reference solver's duality gap "
        "knows it · seconds on this machine"
    )
    layout(figure, Words(convergence_sentence(outcomes), subtitle), height=140 + ROW * rows)
    figure.update_yaxes(title_text="Objective", col=1)
    return _key_below(figure)


def top_figure(outcomes: Sequence[ToyOutcome]) -> go.Figure:
    """Draw Fig. 1: the rate on top against the number of training examples."""
    points = toy_points(outcomes)
    subtitle = (
        f"toy problem, mean of {_trials(points)}, bars: one standard error · p: Wilcoxon's signed-rank test against "
        f"the {TITLES[REFERENCE]}, two-sided, equal pairs dropped"
    )
    words = Words(top_sentence(points), subtitle)
    return toy_figure(top_panels(points), "training examples", "rate of positives on top", words)


def found_figure(outcomes: Sequence[ToyOutcome]) -> go.Figure:
    """Draw Fig. 2: precision, recall and F-measure against the number of noisy features."""
    points = toy_points(outcomes)
    examples = points[0].n_train if points else 0
    subtitle = (
        f"toy problem, {examples} training examples, mean of {_trials(points)}, bars: one standard error · ten "
        "features are relevant; the ℓ2 model retrieves all there are"
    )
    words = Words(retrieval_sentence(points), subtitle)
    return toy_figure(retrieval_panels(points), "noisy features", "share", words)


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
        subplot_titles=[f"{in_plotly(dataset)}, {measure}" for dataset in found for measure in SHOWN],
    )  # fmt: skip
    sentences = []
    for row, (dataset, methods) in enumerate(found.items(), start=1):
        for col, measure in enumerate(SHOWN, start=1):
            means = {label: mean_over_folds(curves, "test", measure) for label, curves in methods.items()}
            for label, line in means.items():
                add_means(figure, line, label, row, col)
            if col == 1:
                sentences.append(f"{dataset}: {best_at_sentence(means, titles, f'test {measure}', FEW)}")
        folds = len(next(iter(methods.values())))
        figure.update_yaxes(title_text=f"mean of {folds} fold{'s' if folds > 1 else ''}", row=row, col=1)
    subtitle = f"FSMRank cut down to its largest weights, the others fitted with so few; test parts, band: {BAND}"
    words = Words("; ".join(sentences[:2]) or "No fold is complete yet", subtitle)
    layout(figure, words, height=140 + ROW * max(len(found), 1))
    seen: set[str] = set()
    for trace in figure.data:
        if trace.mode == "lines+markers":
            trace.showlegend = trace.name not in seen
            seen.add(trace.name)
    figure.update_xaxes(title_text="features kept at most", row=max(len(found), 1))
    return _key_below(figure)


def _key_below(figure: go.Figure) -> go.Figure:
    """Leave room for a key beneath all panels, and for their heads."""
    return figure.update_layout(
        showlegend=True,
        legend={"orientation": "h", "y": 0, "yref": "container"},
        margin_b=90,
        margin_t=title_height(figure.layout) + PANEL_TITLE,
    )


Draw = Callable[[Sequence[Any]], go.Figure]

PICTURES: Mapping[str, Mapping[str, Draw]] = {
    FENCHELRANK_TIME.name: {"time": ball_figure},
    FSMRANK_SIZES.name: {"sizes": size_figure},
    FSMRANK_CONVERGENCE.name: {"convergence": convergence_panels},
    INFINITE_PUSH_SETS.name: {"top": lambda outcomes: top_table_figure(top_rows(outcomes))},
    INFINITE_PUSH_SIZES.name: {"top": top_figure},
    INFINITE_PUSH_NOISE.name: {"found": found_figure},
    INFINITE_PUSH_TIME.name: {"time": lambda timings: timing_figure(timing_curves(timings))},
}
"""Functions from outcomes (at least one) to a figure, by experiment, then by the figure's name."""
