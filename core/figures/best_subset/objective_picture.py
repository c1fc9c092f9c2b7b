"""The picture of the best sets of 1, 2, … features beside the sets that methods keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go

from core.analysis.best_subset.certified_path import BestSubsets, MethodSets
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
from core.analysis.evaluation import Judgement
from core.analysis.ingredient import Ingredient
from core.analysis.path_views import FoldPath, one_fold
from core.analysis.tradeoff.tradeoff import MEASURES
from core.figures.best_subset.line import (
    FURTHER,
    LETTER,
    LETTERS,
    STRONGEST,
    WIDEST,
    SearchPicture,
    add_band,
    add_line,
    add_method,
    hover_of,
    order_of,
    set_heights,
    words_of,
)
from core.figures.look.drawing import Drawing
from core.figures.look.style import INK, layout, method_style
from core.figures.picture import Words, option, said
from core.methods import METHODS, get_method

View = Literal["line", "how far"]
LINE: View = "line"
HOW_FAR: View = "how far"
TITLES: Mapping[str, str] = {method.id: method.title for method in METHODS}


@dataclass(frozen=True, eq=False)
class ObjectivesFound:
    """The best sets known, and those of the methods.

    Attributes
    ----------
    rows : sequence of CertifiedSubset
        By ascending size.
    sets : mapping
        By method.
    compared : sequence of Excess
        Every method at every size.
    """

    rows: Sequence[CertifiedSubset]
    sets: Mapping[str, Sequence[RefittedSet]]
    compared: Sequence[Excess]


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
    paths: Sequence[FoldPath] = option(())
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
            if not getattr(self, name) > 0:
                msg = f"{name} is above 0, not {getattr(self, name)}"
                raise ValueError(msg)
        if self.paths:
            fold, convention = one_fold(self.paths)
            if (fold.train.fingerprint, convention) != (self.fold.train.fingerprint, self.convention):
                msg = "give paths of the fold, under the same convention"
                raise ValueError(msg)

    def subject(self) -> str:
        methods = f" and of {', '.join(get_method(path.method).title for path in self.paths)}" if self.paths else ""
        return f"Objectives of the best subsets{methods}"

    def needs(self) -> dict[str, Ingredient[Any]]:
        best = BestSubsets(self.fold, self.convention, self.ridge, self.most, self.seconds)
        return {"best": best, "sets": MethodSets(best, self.paths)}

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
        methods = order_of(found.compared)
        sizes = sorted({one.k for one in found.compared})
        cells = {(one.method, one.k): one for one in found.compared}
        grid = [[cells.get((method, k)) for k in sizes] for method in methods]
        figure.add_trace(
            {
                "type": "heatmap",
                "x": sizes,
                "y": [TITLES[method] for method in methods],
                "z": [[None if one is None else min(100.0 * one.excess, STRONGEST) for one in row] for row in grid],
                "text": [[words_of(one) for one in row] for row in grid],
                "texttemplate": "%{text}",
                "textfont": {"size": LETTERS, "color": INK},
                "hovertext": [[hover_of(one) for one in row] for row in grid],
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
        rows, names = found.rows, self.fold.train.feature_names
        sets = {path.method: found.sets[path.method] for path in self.paths}
        compared = [one for one in found.compared if one.method in sets]
        figure = Drawing()
        most = max((row.k for row in rows), default=1)
        right = most + 0.35
        heights = [row.objective for row in rows]
        ends: dict[str, tuple[float, str]] = {}
        add_band(figure, rows, right)
        for method, own in sets.items():
            best = [one for one in compared if one.method == method]
            if best:
                add_method(figure, method, own, best, right, TITLES[method], names)
                heights += [one.found.objective for one in best]
                ends[TITLES[method]] = (best[-1].found.objective, method_style(method).colour)
        if rows:
            style = method_style(BEST)
            add_line(figure, rows, right, TITLES[BEST], names)
            ends[f"<b>{TITLES[BEST]}</b>"] = (rows[-1].objective, style.colour)
        set_heights(figure, rows, heights, ends)
        step = 1 if most <= 12 else 2 if most <= 24 else 5
        figure.update_xaxes(title="features at most", range=[0.65, right], tickvals=list(range(1, most + 1, step)))
        figure.update_yaxes(title="Objective of the ridge model")
        drawn = layout(figure, words, height=480)
        letters = [len(name.replace("<b>", "").replace("</b>", "")) for name in ends]
        return drawn.update_layout(
            margin_r=min(24 + LETTER * max(letters, default=5), WIDEST), hoverdistance=14
        ).figure()


def measured(judgement: Judgement) -> dict[str, float]:
    """The measures of a model on every part, as columns of a table."""
    return {f"{m} {part}": judgement.metrics[part][m] for part in judgement.metrics for m in MEASURES}
