"""lambda_max of the infinite push is where the model becomes empty.

Recursive elimination keeps k features, and those that fitting, dropping and fitting again by other means keeps.
"""

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from core.data import RankingData
from core.losses import InfinitePush, SquaredHinge
from core.penalties import L1, L2, L2AtMost, L2Budget, WeightedL1
from core.solvers import (
    BranchAndBound,
    ExactPush,
    Newton,
    Problem,
    RecursiveElimination,
    Stop,
    largest_lambda,
    smallest_useful_share,
    solve,
)
from core.solvers.infinite_push import recursive_elimination
from tests import push_oracles
from tests.cases import sweep
from tests.oracles import RankSvm, lists_of, optimum_l2, ranking_problem
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


DATA = ranking_problem(3)
PAIRS = RankSvm.of(DATA)
LAM = 0.05


def ridge_on(columns: NDArray[np.int64]) -> NDArray[np.float64]:
    """The l2 model on some columns, by a general optimiser on explicit pairs."""
    return optimum_l2(RankSvm(PAIRS.differences[:, columns]), LAM)[0]


def problem(keep: int) -> Problem:
    return Problem(DATA.features, SquaredHinge.of(DATA), L2AtMost(keep), LAM)


@pytest.mark.parametrize("keep", [1, 2, DATA.n_features - 1, DATA.n_features, DATA.n_features + 5])
def test_it_keeps_what_refitting_by_other_means_keeps(keep: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recursive_elimination, "ROUND_TOL", 1e-9)
    left = np.arange(DATA.n_features)
    while len(left) > keep:
        left = np.delete(left, np.argmin(np.abs(ridge_on(left))))
    expected = np.zeros(DATA.n_features)
    expected[left] = ridge_on(left)

    found = solve(RecursiveElimination(Newton()), problem(keep), Stop(tol=1e-9))

    assert found.stop == "converged"
    np.testing.assert_array_equal(np.flatnonzero(found.weights), left)
    np.testing.assert_allclose(found.weights, expected, atol=1e-5)


def test_rounds_before_the_last_are_no_place_to_stop() -> None:
    found = solve(RecursiveElimination(Newton()), problem(2), Stop(tol=1.0))
    assert found.nonzero == 2
    assert {point.provisional for point in found.trace[:-1]} == {True}


def test_many_features_go_by_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recursive_elimination, "SHARE", 0.5)
    wide = np.random.default_rng(0).normal(size=(DATA.n_documents, 200))
    within = Problem(wide, SquaredHinge.of(DATA), L2AtMost(50), 0.5)
    found = solve(RecursiveElimination(Newton()), within, Stop(tol=1e-6))
    sizes = list(dict.fromkeys(point.nonzero for point in found.trace))
    assert sizes[:4] == [0, 200, 100, 50]


@pytest.mark.parametrize("keep", [1, 2, 40])
def test_the_penaltys_bound_is_below_every_model_with_so_many_features(keep: int) -> None:
    penalty, loss = L2AtMost(keep), SquaredHinge.of(DATA)
    best = solve(BranchAndBound(), Problem(DATA.features, loss, L2Budget(keep), LAM), Stop(tol=1e-6))
    for w in (np.zeros(DATA.n_features), best.weights, 0.7 * best.weights):
        found = loss.evaluate(DATA.features @ w)
        gradient = DATA.features.T @ found.gradient
        bound = penalty.dual_bound(found, gradient, LAM)
        assert bound is not None
        assert 0.0 < bound <= best.objective * (1.0 + 1e-9)
        dense = L2().dual_bound(found, gradient, LAM)
        assert bound >= dense
        assert (bound > dense) == (keep < DATA.n_features)


@pytest.mark.parametrize("seed", [0, 3, 10])
def test_where_no_model_is_left_that_beats_the_empty_one_the_answer_is_empty(seed: int) -> None:
    """All features together do, by a linear program over pairs; the last one alone does not."""
    data = ranking_problem(seed, n_queries=8)
    loss = InfinitePush.of(data)
    single = [data.with_features(data.features[:, [j]], [data.feature_names[j]]) for j in range(data.n_features)]
    assert push_oracles.largest_lambda(data, 0.0) > 0.1

    found = solve(RecursiveElimination(ExactPush()), Problem(data.features, loss, L2AtMost(1), 0.01), Stop(tol=1e-6))

    (last,) = np.flatnonzero(np.any([w != 0.0 for w in left_of(data, loss)], axis=0))
    assert push_oracles.largest_lambda(single[last], 0.0) <= 1e-9
    np.testing.assert_array_equal(found.weights, 0.0)
    assert (found.objective, found.stop) == (1.0, "empty model on what is left")
    assert (found.certificate.value, found.certificate.among) == (0.0, "on these features")


def left_of(data: RankingData, loss: InfinitePush) -> list[NDArray[np.float64]]:
    """Weights of the last round that has any."""
    iterates = RecursiveElimination(ExactPush()).iterate(
        Problem(data.features, loss, L2AtMost(1), 0.01), np.zeros(data.n_features)
    )
    weights = [iterate.weights for iterate in iterates]
    fewest = min(np.count_nonzero(w) for w in weights if w.any())
    return [w for w in weights if np.count_nonzero(w) == fewest]


def test_a_squared_hinge_that_nothing_lowers_is_left_at_zero_too() -> None:
    idle = np.repeat(np.random.default_rng(0).normal(size=(20, 3)), 12, axis=0)  # the same within a query
    found = solve(RecursiveElimination(Newton()), Problem(idle, SquaredHinge.of(DATA), L2AtMost(1), LAM))
    assert (found.nonzero, found.objective, found.stop) == (0, 1.0, "empty model on what is left")
