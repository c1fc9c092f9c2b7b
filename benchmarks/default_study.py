"""Which value of a parameter is best by validation: what the studies of defaults have in common.

For every value, λ (and what else the method chooses there) is chosen on each fold's validation part by MAP, as in the
papers. A value counts as good as the best where its mean shortfall is within one standard error of that mean; among
those the sparsest is recommended. Over several sets, the mean over sets of the means over folds is judged, so that a
set with high MAP, or one that is easy, counts as much as another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.choosing_data import open_choosing
from benchmarks.threads import limited_to
from core.analysis.fitting import Fitting, OnValidation, fitted
from core.methods import get_method


@dataclass(frozen=True)
class Tuned:
    """What a value reaches with λ chosen on every fold of a set, each array of shape (n_folds,)."""

    vali_map: NDArray[np.float64]
    test_map: NDArray[np.float64]
    test_ndcg: NDArray[np.float64]
    sparsity: NDArray[np.float64]
    lam_share: NDArray[np.float64]


BySet = Mapping[str, Mapping[float, Tuned]]
"""By set, then by value."""


def tune(set_name: str, fold_number: int, method_id: str, given: Mapping[str, float], points: int) -> tuple[float, ...]:
    """The fields of `Tuned` on one fold."""
    dataset = open_choosing(set_name)
    fold = dataset.fold(fold_number)
    method = get_method(method_id)
    with limited_to(1):
        how = Fitting.on(fold, method, given, dataset.convention)
        best = fitted(how, OnValidation("MAP", points=points))
    metrics = best.judgement.metrics
    return (
        metrics["vali"]["MAP"],
        metrics["test"]["MAP"],
        metrics["test"]["NDCG@10"],
        how.judge.sparsity_ratio(best.fit.weights),
        best.fit.lam / how.training.lam_max,
    )


def shortfall(value: float, sets: BySet) -> tuple[float, float]:
    """Mean validation MAP missing to the best value's, over the sets, and that mean's standard error."""
    best = best_value(sets)
    missing = [by_value[best].vali_map - by_value[value].vali_map for by_value in sets.values()]
    variances = [one.var(ddof=1) / len(one) for one in missing]
    return float(np.mean([one.mean() for one in missing])), float(np.sqrt(sum(variances)) / len(missing))


def best_value(sets: BySet) -> float:
    """The value with the highest validation MAP, mean over the sets."""
    values = next(iter(sets.values()))
    return max(values, key=lambda value: np.mean([by_value[value].vali_map.mean() for by_value in sets.values()]))


def sparsity(value: float, sets: BySet) -> float:
    """Share of the usable features that are kept, mean over the sets."""
    return float(np.mean([by_value[value].sparsity.mean() for by_value in sets.values()]))


def recommendation(sets: BySet) -> str:
    """The best, what is as good, and the sparsest of those, in one sentence."""
    values = next(iter(sets.values()))
    as_good = [value for value in values if (short := shortfall(value, sets))[0] <= short[1]]
    sparsest = min(as_good, key=lambda value: sparsity(value, sets))
    listed = ", ".join(f"{value:g}" for value in as_good)
    return f"best {best_value(sets):g}; as good within one standard error {listed}; the sparsest of them {sparsest:g}."


def cells(value: float, by_value: Mapping[float, Tuned]) -> tuple[float, str, float, float, float, str]:
    """A row of the table of one set."""
    tuned = by_value[value]
    mean, error = shortfall(value, {"": by_value})
    return (
        float(tuned.vali_map.mean()),
        f"{mean:.4f} ± {error:.4f}",
        float(tuned.test_map.mean()),
        float(tuned.test_ndcg.mean()),
        float(tuned.sparsity.mean()),
        f"{np.median(tuned.lam_share):.1e}",
    )
