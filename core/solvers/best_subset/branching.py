"""How a part of the models is split: in the order in which features matter to its relaxation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.solvers.best_subset._relaxation_kernels import relaxed_penalty
from core.solvers.best_subset.relaxation import Part, Relaxed, dual_bound
from core.solvers.best_subset.space import IntArray, Space

LEAST_SHARE = 1e-3  # below which the share z of a feature counts as this much in the order of branching


def split(space: Space, part: Part, found: Relaxed) -> Iterator[tuple[float, Part]]:
    """Yield the parts "the first i - 1 features in, the i-th out", then the one of the features that fit, with bounds.

    Each set of features of the part is in exactly one of them.

    Parameters
    ----------
    space : Space
    part : Part
    found : Relaxed
        What its relaxation found; the order of branching and the bounds come from there.
    """
    order = branching_order(space, part, found)
    inside, free, room = part.inside, order, part.left
    for j in order:
        if space.costs[j] > room:
            continue
        free = free[free != j]
        child = Part.of(space, inside, free)
        yield max(found.bound, dual_bound(space, found.point, child)), child
        inside, room = np.append(inside, j), room - space.costs[j]
    leaf = Part.alone(inside)
    yield max(found.bound, dual_bound(space, found.point, leaf)), leaf


def branching_order(space: Space, part: Part, found: Relaxed) -> IntArray:
    """The free features, those first whose loss costs most by the quadratic model of the relaxation."""
    w, free = found.point.w, part.free
    _, tau = relaxed_penalty(w, part.inside, free, space.roots, part.left, space.threshold, space.lam)
    used = free[w[free] != 0.0]
    share = np.abs(w[used]) / (space.roots[used] * tau) if tau > 0.0 else np.ones(len(used))
    share = np.clip(share, LEAST_SHARE, 1.0)
    both = np.concatenate([part.inside, used])
    curvature = found.hessian[np.ix_(both, both)]
    curvature[np.diag_indices_from(curvature)] += space.lam / np.concatenate([np.ones(len(part.inside)), share])
    spread = np.diag(np.linalg.inv(curvature))[len(part.inside) :]
    loss = w[used] ** 2 / spread
    rest = free[w[free] == 0.0]
    rest = rest[np.argsort(-np.abs(found.point.gradient[rest]) / space.roots[rest], kind="stable")]
    return np.concatenate([used[np.argsort(-loss, kind="stable")], rest])


def rounded(space: Space, part: Part, found: Relaxed) -> IntArray:
    """The features with the largest weights that the budget pays, or that are worth half of their price or more."""
    w, kept, room = found.point.w, part.inside.tolist(), part.left
    if space.threshold > 0.0:
        worth = np.abs(w[part.free]) >= 0.5 * space.threshold * space.roots[part.free]
        return np.sort(np.append(part.inside, part.free[worth]))
    for j in part.free[np.argsort(-np.abs(w[part.free]), kind="stable")].tolist():
        if space.costs[j] <= room:
            kept.append(j)
            room -= space.costs[j]
    return np.array(kept, dtype=np.int64)
