"""Rates of convergence: one for every recipe, and those that can be measured hold."""

from __future__ import annotations

import pytest

from core.analysis.convergence_rates import rate_of
from core.methods import METHODS, get_method
from core.solvers import Stop
from tests.oracles import ranking_problem

RECIPES = [(method.id, solver.id) for method in METHODS for solver in method.solvers]


@pytest.mark.parametrize(("method_id", "solver_id"), RECIPES)
def test_every_recipe_has_a_rate(method_id: str, solver_id: str) -> None:
    method = get_method(method_id)
    rate = rate_of(method, method.solver(solver_id))
    assert rate.order
    assert not rate.words.endswith(".")


def test_only_descent_is_promised_where_the_problem_is_not_convex() -> None:
    orders = {method.id: rate_of(method, method.solver("proximal-newton")).order for method in METHODS[:5]}
    assert orders == {"l1": "quadratic", "log": "monotone", "mcp": "monotone", "l0.5": "monotone", "scad": "monotone"}


@pytest.mark.parametrize(("method_id", "solver_id", "power"), [("l1", "fista-fixed", 2), ("tgrank", None, 1)])
def test_the_gap_falls_at_least_as_fast_as_stated(method_id: str, solver_id: str | None, power: int) -> None:
    """F - F* times k^power does not grow: it is smaller after 200 steps than it was after 20."""
    method = get_method(method_id)
    assert rate_of(method, method.solver(solver_id)).order == {1: "O(1/k)", 2: "O(1/k²)"}[power]
    training = method.training(ranking_problem(3))
    lam = training.lam_at(0.05)
    best = get_method("l1").fit(training, lam, stop=Stop(tol=1e-12, max_steps=100)).result.objective
    trace = method.fit(training, lam, solver=solver_id, stop=Stop(tol=-1.0, max_steps=200)).result.trace
    scaled = {point.step: (point.objective - best) * point.step**power for point in trace}
    assert 0 < scaled[200] < scaled[20]
