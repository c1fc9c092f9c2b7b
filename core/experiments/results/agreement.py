"""Agreement of the features that the methods of a run keep (Laporte, Déjean & Mothe 2014, CORIA, §4.1.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.experiments.results.summary import MethodLine
from core.experiments.run.protocol import CellResult

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Agreement:
    """Agreement of the features that the methods keep on a dataset.

    Attributes
    ----------
    labels : tuple of str
        Labels of the methods, in the order of rows and columns.
    jaccard : ndarray, shape (n_methods, n_methods)
        |A ∩ B| / |A ∪ B| of the features of two methods, averaged over the folds that both have; NaN without such a
        fold.
    chance : ndarray, shape (n_methods, n_methods)
        The exact expectation of ``jaccard`` for as many features drawn at random, averaged over the same folds.
    """

    labels: tuple[str, ...]
    jaccard: FloatArray
    chance: FloatArray


def feature_names(lines: Sequence[MethodLine]) -> dict[int, str]:
    """Return the names, by index from 1, of the features that any line keeps."""
    named = {
        int(feature["index"]): str(feature["name"])
        for line in lines
        for result in line.results.values()
        for feature in result.record.get("features", ())
    }
    return dict(sorted(named.items()))


def kept_in_folds(lines: Sequence[MethodLine]) -> dict[str, dict[int, int]]:
    """Count, by label, the folds in which a feature (index from 1) is kept; methods without features are included."""
    return {line.choice.label: line.selected() for line in lines}


def keeps_all(line: MethodLine) -> bool:
    """Tell whether a line's models keep every usable feature on every fold."""
    return all(result.sparsity_ratio == 1.0 for result in line.results.values())


def agreement(lines: Sequence[MethodLine]) -> Agreement:
    """Compare the features of the lines of one dataset, pair by pair."""
    usable = _usable(lines)
    kept = [{fold: _kept(result) for fold, result in line.results.items()} for line in lines]
    jaccard, chance = np.full((2, len(lines), len(lines)), np.nan)
    for i, ours in enumerate(kept):
        for j, theirs in enumerate(kept):
            shared = [fold for fold in ours if fold in theirs]
            if shared:
                jaccard[i, j] = np.mean([_jaccard(ours[fold], theirs[fold]) for fold in shared])
                chance[i, j] = np.mean(
                    [expected_jaccard(len(ours[fold]), len(theirs[fold]), usable[fold]) for fold in shared]
                )
    return Agreement(tuple(line.choice.label for line in lines), jaccard, chance)


@lru_cache(maxsize=4096)
def expected_jaccard(a: int, b: int, n: int) -> float:
    """Compute the mean of |A ∩ B| / |A ∪ B| over all A of ``a`` and B of ``b`` of ``n`` features.

    It is 1 if both are empty. The size of the intersection is hypergeometric.
    """
    if a == b == 0:
        return 1.0
    common = np.arange(max(0, a + b - n), min(a, b) + 1)
    from scipy.stats import hypergeom  # heavy to import, and no page begins with it

    return float((hypergeom.pmf(common, n, a, b) * common / (a + b - common)).sum())


def strong_features(lines: Sequence[MethodLine], single: Mapping[int, Sequence[float]], k: int) -> list[dict[str, Any]]:
    """Compute the overlap with the k best single features, for every line that keeps a feature.

    Parameters
    ----------
    lines : sequence of MethodLine
        Of one dataset.
    single : mapping of int to sequence of float
        By fold (from 1): NDCG@10 on its training part of every feature alone, in the order of the features. Folds that
        are not there are left out.
    k : int

    Returns
    -------
    list of dict
        Of a ``method``: ``share``, how much of what it keeps is among the ``k`` best; ``chance``, the same of features
        drawn at random; ``found``, how much of the k best it keeps. Means over folds.
    """
    usable = _usable(lines)
    best = {fold: strongest(values, k) for fold, values in single.items()}
    found = []
    for line in lines:
        kept = {fold: _kept(result) for fold, result in line.results.items() if fold in best}
        common = {fold: len(features & set(best[fold])) for fold, features in kept.items()}
        some = [fold for fold, features in kept.items() if features]
        if some:
            found.append(
                {
                    "method": line.choice.label,
                    "k": k,
                    "share": float(np.mean([common[fold] / len(kept[fold]) for fold in some])),
                    "found": float(np.mean([common[fold] / max(len(best[fold]), 1) for fold in kept])),
                    "chance": float(np.mean([min(len(best[fold]) / usable[fold], 1.0) for fold in some])),
                }
            )
    return found


def strongest(values: Sequence[float], k: int) -> tuple[int, ...]:
    """Return the k features (from 1) with the largest values, best first; among equals the first."""
    order = np.argsort(-np.asarray(values, dtype=np.float64), kind="stable")
    return tuple((order[:k] + 1).tolist())


def strongest_over_folds(single: Mapping[int, Sequence[float]], k: int) -> tuple[int, ...]:
    """Return the k features with the largest mean over folds."""
    return strongest(np.mean([list(values) for values in single.values()], axis=0).tolist(), k) if single else ()


def _kept(result: CellResult) -> set[int]:
    return set((np.flatnonzero(result.weights) + 1).tolist())


def _jaccard(ours: set[int], theirs: set[int]) -> float:
    """Compute the Jaccard index; 1 where both are empty, because they agree."""
    union = ours | theirs
    return len(ours & theirs) / len(union) if union else 1.0


def _usable(lines: Sequence[MethodLine]) -> dict[int, int]:
    """Return the number of usable features of each fold: those that are not zero everywhere.

    If nothing is kept on a fold the number cannot be recovered, and all features count.
    """
    found: dict[int, int] = {}
    for line in lines:
        for fold, result in line.results.items():
            if result.sparsity_ratio > 0.0:
                found[fold] = round(np.count_nonzero(result.weights) / result.sparsity_ratio)
            else:
                found.setdefault(fold, len(result.weights))
    return found
