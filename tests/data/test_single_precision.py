"""Data in single precision: what does not fit is refused by its place, and nothing warns on the way."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from core.data import DataError, Fold, RankingData
from core.data.scaling import SCALINGS, scale_fold
from core.losses import SquaredHinge
from core.penalties import L2Budget
from core.solvers import BranchAndBound, Problem, Stop, solve
from tests.oracles import ranking_problem

DATA = ranking_problem(1, n_queries=6, n_documents=8, n_features=6)


@pytest.fixture(autouse=True)
def _no_warning() -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def single(scale: float) -> RankingData:
    return RankingData.build(DATA.features * scale, DATA.relevance, DATA.query_offsets, dtype=np.float32)


def test_a_value_too_large_for_it_is_named() -> None:
    x = DATA.features.copy()
    x[3, 2] = 1e39
    with pytest.raises(DataError, match=r"document 4 has 1e\+39 in feature 'feature 3'.*float32"):
        RankingData.build(x, DATA.relevance, DATA.query_offsets, dtype=np.float32)


@pytest.mark.parametrize("unit", [1e-30, 1.0, 1e20])
@pytest.mark.parametrize("how", [scaling.id for scaling in SCALINGS])
def test_a_scaling_gives_the_values_of_double_precision(how: str, unit: float) -> None:
    double = RankingData.build(DATA.features * unit, DATA.relevance, DATA.query_offsets)
    found, expected = (scale_fold(Fold("all", data), how).train.features for data in (single(unit), double))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-6 * (unit if how == "none" else 1.0))


@pytest.mark.parametrize("scale", [1.0, 1e20])
def test_the_best_subset_does_not_depend_on_the_unit(scale: float) -> None:
    """The Hessian of values of 1e20 does not fit into single precision, in which the nodes of the search keep it."""
    models = []
    for unit in (1.0, scale):
        data = single(unit)
        problem = Problem(data.features, SquaredHinge.of(data), L2Budget(2.0), 0.01 * unit**2)
        models.append(solve(BranchAndBound(), problem, Stop(tol=1e-6, max_steps=200)))
    assert models[1].objective == pytest.approx(models[0].objective, rel=1e-4)
    assert np.array_equal(np.flatnonzero(models[1].weights), np.flatnonzero(models[0].weights))
