"""Choice of hyperparameters by the rate of positives on top of 30 % of the training data (Rakotomamonjy 2012, §4.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.choosing import highest
from core.analysis.path import regularization_path
from core.data import RankingData
from core.data.division import split_data
from core.methods import Fit, Method, Training
from core.metrics import JudgedLists, Measure
from core.penalties import L2, L2AtMost
from core.solvers import Stop
from core.solvers.problem import pair_scores

FloatArray = NDArray[np.float64]

SHARE = 0.7
N_LAMBDAS = 12
RATIOS: FloatArray = np.geomspace(0.9, 1e-3, N_LAMBDAS)
L2_FACTOR = 100.0  # no ℓ2 model is empty, and those that rank best lie on both sides of the ℓ1 model's lambda_max
STOP = Stop(tol=1e-4)
GRID_WORDS = f"{N_LAMBDAS} λ from 0.9 λ_max to 0.001 λ_max, 100 times as large for ℓ2"
ELIMINATION_WORDS = "for the elimination every other λ of ℓ2 and every number of features that it passes"


@dataclass(frozen=True, eq=False)
class Candidate:
    """Settings to choose among, with the model that they give on the smaller training part."""

    ratio: float  # lambda / lambda_max, where lambda_max is that of the same training data
    keep: int | None  # number of features kept by an elimination
    weights: FloatArray  # shape (n_features,)


def top_rate(data: RankingData, weights: FloatArray) -> float:
    """Compute the share of the positives above every negative, averaged over queries."""
    return JudgedLists(data, "standard").rank(pair_scores(data, weights)).mean(Measure("Top"))


def choose_by_top(method: Method, data: RankingData, seed: int) -> tuple[Fit, float]:
    """Choose lambda (and the number of features) on a random 30 % of the data, then fit all of the data.

    The rate on top takes few values on few documents. Among equals the largest lambda wins, as everywhere in this
    program, then the fewest features. From the part to the whole, lambda is kept as a share of lambda_max.

    Parameters
    ----------
    method : Method
        A RankSVM or an infinite push. Its penalty decides the ratios; other parameters keep their defaults.
    data : RankingData
    seed : int
        Seed of the random split.

    Returns
    -------
    Fit
        Of all of the data, with the chosen settings.
    float
        Its lambda / lambda_max.

    Raises
    ------
    DataError
        If there are too few documents of a class to split them.
    """
    part, vali = split_data(data, SHARE, seed)
    offered = list(candidates(method, part))
    rates = [top_rate(vali, candidate.weights) for candidate in offered]
    best = offered[highest(rates, [one.ratio for one in offered], [one.keep or 0 for one in offered])]
    parameters = {"keep": best.keep} if best.keep is not None else None
    training = method.training(data, parameters)
    return method.fit(training, best.ratio * _scale(training), parameters=parameters, stop=STOP), best.ratio


def candidates(method: Method, data: RankingData) -> Iterator[Candidate]:
    """Yield every model of the grid."""
    training = method.training(data)
    penalty = method.make_penalty(method.settings(), 1.0)
    if isinstance(penalty, L2AtMost):
        for ratio in RATIOS[::2] * L2_FACTOR:
            yield from _eliminated(method, training, float(ratio))
        return
    ratios = RATIOS * L2_FACTOR if isinstance(penalty, L2) else RATIOS
    path = regularization_path(method, training, ratios * _scale(training), stop=STOP)
    for ratio, point in zip(ratios, path, strict=True):
        yield Candidate(float(ratio), None, point.fit.weights)


def _eliminated(method: Method, training: Training, ratio: float) -> Iterator[Candidate]:
    """Yield the models that one elimination passes down to a single feature, the last one of every size."""
    run = method.run(training, ratio * _scale(training), parameters={"keep": 1}, stop=STOP)
    passed: dict[int, FloatArray] = {}
    while not run.done:
        run.advance()
        if run.steps.trace[-1].nonzero > 0:
            passed[run.steps.trace[-1].nonzero] = run.steps.weights
    for keep, weights in passed.items():
        yield Candidate(ratio, keep, weights)


def _scale(training: Training) -> float:
    """Return lambda_max; 1 if the empty model is optimal at every lambda, where any lambda finds it."""
    return training.lam_max or 1.0
