"""Figures 1-3 of the FSMRank paper: a row of panels a dataset, NDCG@10 and MAP side by side."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from core.analysis.tradeoff.fold_truncation import mean_over_folds
from core.experiments.papers.fsmrank_sizes import SHOWN, SizeOutcome, size_curves
from core.experiments.run.titles import title_of
from core.figures.look.style import layout, title_height
from core.figures.tradeoff.fold_truncation import BAND, add_means, best_at_sentence, method_of

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
