"""What a change brings: rules for features, a budget of features, and what both do to each query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.analysis.evaluation import FoldJudge
from core.analysis.features.what_if import feature_changes
from core.analysis.fold_models import one_fold
from core.analysis.path import PathPoint
from core.analysis.tradeoff.query_changes import query_changes
from core.analysis.tradeoff.references import dense_reference
from core.analysis.tradeoff.tradeoff import TradeoffPoint, tradeoff_points
from core.analysis.tradeoff.tradeoff import budget as within_budget
from core.api.change_tables import budget_table, query_changes_table, what_if_table
from core.api.model import Model
from core.api.path import ModelPath
from core.data.naming import columns
from core.figures.drawn import FigureAndTable
from core.figures.features.what_if import what_if_figure
from core.figures.look.style import short
from core.figures.path.tuning import PART_TITLES
from core.figures.tradeoff.axes import Across, Horizontal
from core.figures.tradeoff.budget import budget_figure
from core.figures.tradeoff.query_changes import query_changes_figure
from core.figures.tradeoff.tradeoff import View
from core.methods import get_method

MARKED = 5
"""Queries that lose most and are named."""


def what_if(
    before: Model, after: Model, *, costs: Mapping[str | int, float] | None = None, most: int = 24
) -> FigureAndTable:
    """Draw what rules for features do to a model's weights.

    Parameters
    ----------
    before, after : Model
        Of one fold: without the rules, and under them.
    costs : mapping, optional
        Of features, by name or number, for the table; those without one cost 1.
    most : int
        Largest number of rows drawn.

    Returns
    -------
    FigureAndTable
        Its table has a row a feature that either model keeps.
    """
    changes = feature_changes(before.fit, after.fit)
    every_cost = np.ones(len(before.fit.weights))
    for feature, cost in (costs or {}).items():
        every_cost[columns([feature], before.fit.feature_names)] = cost
    figure = what_if_figure(
        changes,
        before.fit.method,
        most=most,
        title="Weights before and after",
        subtitle=f"{before.fold.name} · C = {short(after.fit.c)} · + comes in, − goes out",
    )
    return FigureAndTable(figure, what_if_table(changes, every_cost))


def budget(
    paths: Sequence[ModelPath],
    *,
    dense: ModelPath | None = None,
    limit: float = 10,
    measure: str = "NDCG@10",
    against: Horizontal = "features kept",
    costs: Sequence[float] = (),
) -> FigureAndTable:
    """Draw the best model within a budget, on the part that models are quoted on: the last that the fold has.

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
        For ``"cost of features"``.

    Returns
    -------
    FigureAndTable
        Its table has a row a model.
    """
    fold, convention = one_fold([*paths, *([] if dense is None else [dense])])
    usable = FoldJudge(fold, convention).usable_features
    part = list(fold.parts())[-1]
    curves = {method: points for method, points in _curves(paths, usable).items() if points}
    points = [point for curve in curves.values() for point in curve]
    across = Across(against, int(usable.sum()), True, tuple(costs) or (1.0,) * len(usable))
    titles = {method: get_method(method).title for method in curves}
    whole = None if dense is None else dense_reference(tradeoff_points(dense.points, usable), measure)
    found = within_budget(points, limit, measure, across.of)
    figure = budget_figure(
        curves,
        View(part, measure, across, convention),
        titles,
        limit,
        found,
        references={} if whole is None else {"all features: ℓ2": whole},
        title=f"{PART_TITLES[part]} {measure} against {against}",
        subtitle=f"{fold.name} · ★ the best within {limit:g}",
    )
    return FigureAndTable(figure, budget_table(points, across, measure, titles, fold.train.feature_names))


def budget_queries(
    paths: Sequence[ModelPath],
    dense: ModelPath,
    *,
    limit: float = 10,
    measure: str = "NDCG@10",
    against: Horizontal = "features kept",
    costs: Sequence[float] = (),
    texts: Mapping[str, str] | None = None,
) -> FigureAndTable:
    """Draw what the best model within a budget does to each query, against the model of all features.

    Parameters
    ----------
    paths, dense, limit, measure, against, costs
        As for `budget`.
    texts : mapping, optional
        Of queries, by id, as ``dataset.query_texts`` has them.

    Returns
    -------
    FigureAndTable
        Its table has a row a query, the one that loses most first.

    Raises
    ------
    ValueError
        If no model is within the budget, or there is none of all features.
    """
    fold, convention = one_fold([*paths, dense])
    judge = FoldJudge(fold, convention)
    usable = judge.usable_features
    part = list(fold.parts())[-1]
    across = Across(against, int(usable.sum()), True, tuple(costs) or (1.0,) * len(usable))
    every = [point for curve in _curves(paths, usable).values() for point in curve]
    found = within_budget(every, limit, measure, across.of)
    whole = dense_reference(tradeoff_points(dense.points, usable), measure)
    if found is None or whole is None:
        msg = f"no model is within {limit:g}, or none has all features"
        raise ValueError(msg)
    chosen = found.chosen
    before = _model(dense.points, whole).fit.weights
    after = _model(next(p.points for p in paths if p.points[0].fit.method == chosen.method), chosen).fit.weights
    changes = query_changes(judge, before, after, part, measure)
    figure = query_changes_figure(
        changes,
        measure,
        marked=MARKED,
        title=f"{get_method(chosen.method).title} with {chosen.kept} features against all features, query by query",
        subtitle=f"{fold.name}, {PART_TITLES[part]} · C = {short(chosen.c)} against ℓ2 at C = {short(whole.c)}",
    )
    return FigureAndTable(figure, query_changes_table(changes, texts or {}))


def _curves(paths: Sequence[ModelPath], usable: np.ndarray) -> dict[str, tuple[TradeoffPoint, ...]]:
    return {path.points[0].fit.method: tradeoff_points(path.points, usable) for path in paths}


def _model(points: Sequence[PathPoint], wanted: TradeoffPoint) -> PathPoint:
    return next(point for point in points if point.fit.c == wanted.c)
