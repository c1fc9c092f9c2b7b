"""What is kept is kept: a finished model without weights that only rounding, or a flat direction, has left.

Features that tell no pair apart in some combination (copies, complements, sums of others) leave a convex problem many
optima with one objective. Along such a direction the penalty is linear, or concave, up to the next weight that reaches
0, so a model with fewer features is as good; and a weight too small to move any score is the rest of a sum.
"""

import numpy as np
from numpy.typing import NDArray

from core.data.feature_blocks import blocks_of
from core.losses import InfinitePush, SquaredHinge
from core.losses.base import IntArray
from core.losses.pair_groups import PairGroups
from core.penalties import ImportanceSimilarity
from core.solvers.problem import FloatArray, Problem

NEGLIGIBLE = 1e-9
"""A weight whose feature moves scores by less than this share of what the model's largest term does is looked at."""
FLAT = 1e-13
"""Share of a feature's squared differences within queries: what is left of it beside others is then rounding."""
ROUNDING = 1e-12
"""Share of the objective by which a model without such weights may exceed the one with them."""
FEW_DOCUMENTS = 64
MOST_FEATURES = 400
"""Kept ones among which flat directions are looked for, in some tenths of a second."""


def cleaned(problem: Problem, w: FloatArray, objective: float) -> tuple[FloatArray, float]:
    """Return the model without weights that nothing but rounding keeps, and its objective; else the model as it is.

    Which features stay does not depend on how weight is shared among them: the earlier ones, where the penalty does not
    tell them apart.

    Parameters
    ----------
    problem : Problem
        With a sparse penalty; any other problem keeps its model. Features in blocks are not read again, so that flat
        directions are looked for in memory only.
    w : ndarray, shape (n_features,)
    objective : float
        F(w).
    """
    if not problem.penalty.sparse or np.count_nonzero(w) < 2:
        return w, objective
    most = objective + ROUNDING * abs(objective)
    for clean in (_at_a_vertex, _without_negligible):
        found = clean(problem, w)
        if found is not w:
            value = problem.loss.evaluate(problem.scores(found)).value + problem.lam * problem.penalty.value(found)
            w, objective = (found, value) if value <= most else (w, objective)
    return w, objective


def _without_negligible(problem: Problem, w: FloatArray) -> FloatArray:
    size = np.abs(w) * problem.weight_units
    tiny = (size > 0.0) & (size <= NEGLIGIBLE * size.max()) & ~problem.penalty.exempt(len(w))
    return np.where(tiny, 0.0, w) if tiny.any() else w


def _at_a_vertex(problem: Problem, w: FloatArray) -> FloatArray:
    """Move along directions that no pair sees until the kept features tell pairs apart each in its own way.

    Features join one by one, those that pay nothing first. One that is a sum of those before gives such a direction.
    """
    loss, kept = problem.loss, np.flatnonzero(w)
    if not isinstance(loss, SquaredHinge | InfinitePush) or blocks_of(problem.features) is not None:
        return w
    if isinstance(problem.penalty, ImportanceSimilarity):  # no sum over features: it may have its least value inside
        return w
    if len(kept) > MOST_FEATURES or (gram := _squared_differences(problem.features, loss.groups, kept)) is None:
        return w
    free = problem.penalty.exempt(len(w))[kept]
    scale = np.sqrt(np.where(np.diag(gram) > 0.0, np.diag(gram), 1.0))
    unit = gram / np.outer(scale, scale)
    joined, factor = np.zeros(0, dtype=np.int64), np.zeros((0, 0))
    for j in (*np.flatnonzero(free), *np.flatnonzero(~free)):
        row = np.linalg.solve(factor, unit[joined, j]) if len(joined) else np.zeros(0)
        if unit[j, j] - row @ row <= FLAT * len(gram):
            share = np.linalg.solve(factor.T, row) if len(joined) else row
            direction = np.zeros(len(w))
            direction[kept[joined]] = np.where(np.abs(share) > np.sqrt(FLAT), -share, 0.0) / scale[joined]
            direction[kept[j]] = 1.0 / scale[j]
            moved = _to_an_end(problem, w, direction)
            if moved[kept[j]] != 0.0 and moved is not w:
                joined = np.append(joined, j)
            joined, w = joined[moved[kept[joined]] != 0.0], moved
        else:
            joined = np.append(joined, j)
        try:
            factor = np.linalg.cholesky(unit[np.ix_(joined, joined)])
        except np.linalg.LinAlgError:  # what joined last differs from the rest by little more than rounding
            return w
    return w


def _to_an_end(problem: Problem, w: FloatArray, direction: FloatArray) -> FloatArray:
    """Move both ways along a direction until a weight is 0, and return the cheaper end; w if all of it is free."""
    stops = np.flatnonzero((direction != 0.0) & ~problem.penalty.exempt(len(w)))
    lengths = -w[stops] / direction[stops]
    ends = []
    for side in (-1.0, 1.0):
        if (ahead := side * lengths > 0.0).any():
            nearest = np.abs(lengths[ahead]).min()
            gone = stops[ahead & (np.abs(lengths) <= nearest * (1.0 + FLAT))]
            moved = w + side * nearest * direction
            moved[gone] = 0.0
            ends.append((problem.penalty.value(moved), gone.max(), moved))
    if not ends:
        return w
    cheapest = min(value for value, *_ in ends)
    end: FloatArray = max((end for end in ends if end[0] <= cheapest * (1.0 + NEGLIGIBLE)), key=lambda end: end[1])[2]
    return end


def _squared_differences(features: NDArray[np.floating], groups: PairGroups, kept: IntArray) -> FloatArray | None:
    """Sum products of the kept features' differences within queries; None once no direction can be flat.

    Each document is taken relative to the first of its query. A direction that some documents tell apart is not flat on
    all, so that a part is mostly enough.
    """
    edges = groups.group_start[groups.query_group]
    total, first, documents = np.zeros((len(kept), len(kept))), 0, max(FEW_DOCUMENTS, 2 * len(kept))
    while first < edges[-1]:
        last = min(first + documents, int(edges[-1]))
        queries = np.searchsorted(edges, np.arange(first, last), side="right") - 1
        values = features[np.ix_(groups.order[first:last], kept)].astype(np.float64)
        values -= features[np.ix_(groups.order[edges[queries]], kept)]
        total += values.T @ values
        first, documents = last, min(2 * documents, 1 << 16)
        if _has_full_rank(total):
            return None
    return total


def _has_full_rank(gram: FloatArray) -> bool:
    """Whether the lowest eigenvalue, each feature in its own unit, is above that of a flat direction."""
    scale = np.sqrt(np.diag(gram))
    if not scale.all():
        return False
    try:
        np.linalg.cholesky(gram / np.outer(scale, scale) - FLAT * len(gram) * np.eye(len(gram)))
    except np.linalg.LinAlgError:
        return False
    return True
