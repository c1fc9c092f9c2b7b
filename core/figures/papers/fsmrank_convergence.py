"""Figure of Fig. 5 of the FSMRank paper: a panel a dataset, the objective against solver seconds."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from core.experiments.papers.fsmrank_convergence import SOLVERS, ConvergenceOutcome
from core.figures.look.style import MUTED, layout, method_style, title_height
from core.figures.look.style import seconds as duration
from core.names.numbers import short
from core.names.plain import in_plotly

COLUMNS = 2  # at most
ROW = 320  # pixels
PANEL_TITLE = 26
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
