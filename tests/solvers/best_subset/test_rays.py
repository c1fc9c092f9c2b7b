"""A pool of dual rays bounds every part of the models, whatever parts the rays come from."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from core.losses import SquaredHinge
from core.penalties import L0, L2Budget, Penalty, Signed
from core.solvers import BranchAndBound, Problem, Stop, solve
from core.solvers.best_subset.rays import MOST, Rays
from core.solvers.best_subset.relaxation import Part, dual_bound, relax
from core.solvers.best_subset.space import Point, Space
from tests.oracles import ranking_problem

COSTS = np.array([1.0, 1.5, 0.0, 1.0, 2.0, 1.0])
SIGNS = np.array([0.0, 1.0, 0.0, -1.0, 0.0, 1.0])
PENALTIES: dict[str, Penalty] = {
    "equal": L2Budget(3),
    "costs": L2Budget(3.5, COSTS),
    "signs": Signed(L2Budget(3), SIGNS),
    "prices": Signed(L0(0.5, COSTS), SIGNS),
}


def problem_of(penalty: Penalty, seed: int = 4) -> Problem:
    data = ranking_problem(seed, n_queries=6, n_features=6)
    return Problem(data.features, SquaredHinge.of(data), penalty, 1e-2)


def some_points(space: Space, count: int) -> list[Point]:
    rng = np.random.default_rng(8)
    d = space.n_columns
    return [space.at(rng.normal(scale=0.3, size=d) * (rng.random(d) < 0.7)) for _ in range(count)]


@pytest.mark.parametrize("kind", PENALTIES)
def test_the_pool_gives_the_bound_of_its_newest_ray_that_suffices(kind: str) -> None:
    space = Space(problem_of(PENALTIES[kind]))
    points = some_points(space, MOST + 20)
    rays = Rays(space)
    for point in points:
        rays.add(point)
    part = Part.of(space, np.array([2, 4]), np.array([0, 1, 5]))
    bounds = np.array([dual_bound(space, point, part) for point in points[-MOST:]])
    for cutoff in np.quantile(bounds, [0.1, 0.5, 0.9]):
        newest = bounds[np.flatnonzero(bounds >= cutoff)[-1]]
        assert rays.bound(part, cutoff) == pytest.approx(newest, rel=1e-12)
    assert rays.bound(part, 1.001 * bounds.max()) == 0.0


@pytest.mark.parametrize("kind", PENALTIES)
def test_no_bound_is_above_a_model_of_the_part(kind: str) -> None:
    space = Space(problem_of(PENALTIES[kind]))
    rays = Rays(space)
    for point in some_points(space, 40):
        rays.add(point)
    paid = [0, 1, 3, 4, 5]
    for size in (1, 2):
        for inside in combinations(paid, size):
            columns = np.array([2, *inside])
            if space.costs[columns].sum() > space.budget:
                continue
            leaf = Part.alone(columns)
            best = space.objective(
                relax(space, leaf, space.at(np.zeros(6)), space.hessian(np.zeros(6)), np.inf, 0.0).point
            )
            assert rays.bound(leaf, best * (1.0 + 1e-9)) == 0.0


def test_rays_spare_looks_and_change_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    data = ranking_problem(3, n_queries=20, n_features=9)
    copies = data.features + 0.2 * np.random.default_rng(5).normal(size=data.features.shape)
    problem = Problem(np.column_stack([data.features, copies]), SquaredHinge.of(data), L2Budget(5), 1e-3)
    with_rays = solve(BranchAndBound(), problem, Stop(tol=1e-5))
    monkeypatch.setattr(Rays, "bound", lambda *_: 0.0)
    without = solve(BranchAndBound(), problem, Stop(tol=1e-5))
    assert with_rays.passes < without.passes
    np.testing.assert_allclose(with_rays.weights, without.weights, atol=1e-6)
