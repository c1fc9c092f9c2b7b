"""The exact line search finds what minimising over explicit pairs finds, in a handful of sweeps."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from core.losses import LossEvaluation, SquaredHinge
from core.solvers.exact_line_search import exact_step
from tests.oracles import FloatArray, Pairs, ranking_problem

DATA = ranking_problem(7)
PAIRS = Pairs.of(DATA)


class Counting(SquaredHinge):
    """The loss, counting its sweeps."""

    def __init__(self) -> None:
        super().__init__(DATA.relevance, DATA.query_offsets)
        self.sweeps = 0

    def evaluate(self, scores: FloatArray) -> LossEvaluation:
        self.sweeps += 1
        return super().evaluate(scores)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("size", [1e-3, 1.0, 50.0])
def test_it_finds_the_minimum_over_explicit_pairs(seed: int, size: float) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=DATA.n_documents)
    along = size * (rng.normal(size=DATA.n_documents) - PAIRS.score_gradient(scores) * len(PAIRS) / 20)
    loss = Counting()
    start = loss.evaluate(scores)

    mu, reached = exact_step(loss, scores, along, start, 1.0)

    found = minimize_scalar(lambda t: PAIRS.loss(scores + t * along), bounds=(0, 1), options={"xatol": 1e-12})
    ends = [PAIRS.loss(scores), PAIRS.loss(scores + along)]
    assert reached.value <= min(found.fun, *ends) * (1.0 + 1e-14)
    assert reached.value == pytest.approx(PAIRS.loss(scores + mu * along), rel=1e-13)
    slope = PAIRS.score_gradient(scores + mu * along) @ along
    assert mu in (0.0, 1.0) or abs(slope) <= 1e-7 * abs(start.gradient @ along)
    assert loss.sweeps <= 12


def test_it_goes_to_the_end_where_the_loss_still_falls_there() -> None:
    loss = Counting()
    scores = np.zeros(DATA.n_documents)
    along = 1e-3 * DATA.relevance.astype(float)
    mu, reached = exact_step(loss, scores, along, loss.evaluate(scores), 0.7)
    assert mu == 0.7
    assert reached.value == pytest.approx(PAIRS.loss(0.7 * along), rel=1e-13)


def test_it_stays_where_the_loss_does_not_fall() -> None:
    loss = Counting()
    scores = np.zeros(DATA.n_documents)
    start = loss.evaluate(scores)
    assert exact_step(loss, scores, -DATA.relevance.astype(float), start, 1.0) == (0.0, start)
    assert exact_step(loss, scores, DATA.relevance.astype(float), start, 0.0) == (0.0, start)


def test_a_flat_end_counts_as_a_minimum() -> None:
    """Beyond a margin of 1 the loss is 0: it stops where it gets there or past it, not before."""
    loss = Counting()
    scores = np.zeros(DATA.n_documents)
    mu, reached = exact_step(loss, scores, DATA.relevance.astype(float), loss.evaluate(scores), 5.0)
    assert reached.value <= 1e-12
    assert 0.99 <= mu <= 5.0


@pytest.mark.parametrize("price", [0.01, 0.3, 5.0])
def test_with_a_price_on_the_way_it_finds_the_minimum_of_both(price: float) -> None:
    scores, along = np.zeros(DATA.n_documents), DATA.relevance.astype(float)
    mu, _ = exact_step(Counting(), scores, along, Counting().evaluate(scores), 2.0, lambda t: price)
    found = minimize_scalar(lambda t: PAIRS.loss(t * along) + price * t, bounds=(0, 2), options={"xatol": 1e-12})
    assert PAIRS.loss(mu * along) + price * mu <= min(found.fun, 1.0) * (1.0 + 1e-14)
