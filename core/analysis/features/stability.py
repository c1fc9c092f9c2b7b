"""Stability selection: how often a feature is selected when the queries are resampled."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.analysis.fitting import Fitting
from core.analysis.path import l1_fit, warm_start
from core.data import DataError, RankingData
from core.data.division import draw_order
from core.data.ranking_data import FloatArray
from core.methods import Training
from core.solvers import FIRST_ROUND_TOL, Stop, along_path
from core.work import Steps

Resampling = Literal["bootstrap", "halves"]


def resamples(data: RankingData, resampling: Resampling, seed: int = 0) -> Iterator[RankingData]:
    """Yield the resamples 0, 1, 2, … without end; see `resample`."""
    return (resample(data, resampling, seed, number) for number in count())


def resample(data: RankingData, resampling: Resampling, seed: int, number: int) -> RankingData:
    """Draw the queries again. The draw depends on the seed and the number only, so runs can be extended.

    A query that is drawn twice is there twice, as two lists: no pair is of documents of two copies. Data with a single
    query has its documents resampled instead. What is drawn goes by `draw_order`, not by its place in the file.

    Parameters
    ----------
    resampling : {"bootstrap", "halves"}
        "bootstrap" draws as many as there are, with replacement; "halves" draws half of them, without (Meinshausen &
        Bühlmann 2010).
    """
    order = draw_order(data)
    n = len(order)
    rng = np.random.default_rng([seed, number])
    drawn = rng.integers(n, size=n) if resampling == "bootstrap" else rng.permutation(n)[: max(n // 2, 1)]
    drawn = order[np.sort(drawn)]
    return data.take_queries(drawn) if data.n_queries > 1 else _take_documents(data, drawn)


def _take_documents(data: RankingData, rows: NDArray[np.int64]) -> RankingData:
    return RankingData.build(
        data.features[rows], data.relevance[rows], [0, len(rows)], query_ids=data.query_ids,
        feature_names=data.feature_names, dtype=data.features.dtype.type,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Stability:
    """Selection frequencies of the features.

    Attributes
    ----------
    frequencies : ndarray, shape (n_ratios, n_features)
        Share of the samples in which each feature is selected, at each lambda / lambda_max.
    mean_selected : float
        q: number of features selected at any of the ratios, averaged over the samples.
    """

    frequencies: FloatArray
    mean_selected: float
    n_samples: int

    @property
    def probabilities(self) -> FloatArray:
        """The largest frequency over the ratios, shape (n_features,) (Meinshausen & Bühlmann 2010, Definition 1)."""
        largest: FloatArray = self.frequencies.max(axis=0)
        return largest

    def stable(self, threshold: float) -> NDArray[np.int64]:
        """Return the columns of the features whose probability reaches the threshold, most frequent first."""
        probabilities = self.probabilities
        chosen = np.flatnonzero(probabilities >= threshold)
        return chosen[np.argsort(-probabilities[chosen], kind="stable")]


def false_selections_bound(mean_selected: float, threshold: float, n_features: int) -> float:
    """Compute q^2 / ((2 pi - 1) p), a bound on the expected number of stable features without influence.

    It is proved for halves drawn without replacement, if features without influence are exchangeable and the selection
    is no worse than guessing (Meinshausen & Bühlmann 2010, Theorem 1).

    Raises a `ValueError` if the threshold is not above 1/2 or there is no feature.

    Parameters
    ----------
    mean_selected : float
        q.
    threshold : float
        pi, above 1/2.
    n_features : int
        p.
    """
    if not 0.5 < threshold <= 1.0 or n_features < 1:
        msg = f"the bound needs a threshold above 0.5 up to 1 and a feature, not {threshold:g} and {n_features}"
        raise ValueError(msg)
    return mean_selected**2 / ((2.0 * threshold - 1.0) * n_features)


class SelectionRun(Steps[NDArray[np.bool_]]):
    """Fits the same method on one sample after the other and counts what it keeps, in steps of one sample.

    A sample is fitted at shares of its own lambda_max. One without preference pairs, or in which no feature helps,
    selects nothing.

    Parameters
    ----------
    how : Fitting
        How all data is fitted, by a sparse method.
    samples : iterator of RankingData
        `resamples`, or the training parts of the folds.
    total : int
        How many to take.
    ratios : sequence of float
        lambda / lambda_max, falling.
    starts : ndarray, shape (n_ratios, n_features)
        From `warm_starts`.
    most : int, optional
        No more samples than this exist.
    """

    only_at_work = (*Steps.only_at_work, "_method", "_parameters", "_stop")

    def __init__(
        self,
        how: Fitting,
        samples: Iterator[RankingData],
        total: int,
        ratios: Sequence[float],
        starts: FloatArray,
        most: int | None = None,
    ) -> None:
        super().__init__(map(self._selected, samples), total)
        self._ratios, self._starts, self._most = tuple(ratios), starts, most
        self._method, self._parameters, self._stop = how.method, how.settings, Stop(tol=how.stop.tol)
        self._convention = how.judge.convention
        self._batch = total

    def extend(self) -> None:
        """Once all are done, as many again, as far as there are any."""
        if self.done:
            more = self._total + self._batch
            self._total = min(more, self._most or more)

    def result(self) -> Stability:
        """What the samples so far say."""
        kept = np.array(self.found[:], dtype=np.float64).reshape(-1, *self._starts.shape)
        n = len(kept)
        return Stability(
            frequencies=kept.mean(axis=0) if n else np.zeros(self._starts.shape),
            mean_selected=float(kept.any(axis=1).sum(axis=1).mean()) if n else 0.0,
            n_samples=n,
        )

    def _selected(self, sample: RankingData) -> NDArray[np.bool_]:
        """Fit one sample at every ratio."""
        nothing = np.zeros(self._starts.shape, dtype=bool)
        try:
            training = self._method.training(sample, self._parameters, self._convention)
        except DataError:
            return nothing
        if training.lam_max == 0.0:
            return nothing
        kept = [self._weights(training, r, w) != 0.0 for r, w in zip(self._ratios, self._starts, strict=True)]
        return np.array(kept, dtype=bool)

    def _weights(self, training: Training, ratio: float, start: FloatArray) -> FloatArray:
        """From the full data's l1 model; reweighting first moves on to that of the sample, as a path does."""
        lam = training.lam_at(ratio)
        start, _ = warm_start(self._method, training, lam, start)
        return self._method.fit(training, lam, parameters=self._parameters, stop=self._stop, start=start).weights


def warm_starts(training: Training, ratios: Sequence[float]) -> FloatArray:
    """Compute the full data's l1 model at every ratio, shape (n_ratios, n_features), to start fits on resamples.

    Parameters
    ----------
    ratios : sequence of float
        lambda / lambda_max, descending.
    """
    w = np.zeros(training.data.n_features)
    lams = [training.lam_at(ratio) for ratio in ratios]
    solver = along_path(training.recipe.l1_solver, lams, FIRST_ROUND_TOL)
    starts = []
    for lam in lams:
        w = l1_fit(training, lam, w, solver=solver).weights
        starts.append(w)
    return np.array(starts)
