"""The knee of MCP and of SCAD, chosen by validation: a study that the default parameters rest on.

For every knee, λ is chosen on each fold's validation part by MAP, as in the papers. Test figures are shown and choose
nothing. A knee counts as good as the best where the mean over folds of its shortfall is within one standard error of
that mean; among those the sparsest is recommended.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from benchmarks.real_data import ranking_datasets
from benchmarks.report import Column, Report
from benchmarks.threads import limited_to
from core.analysis.evaluation import FoldJudge
from core.analysis.path import lambda_grid, regularization_path
from core.analysis.tuning import best_on_validation
from core.data import open_dataset
from core.losses.threads import thread_count
from core.methods import get_method

KNEES = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
PENALTIES = ("mcp", "scad")
POINTS = 30


@dataclass(frozen=True)
class Tuned:
    """What one penalty reaches with λ chosen on every fold, each array of shape (n_folds,)."""

    vali_map: NDArray[np.float64]
    test_map: NDArray[np.float64]
    test_ndcg: NDArray[np.float64]
    sparsity: NDArray[np.float64]
    lam_share: NDArray[np.float64]


def run(threads: int | None) -> Report:
    """On every dataset at hand, all folds; folds and knees side by side, one thread each."""
    workers = threads or thread_count()
    datasets = ranking_datasets()
    rows: list[tuple[str, str, str, float, str, float, float, float, str]] = []
    notes = []
    for dataset in datasets:
        folds = range(1, dataset.n_folds + 1)
        settings = [("l1", np.inf), *product(PENALTIES, KNEES)]
        jobs = [delayed(_tune)(dataset.name, fold, *setting) for setting in settings for fold in folds]
        outcomes = np.reshape(Parallel(n_jobs=workers)(jobs), (len(settings), len(folds), -1))
        tuned = {setting: Tuned(*outcome.T) for setting, outcome in zip(settings, outcomes, strict=True)}
        for penalty in PENALTIES:
            by_knee = {knee: tuned[penalty, knee] for knee in KNEES} | {np.inf: tuned["l1", np.inf]}
            rows += [(dataset.name, penalty, f"{knee:g}", *_cells(knee, by_knee)) for knee in by_knee]
            notes.append(f"{dataset.name}, {penalty}: {_recommendation(by_knee)}")
    return Report(
        title="The knee of MCP and SCAD by validation MAP; without a knee (inf) both are ℓ1",
        setting=(
            f"{' and '.join(dataset.name for dataset in datasets)}, all folds; {POINTS} λ from λ_max to λ_max/10 000; "
            f"{workers} processes"
        ),
        columns=(
            Column("data"),
            Column("penalty"),
            Column("knee"),
            Column("vali MAP", ".4f"),
            Column("below the best ± s.e."),
            Column("test MAP", ".4f"),
            Column("test NDCG@10", ".4f"),
            Column("sparsity ratio", ".2f"),
            Column("median λ/λ_max"),
        ),
        rows=rows,
        notes=notes,
    )


def _tune(dataset_name: str, fold_number: int, penalty: str, knee: float) -> tuple[float, ...]:
    """The fields of `Tuned` on one fold; an infinite knee is ℓ1's."""
    dataset = open_dataset(dataset_name)
    fold = dataset.fold(fold_number)
    method = get_method(penalty)
    judge = FoldJudge(fold, dataset.convention)
    with limited_to(1):
        training = method.training(fold.train)
        lams = lambda_grid(training.lam_max, POINTS)
        parameters = {"knee": knee} if np.isfinite(knee) else {}
        best = best_on_validation(list(regularization_path(method, training, lams, judge, parameters=parameters)))
    return (
        best.metrics["vali"]["MAP"],
        best.metrics["test"]["MAP"],
        best.metrics["test"]["NDCG@10"],
        judge.sparsity_ratio(best.fit.weights),
        best.fit.lam / training.lam_max,
    )


def _shortfall(knee: float, by_knee: Mapping[float, Tuned]) -> tuple[float, float]:
    """Mean over folds of the validation MAP missing to the best knee's, and that mean's standard error."""
    best = max(by_knee.values(), key=lambda tuned: tuned.vali_map.mean())
    missing = best.vali_map - by_knee[knee].vali_map
    return float(missing.mean()), float(missing.std(ddof=1) / np.sqrt(len(missing)))


def _cells(knee: float, by_knee: Mapping[float, Tuned]) -> tuple[float, str, float, float, float, str]:
    tuned = by_knee[knee]
    mean, error = _shortfall(knee, by_knee)
    return (
        float(tuned.vali_map.mean()),
        f"{mean:.4f} ± {error:.4f}",
        float(tuned.test_map.mean()),
        float(tuned.test_ndcg.mean()),
        float(tuned.sparsity.mean()),
        f"{np.median(tuned.lam_share):.1e}",
    )


def _recommendation(by_knee: Mapping[float, Tuned]) -> str:
    best = max(by_knee, key=lambda knee: by_knee[knee].vali_map.mean())
    as_good = [knee for knee in by_knee if (short := _shortfall(knee, by_knee))[0] <= short[1]]
    sparsest = min(as_good, key=lambda knee: by_knee[knee].sparsity.mean())
    listed = ", ".join(f"{knee:g}" for knee in as_good)
    return f"best {best:g}; as good within one standard error {listed}; the sparsest of them {sparsest:g}."
