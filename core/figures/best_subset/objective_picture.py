"""The picture of the best sets of 1, 2, … features beside the sets that methods keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.analysis.best_subset.certified_path import BestSubsets, method_sets
from core.analysis.best_subset.refitted_sets import RefittedSet
from core.analysis.best_subset.yardstick import (
    BEST,
    MOST_FEATURES,
    SECONDS_EACH,
    CertifiedSubset,
    Excess,
    best_known,
    excesses,
)
from core.analysis.ingredient import Ingredient
from core.figures.best_subset.alternatives_picture import SearchPicture, measured, percent
from core.figures.look.drawing import Drawing
from core.figures.look.labels import name_ends, told
from core.figures.look.style import INK, layout, method_style
from core.figures.look.style import seconds as duration
from core.figures.picture import Words, option, refuse, said
from core.methods import METHODS, get_method
from core.models import ModelPath, one_fold
from core.names.counted import counted
from core.names.numbers import short
from core.names.plain import in_plotly

View = Literal["line", "how far"]
LINE: View = "line"
HOW_FAR: View = "how far"
TITLES: Mapping[str, str] = {method.id: method.title for method in METHODS}

BAND = "rgba(128,128,128,0.30)"
LETTER, WIDEST = 7, 190  # pixels: of a letter, and of the room for names
LABEL_GAP = 0.062  # of the height of the plot: a line of text
USUAL = 0.9  # share of the sets drawn that the axis is to show at least
LISTED = 12  # names of features on hover

# From nothing to orange: a stronger colour is further away, on either theme.
FURTHER = [[0.0, "rgba(213,94,0,0.02)"], [1.0, "rgba(213,94,0,0.62)"]]
STRONGEST = 6.0  # per cent of excess from which the colour is the same
LETTERS = 12  # pixels


@dataclass(frozen=True, eq=False)
class ObjectivesFound:
    """The best sets known, and those of the methods."""

    rows: Sequence[CertifiedSubset]
    """By ascending size."""
    sets: Mapping[str, Sequence[RefittedSet]]
    """By method."""
    compared: Sequence[Excess]
    """Every method at every size."""


@dataclass(frozen=True, eq=False)
class BestSubsetsPicture(SearchPicture[ObjectivesFound]):
    """Draw the lowest objective of 1, 2, … features with its bound, beside the sets of methods with the same ridge.

    The table has a row a method and number of features.

    Parameters
    ----------
    fold : Fold
    ridge : float
        lambda / lambda_max of the ridge models; the app takes that of the ``"l2"`` model which validation picks.
    most : int
        The largest number of features.
    paths : sequence of ModelPath
        Of this fold, of methods that select features along C. Selections by hand are compared anyway.
    view : {"line", "how far"}
        The objective against the number of features, or the excess of every method over the best set.
    seconds : float
        Solver time for the proof of a size.
    convention : {"standard", "letor3", "letor4"}

    Raises
    ------
    ValueError
        If an option cannot be used, or the data has too many features for the search.
    """

    _: KW_ONLY
    most: int = option(MOST_FEATURES)
    paths: Sequence[ModelPath] = option(())
    view: View = option(LINE, titles={LINE: LINE, HOW_FAR: HOW_FAR})
    seconds: float = option(SECONDS_EACH)

    name, chart = "best_subsets", "certified"
    note = (
        "If a size is not proven in time, the script uses the best set found by then, which may differ between "
        "machines."
    )

    @property
    def chart_key(self) -> str:
        return "excess" if self.how_far else self.chart

    @property
    def how_far(self) -> bool:
        """Whether the excess is drawn."""
        return self.view == HOW_FAR

    def check(self) -> None:
        super().check()
        for name in ("most", "seconds"):
            refuse(not getattr(self, name) > 0, f"{name} is above 0, not {getattr(self, name)}")
        if self.paths:
            fold, convention = one_fold(self.paths)
            why = "give paths of the fold, under the same convention"
            refuse((fold.train.fingerprint, convention) != (self.fold.train.fingerprint, self.convention), why)

    def subject(self) -> str:
        methods = f" and of {', '.join(get_method(path.method).title for path in self.paths)}" if self.paths else ""
        return f"Objectives of the best subsets{methods}"

    def needs(self) -> dict[str, Ingredient[Any]]:
        best = BestSubsets(self.fold, self.convention, self.ridge, self.most, self.seconds)
        return {"best": best, "sets": method_sets.of(best, {path.method: path.points for path in self.paths})}

    def result(self, needed: Mapping[str, Any]) -> ObjectivesFound:
        sets: Mapping[str, Sequence[RefittedSet]] = needed["sets"]
        rows = best_known(needed["best"], [found for own in sets.values() for found in own])
        return ObjectivesFound(rows, sets, excesses(rows, sets))

    def rows(self, found: ObjectivesFound) -> pd.DataFrame:
        """For the line a row a size for the best set first; then a row a size for every method."""
        names, proven = self.fold.train.feature_names, {row.k: row for row in found.rows}

        def table_row(
            method: str, k: int, one: CertifiedSubset | RefittedSet, excess: float, shared: int
        ) -> dict[str, Any]:
            at = {"method": TITLES[method], "features at most": k, "features": len(one.columns)}
            at |= {"objective": one.objective, "lower bound": proven[k].bound, "proven": proven[k].proven}
            at |= {"excess %": 100.0 * excess, "in common": shared}
            return at | measured(one.judgement) | {"names": ", ".join(names[j] for j in one.columns)}

        best = [table_row(BEST, one.k, one, 0.0, len(one.columns)) for one in found.rows]
        methods = [table_row(one.method, one.k, one.found, one.excess, one.shared) for one in found.compared]
        return pd.DataFrame(methods if self.how_far else best + methods)

    def words(self, found: ObjectivesFound) -> Words:
        if self.how_far:
            title = "How far the objective is above that of the best set, in per cent; below it, features in common"
            legend = ["the nearest on top"]
        else:
            title = "Objective of the best sets and of the methods' sets, all with the same ridge"
            legend = ["band: not yet excluded", "faint: every set of a path"]
        return Words(title, said(self.where_words, *legend), title)

    def drawing(self, found: ObjectivesFound, words: Words) -> go.Figure:
        return (self._excesses if self.how_far else self._line)(found, words)

    def _excesses(self, found: ObjectivesFound, words: Words) -> go.Figure:
        """Draw methods in rows, the nearest to the best on top, and numbers of features in columns.

        A cell has the excess of the objective in per cent and, beneath it, how many features it has of the best set.
        """
        figure = Drawing()
        own = {
            one.method: [other.excess for other in found.compared if other.method == one.method]
            for one in found.compared
        }
        methods = sorted(own, key=lambda method: sum(own[method]) / len(own[method]))  # by the mean over what they have
        sizes = sorted({one.k for one in found.compared})
        cells = {(one.method, one.k): one for one in found.compared}
        grid = [[cells.get((method, k)) for k in sizes] for method in methods]
        figure.add_trace(
            {
                "type": "heatmap",
                "x": sizes,
                "y": [TITLES[method] for method in methods],
                "z": [[None if one is None else min(100.0 * one.excess, STRONGEST) for one in row] for row in grid],
                "text": [
                    [f"{percent(one.excess)}<br>{one.shared}/{one.k}" if one else "" for one in row] for row in grid
                ],
                "texttemplate": "%{text}",
                "textfont": {"size": LETTERS, "color": INK},
                "hovertext": [[_of_cell(one) if one else "" for one in row] for row in grid],
                "hovertemplate": "<b>%{y}</b>, at most %{x} features<br>%{hovertext}<extra></extra>",
                "hoverongaps": False,
                "colorscale": FURTHER,
                "zmin": 0.0,
                "zmax": STRONGEST,
                "showscale": False,
                "xgap": 2,
                "ygap": 2,
            }
        )
        figure.update_xaxes(title="features at most", tickvals=sizes)
        drawn = layout(figure, words, height=max(360, 150 + 44 * len(methods)))
        drawn.update_xaxes(showgrid=False)
        return drawn.update_yaxes(autorange="reversed", automargin=True, showgrid=False).figure()

    def _line(self, found: ObjectivesFound, words: Words) -> go.Figure:
        """Draw the objective against the number of features, all models with the same ridge.

        The dark line is that of the best sets: filled marks are proven, hollow ones are the best known, and the band
        reaches down to what no set can go below. Faint: every set that a method keeps. Bold: its best of at most so
        many. A point carries its method and C as ``customdata``.
        """
        rows, figure = found.rows, Drawing()
        most = max((row.k for row in rows), default=1)
        right = most + 0.35
        heights = [row.objective for row in rows]
        ends: dict[str, tuple[float, str]] = {}
        if rows:
            self._add_band(figure, rows, right)
        for method in dict.fromkeys(path.method for path in self.paths):
            best = [one for one in found.compared if one.method == method]
            if best:
                self._add_method(figure, found.sets[method], best, right)
                heights += [one.found.objective for one in best]
                ends[TITLES[method]] = (best[-1].found.objective, method_style(method).colour)
        if rows:
            self._add_best(figure, rows, right)
            ends[f"<b>{TITLES[BEST]}</b>"] = (rows[-1].objective, method_style(BEST).colour)
        if heights:  # without the few worst sets, and without a bound that says next to nothing
            low, high = min(heights), max(0.0, *(row.objective for row in rows), float(np.quantile(heights, USUAL)))
            room = max(high - low, 1e-3 * max(high, 1e-12))
            low = max(min([low, *(row.bound for row in rows)]), low - 0.5 * room)
            room = high - low or room
            low, high = low - 0.05 * room, high + 0.06 * room
            figure.update_yaxes(range=[low, high])
            named = [(f" {name}", end, colour) for name, (end, colour) in ends.items()]
            name_ends(figure, named, LABEL_GAP * (high - low), low, high)
        step = 1 if most <= 12 else 2 if most <= 24 else 5
        figure.update_xaxes(title="features at most", range=[0.65, right], tickvals=list(range(1, most + 1, step)))
        figure.update_yaxes(title="Objective of the ridge model")
        letters = [len(name.replace("<b>", "").replace("</b>", "")) for name in ends]
        room = min(24 + LETTER * max(letters, default=5), WIDEST)
        return layout(figure, words, height=480, margin_r=room, hoverdistance=14).figure()

    def _add_band(self, figure: Drawing, rows: Sequence[CertifiedSubset], right: float) -> None:
        """Fill from the line down to the bound: there a better set may still be."""
        for name, heights, fill in (
            ("lower bound", [row.bound for row in rows], None),
            ("not yet excluded", [row.objective for row in rows], "tonexty"),
        ):
            figure.add_scatter(
                x=[*(row.k for row in rows), right],
                y=[*heights, heights[-1]],
                mode="lines",
                line={"width": 0, "shape": "hv", "color": BAND},
                fill=fill,
                fillcolor=BAND if fill else None,
                name=name,
                hoverinfo="skip",
            )

    def _add_method(self, figure: Drawing, own: Sequence[RefittedSet], best: Sequence[Excess], right: float) -> None:
        """Draw every set that a method keeps, faint, and its best ones of at most so many features."""
        names, method = self.fold.train.feature_names, best[0].method
        style, title, on = method_style(method), TITLES[method], [*best, best[-1]]
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
            y=[one.found.objective for one in on],
            mode="lines+markers",
            line={"color": style.colour, "width": 2.2, "dash": style.dash, "shape": "hv"},
            marker={"size": [*(8 for _ in best), 0], "symbol": style.marker, "color": style.colour},
            name=title,
            customdata=[[method, one.found.c if np.isfinite(one.found.c) else None] for one in on],
            **told(title, [_of_excess(one, names) for one in on]),
        )

    def _add_best(self, figure: Drawing, rows: Sequence[CertifiedSubset], right: float) -> None:
        """Draw the line of the best sets: filled marks are proven, hollow ones are the best known."""
        style, on, names = method_style(BEST), [*rows, rows[-1]], self.fold.train.feature_names
        figure.add_scatter(
            x=[*(row.k for row in rows), right],
            y=[row.objective for row in on],
            mode="lines+markers",
            line={"color": style.colour, "width": 3.6, "shape": "hv"},
            marker={
                "size": [*(11 for _ in rows), 0],
                "symbol": [style.marker if row.proven else f"{style.marker}-open" for row in on],
                "color": style.colour,
                "opacity": 1.0,
                "line": {"width": 2, "color": style.colour},
            },
            name=TITLES[BEST],
            **told(TITLES[BEST], [_of_row(row, names) for row in on]),
        )


def _of_cell(one: Excess) -> str:
    """What a cell says on hover."""
    more = "" if one.at_most - one.excess < 1e-4 else f" (at most {percent(one.at_most)} % above what is possible)"
    return (
        f"objective {one.found.objective:.6g}, {percent(one.excess)} % above the best set{more}<br>"
        f"{one.shared} of at most {one.k} features in common"
    )


def _of_row(row: CertifiedSubset, names: Sequence[str]) -> str:
    proof = "proven" if row.proven else f"not proven: at most {100 * row.gap:.2g} % above the lowest"
    return (
        f"at most {row.k} feature{'s' * (row.k > 1)}: objective {row.objective:.6g}, {proof}<br>"
        f"{_listed(row.columns, names)}<br>{duration(row.seconds)}"
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
