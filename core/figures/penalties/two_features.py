"""What the pictures of two features have in common: their base, and the maps with ball, minima and the ways to them."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, MISSING, dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
import plotly.graph_objects as go

from core.analysis.penalties.pair import FeaturePair
from core.analysis.penalties.penalty_shape import penalty_methods, penalty_of
from core.analysis.penalties.several_starts import Minimum
from core.analysis.penalties.two_features import Map, level_set
from core.data.ranking_data import FloatArray
from core.figures.look.colours import faded
from core.figures.look.style import MUTED, NO_WORDS, layout, method_style, silent, title_height
from core.figures.picture import Picture, Words, option, refuse, said
from core.methods import Method, get_method
from core.names.numbers import short
from core.names.plain import in_plotly
from core.penalties import Penalty

Parameters = Mapping[str, float]
Names = tuple[str, str]
Found = TypeVar("Found")


@dataclass(frozen=True, eq=False)
class PairPicture(Picture[Found], ABC):
    """A picture of a method on two features at a share of lambda_max."""

    method: str
    _: KW_ONLY
    ratio: float = option(MISSING)
    parameters: Parameters | None = option(None)
    pair: FeaturePair | None = option(None)

    @property
    def under(self) -> Method:
        return get_method(self.method)

    @property
    def penalty(self) -> Penalty:
        return penalty_of(self.under, self.settings)

    @property
    def settings(self) -> Parameters:
        return self.parameters or {}

    @cached_property
    def two(self) -> FeaturePair:
        """The pair, by default the one that is made up."""
        return self.pair or FeaturePair()

    def check(self) -> None:
        super().check()
        known_penalty(self.method)
        self.under.settings(self.settings)
        refuse(not 0.0 < self.ratio <= 1.0, f"ratio is a share of lambda_max, above 0 and at most 1, not {self.ratio}")
        _ = self.two.training

    def subject(self) -> str:
        return f"{self.under.title} on two {'made-up ' if self.two.data is None else ''}features"

    def worded(self, sentence: str, brief: str, ratio: float, drawn: str = "") -> Words:
        """The sentence as title, or the ``brief`` one where the page has the sentence as its headline."""
        pairs = f"{self.two.training.data.n_pairs:,} preference pairs"
        where = "two redundant features, made up" if self.two.data is None else " and ".join(self.two.names)
        return self.titled(sentence, said(drawn, where, self.two.used, pairs, f"λ = {short(ratio)} λ_max"), brief)


def known_penalty(method: str) -> None:
    """Refuse a method whose penalty is no curve of one weight, or that there is not, with a ValueError."""
    get_method(method)
    ids = [one.id for one in penalty_methods()]
    refuse(method not in ids, f"{method} has no penalty of one weight to draw; these have: {', '.join(ids)}")


def kept_of_two(names: Names, weights: FloatArray) -> str:
    """Say which of the two features a model keeps."""
    kept = weights != 0.0
    if kept.all():
        return "both features"
    return f"{names[0]} only" if kept[0] else f"{names[1]} only" if kept[1] else "no feature"


LEVELS = 26
SHADES = ((0.0, 0.6), (0.5, 0.2), (1.0, 0.0))  # opacity from the lowest objective to the highest
HEIGHT = 520
FONT = 17  # readable from the last row
ABOVE_AXES = 29  # pixels about the title


def loss_plane(terrain: Map, names: tuple[str, str], words: Words = NO_WORDS) -> go.Figure:
    """Draw the loss's level lines, denser near its minimum; other functions draw on this plane."""
    return _plane(terrain, terrain.loss, names, "loss", MUTED, words, filled=False)


def objective_plane(
    terrain: Map, penalty: Penalty, lam: float, names: tuple[str, str], method: str, words: Words = NO_WORDS
) -> go.Figure:
    """Draw the objective's level lines, filled: the darker, the lower."""
    values = terrain.objective(penalty, lam)
    return _plane(terrain, values, names, "objective", method_style(method).colour, words, filled=True)


def add_ball(figure: go.Figure, penalty: Penalty, w: FloatArray, reach: float, method: str) -> None:
    """Draw the level line of the penalty through ``w``; nothing where its value is 0."""
    value = penalty.value(w)
    if value <= 0.0:
        return
    x, y = level_set(penalty, value, reach)
    style = method_style(method)
    whole = not np.isnan(x).any()
    figure.add_scatter(
        x=x, y=y, mode="lines", name="penalty's ball", line={"color": style.colour, "width": 2.5},
        fill="toself" if whole else None, fillcolor=faded(style.colour, 0.14),
        hovertemplate=f"Ω = {short(value)} on this line<extra></extra>",
    )  # fmt: skip


def add_way(figure: go.Figure, points: FloatArray, method: str, name: str, words: Sequence[str]) -> None:
    """Join points in order, shape (n, 2), each with its words on hover."""
    figure.add_scatter(
        x=points[:, 0], y=points[:, 1], mode="lines+markers", name=name, text=list(words),
        line={"color": method_style(method).colour, "width": 2, "dash": "dot"}, marker={"size": 6},
        hovertemplate="%{text}<br>w = (%{x:.4g}, %{y:.4g})<extra></extra>",
    )  # fmt: skip


def add_point(
    figure: go.Figure, w: FloatArray, name: str, method: str, *, hollow: bool = False, text: str = ""
) -> None:
    """Draw a marked and labelled point."""
    style = method_style(method)
    marker = {"size": 17, "symbol": style.marker + ("-open" if hollow else ""), "color": style.colour}
    marker["line"] = {"width": 3 if hollow else 1.5, "color": style.colour if hollow else "white"}
    figure.add_scatter(
        x=[w[0]], y=[w[1]], mode="markers+text", name=name, marker=marker, text=[text], textposition="top right",
        hovertemplate=f"{name}<br>w = (%{{x:.4g}}, %{{y:.4g}})<extra></extra>",
    )  # fmt: skip


def add_starts(figure: go.Figure, starts: FloatArray, minima: Sequence[Minimum], method: str) -> None:
    """Join every start to its minimum; label minima by letter, with the number of starts that reach them."""
    for letter, minimum in zip(letters(len(minima)), minima, strict=True):
        x: list[float | None] = []
        y: list[float | None] = []
        for k in minimum.starts:
            x += [float(starts[k, 0]), float(minimum.fit.weights[0]), None]
            y += [float(starts[k, 1]), float(minimum.fit.weights[1]), None]
        figure.add_scatter(**silent(x, y, name=f"ways to {letter}"))
        chosen = starts[list(minimum.starts)]
        figure.add_scatter(
            x=chosen[:, 0], y=chosen[:, 1], mode="markers", name=f"starts that end in {letter}",
            marker={"size": 7, "color": MUTED}, text=[f"start {k + 1}" for k in minimum.starts],
            hovertemplate=f"%{{text}} ends in {letter}<br>w = (%{{x:.3g}}, %{{y:.3g}})<extra></extra>",
        )  # fmt: skip
    for letter, minimum in zip(letters(len(minima)), minima, strict=True):
        words = (
            f"minimum {letter}: objective {minimum.fit.result.objective:.6g}, {len(minimum.starts)} of {len(starts)}"
        )
        label = f"<b>{letter}: {len(minimum.starts)} of {len(starts)}</b>"
        add_point(figure, minimum.fit.weights, words, method, hollow=letter != "A", text=label)


def letters(n: int) -> list[str]:
    """Return A, B, ..., Z, then A2, B2, ...: names of minima, lowest first."""
    return [chr(ord("A") + k % 26) + (str(k // 26 + 1) if k >= 26 else "") for k in range(n)]


def _plane(
    terrain: Map, values: FloatArray, names: tuple[str, str], what: str, colour: str, words: Words, *, filled: bool
) -> go.Figure:
    # Level lines of the root are evenly spaced around a smooth minimum, so that shallow wells next to deep ones show.
    depth = np.sqrt(np.maximum(values - float(values.min()), 0.0))
    figure = go.Figure()
    if filled:
        figure.add_heatmap(
            x=terrain.first, y=terrain.second, z=depth, name="depth", showscale=False, hoverinfo="skip",
            zmin=0.0, zmax=float(np.quantile(depth, 0.7)),
            colorscale=[[place, faded(colour, opacity)] for place, opacity in SHADES],
        )  # fmt: skip
    figure.add_contour(
        x=terrain.first, y=terrain.second, z=depth, customdata=values, name=what, showscale=False,
        contours={"coloring": "none"}, ncontours=LEVELS, line={"width": 1.2, "color": MUTED},
        hovertemplate="w = (%{x:.3g}, %{y:.3g})<br>" + what + " %{customdata:.5g}<extra></extra>",
    )  # fmt: skip
    across, up = map(in_plotly, names)
    figure.update_xaxes(title=f"weight of {across}", range=[terrain.first[0], terrain.first[-1]], constrain="domain")
    figure.update_yaxes(
        title=f"weight of {up}", range=[terrain.second[0], terrain.second[-1]],
        scaleanchor="x", constrain="domain",
    )  # fmt: skip
    drawn = for_the_last_row(figure, words, HEIGHT)
    drawn.update_layout(margin_r=20)
    return drawn


def for_the_last_row(figure: go.Figure, words: Words, height: int = 440) -> go.Figure:
    """Lay out a figure to be read from the last row of a classroom: large letters, zero lines, a short title."""
    layout(figure, words, height=height)
    top = title_height(figure.layout) + ABOVE_AXES
    figure.update_layout(font_size=FONT, title_font_size=FONT + 1, margin={"l": 64, "r": 64, "t": top, "b": 60})
    for axes in (figure.update_xaxes, figure.update_yaxes):
        axes(
            zeroline=True, zerolinecolor="rgba(128,128,128,0.55)", zerolinewidth=1.5,
            title_font_size=FONT, tickfont_size=FONT - 2,
        )  # fmt: skip
    return figure


def terrain_reach(terrain: Map) -> float:
    """How far the ball is drawn."""
    return 2.0 * float(np.abs([*terrain.first[[0, -1]], *terrain.second[[0, -1]]]).max())
