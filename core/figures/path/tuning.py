"""Figure of metrics along a path, with the C that validation chooses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from core.analysis.evaluation import Judgement
from core.analysis.path import PathPoint
from core.figures.look.assembling import Part
from core.figures.look.line_labels import spread_labels
from core.figures.look.style import MUTED, counting, layout, method_style
from core.figures.look.ticks import PERCENT
from core.figures.path.axes import metric_range
from core.methods import get_method
from core.methods.refit import REFIT
from core.names.numbers import short

LABEL_SHARE = 0.09  # height of a label, of that of the picture
PART_WIDTHS = {"train": 1.2, "vali": 2.0, "test": 3.2}
PART_TITLES = {"train": "train", "vali": "validation", "test": "test"}
PART_WORDS = PART_TITLES | {"train": "training"}  # within a sentence
PART_DASHES = {"train": "dot", "vali": "dash", "test": "solid"}


def metric_path_figure(
    points: Sequence[PathPoint],
    measure: str,
    *,
    best: PathPoint | None = None,
    others: Sequence[Sequence[PathPoint]] = (),
    chosen_again: Mapping[float, float] | None = None,
    title: str = "",
    subtitle: str = "",
    convention: str = "",
) -> go.Figure:
    """Draw a measure on every part against lambda / lambda_max; the model grows to the right.

    Parameters
    ----------
    points : sequence of PathPoint
        Points in descending order of lambda, with metrics.
    measure : str
        Name of the measure in the metrics, e.g. ``"MAP"``.
    best : PathPoint, optional
        Marked with a dashed line.
    others : sequence of sequences of PathPoint
        Paths with other settings, drawn faintly and on the validation part alone.
    chosen_again : mapping of float to float, optional
        Share of choices on resampled validation queries by lambda / lambda_max, drawn as a strip below.
    """
    figure = go.Figure()
    for path in others:
        places = [point.fit.lam / point.fit.lam_max for point in path]
        lines = [line for line in metric_lines(path, measure, places) if line["name"] == PART_TITLES["vali"]]
        figure.add_traces([line | {"name": _settings(path[0]), "mode": "lines", "opacity": 0.3} for line in lines])
    ratios = [point.fit.lam / point.fit.lam_max for point in points]
    figure.add_traces(metric_lines(points, measure, ratios))
    low, high = metric_range([points], measure, [])
    last = points[-1].judgement
    ends = {part: last.metrics[part][measure] for part in last.metrics}
    heights = spread_labels(list(ends.values()), LABEL_SHARE * (high - low), low, high)
    for part, y in zip(ends, heights, strict=True):
        text = f" {PART_TITLES[part]}"
        figure.add_annotation(x=1.0, xref="paper", xanchor="left", y=float(y), text=text, showarrow=False)
    if best is not None:
        x = best.fit.lam / best.fit.lam_max
        figure.add_vline(x=x, line={"dash": "dash", "color": MUTED})
    figure.update_xaxes(title="λ / λ_max", type="log", autorange="reversed", exponentformat="e", dtick=1)
    figure.update_yaxes(title=f"{measure} ({counting(convention)})" if convention else measure, range=[low, high])
    if chosen_again:
        _add_choices(figure, chosen_again, method_style(points[0].fit.method).colour)
    drawn = layout(figure, title=title, subtitle=subtitle, height=430 if chosen_again else 360)
    drawn.update_layout(margin_r=84)
    return drawn


def _add_choices(figure: go.Figure, shares: Mapping[float, float], colour: str) -> None:
    """Draw a stem for every value that some choice takes, on an axis of its own under the curves."""
    taken = {ratio: share for ratio, share in shares.items() if share > 0.0}
    figure.add_trace(
        {
            "type": "scatter",
            "x": [x for ratio in taken for x in (ratio, ratio, None)],
            "y": [y for share in taken.values() for y in (0.0, share, None)],
            "mode": "lines",
            "line": {"color": colour, "width": 5},
            "yaxis": "y2",
            "name": "chosen again",
            "hoverinfo": "skip",
        }
    )
    figure.add_trace(
        {
            "type": "scatter",
            "x": list(taken),
            "y": list(taken.values()),
            "mode": "markers",
            "marker": {"size": 6, "color": colour},
            "yaxis": "y2",
            "name": "chosen again",
            "text": [f"λ/λ_max = {short(r)}: {100 * share:.0f} % of the resamples" for r, share in taken.items()],
            "hovertemplate": "%{text}<extra></extra>",
        }
    )
    figure.update_layout(
        yaxis={"domain": [0.3, 1.0]},
        yaxis2={
            "domain": [0.0, 0.16],
            "anchor": "x",
            "range": [0.0, 1.15 * max(taken.values())],
            "tickformat": PERCENT,
            "nticks": 3,
            "title": "chosen<br>again",
        },
    )
    figure.update_xaxes(anchor="y2")


def metric_lines(points: Sequence[PathPoint], measure: str, places: Sequence[float]) -> list[Part]:
    """Make a line of a measure for each part, at horizontal ``places``; the line's width shows the part.

    Tied documents count in expectation over their orders.
    """
    return [
        {
            "type": "scatter",
            "x": places,
            "y": [point.judgement.metrics[part][measure] for point in points],
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
    """List the parameters that have an effect; a switch that is off is left out."""
    settings = point.fit.parameters
    known = [p for p in get_method(point.fit.method).parameters if p.name in settings]
    told = [p for p in known if p.matters(settings) and (settings[p.name] or p != REFIT)]
    return ", ".join(f"{p.name} = {p.text(settings[p.name])}" for p in told)


def _hover(point: PathPoint, part: str, measure: str) -> str:
    fit = point.fit
    words = _settings(point)
    settings = f"<br>{words}" if words else ""
    return (
        f"{PART_TITLES[part]} {measure} {measured_words(point.judgement, part, measure)}<br>C = {short(fit.c)}, "
        f"λ/λ_max = {short(fit.lam / fit.lam_max)}<br>{fit.result.nonzero} features{settings}"
    )


def measured_words(judgement: Judgement, part: str, measure: str) -> str:
    """Write the value, and that of the official script if four digits differ."""
    value, official = f"{judgement.metrics[part][measure]:.4f}", f"{judgement.official[part][measure]:.4f}"
    return value if value == official else f"{value} ({official} in the file's order among ties, as tables print)"
