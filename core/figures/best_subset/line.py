"""Parts of the pictures of best sets: their base, the certified line with its bound, methods beneath it, and cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, MISSING, dataclass

import numpy as np

from core.analysis.best_subset.certified_path import refuse_too_many
from core.analysis.best_subset.refitted_sets import RefittedSet
from core.analysis.best_subset.yardstick import BEST, CertifiedSubset, Excess
from core.data import Convention, Fold
from core.figures.look.drawing import Drawing
from core.figures.look.line_labels import name_ends
from core.figures.look.style import method_style, seconds
from core.figures.picture import Found, Picture, option
from core.names.counted import counted
from core.names.numbers import short
from core.names.plain import in_plotly

BAND = "rgba(128,128,128,0.30)"
LETTER, WIDEST = 7, 190  # pixels: of a letter, and of the room for names
LABEL_GAP = 0.062  # of the height of the plot: a line of text
USUAL = 0.9  # share of the sets drawn that the axis is to show at least
LISTED = 12  # names of features on hover

# From nothing to orange: a stronger colour is further away, on either theme.
FURTHER = [[0.0, "rgba(213,94,0,0.02)"], [1.0, "rgba(213,94,0,0.62)"]]
STRONGEST = 6.0  # per cent of excess from which the colour is the same
LETTERS = 12  # pixels


def percent(share: float) -> str:
    """Write a share in per cent with two significant digits; 0 below a thousandth of a per cent."""
    value = 100.0 * share
    return "0" if value < 1e-3 else f"{value:.2g}" if value < 9.95 else f"{value:.0f}"


def order_of(compared: Sequence[Excess]) -> list[str]:
    """Return the methods, those with the smaller mean excess first; it is over what they have."""
    own = {one.method: [other.excess for other in compared if other.method == one.method] for one in compared}
    return sorted(own, key=lambda method: sum(own[method]) / len(own[method]))


def words_of(one: Excess | None) -> str:
    """What stands in a cell."""
    return "" if one is None else f"{percent(one.excess)}<br>{one.shared}/{one.k}"


def hover_of(one: Excess | None) -> str:
    """What a cell says on hover."""
    if one is None:
        return ""
    more = "" if one.at_most - one.excess < 1e-4 else f" (at most {percent(one.at_most)} % above what is possible)"
    return (
        f"objective {one.found.objective:.6g}, {percent(one.excess)} % above the best set{more}<br>"
        f"{one.shared} of at most {one.k} features in common"
    )


def add_band(figure: Drawing, rows: Sequence[CertifiedSubset], right: float) -> None:
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


def add_method(
    figure: Drawing,
    method: str,
    own: Sequence[RefittedSet],
    best: Sequence[Excess],
    right: float,
    title: str,
    names: Sequence[str],
) -> None:
    """Draw every set that a method keeps, faint, and its best ones of at most so many features."""
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


def add_line(figure: Drawing, rows: Sequence[CertifiedSubset], right: float, title: str, names: Sequence[str]) -> None:
    """Draw the line of the best sets: filled marks are proven, hollow ones are the best known."""
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


def set_heights(
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
    named = [(f" {name}", end, colour) for name, (end, colour) in ends.items()]
    name_ends(figure, named, LABEL_GAP * (high - low), low, high)


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


@dataclass(frozen=True, eq=False)
class SearchPicture(Picture[Found]):
    """A picture of sets of features of a fold, all fitted with one ridge, which is given as lambda / lambda_max."""

    fold: Fold
    _: KW_ONLY
    ridge: float = option(MISSING)
    convention: Convention = option("standard")

    def check(self) -> None:
        super().check()
        if not self.ridge > 0.0:
            msg = f"ridge is above 0, not {self.ridge:g}"
            raise ValueError(msg)
        refuse_too_many(self.fold.train.n_features)
