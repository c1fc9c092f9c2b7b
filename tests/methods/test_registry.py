"""The registry lists every method once, and every row works with each of its solvers."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

from core.methods import METHODS, Method, Training, get_method
from core.methods.training import RANKSVM_LOSS
from core.penalties import MCP
from core.solvers import Problem, Stop
from tests.certified import fit_of
from tests.oracles import Pairs, RankSvm, ranking_problem

DATA = ranking_problem()
NOT_CONVEX_IN_ITS_LOSS = ("rsrank",)  # its importances follow the ranking
PAPERS = {
    "l1", "log", "mcp", "l0.5", "scad", "l2", "infinite-push-l1", "infinite-push-log", "infinite-push-mcp",
    "infinite-push-l0.5", "infinite-push-l2", "infinite-push-rfe", "fenchelrank", "tgrank", "rsrank", "fsmrank",
    "fsmsvm", "gas-e", "fs-rank", "l2-arom", "rwfs-l1", "rwfs-l0", "liblinear-l1",
}  # fmt: skip
"""None of these may be lost. A new method is not added here."""
every_method = pytest.mark.parametrize("method", METHODS, ids=lambda m: m.id)


@pytest.fixture(scope="module")
def training() -> Training:
    return METHODS[0].training(DATA)


def test_every_system_of_the_papers_is_there_and_every_method_once() -> None:
    ids = [method.id for method in METHODS]
    assert set(ids) >= PAPERS
    assert len(set(ids)) == len(ids)
    assert [get_method(name) for name in ids] == list(METHODS)


@every_method
def test_a_row_says_what_it_is(method: Method) -> None:
    """What is tried contains the default, so that the choice is never worse on validation, and shares one training.

    What ends a fit without a certificate has a sentence on the method's card; a tolerance of one's own lifts it.
    """
    for text in (method.title, method.source, method.objective, method.explanation):
        assert text.strip()
    assert len({solver.id for solver in method.solvers}) == len(method.solvers) > 0
    assert np.all(np.diff(method.ratios) < 0.0)
    convex_penalty = method.make_penalty(method.settings(), 1.0).convex
    assert method.convex == (convex_penalty and method.id not in NOT_CONVEX_IN_ITS_LOSS)
    training = method.training(DATA)
    problem = Problem(DATA.features, training.loss, method.make_penalty(method.settings(), 1.0), 0.01)
    for solver in method.solvers:
        assert solver.accepts(problem) is None
        assert solver.title
        assert solver.explanation
    for parameter in method.parameters:
        with pytest.raises(ValueError, match=rf"\b{parameter.name}\b.*between"):
            method.settings({parameter.name: 2 * parameter.maximum})
        if parameter.tried:
            assert parameter.default in parameter.tried
            assert list(parameter.tried) == sorted({parameter.check(value) for value in parameter.tried})
            assert parameter.name not in method.loss.parameters
    assert bool(method.stopping) == (method.stop.papers_limit or method.stop.change >= 0.0)
    assert method.stop_at(1e-4) == Stop(tol=1e-4)


@pytest.mark.parametrize(("name", "solver"), [("l1", "fista"), ("scad", "reweighted-l1"), ("infinite-push-l1", "admm")])
def test_a_fit_says_what_it_is_and_lowers_the_objective(name: str, solver: str) -> None:
    """Of every method by every solver: tests/cli/test_fit.py."""
    method = get_method(name)
    training = method.training(DATA)
    lam = training.lam_at(0.1)
    fit = method.fit(training, lam, solver=solver, stop=Stop(max_steps=2000))
    problem = method.problem(training, lam, method.settings())
    scores = DATA.features @ fit.weights
    # Explicit pairs where the loss is RankSVM's; the other losses are compared with theirs in their own tests.
    loss = Pairs.of(DATA).loss(scores) if method.loss is RANKSVM_LOSS else problem.loss.evaluate(scores).value
    assert (fit.method, fit.solver, fit.lam) == (method.id, solver, lam)
    assert fit.parameters == method.settings()
    assert fit.result.objective == pytest.approx(loss + lam * problem.penalty.value(fit.weights), rel=1e-11)
    assert fit.result.objective < 0.99 * fit.result.trace[0].objective
    assert fit.feature_names == DATA.feature_names


@every_method
def test_selected_features_come_largest_first(method: Method) -> None:
    fit = fit_of(method.id)
    assert set(fit.selected) == set(np.flatnonzero(fit.weights))
    assert np.all(np.diff(np.abs(fit.weights[fit.selected])) <= 0.0)


@pytest.mark.parametrize("method", [m for m in METHODS if m.make_problem is None], ids=lambda m: m.id)
def test_parameters_reach_the_objective(method: Method) -> None:
    """Another value, another objective at the same weights: by way of the loss or of the penalty."""
    w = np.where(np.arange(DATA.n_features) < 4, np.linspace(0.1, 2.0, DATA.n_features), 0.0)
    for parameter in method.parameters:
        whole = (3, 5)  # numbers of features, fewer and more than w has
        values: tuple[float, float] = (parameter.minimum + 0.3, parameter.minimum + 0.6)
        if parameter.counts or parameter.choices:
            values = whole if parameter.counts else (0.0, 1.0)
        objectives = []
        for value in values:
            needed = dict([parameter.needs]) if parameter.needs is not None else {}
            settings = method.settings({parameter.name: value} | needed)
            problem = method.problem(method.training(DATA, settings), 0.1, settings)
            objectives.append(problem.loss.evaluate(DATA.features @ w).value + 0.1 * problem.penalty.value(w))
        assert objectives[0] != objectives[1]


def test_mcp_in_the_papers_form_has_its_knee_at_gamma_over_c() -> None:
    """Laporte et al. (2014, Table II): g' reaches 0 at gamma lambda, and their lambda is 1/C."""
    method = get_method("mcp")
    penalty = method.make_penalty(method.settings({"gamma": 2.0, "knee": 0.3}), 0.5)
    assert isinstance(penalty, MCP)
    assert penalty.knee == 4.0
    without = method.make_penalty(method.settings({"knee": 0.3}), 0.5)
    assert isinstance(without, MCP)
    assert without.knee == 0.3


@pytest.mark.parametrize("c", [1e-9, 1e9])
def test_mcp_never_uses_another_knee_than_the_papers_form_says(c: float) -> None:
    """A knee out of range is refused, or used; it is not exchanged for one in range without a word."""
    method = get_method("mcp")
    with contextlib.suppress(ValueError):
        penalty = method.make_penalty(method.settings({"gamma": 2.0}), c)
        assert isinstance(penalty, MCP)
        assert penalty.knee == pytest.approx(2.0 / c)


def test_c_is_one_over_lambda_times_the_pairs(training: Training) -> None:
    n_pairs = len(RankSvm.of(DATA).differences)
    assert training.c_of(0.25) == pytest.approx(4.0 / n_pairs)
    assert training.lam_of(training.c_of(0.037)) == pytest.approx(0.037)


def test_lambda_max_is_the_largest_slope_at_zero(training: Training) -> None:
    largest = np.abs(RankSvm.of(DATA).gradient(np.zeros(15))).max()
    assert training.lam_max == pytest.approx(largest, rel=1e-12)
    assert training.lam_at(0.5) == pytest.approx(0.5 * largest)


@pytest.mark.parametrize("wrong", [0.0, -1.0, np.nan, np.inf])
def test_c_and_lambda_must_be_positive_numbers(wrong: float, training: Training) -> None:
    with pytest.raises(ValueError, match=r"\bC\b.*positive"):
        training.lam_of(wrong)
    with pytest.raises(ValueError, match=r"\blambda\b.*positive"):
        training.lam_at(wrong)


def test_a_start_is_used(training: Training) -> None:
    start = np.ones(15)
    run = get_method("l1").run(training, 0.1, start=start, stop=Stop(max_steps=0))
    assert np.array_equal(run.finish().weights, start)
