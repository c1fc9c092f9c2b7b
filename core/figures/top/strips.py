"""Figures of the top of a list as two strips, and of the positives on top over many lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.analysis.top_strips import SHARE_BINS, TopStrips
from core.figures.look.assembling import Part, assembled
from core.figures.look.style import AXIS, MUTED, layout, layout_parts, method_style
from core.figures.look.ticks import count_axis
from core.figures.path.marks import Drawn
from core.names.plain import in_plotly

HEIGHT = 400
MOST_DOTS = 1200  # of a strip; the nearest to the top are drawn one by one, of the others an even sample
GOLDEN = 0.6180339887498949
SPREAD = 0.36  # of a strip, above and below its middle
POSITIVES, NEGATIVES = 1.0, 0.0
BARS = 0.8  # of the row of a share
BELOW_WORDS = 0.86  # of the height of the plot
GREY = "rgba(138,143,152,0.45)"


def strips_figure(
    strips: TopStrips,
    method: str,
    names: Sequence[str],
    reach: tuple[float, float],
    *,
    top_share: float = 0.0,
    title: str = "",
    subtitle: str = "",
) -> go.Figure:
    """Draw documents by their score above the top negative: a strip of positives over one of negatives.

    Parameters
    ----------
    strips : TopStrips
    method : str
        Decides the colour of positives.
    names : sequence of str
        Names of the list's documents.
    reach : tuple of float
        Range of the scores shown; the same for all models of a path, so that only the documents move.
    top_share : float
        kappa. If it is above 0, its boundary is drawn.
    """
    colour = method_style(method).colour
    on_top, k = strips.on_top, strips.top_negatives
    heights, rows = strips.positives, strips.positive_rows
    low, high = strips.negatives, strips.negative_rows
    traces = [
        _dots("positive, above", heights[:on_top], rows[:on_top], POSITIVES, {"color": colour, "size": 9}, names),
        _dots(
            "positive, below",
            heights[on_top:],
            rows[on_top:],
            POSITIVES,
            {"color": colour, "size": 8, "symbol": "circle-open", "line": {"width": 1.6}},
            names,
        ),
        _dots("negative", low[k:], high[k:], NEGATIVES, {"color": GREY, "size": 8}, names),
        _dots("negative in the top share", low[1:k], high[1:k], NEGATIVES, {"color": MUTED, "size": 8}, names),
        _dots("top negative", low[:1], high[:1], NEGATIVES, {"color": MUTED, "size": 15, "symbol": "diamond"}, names),
    ]
    left, right = strips_range(reach)
    lines = [_line(0.0, "solid", "top negative", BELOW_WORDS)]
    words = [
        _words(0.0, "top negative", 0.0, "right", 12, MUTED),
        # At the edge of the plot, where there is room on a narrow screen too.
        _words(1.0, f"<b>{on_top_words(str(on_top), len(heights))}</b>", 1.0, "right", 15, colour)
        | {"xref": "x domain"},
    ]
    if right > 1.0:
        lines.append(_line(1.0, "dot", "margin", BELOW_WORDS))
        words.append(_words(1.0, "margin 1", 0.0, "left", 12, MUTED))
    if k > 1:
        lines.append(_line(strips.boundary, "dash", "top share", BELOW_WORDS))
        share = f"top share κ = {top_share:g}: {k} of {len(low)}"
        words.append(_words(max(strips.boundary, left), share, 0.0, "left", 12, MUTED, above=16))
    axes: Drawn = {
        "xaxis": AXIS
        | {"title": {"text": "score above that of the top negative"}, "range": [left, right], "nticks": 9},
        "yaxis": {
            "range": [-0.85, 1.85],
            "tickvals": [POSITIVES, NEGATIVES],
            "ticktext": [f"{len(heights):,}<br>positive", f"{len(low):,}<br>negative"],
            "showgrid": False,
            "zeroline": False,
        },
    }
    common = {
        "shapes": lines,
        "annotations": words,
        "uirevision": "strips",
        "margin": {"l": 76, "r": 24, "t": 70, "b": 52},
    }
    return assembled(traces, layout_parts(title, subtitle, HEIGHT) | common | axes)


def on_top_words(on_top: str, positives: int) -> str:
    """Say how many positives are on top, beside the strips; the number may be a range."""
    return f"{on_top} of {positives} positives above"


def strips_range(reach: tuple[float, float]) -> tuple[float, float]:
    """Add a margin, and include the top negative."""
    low, high = min(reach[0], 0.0), max(reach[1], 0.0)
    air = 0.04 * (high - low) or 1.0
    return low - air, high + air


def _dots(
    name: str, heights: NDArray[np.float64], rows: NDArray[np.int64], middle: float, marker: Part, names: Sequence[str]
) -> Part:
    """Draw one strip's documents; each keeps its height in the strip for all models, so that it can be followed."""
    shown = nearest_to_top(len(rows), MOST_DOTS)
    place = rows[shown]
    centred = name == "top negative"
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "uid": name.replace(" ", "-").replace(",", ""),
        "x": heights[shown],
        "y": np.full(len(place), middle) if centred else middle + lift(place),
        "marker": {"opacity": 0.85, **marker},
        "text": [in_plotly(names[row]) for row in place],
        "hovertemplate": f"<b>%{{text}}</b><br>{name}: %{{x:+.4g}}<extra></extra>",
        "cliponaxis": True,
    }


def lift(rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Where in their strip documents stand, by their place in the list: the same for all models."""
    return np.asarray(SPREAD * (2.0 * ((rows * GOLDEN) % 1.0) - 1.0))


def nearest_to_top(n: int, most: int) -> NDArray[np.int64]:
    """Return the places that are drawn of ``n`` in falling order: half of them at the top, then an even sample."""
    if n <= most:
        return np.arange(n)
    nearest = most // 2
    return np.concatenate([np.arange(nearest), np.linspace(nearest, n - 1, most - nearest).astype(np.int64)])


def _line(x: float, dash: str, name: str, up_to: float) -> Drawn:
    line = {"dash": dash, "color": MUTED, "width": 1.6}
    ends = {"x0": x, "x1": x, "xref": "x", "y0": 0.0, "y1": up_to, "yref": "y domain"}
    return {"type": "line", "name": name, "line": line, "layer": "below", **ends}


def _words(x: float, text: str, y: float, anchor: str, size: int, colour: str, above: int = 0) -> Drawn:
    return {
        "text": text,
        "font": {"size": size, "color": colour},
        "x": x,
        "xref": "x",
        "xanchor": anchor,
        "xshift": 5 if anchor == "left" else -5,
        "y": y,
        "yref": "y domain",
        "yanchor": "top" if y == 1.0 else "bottom",
        "yshift": above,
        "showarrow": False,
    }


@dataclass(frozen=True)
class BarPlace:
    """Where a method's bar stands in the row of a share: its middle, and half its height."""

    middle: float
    half: float


def bar_places(methods: int) -> list[BarPlace]:
    """Places of the methods' bars beneath one another, the first on top."""
    half = BARS / methods / 2.0
    return [BarPlace(BARS / 2.0 - half * (2 * k + 1), half) for k in range(methods)]


def shares_figure(
    counts: Mapping[str, Sequence[int] | NDArray[np.int64]],
    titles: Mapping[str, str],
    *,
    title: str = "",
    subtitle: str = "",
) -> go.Figure:
    """Draw how many lists have none, some or all of their positives on top, method beneath method.

    The axis reaches the number of all lists, so that it stays where it is when C changes.

    Parameters
    ----------
    counts : mapping
        Number of lists in each of `SHARE_BINS`, by method.
    titles : mapping
        A method's name for people.
    """
    figure = go.Figure()
    for place, (method, row) in zip(bar_places(len(counts)), counts.items(), strict=True):
        total = max(int(np.sum(row)), 1)
        figure.add_bar(
            orientation="h",
            y=list(range(len(SHARE_BINS))),
            x=[int(n) for n in row],
            width=2.0 * place.half,
            offset=place.middle - place.half,
            name=titles[method],
            text=[f"{int(n):,}" if n else "" for n in row],  # the numbers of two methods stand close
            textposition="outside",
            constraintext="none",
            textfont={"size": 11},
            cliponaxis=False,
            marker={"color": method_style(method).colour},
            customdata=[[share, n / total] for share, n in zip(SHARE_BINS, row, strict=True)],
            hovertemplate=f"<b>{titles[method]}</b><br>%{{customdata[0]}} of their positives on top: %{{x}} lists, "
            "%{customdata[1]:.1%}<extra></extra>",
        )
    end = 1.12 * max(1, *(int(np.sum(row)) for row in counts.values()))
    figure.update_xaxes(title="lists", range=[0, end], **count_axis(0, end))
    figure.update_yaxes(
        title="positives above<br>all negatives",
        tickvals=list(range(len(SHARE_BINS))),
        ticktext=SHARE_BINS,
        range=[-0.6, len(SHARE_BINS) - 0.4],
        showgrid=False,
    )
    drawn = layout(figure, title=title, subtitle=subtitle, height=HEIGHT)
    legend = {"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 1.0, "xanchor": "right"}
    return drawn.update_layout(
        showlegend=len(counts) > 1, legend=legend, barmode="overlay", margin={"t": 92, "l": 110}, uirevision="shares"
    )
