"""A regularization path with all metrics of every point."""

from __future__ import annotations

from functools import partial

from benchmarks.pairing import take_turns
from benchmarks.report import Column, Report
from benchmarks.shapes import ranking_dataset, size_of
from benchmarks.threads import limited_to
from core.analysis.evaluation import FoldJudge
from core.analysis.path import PathPoint, lambda_grid, regularization_path
from core.data import Convention, Fold
from core.methods import get_method

POINTS = 50
METHODS = ("l1", "log", "mcp", "l0.5", "scad")
ROUNDS = 3


def run(threads: int | None) -> Report:
    """From λ_max to λ_max/10 000; every model is measured on train, validation and test."""
    dataset = ranking_dataset()
    fold = dataset.fold(1)
    with limited_to(threads) as used:
        times = take_turns({name: partial(_path, name, fold, dataset.convention) for name in METHODS}, ROUNDS)
    return Report(
        title=f"Path of {POINTS} models with metrics, λ_max to λ_max/10 000",
        setting=f"{dataset.name} fold 1: {size_of(fold.train)}; {used}; {ROUNDS} rounds",
        columns=(
            Column("method"),
            Column("median, s", ".2f"),
            Column("Newton steps", ","),
            Column("features in the last model", ","),
        ),
        rows=[
            (
                name,
                times.median(name),
                sum(point.fit.result.steps for point in path),
                path[-1].fit.result.nonzero,
            )
            for name, path in times.results.items()
        ],
    )


def _path(name: str, fold: Fold, convention: Convention) -> list[PathPoint]:
    method = get_method(name)
    training = method.training(fold.train)
    judge = FoldJudge(fold, convention)
    return list(regularization_path(method, training, lambda_grid(training.lam_max, POINTS), judge))
