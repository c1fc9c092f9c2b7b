"""What sparsity costs."""

from __future__ import annotations

from collections.abc import Sequence

from core.analysis.best_subset.points import BEST, best_subset_points, rows_of_table
from core.analysis.best_subset.refitted_sets import Ridge
from core.analysis.best_subset.yardstick import MOST_FEATURES, Yardstick, best_known, certified_rows
from core.analysis.choosing import choosing_part
from core.analysis.evaluation import FoldJudge
from core.analysis.fold_models import one_fold
from core.analysis.tradeoff.references import dense_reference
from core.analysis.tradeoff.tradeoff import (
    MEASURES,
    TradeoffPoint,
    best_single_features,
    budget,
    tradeoff_points,
)
from core.api.path import ModelPath
from core.api.tables import tradeoff_table
from core.figures.drawn import FigureAndTable
from core.figures.path.tuning import PART_TITLES
from core.figures.tradeoff.axes import Across, Horizontal, reference_labels
from core.figures.tradeoff.tradeoff import View, tradeoff_figure
from core.methods import get_method


def tradeoff(
    paths: Sequence[ModelPath],
    *,
    measure: str = "MAP",
    part: str | None = None,
    dense: ModelPath | None = None,
    limit: int | None = None,
    against: Horizontal = "features kept",
    log_across: bool = True,
    costs: Sequence[float] = (),
    ridge: float | None = None,
    most: int = MOST_FEATURES,
) -> FigureAndTable:
    """Draw quality against the number of features.

    Models are compared on the validation part, or on the training part where there is none; documents with the same
    score count in expectation there, and keep the order of the file on the other parts.

    Parameters
    ----------
    paths : sequence of ModelPath
        Of one fold, each of another method.
    measure : {"MAP", "NDCG@10", "Top"}
    part : {"train", "vali", "test"}, optional
        The part that is drawn; by default the last that the fold has. The table has all of them.
    dense : ModelPath, optional
        The path of ``"l2"``; its best model is the reference with all features.
    limit : int, optional
        The largest number of features that one can afford; the best model within it gets a star.
    against : {"features kept", "sparsity ratio", "cost of features"}
    log_across : bool
    costs : sequence of float, length n_features
        For ``"cost of features"``.
    ridge : float, optional
        lambda / lambda_max of the best subsets, which are drawn as one more curve if it is given; see `best_subsets`.
    most : int
        The largest number of features of the best subsets.

    Returns
    -------
    FigureAndTable
        Its table has a row a model, then the best single feature, the model of all features, and the best subsets.

    Raises
    ------
    ValueError
        If there is no path, they are not of one fold, or there is no such part or measure.
    """
    fold, convention = one_fold([*paths, *([] if dense is None else [dense])])
    judge = FoldJudge(fold, convention)
    part = part or list(fold.parts())[-1]
    if measure not in MEASURES or part not in fold.parts():
        msg = (
            f"there is no {measure!r} on {part!r}; measures are {', '.join(MEASURES)}, parts {', '.join(fold.parts())}"
        )
        raise ValueError(msg)
    usable = judge.usable_features
    curves = {path.points[0].fit.method: tradeoff_points(path.points, usable) for path in paths}
    whole = None if dense is None else dense_reference(tradeoff_points(dense.points, usable), measure)
    alone = best_single_features(judge)[MEASURES.index(measure)]
    labelled = zip(reference_labels(choosing_part(fold.parts())), (whole, alone), strict=True)
    references = {label: point for label, point in labelled if point is not None}
    within = None if limit is None else budget([p for points in curves.values() for p in points], limit, measure)
    best = [] if ridge is None else _best_subsets(judge, ridge, most)
    figure = tradeoff_figure(
        curves,
        View(part, measure, Across(against, int(usable.sum()), log_across, tuple(costs)), convention),
        {method: get_method(method).title for method in (*curves, BEST)},
        references=references,
        certified=best,
        limit=limit,
        within=None if within is None else within.chosen,
        title=f"{PART_TITLES[part]} {measure} against {against}",
        subtitle=fold.name,
    )
    return FigureAndTable(
        figure, tradeoff_table(curves, measure, fold.train.feature_names, references | rows_of_table(best))
    )


def _best_subsets(judge: FoldJudge, ridge: float, most: int) -> list[tuple[TradeoffPoint, bool]]:
    training = get_method(BEST).training(judge.fold.train, convention=judge.convention)
    model = Ridge.of(training, training.lam_at(ridge), judge)
    search = Yardstick(get_method(BEST), model, min(most, int(judge.usable_features.sum())))
    while not search.done:
        search.advance()
    return best_subset_points(
        best_known(certified_rows(search)), training.c_of(model.lam), ridge, judge.usable_features
    )
