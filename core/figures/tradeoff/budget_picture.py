"""The pictures of a budget: the best model within it, and what that does to each query."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.analysis.choosing import choosing_part
from core.analysis.evaluation import FloatArray
from core.analysis.path_views import FoldPath, one_fold
from core.analysis.tradeoff.tradeoff import MEASURES, Budget, QueryChange, TradeoffPoint, query_changes
from core.analysis.tradeoff.tradeoff import budget as within_budget
from core.data.nouns import nouns_of
from core.experiments.results.difference import Difference, model_difference
from core.figures.look.style import MUTED, STAR_MARK, layout
from core.figures.of_paths import OfPaths
from core.figures.path.tuning import PART_TITLES, PART_WORDS
from core.figures.picture import Found, Words, aside, option, said
from core.figures.tradeoff.axes import COST, Across, Horizontal
from core.figures.tradeoff.tradeoff import View, add_ring, around, tradeoff_drawing
from core.names.counted import features
from core.names.numbers import short
from core.names.plain import in_plotly

LOSS, OTHER = "#D55E00", "rgba(128,128,128,0.55)"
MARKED = 5
"""Queries that lose most and are named."""
LONGEST_TEXT = 40
"""Letters of a query's text."""
SPENT: Mapping[Horizontal, str] = {"features kept": "features kept", COST: COST}
NOTHING_TITLE = "No model is within the budget"


def within(limit: float, *, cost: bool) -> str:
    """The budget."""
    return f"a cost of at most {limit:g}" if cost else f"at most {features(int(limit))}"


def chosen_words(found: Budget, measure: str, among: str, *, cost: bool) -> str:
    """Who chose the model, among which."""
    by = PART_WORDS[choosing_part(found.chosen.values)]
    return f"★ best with {within(found.limit, cost=cost)} {among}, by {by} {measure}, ties in expectation"


@dataclass(frozen=True, eq=False)
class Spending:
    """What the paths have within a budget, and the model of all features."""

    curves: Mapping[str, Sequence[TradeoffPoint]]
    best: Budget | None
    whole: TradeoffPoint | None

    @property
    def every(self) -> list[TradeoffPoint]:
        """All models that the budget may choose."""
        return [point for curve in self.curves.values() for point in curve]


@dataclass(frozen=True, eq=False)
class _OfBudget(OfPaths[Found], ABC):
    """What both pictures of a budget have."""

    dense: FoldPath | None = None
    _: KW_ONLY
    limit: float = option(10)
    measure: str = option("NDCG@10", titles={name: name for name in MEASURES})
    against: Horizontal = option("features kept", titles=SPENT)
    costs: Sequence[float] = option(())

    def check(self) -> None:
        super().check()
        fold, _ = one_fold([*self.paths, *([] if self.dense is None else [self.dense])])
        if self.costs and len(self.costs) != fold.train.n_features:
            msg = f"give a cost for each of {fold.train.n_features} features, not {len(self.costs)}"
            raise ValueError(msg)

    @property
    def across(self) -> Across:
        """What is spent."""
        return Across.over(self.against, self.judge.usable_features, True, self.costs)

    @property
    def view(self) -> View:
        """The quantities on the axes of the models."""
        return View(self.last_part, self.measure, self.across, self.convention)

    @cached_property
    def spending(self) -> Spending:
        """The best model within the budget."""
        curves = {method: points for method, points in self.curves.items() if points}
        every = [point for curve in curves.values() for point in curve]
        best = within_budget(every, self.limit, self.measure, self.across.of)
        return Spending(curves, best, self.whole(self.dense, self.measure))

    def weights(self, point: TradeoffPoint) -> FloatArray:
        """The weights of a model."""
        every = [*self.paths, *([] if self.dense is None else [self.dense])]
        path = next(path for path in every if path.method == point.method)
        return next(found.fit.weights for found in path.points if found.fit.c == point.c)


@dataclass(frozen=True, eq=False)
class BudgetFound(Spending):
    """`Spending`, with how the model within the budget differs from that of all features; None without either."""

    differs: Difference | None


@dataclass(frozen=True, eq=False)
class BudgetPicture(_OfBudget[BudgetFound]):
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

    _: KW_ONLY
    among: str = aside("")
    words_here: tuple[str, str] | None = aside(None)
    certified: tuple[TradeoffPoint, bool] | None = aside(None)

    name, chart = "budget", "ten"

    def subject(self) -> str:
        return f"Best model within {self.limit:g}, of {self.names}"

    def result(self, needed: Mapping[str, Any]) -> BudgetFound:
        found = self.spending
        differs = None
        if found.best is not None and found.whole is not None:
            ours, theirs = (self.weights(point) for point in (found.best.chosen, found.whole))
            differs = model_difference(self.judge, ours, theirs, self.last_part, self.measure)
        return BudgetFound(found.curves, found.best, found.whole, differs)

    def rows(self, found: BudgetFound) -> pd.DataFrame:
        """A row a model that the budget may choose."""
        titles, names, across = self.titles, self.fold.train.feature_names, self.across
        return pd.DataFrame(
            [
                {"method": titles[point.method], "features kept": point.kept, across.horizontal: across.of(point)}
                | {f"{self.measure} {part}": point.value(part, self.measure) for part in point.values}
                | {"C": point.c, "features": ", ".join(names[j] for j in point.selected)}
                for point in found.every
            ]
        )

    def words(self, found: BudgetFound) -> Words:
        title, subtitle = self.words_here or self._usual_words(found)
        alt = f"{title}. {self.view.up} against {self.against}."
        return Words(title, said(self.where_words, subtitle), alt)

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
            kind = "the best subset within the budget, proven" if proven else "the best subset found within the budget"
            add_ring(figure, point, view, kind, around("diamond-open", 20, MUTED))
        if found.best is not None:
            add_ring(
                figure, found.best.next_better, view, "the next better model", around("circle-open", 18, "#D55E00")
            )
            add_ring(figure, found.best.chosen, view, "the best model within the budget", STAR_MARK)
        return figure.figure()


@dataclass(frozen=True, eq=False)
class BudgetQueries(_OfBudget[Sequence[QueryChange]]):
    """Draw what the best model within a budget does to each query, against the model of all features.

    The table has a row a query, the one that loses most first.

    Parameters
    ----------
    paths, dense, limit, measure, against, costs :
        As for `budget`; ``dense`` is needed.
    texts : mapping, optional
        Of queries, by id, as ``dataset.query_texts`` has them.

    Raises
    ------
    ValueError
        If no model is within the budget, there is none of all features, or the rows are one list.
    """

    _: KW_ONLY
    texts: Mapping[str, str] | None = option(None)

    name, chart = "budget_queries", "ten_queries"

    def check(self) -> None:
        super().check()
        if nouns_of(self.fold.train).by_class:
            msg = "the rows are one list, so there is no other that could lose"
            raise ValueError(msg)
        _ = self.models

    @property
    def models(self) -> tuple[TradeoffPoint, TradeoffPoint]:
        """The best model within the budget, and that of all features."""
        best, whole = self.spending.best, self.spending.whole
        if best is None or whole is None:
            msg = f"no model is within {self.limit:g}, or none has all features"
            raise ValueError(msg)
        return best.chosen, whole

    def subject(self) -> str:
        return f"What the best model within {self.limit:g} does to each query, of {self.names}"

    def result(self, needed: Mapping[str, Any]) -> tuple[QueryChange, ...]:
        after, before = (self.weights(point) for point in self.models)
        return query_changes(self.judge, before, after, self.last_part, self.measure)

    def rows(self, found: Sequence[QueryChange]) -> pd.DataFrame:
        return query_changes_table(found, self.texts or {})

    def words(self, found: Sequence[QueryChange]) -> Words:
        chosen, whole = self.models
        title = f"{self.titles[chosen.method]} with {features(chosen.kept)} against all features, query by query"
        place = f"{self.where_words}, {PART_TITLES[self.last_part]}"
        return Words(title, said(place, f"C = {short(chosen.c)} against ℓ2 at C = {short(whole.c)}"), title)

    def drawing(self, found: Sequence[QueryChange], words: Words) -> go.Figure:
        """Draw one bar a query, the greatest loss on the left; those that lose most are coloured and named."""
        figure = go.Figure()
        worst = [change for change in found[:MARKED] if change.change < 0.0]
        figure.add_bar(
            x=list(range(1, len(found) + 1)),
            y=[change.change for change in found],
            marker={"color": [LOSS] * len(worst) + [OTHER] * (len(found) - len(worst)), "line": {"width": 0}},
            customdata=[
                [
                    in_plotly(change.query_id),
                    f"{change.before:.4f}",
                    f"{change.after:.4f}",
                    change.n_relevant,
                    change.n_documents,
                ]
                for change in found
            ],
            hovertemplate=(
                f"query %{{customdata[0]}}<br>{self.measure} %{{customdata[1]}} → %{{customdata[2]}} (%{{y:+.4f}})<br>"
                "%{customdata[3]} relevant of %{customdata[4]} documents<extra></extra>"
            ),
            name="change",
        )
        figure.add_hline(y=0.0, line={"color": MUTED, "width": 1})
        figure.update_xaxes(title=f"{len(found)} queries, the greatest loss first")
        figure.update_yaxes(title=f"change of {self.measure}")
        return layout(figure, words, height=480).update_layout(bargap=0.05)


def query_changes_table(changes: Sequence[QueryChange], texts: Mapping[str, str]) -> pd.DataFrame:
    """A row a query, the one that loses most first."""

    def named(query: str) -> str:
        return f"{query}: {texts[query][:LONGEST_TEXT]}" if texts.get(query) else query

    return pd.DataFrame(
        [
            {
                "query": named(change.query_id),
                "change": change.change,
                "before": change.before,
                "after": change.after,
                "relevant": change.n_relevant,
                "documents": change.n_documents,
            }
            for change in changes
        ]
    )
