"""Figure of the noise in choosing C: for every method the models chosen on resamples, and a cross."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from core.analysis.path import PathPoint
from core.analysis.tuning.choice_noise import PathNoise
from core.figures.look.line_labels import spread_labels
from core.figures.look.style import counting, layout, method_style
from core.names.numbers import short

LARGEST_MARK = 34.0
HEIGHT = 380
LABEL_PIXELS = 28.0  # of a label, on the part of the picture's height that the axis takes


@dataclass(frozen=True, eq=False)
class NoisyChoice:
    """A method's path with the noise of its choice.

    Attributes
    ----------
    title : str
        The method's name for people.
    points : sequence of PathPoint
    noise : PathNoise
        Its positions are those of the points.
    """

    title: str
    points: Sequence[PathPoint]
    noise: PathNoise


def choice_noise_figure(
    choices: Mapping[str, NoisyChoice], measure: str, *, convention: str, title: str = "", subtitle: str = ""
) -> go.Figure:
    """Draw the models that some choice takes, sized by their share of the choices, and their mean ± one deviation.

    Parameters
    ----------
    choices : mapping
        By method.
    measure : str
        The measure on the y axis, on the part that the noise reports.
    convention : str
    """
    figure = go.Figure()
    part = ""
    for method, found in choices.items():
        style, noise = method_style(method), found.noise
        part = noise.part
        places, shares = noise.noise.places.tolist(), noise.noise.shares
        taken = [found.points[place] for place in places]
        figure.add_trace(
            {
                "type": "scatter",
                "x": [point.fit.result.nonzero for point in taken],
                "y": [point.metrics[part][measure] for point in taken],
                "mode": "markers",
                "marker": {
                    "size": (LARGEST_MARK * np.sqrt(np.maximum(shares, 0.002))).tolist(),
                    "color": style.colour,
                    "opacity": 0.35,
                    "line": {"width": 0},
                },
                "name": found.title,
                "text": [_hover(found, place, measure) for place in places],
                "hovertemplate": "%{text}<extra></extra>",
            }
        )
        figure.add_trace(_cross(found, measure, style.colour))
        chosen = found.points[noise.noise.chosen]
        figure.add_trace(
            {
                "type": "scatter",
                "x": [chosen.fit.result.nonzero],
                "y": [chosen.metrics[part][measure]],
                "mode": "markers",
                "marker": {"size": 11, "symbol": "x-thin", "line": {"width": 2.5, "color": style.colour}},
                "name": f"{found.title}, as chosen",
                "text": [f"as the validation part is<br>{_hover(found, noise.noise.chosen, measure)}"],
                "hovertemplate": "%{text}<extra></extra>",
            }
        )
    figure.update_xaxes(title="features kept", rangemode="tozero")
    figure.update_yaxes(title=f"{measure} ({'validation' if part == 'vali' else part}, {counting(convention)})")
    _add_names(figure, choices, measure)
    drawn = layout(figure, title=title, subtitle=subtitle, height=HEIGHT)
    return drawn.update_layout(margin_r=96)


def _add_names(figure: go.Figure, choices: Mapping[str, NoisyChoice], measure: str) -> None:
    """Add names at the right, each as near to the height of its mean as the others allow; crosses often overlap."""
    heights = [y for trace in figure.data for y in trace.y]
    low, high = min(heights), max(heights)
    means = [found.noise.reported[measure].mean for found in choices.values()]
    places = spread_labels(means, LABEL_PIXELS / HEIGHT * (high - low), low, high)
    for (method, found), y in zip(choices.items(), places, strict=True):
        figure.add_annotation(
            x=1.0, xref="paper", xanchor="left", xshift=6, y=float(y), text=found.title, showarrow=False,
            font={"size": 13, "color": method_style(method).colour},
        )  # fmt: skip


def _cross(found: NoisyChoice, measure: str, colour: str) -> dict[str, object]:
    kept, reached = found.noise.n_features, found.noise.reported[measure]
    bars = {"thickness": 2, "width": 0, "color": colour}
    return {
        "type": "scatter",
        "x": [kept.mean],
        "y": [reached.mean],
        "error_x": {"type": "constant", "value": kept.deviation} | bars,
        "error_y": {"type": "constant", "value": reached.deviation} | bars,
        "mode": "markers",
        "marker": {"size": 7, "color": colour},
        "name": f"{found.title}, mean",
        "hovertemplate": f"{found.title}: {kept.mean:.1f} ± {kept.deviation:.1f} features<br>{measure} "
        f"{reached.mean:.4f} ± {reached.deviation:.4f}<extra></extra>",
    }


def _hover(found: NoisyChoice, place: int, measure: str) -> str:
    point, noise = found.points[place], found.noise
    share = float((noise.noise.drawn == place).mean())
    return (
        f"{found.title}, C = {short(point.fit.c)}: taken by {100 * share:.0f} % of the choices<br>"
        f"{point.fit.result.nonzero} features, {noise.part} {measure} {point.metrics[noise.part][measure]:.4f}"
    )
