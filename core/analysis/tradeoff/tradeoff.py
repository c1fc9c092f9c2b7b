"""The cost of sparsity: models by their number of features and their ranking quality."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from core.analysis.choosing import choosing_part
from core.analysis.evaluation import FoldJudge, Judgement
from core.analysis.ingredient import made_at_once
from core.analysis.path import PathPoint
from core.analysis.tradeoff.best_single_feature import best_single_feature
from core.analysis.tuning.grid_end import GridEnd, end_among
from core.data import Convention, Fold
from core.metrics import sparsity_ratio
from core.metrics.equal_values import rounded

MEASURES = ("MAP", "NDCG@10", "Top")
SINGLE_FEATURE = "single feature"


@dataclass(frozen=True)
class TradeoffRow:
    """A row of the table of quality against size: what a model with at least one feature costs and reaches.

    Attributes
    ----------
    method : str
        The id of the method, or `SINGLE_FEATURE`.
    kept : int
        Number of non-zero features.
    sparsity : float
        The sparsity ratio: ``kept`` over the features that are not zero everywhere in training, in [0, 1].
    values : dict
        MAP, NDCG@10 and Top by part, then by measure: in expectation over the orders of tied documents.
    seconds : float
        Solver time of this fit, warm-started along its path.
    c, ratio : float
        The constant C and lambda / lambda_max; NaN for a single feature.
    selected : tuple of int
        Columns (from 0) of the kept features, largest weight first.
    """

    method: str
    kept: int
    sparsity: float
    values: Mapping[str, Mapping[str, float]]
    seconds: float
    c: float
    ratio: float
    selected: tuple[int, ...]

    def __hash__(self) -> int:
        """As one of a path: mappings have no hash."""
        return hash((self.method, self.kept, self.c, self.ratio, self.seconds, self.selected))

    def value(self, part: str, measure: str) -> float:
        """Return the measure on a part."""
        return self.values[part][measure]

    def judged(self, measure: str) -> float:
        """Return the measure on the part that choices are made on."""
        return self.values[choosing_part(self.values)][measure]


@dataclass(frozen=True)
class Budget:
    """The best model within a limit, and the gain from spending more.

    Attributes
    ----------
    limit : float
        Of what is spent: a number of features, or a cost.
    chosen : TradeoffRow
        The best model within the limit.
    one_more : TradeoffRow
        The best model within ``limit + 1``; the same one if that gains nothing.
    next_better : TradeoffRow or None
        The cheapest model that is better than ``chosen``; None if there is none.
    best : TradeoffRow
        The best model with any number of features.
    """

    limit: float
    chosen: TradeoffRow
    one_more: TradeoffRow
    next_better: TradeoffRow | None
    best: TradeoffRow


def tradeoff_points(points: Sequence[PathPoint], usable: NDArray[np.bool_]) -> tuple[TradeoffRow, ...]:
    """Return the points of a path with at least one feature, in the path's order.

    The empty model gives every document the same score, so it ranks nothing.

    Parameters
    ----------
    points : sequence of PathPoint
        With metrics.
    usable : ndarray of bool, shape (n_features,)
        From `FoldJudge.usable_features`.
    """
    return tuple(_point(point, usable) for point in points if point.fit.result.nonzero > 0)


def path_end(paths: Mapping[str, Sequence[PathPoint]], chosen: TradeoffRow) -> GridEnd | None:
    """Return the end of its method's path at which a model of a trade-off lies; None inside it, or if it is on none."""
    path = [point.fit for point in paths.get(chosen.method, ())]
    at = next((fit for fit in path if fit.c == chosen.c), None)
    return None if at is None else end_among(path, at)


def _point(point: PathPoint, usable: NDArray[np.bool_]) -> TradeoffRow:
    fit = point.fit
    return TradeoffRow(
        method=fit.method,
        kept=fit.result.nonzero,
        sparsity=sparsity_ratio(fit.weights, usable),
        values=_measured(point.judgement),
        seconds=fit.result.seconds,
        c=fit.c,
        ratio=fit.lam / fit.lam_max,
        selected=tuple(int(j) for j in fit.selected),
    )


def _measured(judgement: Judgement) -> dict[str, dict[str, float]]:
    return {part: {measure: judgement.metrics[part][measure] for measure in MEASURES} for part in judgement.metrics}


@made_at_once("Measuring every feature alone")
def best_single_features(fold: Fold, convention: Convention) -> tuple[TradeoffRow, ...]:
    """Return, for each of `MEASURES` in their order, the best ranking by one feature; see `best_single_feature`."""
    judge, found = FoldJudge(fold, convention), []
    usable = judge.usable_features
    for measure in MEASURES:
        reference = best_single_feature(fold, convention, measure)
        weights = np.zeros(len(usable))
        weights[reference.index - 1] = -1.0 if reference.reverse else 1.0
        found.append(
            TradeoffRow(
                method=SINGLE_FEATURE,
                kept=1,
                sparsity=sparsity_ratio(weights, usable),
                values=_measured(judge.judgement(weights)),
                seconds=0.0,
                c=math.nan,
                ratio=math.nan,
                selected=(reference.index - 1,),
            )
        )
    return tuple(found)


def number_kept(point: TradeoffRow) -> float:
    """Return what a model spends where every feature counts as one."""
    return point.kept


def pareto_front(
    points: Iterable[TradeoffRow], measure: str, spent: Callable[[TradeoffRow], float] = number_kept
) -> tuple[TradeoffRow, ...]:
    """Return the models that no model with as few features beats, by ascending number of features.

    Values are those of the part that choices are made on. Among equals (to 12 decimals) the sparsest wins, then the one
    with the smallest C.

    Parameters
    ----------
    spent : callable, optional
        What counts in place of the number of features, such as their cost.
    """
    front: list[TradeoffRow] = []
    part, valued = "", []
    for point in points:
        part = part or choosing_part(point.values)  # models are compared on one part
        valued.append((spent(point), -rounded(point.values[part][measure]), point.c, point))
    best = 0.0
    for _, lost, _, point in sorted(valued, key=itemgetter(0, 1, 2)):
        if not front or lost < best:
            front.append(point)
            best = lost
    return tuple(front)


def best_within(points: Iterable[TradeoffRow], limit: int, measure: str) -> TradeoffRow | None:
    """Return the best model with at most ``limit`` features; None if every model has more."""
    affordable = [point for point in pareto_front(points, measure) if point.kept <= limit]
    return affordable[-1] if affordable else None


def budget(
    points: Sequence[TradeoffRow],
    limit: float,
    measure: str,
    spent: Callable[[TradeoffRow], float] = number_kept,
) -> Budget | None:
    """Return the best model within a limit, with the gain from more; None if every model is beyond it.

    Parameters
    ----------
    points : sequence of TradeoffRow
        Points of one fold and of any number of methods.
    measure : str
        One of `MEASURES`.
    spent : callable, optional
        What is limited: the number of features by default.
    """
    front = pareto_front(points, measure, spent)
    affordable = [point for point in front if spent(point) <= limit]
    if not affordable:
        return None
    dearer = front[len(affordable) :]
    return Budget(
        limit=limit,
        chosen=affordable[-1],
        one_more=next((point for point in dearer[:1] if spent(point) <= limit + 1), affordable[-1]),
        next_better=dearer[0] if dearer else None,
        best=front[-1],
    )


DENSE = "l2"
"""The method of all features: RankSVM-Primal."""


def dense_reference(points: Iterable[TradeoffRow], measure: str) -> TradeoffRow | None:
    """Return the model of all features that others are compared with, at the C that the choosing part picks.

    Parameters
    ----------
    points : iterable of TradeoffRow
        The path of `DENSE`.
    measure : str
        That C is chosen by.

    Returns
    -------
    TradeoffRow or None
        The one with the highest value on the part that models are chosen on, as `pareto_front` takes it; None if no
        model keeps a feature.
    """
    front = pareto_front(points, measure)
    return front[-1] if front else None
