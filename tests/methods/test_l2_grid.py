"""The grid of l2 ends where no larger lambda changes the order of the documents, by explicit pairs."""

from __future__ import annotations

import numpy as np
import pytest

from core.data import RankingData, open_dataset
from core.methods import get_method
from core.solvers import Stop
from tests.oracles import ranking_problem

L2 = get_method("l2")


def explicit_pairs(data: RankingData) -> np.ndarray:
    """x_i - x_j of all pairs of a query with relevance_i > relevance_j."""
    rows = []
    for first, last in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True):
        x, levels = data.features[first:last], data.relevance[first:last]
        rows += [x[i] - x[j] for i in range(len(x)) for j in range(len(x)) if levels[i] > levels[j]]
    return np.array(rows)


@pytest.mark.parametrize("data", [ranking_problem(0), ranking_problem(1)], ids=["0", "1"])
def test_at_its_largest_lambda_the_model_is_as_good_as_constant_and_its_direction_final(data: RankingData) -> None:
    pairs = explicit_pairs(data)
    slope = -2.0 * pairs.mean(axis=0)
    curvature = 2.0 * pairs.T @ pairs / len(pairs)
    training = L2.training(data)
    grid = L2.grid(training)
    assert grid[0] == pytest.approx(100.0 * np.linalg.eigvalsh(curvature)[-1], rel=0.05)
    fit = L2.fit(training, grid[0], stop=Stop(tol=1e-12))
    assert 0.99 <= fit.result.objective <= 1.0, "the objective of constant scores is 1"
    assert np.linalg.norm(grid[0] * fit.weights + slope) <= 0.0105 * np.linalg.norm(slope)


def test_beyond_its_largest_lambda_the_order_of_documents_stays() -> None:
    data = open_dataset("planted").fold(1).train
    training = L2.training(data)
    end, far = (L2.fit(training, lam, stop=Stop(tol=1e-12)) for lam in (L2.grid(training)[0], 1e4 * training.lam_max))
    scores = [explicit_pairs(data.take_queries(range(10))) @ fit.weights for fit in (end, far)]
    assert np.mean(np.sign(scores[0]) == np.sign(scores[1])) > 0.99


def test_it_reaches_down_as_far_as_the_grids_of_the_others() -> None:
    training = L2.training(ranking_problem(0))
    grid = L2.grid(training)
    assert (np.diff(grid) < 0.0).all()
    assert grid[-1] == pytest.approx(get_method("l1").grid(training)[-1])
    assert len(grid) == len(get_method("l1").grid(training))
