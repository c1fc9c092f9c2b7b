"""A pool of dual rays bounds every part of the models, whatever parts the rays come from.

Of many documents a first model is looked for on a sample; objective, bound and proof are those of all documents.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from core.losses import SquaredHinge
from core.penalties import L0, L2Budget, Penalty, Signed
from core.solvers import BranchAndBound, Problem, Stop, solve
from core.solvers.best_subset import incumbents
from core.solvers.best_subset.relaxation import Part, dual_bound, relax
from core.solvers.best_subset.search import Search
from core.solvers.best_subset.space import Point, Space
from core.solvers.best_subset.tree import MOST, Rays
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


DATA = ranking_problem(3, n_queries=60, n_features=9)
COPIES = DATA.features + 0.2 * np.random.default_rng(5).normal(size=DATA.features.shape)
PROBLEM = Problem(np.column_stack([DATA.features, COPIES]), SquaredHinge.of(DATA), L2Budget(4), 1e-3)
EXACT = Stop(tol=1e-5)


def with_sample(monkeypatch: pytest.MonkeyPatch, documents: int) -> None:
    monkeypatch.setattr(incumbents, "LARGE", 0)
    monkeypatch.setattr(incumbents, "SAMPLE", documents)


def to_the_root() -> Search:
    """The search with all first models and its root, and nothing more."""
    search = Search.begun(PROBLEM, EXACT.tol)
    for _ in search.first_steps(np.zeros(18)):
        pass
    search.visit(1)
    return search


def test_a_sample_is_the_search_on_its_queries_alone() -> None:
    space = Space(PROBLEM)
    part = space.sample(12 * 20)
    assert part is not None
    queries = np.unique(np.linspace(0, 59, 20).astype(np.int64))
    rows = np.concatenate([np.arange(DATA.query_offsets[q], DATA.query_offsets[q + 1]) for q in queries])
    offsets = np.arange(len(queries) + 1) * 12
    alone = Space(
        Problem(PROBLEM.features[rows], SquaredHinge(DATA.relevance[rows], offsets), PROBLEM.penalty, PROBLEM.lam)
    )
    w = np.random.default_rng(1).normal(size=18)
    before = space.passes.total
    found, expected = part.at(w), alone.at(w)
    assert found.loss == pytest.approx(expected.loss, rel=1e-12)
    np.testing.assert_allclose(found.gradient, expected.gradient, rtol=1e-10, atol=1e-14)
    np.testing.assert_allclose(part.hessian(w), alone.hessian(w), rtol=1e-10, atol=1e-14)
    assert space.passes.total - before == pytest.approx(3.0 * len(rows) / DATA.n_documents)


def test_few_queries_are_not_sampled() -> None:
    assert Space(PROBLEM).sample(12 * 31) is None


def test_the_first_bracket_holds_the_optimum_for_less(monkeypatch: pytest.MonkeyPatch) -> None:
    optimum, whole = solve(BranchAndBound(), PROBLEM, EXACT), to_the_root()
    with_sample(monkeypatch, 12 * 6)
    quick = to_the_root()
    now, w = quick.curve[-1], quick.incumbent.w
    assert now.passes < 0.8 * whole.curve[-1].passes
    assert now.bound <= optimum.objective * (1.0 + 1e-9)
    assert optimum.objective * (1.0 - 1e-9) <= now.objective <= 1.02 * optimum.objective
    loss = PROBLEM.loss.evaluate(PROBLEM.features @ w).value
    assert now.objective == pytest.approx(loss + 0.5 * PROBLEM.lam * float(w @ w))


def test_it_goes_on_to_the_same_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = solve(BranchAndBound(), PROBLEM, EXACT)
    with_sample(monkeypatch, 12 * 5)
    found = solve(BranchAndBound(), PROBLEM, EXACT)
    assert found.stop == "converged"
    np.testing.assert_allclose(found.weights, whole.weights, atol=1e-6)
