"""How often features are kept on resampled queries and over folds, as results that pictures share."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.analysis.features.stability import Resampling, SelectionRun, Stability, resamples, warm_starts
from core.analysis.fit_keywords import FitKeywords, fitting_of, rules_of
from core.analysis.fitting import AtC, AtRatio, Fitting
from core.analysis.ingredient import Ingredient, made_at_once
from core.data import Dataset, Fold, RankingData
from core.data.naming import columns
from core.methods import Fit, Method


@dataclass(frozen=True, eq=False)
class Selection:
    """A model, and the way from lambda_max down to it on which its features are counted.

    Attributes
    ----------
    fold : Fold
        Its training part is resampled.
    method : str or Method
        A sparse one.
    at : AtC or AtRatio
        Where the model is.
    points : int
        1: features are counted at the model's lambda / lambda_max. More: at so many places from lambda_max down to it.
    keywords : FitKeywords
        How the method is fitted.
    """

    fold: Fold
    method: str | Method
    at: AtC | AtRatio
    points: int
    keywords: FitKeywords

    @property
    def fitting(self) -> Fitting:
        """The fit of the model."""
        return fitting_of(self.fold, self.method, self.keywords)

    def run(self, samples: Iterator[RankingData], total: int, most: int | None = None) -> SelectionRun:
        """Prepare the fits on samples; there are no more than ``most``."""
        how = self.fitting
        ratio = how.lam(self.at) / how.training.lam_max
        down = self.points > 1 and ratio < 1.0
        ratios = tuple(np.geomspace(1.0, ratio, self.points).tolist()) if down else (ratio,)
        starts = warm_starts(how.training, ratios)
        off = columns(rules_of(self.keywords).off, self.fold.train.feature_names)
        starts[:, off] = 0.0  # the l1 model of all features may keep what is off
        return SelectionRun(how, samples, total, ratios, starts, most)


@made_at_once("Fitting all training queries")
def selected_on_all(selection: Selection) -> Fit:
    """Fit the model of all training queries.

    Raises a `DataError` if the data cannot be learned from.
    """
    how = selection.fitting
    return how.run(how.lam(selection.at)).finish()


@dataclass(frozen=True, eq=False)
class SelectedOnSamples(Ingredient[Stability]):
    """How often features are kept when the training queries are drawn again; the work can be extended by more samples.

    Attributes
    ----------
    samples : int
        How many are drawn.
    """

    selection: Selection
    sampling: Resampling
    seed: int
    samples: int

    what = "Fitting on resampled queries"

    def work(self) -> SelectionRun:
        """Prepare a fit on every sample."""
        return self.selection.run(resamples(self.selection.fold.train, self.sampling, self.seed), self.samples)

    def result(self, run: SelectionRun) -> Stability:
        """The counts so far."""
        return run.result()


@dataclass(frozen=True, eq=False)
class SelectedOnFolds(Ingredient[Stability]):
    """How often features are kept on the training parts of a dataset's folds.

    It has no key: folds are read on demand, so their content is known only after the dataset is opened.
    """

    selection: Selection
    dataset: Dataset

    what = "Fitting on every fold"

    def work(self) -> SelectionRun:
        """Prepare a fit on every fold."""
        total = self.dataset.n_folds
        parts = (self.dataset.fold(number).train for number in range(1, total + 1))
        return self.selection.run(parts, total, most=total)

    def result(self, run: SelectionRun) -> Stability:
        """The counts so far."""
        return run.result()
