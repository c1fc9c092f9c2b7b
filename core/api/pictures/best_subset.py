"""The best possible sets of so many features, and how far methods are from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from core.analysis.best_subset.alternatives import AlternativesRun
from core.analysis.best_subset.excess import excesses
from core.analysis.best_subset.points import BEST
from core.analysis.best_subset.refitted_sets import BY_HAND, Ridge, by_hand, refitted_path
from core.analysis.best_subset.yardstick import MOST_FEATURES, SECONDS_EACH, Yardstick, best_known, certified_rows
from core.analysis.evaluation import FoldJudge
from core.api.best_subset_tables import alternatives_table, excess_table, line_table
from core.api.path import ModelPath
from core.data import Convention, Fold
from core.figures.best_subset.alternatives import spread_figure
from core.figures.best_subset.excess import excess_figure
from core.figures.best_subset.line import line_figure
from core.figures.drawn import FigureAndTable
from core.methods import METHODS, get_method


def best_subsets(
    fold: Fold,
    *,
    ridge: float,
    most: int = MOST_FEATURES,
    paths: Sequence[ModelPath] = (),
    show: Literal["line", "how far"] = "line",
    seconds: float = SECONDS_EACH,
    convention: Convention = "standard",
) -> FigureAndTable:
    """Draw the lowest objective of 1, 2, … features with its bound, beside the sets of methods with the same ridge.

    Parameters
    ----------
    fold : Fold
    ridge : float
        lambda / lambda_max of the ridge models; the app takes that of the ``"l2"`` model which validation picks.
    most : int
        The largest number of features.
    paths : sequence of ModelPath
        Of methods that select features along C. Selections by hand are compared anyway.
    show : {"line", "how far"}
        The objective against the number of features, or the excess of every method over the best set.
    seconds : float
        Solver time for the proof of a size.
    convention : {"standard", "letor3", "letor4"}

    Returns
    -------
    FigureAndTable
        Its table has a row a method and number of features.
    """
    best, judge = get_method(BEST), FoldJudge(fold, convention)
    training = best.training(fold.train, convention=convention)
    model = Ridge.of(training, training.lam_at(ridge), judge)
    most = min(most, int(judge.usable_features.sum()))
    search = Yardstick(best, model, most, seconds)
    while not search.done:
        search.advance()
    sets = {path.points[0].fit.method: list(refitted_path(path.points, model, most)[1]) for path in paths}
    drawn = list(sets)
    sets |= {method: list(by_hand(method, model, most)) for method in BY_HAND}
    rows = best_known(certified_rows(search), [found for own in sets.values() for found in own])
    compared = excesses(rows, sets)
    titles = {method.id: method.title for method in METHODS}
    names = fold.train.feature_names
    if show == "how far":
        figure = excess_figure(compared, titles, title="Excess of the objective in per cent", subtitle=fold.name)
        return FigureAndTable(figure, excess_table(rows, compared, titles, names))
    figure = line_figure(
        rows,
        [one for one in compared if one.method in drawn],
        {method: sets[method] for method in drawn},
        titles,
        names,
        title="Objective of the best sets and of the methods' sets, all with the same ridge",
        subtitle=fold.name,
    )
    return FigureAndTable(figure, line_table(rows, compared, titles, names))


def near_optimal_sets(
    fold: Fold,
    *,
    ridge: float,
    k: int,
    within: float = 0.01,
    part: str = "test",
    measure: str = "NDCG@10",
    convention: Convention = "standard",
) -> FigureAndTable:
    """Draw how all sets of at most k features rank whose objective is within a share of the lowest one.

    Parameters
    ----------
    fold : Fold
    ridge : float
        lambda / lambda_max of the ridge models.
    k : int
    within : float
        Relative excess of the objective.
    part, measure : str
    convention : {"standard", "letor3", "letor4"}

    Returns
    -------
    FigureAndTable
        Its table has a row a set, the lowest objective first, at most 200.
    """
    training = get_method(BEST).training(fold.train, convention=convention)
    run = AlternativesRun(Ridge.of(training, training.lam_at(ridge), FoldJudge(fold, convention)), k, within)
    while not run.done:
        run.advance()
    found = run.result
    assert found is not None
    names = fold.train.feature_names
    figure = spread_figure(
        found,
        names,
        part=part,
        measure=measure,
        up=f"{measure} ({part}, {convention})",
        title=f"{len(found.found.sets)} sets of at most {k} features within {100 * within:g} % of the best",
        subtitle=fold.name,
    )
    return FigureAndTable(figure, alternatives_table(found, names))
