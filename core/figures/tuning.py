"""Metrics along a path: where the validation part says C is best."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from core.analysis.path import PathPoint
from core.figures.assembling import Part
from core.figures.style import MUTED, layout, method_style, short
from core.methods import get_method

PART_WIDTHS = {"train": 1.2, "vali": 2.0, "test": 3.2}
PART_TITLES = {"train": "train", "vali": "validation", "test": "test"}
PART_DASHES = {"train": "dot", "vali": "dash", "test": "solid"}


def metric_path_figure(
    points: Sequence[PathPoint],
    measure: str,
    *,
    best: PathPoint | None = None,
    others: Sequence[Sequence[PathPoint]] = (),
    title: str = "",
    subtitle: str = "",
    convention: str = "",
) -> go.Figure:
    """A measure on every part against lambda / lambda_max; the model grows to the right.

    Parameters
    ----------
    points : sequence of PathPoint
        In falling order of lambda, with metrics.
    measure : str
        As the metrics name it, e.g. ``"MAP"``.
    best : PathPoint, optional
        Marked with a dashed line.
    others : sequence of sequences of PathPoint
        Paths with other settings, drawn faintly and on the validation part alone.
    """
    figure = go.Figure()
    for path in others:
        places = [point.fit.lam / point.fit.lam_max for point in path]
        lines = [line for line in metric_lines(path, measure, places) if line["name"] == PART_TITLES["vali"]]
        figure.add_traces([line | {"name": _settings(path[0]), "mode": "lines", "opacity": 0.3} for line in lines])
    ratios = [point.fit.lam / point.fit.lam_max for point in points]
    figure.add_traces(metric_lines(points, measure, ratios))
    for part, metrics in points[-1].metrics.items():
        figure.add_annotation(
            x=1.0, xref="paper", xanchor="left", y=metrics[measure], text=f" {PART_TITLES[part]}", showarrow=False
        )
    if best is not None:
        x = best.fit.lam / best.fit.lam_max
        figure.add_vline(x=x, line={"dash": "dash", "color": MUTED})
    figure.update_xaxes(title="λ / λ_max", type="log", autorange="reversed", exponentformat="power", dtick=1)
    figure.update_yaxes(title=f"{measure} ({convention})" if convention else measure)
    drawn = layout(figure, title=title, subtitle=subtitle, height=360)
    drawn.update_layout(margin_r=84)
    return drawn


def metric_lines(points: Sequence[PathPoint], measure: str, places: Sequence[float]) -> list[Part]:
    """A measure along a path, one line for each part, at horizontal ``places``; the split is the line's weight."""
    return [
        {
            "type": "scatter",
            "x": places,
            "y": [point.metrics[part][measure] for point in points],
            "mode": "lines+markers",
            "marker": {"size": 4},
            "line": {
                "color": method_style(points[0].fit.method).colour,
                "width": PART_WIDTHS[part],
                "dash": PART_DASHES[part],
            },
            "name": PART_TITLES[part],
            "text": [_hover(point, part, measure) for point in points],
            "hovertemplate": "%{text}<extra></extra>",
        }
        for part in points[0].metrics
    ]


def _settings(point: PathPoint) -> str:
    parameters = get_method(point.fit.method).parameters
    return ", ".join(f"{p.name} = {p.text(point.fit.parameters[p.name])}" for p in parameters)


def _hover(point: PathPoint, part: str, measure: str) -> str:
    fit = point.fit
    settings = f"<br>{_settings(point)}" if fit.parameters else ""
    return (
        f"{PART_TITLES[part]} {measure} {point.metrics[part][measure]:.4f}<br>C = {short(fit.c)}, "
        f"λ/λ_max = {short(fit.lam / fit.lam_max)}<br>{fit.result.nonzero} features{settings}"
    )
