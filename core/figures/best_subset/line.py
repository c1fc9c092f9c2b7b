"""Figure of the certified line: the lowest objective of so many features, with its bound, beneath every method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from core.analysis.best_subset.excess import Excess
from core.analysis.best_subset.refitted_sets import RefittedSet
from core.analysis.best_subset.yardstick import BEST, CertifiedSubset
from core.figures.look.drawing import Drawing
from core.figures.look.line_labels import spread_labels
from core.figures.look.style import layout, method_style, seconds
from core.names.counted import counted
from core.names.numbers import short
from core.names.plain import in_plotly

BAND = "rgba(128,128,128,0.30)"
LETTER, WIDEST = 7, 190  # pixels: of a letter, and of the room for names
LABEL_GAP = 0.062  # of the height of the plot: a line of text
USUAL = 0.9  # share of the sets drawn that the axis is to show at least
LISTED = 12  # names of features on hover


def line_figure(
    rows: Sequence[CertifiedSubset],
    compared: Sequence[Excess],
    sets: Mapping[str, Sequence[RefittedSet]],
    titles: Mapping[str, str],
    names: Sequence[str],
    *,
    title: str = "",
    subtitle: str = "",
) -> go.Figure:
    """Draw the objective against the number of features, all models with the same ridge.

    The dark line is that of the best sets: filled marks are proven, hollow ones are the best known, and the band
    reaches down to what no set can go below. Faint: every set that a method keeps. Bold: its best of at most so many. A
    point carries its method and C as ``customdata``.

    Parameters
    ----------
    rows : sequence of CertifiedSubset
        Ascending, from `best_known`.
    compared : sequence of Excess
    sets : mapping
        All sets of the methods, by method.
    titles : mapping
        A method's name for people, also that of the best subset.
    names : sequence of str, length n_features
    """
    figure = Drawing()
    most = max((row.k for row in rows), default=1)
    right = most + 0.35
    heights = [row.objective for row in rows]
    ends: dict[str, tuple[float, str]] = {}
    _add_band(figure, rows, right)
    for method, own in sets.items():
        best = [one for one in compared if one.method == method]
        if best:
            _add_method(figure, method, own, best, right, titles[method], names)
            heights += [one.found.objective for one in best]
            ends[titles[method]] = (best[-1].found.objective, method_style(method).colour)
    if rows:
        style = method_style(BEST)
        _add_line(figure, rows, right, titles[BEST], names)
        ends[f"<b>{titles[BEST]}</b>"] = (rows[-1].objective, style.colour)
    _set_heights(figure, rows, heights, ends)
    step = 1 if most <= 12 else 2 if most <= 24 else 5
    figure.update_xaxes(title="features at most", range=[0.65, right], tickvals=list(range(1, most + 1, step)))
    figure.update_yaxes(title="Objective of the ridge model")
    drawn = layout(figure, title=title, subtitle=subtitle, height=480)
    letters = [len(name.replace("<b>", "").replace("</b>", "")) for name in ends]
    return drawn.update_layout(margin_r=min(24 + LETTER * max(letters, default=5), WIDEST), hoverdistance=14).figure()


def _add_band(figure: Drawing, rows: Sequence[CertifiedSubset], right: float) -> None:
    """Fill from the line down to the bound: there a better set may still be."""
    if not rows:
        return
    across = [*(row.k for row in rows), right]
    for name, heights, fill in (
        ("lower bound", [row.bound for row in rows], None),
        ("not yet excluded", [row.objective for row in rows], "tonexty"),
    ):
        figure.add_scatter(
            x=across,
            y=[*heights, heights[-1]],
            mode="lines",
            line={"width": 0, "shape": "hv", "color": BAND},
            fill=fill,
            fillcolor=BAND if fill else None,
            name=name,
            hoverinfo="skip",
        )


def _add_method(
    figure: Drawing,
    method: str,
    own: Sequence[RefittedSet],
    best: Sequence[Excess],
    right: float,
    title: str,
    names: Sequence[str],
) -> None:
    style = method_style(method)
    figure.add_scatter(
        x=[found.kept for found in own],
        y=[found.objective for found in own],
        mode="markers",
        marker={"size": 6, "symbol": style.marker, "color": style.colour},
        opacity=0.35,
        name=f"{title}, every set",
        customdata=[[method, found.c if np.isfinite(found.c) else None] for found in own],
        hovertext=[_of_set(found, names) for found in own],
        hovertemplate=f"{title}<br>%{{hovertext}}<extra></extra>",
    )
    figure.add_scatter(
        x=[*(one.k for one in best), right],
        y=[*(one.found.objective for one in best), best[-1].found.objective],
        mode="lines+markers",
        line={"color": style.colour, "width": 2.2, "dash": style.dash, "shape": "hv"},
        marker={"size": [*(8 for _ in best), 0], "symbol": style.marker, "color": style.colour},
        name=title,
        customdata=[[method, one.found.c if np.isfinite(one.found.c) else None] for one in (*best, best[-1])],
        hovertext=[_of_excess(one, names) for one in (*best, best[-1])],
        hovertemplate=f"<b>{title}</b><br>%{{hovertext}}<extra></extra>",
    )


def _add_line(figure: Drawing, rows: Sequence[CertifiedSubset], right: float, title: str, names: Sequence[str]) -> None:
    style = method_style(BEST)
    figure.add_scatter(
        x=[*(row.k for row in rows), right],
        y=[*(row.objective for row in rows), rows[-1].objective],
        mode="lines+markers",
        line={"color": style.colour, "width": 3.6, "shape": "hv"},
        marker={
            "size": [*(11 for _ in rows), 0],
            "symbol": [style.marker if row.proven else f"{style.marker}-open" for row in (*rows, rows[-1])],
            "color": style.colour,
            "opacity": 1.0,
            "line": {"width": 2, "color": style.colour},
        },
        name=title,
        hovertext=[_of_row(row, names) for row in (*rows, rows[-1])],
        hovertemplate=f"<b>{title}</b><br>%{{hovertext}}<extra></extra>",
    )


def _set_heights(
    figure: Drawing, rows: Sequence[CertifiedSubset], heights: Sequence[float], ends: Mapping[str, tuple[float, str]]
) -> None:
    """Set the range, leaving out the few worst sets and a bound that says next to nothing, and name the lines."""
    if not heights:
        return
    low, high = min(heights), max(max(row.objective for row in rows) if rows else 0.0, np.quantile(heights, USUAL))
    room = max(high - low, 1e-3 * max(high, 1e-12))
    low = max(min([low, *(row.bound for row in rows)]), low - 0.5 * room)
    room = high - low or room
    low, high = low - 0.05 * room, high + 0.06 * room
    figure.update_yaxes(range=[low, high])
    placed = spread_labels([end for end, _ in ends.values()], LABEL_GAP * (high - low), low, high)
    for (name, (_, colour)), y in zip(ends.items(), placed, strict=True):
        figure.add_annotation(
            x=1.0, xref="paper", xanchor="left", y=y, text=f" {name}", font={"color": colour}, showarrow=False
        )


def _of_row(row: CertifiedSubset, names: Sequence[str]) -> str:
    proof = "proven" if row.proven else f"not proven: at most {100 * row.gap:.2g} % above the lowest"
    return (
        f"at most {row.k} feature{'s' * (row.k > 1)}: objective {row.objective:.6g}, {proof}<br>"
        f"{_listed(row.columns, names)}<br>{seconds(row.seconds)}"
    )


def _of_excess(one: Excess, names: Sequence[str]) -> str:
    return (
        f"at most {one.k}: objective {one.found.objective:.6g}, {100 * one.excess:.2g} % above the best set<br>"
        f"{one.shared} of {one.k} features in common with it<br>{_listed(one.found.columns, names)}"
    )


def _of_set(found: RefittedSet, names: Sequence[str]) -> str:
    at = f"<br>C = {short(found.c)}" if np.isfinite(found.c) else ""
    return f"{counted(found.kept, 'feature')}: objective {found.objective:.6g}{at}<br>{_listed(found.columns, names)}"


def _listed(columns: Sequence[int], names: Sequence[str]) -> str:
    listed = [in_plotly(names[j]) for j in columns[:LISTED]]
    return "<br>".join([*listed, *([f"and {len(columns) - LISTED} more"] if len(columns) > LISTED else [])])
