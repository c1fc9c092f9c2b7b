"""lambda_max of the infinite push is where the model becomes empty."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from core.losses import InfinitePush
from core.penalties import L1, WeightedL1
from core.solvers import ExactPush, Problem, Stop, largest_lambda, smallest_useful_share, solve
from tests import push_oracles
from tests.cases import sweep
from tests.oracles import lists_of, ranking_problem
from tests.push_oracles import small_problem, wide_classes


@pytest.mark.parametrize("kappa", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("seed", range(15))
def test_it_is_the_optimum_of_the_linear_program_over_subgradients(seed: int, kappa: float) -> None:
    data = small_problem(seed)
    found = largest_lambda(data, InfinitePush.of(data, kappa))
    expected = push_oracles.largest_lambda(data, kappa)
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-9)
    if expected < 1e-12:
        assert found == 0.0


SINGULAR = (9, 22, 41, 57)


@pytest.mark.parametrize(
    ("seed", "kappa"), sweep(product([*SINGULAR, *range(6)], (0.0, 0.2)), always=2 * len(SINGULAR))
)
def test_with_far_more_features_than_documents_it_is_found_to_nine_digits(seed: int, kappa: float) -> None:
    """Of the singular ones the matrix of documents became singular: rounding lost what a query's equations add up to.

    Where the multipliers came from the scores alone, large curvatures multiplied the rounding, to errors up to 1e-6.
    """
    data = wide_classes(seed)
    found = largest_lambda(data, InfinitePush.of(data, kappa))
    assert found == pytest.approx(push_oracles.largest_lambda(data, kappa), rel=3e-9)


def test_features_far_from_zero_lose_no_digits_where_they_do_not_differ() -> None:
    data = wide_classes(0, 40, 900)
    shifted = data.with_features(data.features + 1e3)
    whole, moved = (largest_lambda(x, InfinitePush.of(x)) for x in (data, shifted))
    assert moved == pytest.approx(whole, rel=1e-6)


@pytest.mark.parametrize("kappa", [0.0, 0.4])
@pytest.mark.parametrize("seed", range(4))
def test_at_it_the_model_is_empty_and_just_below_it_is_not(seed: int, kappa: float) -> None:
    data = ranking_problem(seed, n_queries=5, n_features=6)
    loss = InfinitePush.of(data, kappa)
    lam_max = largest_lambda(data, loss)
    above, below = (
        solve(ExactPush(), Problem(data.features, loss, L1(), ratio * lam_max), Stop(tol=1e-8))
        for ratio in (1.0, 0.999)
    )
    assert not above.weights.any()
    assert below.weights.any()
    assert below.objective < 1.0 - 1e-6


def test_dear_features_lower_it_and_forbidden_ones_have_no_say() -> None:
    data = ranking_problem(4, n_queries=5, n_features=6)
    loss = InfinitePush.of(data, 0.2)
    beta = np.array([2.0, 1.0, 4.0, np.inf, 1.0, 1.0])
    lam_max = largest_lambda(data, loss, beta)
    without = data.with_features(np.delete(data.features, 3, axis=1) / np.delete(beta, 3), [*"abdef"])
    assert lam_max == pytest.approx(push_oracles.largest_lambda(without, 0.2), rel=1e-6)
    above, below = (
        solve(ExactPush(), Problem(data.features, loss, WeightedL1(beta), r * lam_max), Stop(tol=1e-8))
        for r in (1.0, 0.999)
    )
    assert not above.weights.any()
    assert below.weights.any()
    assert largest_lambda(data, loss, np.full(6, np.inf)) == 0.0


def test_it_grows_with_the_features_scale() -> None:
    data = ranking_problem(5, n_features=4)
    small = data.with_features(1e-7 * data.features)
    whole, part = (largest_lambda(x, InfinitePush.of(x, 0.5)) for x in (data, small))
    assert part == pytest.approx(1e-7 * whole, rel=1e-6)


def surrounded():  # type: ignore[no-untyped-def]
    """Positives in the midst of negatives: whatever the direction, a negative is on top."""
    rng = np.random.default_rng(0)
    angle = np.linspace(0.0, 2.0 * np.pi, 9)[:-1]
    ring = 3.0 * np.c_[np.cos(angle), np.sin(angle)]
    ring[:, 0] -= 1.0  # so that on average the positives are ahead
    return lists_of([[1, 1, 1] + [0] * 8], np.concatenate([0.3 * rng.normal(size=(3, 2)), ring]))


def test_where_no_model_beats_the_empty_one_it_is_exactly_zero() -> None:
    data = surrounded()
    assert largest_lambda(data, InfinitePush.of(data)) == 0.0
    fit = solve(ExactPush(), Problem(data.features, InfinitePush.of(data), L1(), 1e-3))
    assert not fit.weights.any()
    constant = data.with_features(np.ones((data.n_documents, 2)))
    assert largest_lambda(constant, InfinitePush.of(constant)) == 0.0


def test_a_useful_share_is_the_first_with_a_model() -> None:
    data = surrounded()
    share = smallest_useful_share(data)
    assert share is not None
    assert share > 0.25
    assert push_oracles.largest_lambda(data, share) > 0.0
    assert smallest_useful_share(data.with_features(np.ones((data.n_documents, 2)))) is None
