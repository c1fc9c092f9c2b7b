"""Figures of relevance labels, and of a feature's values at each relevance level."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.colors import sample_colorscale

from core.analysis.dataset.distribution import FeatureDistribution, LevelValues
from core.data.nouns import DOCUMENTS, Nouns
from core.figures.look.style import layout
from core.names.plain import in_plotly

_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


def level_colours(n_levels: int) -> list[str]:
    """Return colours from the lowest relevance to the highest, visible on white and on dark."""
    # The ends of the scale would vanish on one of the two themes.
    return list(sample_colorscale("Viridis", np.linspace(0.72, 0.22, n_levels).tolist()))


def label_figure(
    levels: Sequence[tuple[int, int]], nouns: Nouns = DOCUMENTS, *, title: str = "", subtitle: str = ""
) -> go.Figure:
    """Draw bars of the share of documents at each relevance level, with their numbers.

    Parameters
    ----------
    levels : sequence of (int, int)
        Relevance and number of documents.
    nouns : Nouns
    """
    total = sum(count for _, count in levels)
    figure = go.Figure(
        go.Bar(
            x=[100.0 * count / total for _, count in levels],
            y=[nouns.level(grade) if nouns.by_class else f"{grade}" for grade, _ in levels],
            orientation="h",
            marker={"color": level_colours(len(levels))},
            text=[f"{count:,}" for _, count in levels],
            textposition="auto",
            cliponaxis=False,
            hovertemplate=f"{nouns.grade} %{{y}}: %{{text}} {nouns.rows}, %{{x:.2f}} %<extra></extra>",
        )
    )
    figure.update_xaxes(title=f"% of {nouns.rows}", rangemode="tozero")
    figure.update_yaxes(title=nouns.grade, type="category")
    return layout(figure, title=title, subtitle=subtitle, height=170 + 34 * max(len(levels), 2))


def cumulative_figure(
    distribution: FeatureDistribution, nouns: Nouns = DOCUMENTS, *, title: str = "", subtitle: str = ""
) -> go.Figure:
    """Draw, for every level, the share of documents with at most a value.

    Curves far apart show a feature that is informative about relevance.
    """
    figure = go.Figure()
    for level, colour, dash in _styled(distribution.levels):
        shares = 100.0 * np.linspace(0.0, 1.0, len(level.quantiles))
        figure.add_scatter(
            x=level.quantiles,
            y=shares,
            mode="lines" if len(shares) > 1 else "markers",
            line={"color": colour, "width": 2.4, "dash": dash, "shape": "hv"},
            name=_level_name(level, nouns),
            hovertemplate=f"{nouns.level(level.relevance)}<br>%{{y:.0f}} % have at most %{{x:.4g}}<extra></extra>",
        )
    figure.update_xaxes(title=f"value of {in_plotly(distribution.name)}")
    figure.update_yaxes(title=f"% of {nouns.rows} with at most this value", range=[-2, 102])
    return _with_key(layout(figure, title=title, subtitle=subtitle))


def histogram_figure(
    distribution: FeatureDistribution, nouns: Nouns = DOCUMENTS, *, title: str = "", subtitle: str = ""
) -> go.Figure:
    """Draw, for every level, the share of its documents in each bin, as outlines that may overlap."""
    figure = go.Figure()
    edges = distribution.bin_edges
    for level, colour, dash in _styled(distribution.levels):
        figure.add_scatter(
            x=np.repeat(edges, 2),
            y=np.concatenate([[0.0], np.repeat(100.0 * level.shares, 2), [0.0]]),
            mode="lines",
            line={"color": colour, "width": 2.0, "dash": dash},
            name=_level_name(level, nouns),
            hovertemplate=f"{nouns.level(level.relevance)}<br>%{{y:.1f}} % in the bin at %{{x:.4g}}<extra></extra>",
        )
    figure.update_xaxes(title=f"value of {in_plotly(distribution.name)}")
    group = "class" if nouns.by_class else "level"
    figure.update_yaxes(title=f"% of the {group}'s {nouns.rows} in a bin", rangemode="tozero")
    return _with_key(layout(figure, title=title, subtitle=subtitle))


def _styled(levels: Sequence[LevelValues]) -> list[tuple[LevelValues, str, str]]:
    colours = level_colours(len(levels))
    return [(level, colours[k], _DASHES[k % len(_DASHES)]) for k, level in enumerate(levels)]


def _level_name(level: LevelValues, nouns: Nouns) -> str:
    return f"{nouns.level(level.relevance)} ({level.n_documents:,})"


def _with_key(figure: go.Figure) -> go.Figure:
    """Add a legend above the curves, because curves of distributions meet at both ends."""
    return figure.update_layout(
        showlegend=True,
        legend={"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "font": {"size": 12}},
        margin={"t": 112},
    )
