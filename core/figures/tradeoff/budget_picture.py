"""The picture of a budget: the best model within it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.analysis.choosing import choosing_part
from core.analysis.evaluation import FloatArray
from core.analysis.tradeoff.tradeoff import MEASURES, Budget, TradeoffRow
from core.analysis.tradeoff.tradeoff import budget as within_budget
from core.experiments.results.difference import Difference, model_difference
from core.figures.look.style import MUTED, STAR_MARK
from core.figures.of_paths import OfPaths
from core.figures.path.lines import PART_TITLES, PART_WORDS
from core.figures.picture import Words, aside, option, refuse, said
from core.figures.tradeoff.axes import COST, Across, Horizontal, View, add_ring, around, tradeoff_drawing
from core.models import ModelPath, one_fold
from core.names.counted import features

SPENT: Mapping[Horizontal, str] = {"features kept": "features kept", COST: COST}
NOTHING_TITLE = "No model is within the budget"
SUBSET_TITLES = {True: "the best subset within the budget, proven", False: "the best subset found within the budget"}


def within(limit: float, *, cost: bool) -> str:
    """The budget."""
    return f"a cost of at most {limit:g}" if cost else f"at most {features(int(limit))}"


def chosen_words(found: Budget, measure: str, among: str, *, cost: bool) -> str:
    """Who chose the model, among which."""
    by = PART_WORDS[choosing_part(found.chosen.values)]
    return f"★ best with {within(found.limit, cost=cost)} {among}, by {by} {measure}, ties in expectation"


@dataclass(frozen=True, eq=False)
class BudgetFound:
    """What the paths have within a budget, and the model of all features.

    ``differs`` is how the model within the budget differs from that of all features; None without either.
    """

    curves: Mapping[str, Sequence[TradeoffRow]]
    best: Budget | None
    whole: TradeoffRow | None
    differs: Difference | None

    @property
    def every(self) -> list[TradeoffRow]:
        """All models that the budget may choose."""
        return [point for curve in self.curves.values() for point in curve]


@dataclass(frozen=True, eq=False)
class BudgetPicture(OfPaths[BudgetFound]):
    """Draw the best model within a budget, on the part that models are quoted on: the last that the fold has.

    The table has a row a model.

    Parameters
    ----------
    paths : sequence of ModelPath
        Of one fold, each of another method: the models that compete.
    dense : ModelPath, optional
        The path of ``"l2"``; its best model is the reference with all features.
    limit : float
        A number of features, or a cost.
    measure : {"MAP", "NDCG@10", "Top"}
        By which validation chooses, in expectation over the orders of tied documents.
    against : {"features kept", "cost of features"}
    costs : sequence of float, length n_features
        For ``"cost of features"``; by default each costs 1.

    Raises
    ------
    ValueError
        If an option cannot be used.
    """

    dense: ModelPath | None = None
    _: KW_ONLY
    limit: float = option(10)
    measure: str = option("NDCG@10", titles={name: name for name in MEASURES})
    against: Horizontal = option("features kept", titles=SPENT)
    costs: Sequence[float] = option(())
    among: str = aside("")
    words_here: tuple[str, str] | None = aside(None)
    certified: tuple[TradeoffRow, bool] | None = aside(None)

    name, chart = "budget", "ten"
    topic = "Best model within {0.limit:g}, of {0.names}"

    def check(self) -> None:
        super().check()
        fold, _ = one_fold(self._every_path)
        why = f"give a cost for each of {fold.train.n_features} features, not {len(self.costs)}"
        refuse(self.costs and len(self.costs) != fold.train.n_features, why)

    @property
    def _every_path(self) -> list[ModelPath]:
        return [*self.paths, *([] if self.dense is None else [self.dense])]

    @property
    def view(self) -> View:
        across = Across.over(self.against, self.judge.usable_features, True, self.costs)
        return View(self.last_part, self.measure, across, self.convention)

    def result(self, needed: Mapping[str, Any]) -> BudgetFound:
        curves = {method: points for method, points in self.curves.items() if points}
        every = [point for curve in curves.values() for point in curve]
        best = within_budget(every, self.limit, self.measure, self.view.across.of)
        whole, differs = self.whole(self.dense, self.measure), None
        if best is not None and whole is not None:
            ours, theirs = (self._weights(point) for point in (best.chosen, whole))
            differs = model_difference(self.judge, ours, theirs, self.last_part, self.measure)
        return BudgetFound(curves, best, whole, differs)

    def _weights(self, point: TradeoffRow) -> FloatArray:
        path = next(path for path in self._every_path if path.method == point.method)
        return next(found.fit.weights for found in path.points if found.fit.c == point.c)

    def rows(self, found: BudgetFound) -> pd.DataFrame:
        """A row a model that the budget may choose."""
        titles, names, across = self.titles, self.fold.train.feature_names, self.view.across
        return pd.DataFrame(
            {"method": titles[point.method], "features kept": point.kept, across.horizontal: across.of(point)}
            | {f"{self.measure} {part}": point.value(part, self.measure) for part in point.values}
            | {"C": point.c, "features": ", ".join(names[j] for j in point.selected)}
            for point in found.every
        )

    def words(self, found: BudgetFound) -> Words:
        title, subtitle = self.words_here or self._usual_words(found)
        alt = f"{title}. {self.view.up} against {self.against}."
        subset = "" if self.certified is None else f"◇ {SUBSET_TITLES[self.certified[1]]}"
        return Words(title, said(self.where_words, subtitle, subset), alt)

    def _usual_words(self, found: BudgetFound) -> tuple[str, str]:
        n = len(self.paths)
        among = self.among or f"on the path{'s' * (n != 1)} of {n} method{'s' * (n != 1)}"
        if found.best is None:
            return NOTHING_TITLE, among
        chosen = chosen_words(found.best, self.measure, among, cost=self.against == COST)
        part, measure = self.last_part, self.measure
        value = f"{PART_TITLES[part].capitalize()} {measure} {found.best.chosen.value(part, measure):.4f}"
        if found.whole is not None and found.differs is not None:
            value += f", all features {found.whole.value(part, measure):.4f}: {found.differs.words}"
        return value, chosen

    def drawing(self, found: BudgetFound, words: Words) -> go.Figure:
        """Draw the limit as a line, a star on the best model within it, and rings around the others."""
        view = self.view
        references = {} if found.whole is None else {"all features: ℓ2": found.whole}
        figure = tradeoff_drawing(found.curves, view, self.titles, words, references=references)
        figure.add_vline(x=self.limit, line={"color": MUTED, "width": 1.5, "dash": "dot"})
        if self.certified is not None:
            point, proven = self.certified
            add_ring(figure, point, view, SUBSET_TITLES[proven], around("diamond-open", 20, MUTED))
        if found.best is not None:
            add_ring(
                figure, found.best.next_better, view, "the next better model", around("circle-open", 18, "#D55E00")
            )
            add_ring(figure, found.best.chosen, view, "the best model within the budget", STAR_MARK)
        return figure.figure()
