"""Of many documents a first model is looked for on a sample; objective, bound and proof are those of all documents."""

from __future__ import annotations

import numpy as np
import pytest

from core.losses import SquaredHinge
from core.penalties import L2Budget
from core.solvers import BranchAndBound, Problem, Stop, solve
from core.solvers.best_subset import incumbents
from core.solvers.best_subset.search import Search
from core.solvers.best_subset.space import Space
from tests.oracles import ranking_problem

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
