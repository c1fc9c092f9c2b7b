"""Models between two neighbours of a path are as near to their optimum as it is said of them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from core.analysis.between import between, interpolates, widest_gap
from core.analysis.path import lambda_grid, path_fits
from core.methods import METHODS, Fit, Method, Training, get_method
from core.methods.refit import YES
from core.solvers import Stop
from tests.oracles import RankSvm, optimum, ranking_problem

CONVEX = ("l1", "infinite-push-l1")


def path_of(method: Method, training: Training, points: int, smallest: float = 1e-2) -> list[Fit]:
    lams = lambda_grid(training.lam_max, points, smallest)
    return list(path_fits(method, training, lams, stop=Stop(tol=1e-9)))


@pytest.fixture(params=CONVEX)
def method(request: pytest.FixtureRequest) -> Method:
    return get_method(request.param)


@pytest.mark.parametrize("seed", range(3))
def test_no_model_between_is_farther_from_its_optimum_than_is_said(method: Method, seed: int) -> None:
    training = method.training(ranking_problem(seed))
    fits = path_of(method, training, 7)
    bent = 0
    for left, right in pairwise(fits):
        for share in (0.1, 0.5, 0.8):
            lam = left.lam + share * (right.lam - left.lam)
            found = between(left, right, lam)
            best = method.fit(training, lam, stop=Stop(tol=1e-10)).result
            reached = method.run(training, lam).steps.problem
            value = reached.loss.evaluate(reached.scores(found.weights)).value + lam * np.abs(found.weights).sum()
            above = (value - best.objective) / value
            assert above <= found.relative_gap + 1e-9
            assert found.relative_gap <= widest_gap(left, right) + 1e-12
            bent += above > 1e-6
    assert bent, "every one of these models is optimal: nothing has been tried"


def test_the_objective_is_that_of_explicit_pairs() -> None:
    """The other test takes loss and solver on trust; this one takes neither."""
    data = ranking_problem(3)
    method = get_method("l1")
    training = method.training(data)
    left, right = path_of(method, training, 4)[1:3]
    lam = 0.4 * left.lam + 0.6 * right.lam
    found = between(left, right, lam)
    pairs = RankSvm.of(data)
    value = pairs.loss(found.weights) + lam * np.abs(found.weights).sum()
    _, best = optimum(pairs, lam, np.ones(data.n_features))
    assert 0.0 < value - best <= found.relative_gap * value


def test_the_ends_are_the_fits_themselves() -> None:
    method = get_method("l1")
    left, right = path_of(method, method.training(ranking_problem(1)), 4)[1:3]
    for end in (left, right):
        found = between(left, right, end.lam)
        assert found.weights is end.weights
        assert found.relative_gap == pytest.approx(end.result.certificate.relative, rel=1e-6, abs=1e-15)


def test_a_model_that_does_not_lie_between_is_refused() -> None:
    method = get_method("l1")
    left, right = path_of(method, method.training(ranking_problem(1)), 4)[1:3]
    with pytest.raises(ValueError, match="does not lie between"):
        between(left, right, 2.0 * left.lam)
    with pytest.raises(ValueError, match="does not lie between"):
        between(right, left, left.lam)


def test_a_residual_proves_nothing_between() -> None:
    method = get_method("log")
    left, right = path_of(method, method.training(ranking_problem(1)), 4)[1:3]
    with pytest.raises(ValueError, match=r"duality gap.*all models"):
        between(left, right, (left.lam + right.lam) / 2)


def test_only_l1_with_a_convex_loss_is_interpolated() -> None:
    interpolated = {m.id for m in METHODS if interpolates(m, m.settings())}
    assert interpolated == {"l1", "liblinear-l1", "tgrank", "infinite-push-l1"}
    assert not interpolates(get_method("l1"), {"refit": YES})
