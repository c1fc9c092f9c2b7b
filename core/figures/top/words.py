"""Strips of the top of lists: what they say, and how they are drawn."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.analysis.path import PathPoint
from core.analysis.path_views import ratio_of
from core.analysis.top_strips import TopStrips
from core.data.nouns import DOCUMENTS, Nouns
from core.figures.look.drawing import Part
from core.figures.look.style import MUTED
from core.figures.path.tuning import PART_WORDS
from core.methods import get_method
from core.methods.registry import model_title
from core.names.counted import features
from core.names.numbers import short
from core.names.plain import in_plotly

TOP = "Top"
Shares = Mapping[str, NDArray[np.float64]]


def headline(title: str, point: PathPoint, part: str, *, one_list: bool) -> str:
    """Say how many positives the model at the chosen C ranks on top."""
    kept = point.fit.result.nonzero
    if point.fit.result.stop == "time limit":
        gap = short(point.fit.result.certificate.relative)
        return (
            f"{title} takes longer at this C: stopped early with {features(kept)}, gap {gap}; the Fit page finishes it"
        )
    return top_words(title, str(kept), percent(point.metrics[part][TOP]), part, one_list=one_list)


def percent(share: float) -> str:
    """A share without its sign."""
    return f"{100 * share:.0f}"


def top_words(title: str, size: str, top: str, part: str, *, one_list: bool) -> str:
    """Say the same of a model of the path; its size, and the percentage on top, may be ranges."""
    whose = "the" if one_list else "a list's"
    return f"{title} ranks {top} % of {whose} {PART_WORDS[part]} positives above every negative, with {features(size)}"


def model_words(point: PathPoint, part: str) -> str:
    """Describe the model at the chosen C, and say how many positives it ranks on top."""
    return (
        f"C = {short(point.fit.c)}, λ/λ_max = {short(ratio_of(point))}: {_title(point)} keeps "
        f"{features(point.fit.result.nonzero)}, {PART_WORDS[part]} {TOP} {point.metrics[part][TOP]:.4f}"
    )


def _title(point: PathPoint) -> str:
    return model_title(get_method(point.fit.method), point.fit.parameters)


def strips_title(strips: TopStrips, nouns: Nouns = DOCUMENTS) -> str:
    """Say how many positives are on top of this list, and how many negatives keep the others below."""
    n, on_top = len(strips.positives), strips.on_top
    if strips.positives[0] == strips.negatives[-1] == 0.0:
        return f"Every {nouns.row} has the same score: none is on top"
    if on_top == n:
        return f"All {n:,} positives score above every negative"
    return strips_words(f"{on_top:,}", n, f"{strips.beaten:,}")


def strips_words(on_top: str, positives: int, beaten: str) -> str:
    """Say the same with numbers that may be ranges."""
    above = "1 negative scores" if beaten == "1" else f"{beaten} negatives score"
    return f"{on_top} of {positives:,} positives score above every negative; {above} as high as the lowest positive"


def lists_title(shares: Shares, titles: Mapping[str, str], empty: Collection[str] = ()) -> str:
    """Say in how many lists each method ranks a relevant document first; the chosen method comes first.

    The models of ``empty`` methods keep no feature: they have no order, so it would mislead to count.
    """
    first = {method: f"{np.count_nonzero(row > 0.0):,}" for method, row in shares.items()}
    return first_words(first, len(next(iter(shares.values()))), titles, empty)


def first_words(first: Mapping[str, str], total: int, titles: Mapping[str, str], empty: Collection[str] = ()) -> str:
    """Say the same of numbers of lists that may be ranges, of so many lists in all."""
    (method, count), *others = first.items()
    if total == 0:
        return "No list of this part has relevant and irrelevant documents"
    if method in empty:
        beside = "".join(
            f"; by {titles[m]} it is relevant in {n} of {total:,} lists" for m, n in others if m not in empty
        )
        return f"{titles[method]} keeps no feature at this C, so no document comes first{beside}"
    beside = "".join(f"; {titles[m]} keeps no feature" if m in empty else f", by {titles[m]} in {n}" for m, n in others)
    return f"Ranked by {titles[method]}, the first document is relevant in {count} of {total:,} lists{beside}"


HEIGHT = 400
MOST_DOTS = 1200  # of a strip; the nearest to the top are drawn one by one, of the others an even sample
GOLDEN = 0.6180339887498949
SPREAD = 0.36  # of a strip, above and below its middle
POSITIVES, NEGATIVES = 1.0, 0.0
BARS = 0.8  # of the row of a share
BELOW_WORDS = 0.86  # of the height of the plot
GREY = "rgba(138,143,152,0.45)"


def on_top_words(on_top: str, positives: int) -> str:
    """Say how many positives are on top, beside the strips; the number may be a range."""
    return f"{on_top} of {positives} positives above"


def strips_range(reach: tuple[float, float]) -> tuple[float, float]:
    """Add a margin, and include the top negative."""
    low, high = min(reach[0], 0.0), max(reach[1], 0.0)
    air = 0.04 * (high - low) or 1.0
    return low - air, high + air


def strip_dots(
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


def upright(x: float, dash: str, name: str) -> Part:
    """A line from the bottom up to a share of the height."""
    line = {"dash": dash, "color": MUTED, "width": 1.6}
    ends = {"x0": x, "x1": x, "xref": "x", "y0": 0.0, "y1": BELOW_WORDS, "yref": "y domain"}
    return {"type": "line", "name": name, "line": line, "layer": "below", **ends}


def note(x: float, text: str, y: float, anchor: str, size: int, colour: str, above: int = 0) -> Part:
    """Words at a place of the scores, at the bottom or the top of the plot."""
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


def bar_places(methods: int) -> list[tuple[float, float]]:
    """The middle of each method's bar in the row of a share and half its height, the first on top."""
    half = BARS / methods / 2.0
    return [(BARS / 2.0 - half * (2 * k + 1), half) for k in range(methods)]
