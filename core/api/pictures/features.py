"""Which features models keep: beside what each can do alone, in the order of entry, and on samples drawn again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Unpack

import numpy as np

from core.analysis.features.stability import Resampling, SelectionRun, Stability, resamples, warm_starts
from core.api.fitting import FitKeywords, fitting_of, rules_of
from core.api.model import fit
from core.api.tables import stability_table
from core.data import Dataset, Fold, RankingData
from core.data.naming import columns
from core.figures.drawn import FigureAndTable
from core.figures.features.stability import stability_figure
from core.methods import Method


def stability(
    fold: Fold,
    method: str | Method = "l1",
    *,
    C: float | None = None,
    lambda_ratio: float | None = None,
    dataset: Dataset | None = None,
    samples: int = 100,
    sampling: Resampling = "bootstrap",
    seed: int = 0,
    points: int = 1,
    threshold: float = 0.8,
    **how: Unpack[FitKeywords],
) -> FigureAndTable:
    """Count how often each feature is kept when the training queries are drawn again, and over the folds.

    Parameters
    ----------
    fold : Fold
    method : str or Method
        A sparse one.
    C, lambda_ratio
        As for `core.fit`.
    dataset : Dataset, optional
        The training parts of its folds are counted, too.
    samples : int
        How many are drawn.
    sampling : {"bootstrap", "halves"}
        As many queries as there are, with replacement, or half of them without (Meinshausen & Bühlmann 2010).
    seed : int
    points : int
        1: features are counted at the model's lambda / lambda_max. More: at so many places from lambda_max down to it;
        the largest share counts.
    threshold : float
        The share from which a feature is called stable.
    **how
        solver (of the model), tol, parameters, rules and convention, as for `core.fit`.

    Returns
    -------
    FigureAndTable
        Its table has a row a feature: the shares, and the weight in the model of all training queries.

    Raises
    ------
    DataError
        If the data cannot be learned from.
    ValueError
        If an option cannot be used.
    """
    fitting = fitting_of(fold, method, how)
    model = fit(fold, method, C=C, lambda_ratio=lambda_ratio, **how).fit
    ratio = model.lam / model.lam_max
    ratios = (ratio,) if points == 1 or ratio >= 1.0 else tuple(np.geomspace(1.0, ratio, points).tolist())
    starts = warm_starts(fitting.training, ratios)
    off = columns(rules_of(how).off, fold.train.feature_names)
    starts[:, off] = 0.0  # the l1 model of all features may keep what is off

    def counted(parts: Iterator[RankingData], total: int) -> Stability:
        run = SelectionRun(
            fitting.method,
            parts,
            total,
            ratios,
            starts,
            parameters=fitting.settings,
            tol=fitting.stop.tol,
            most=total,
            convention=fitting.judge.convention,
        )
        while not run.done:
            run.advance()
        return run.result()

    resampled, folds = counted(resamples(fold.train, sampling, seed), samples), None
    if dataset is not None and dataset.n_folds > 1:
        numbers = range(1, dataset.n_folds + 1)
        folds = counted((dataset.fold(number).train for number in numbers), dataset.n_folds)
    kept = model.selected.tolist()
    both = len(set(resampled.stable(threshold).tolist()) & set(kept))
    figure = stability_figure(
        resampled,
        folds,
        model.feature_names,
        model.method,
        threshold=threshold,
        kept=kept,
        title=f"Of {len(kept)} features that the model keeps, {both} are stable",
        subtitle=f"{fold.name} · stable: kept in {threshold:.0%} of {samples} samples ({sampling})",
    )
    return FigureAndTable(figure, stability_table(resampled, folds, model))
