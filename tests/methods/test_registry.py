"""The registry lists every method once, and every row works with each of its solvers.

The first lambda of a path under rules for features: nothing with a price is in above it, something just below.
The grid of l2 ends where no larger lambda changes the order of the documents, by explicit pairs.
"""

import contextlib
from typing import Any

import numpy as np
import pytest

from core.analysis.features.rules import Rules
from core.analysis.path import path_grid
from core.data import RankingData, open_dataset
from core.methods import METHODS, Method, Training, get_method
from core.solvers import Problem, Stop
from tests.oracles import RankSvm, optimum, ranking_problem

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
    assert penalty.knee == 4.0
    without = method.make_penalty(method.settings({"knee": 0.3}), 0.5)
    assert without.knee == 0.3


@pytest.mark.parametrize("c", [1e-9, 1e9])
def test_mcp_never_uses_another_knee_than_the_papers_form_says(c: float) -> None:
    """A knee out of range is refused, or used; it is not exchanged for one in range without a word."""
    method = get_method("mcp")
    with contextlib.suppress(ValueError):
        penalty = method.make_penalty(method.settings({"gamma": 2.0}), c)
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


N_FEATURES = 8
RULES: dict[str, dict[str, Any]] = {
    "cheap": {"costs": {7: 0.1}},
    "dear": {"costs": {7: 10.0}},
    "free": {"forced": [7]},
    "free beside cheap": {"costs": {7: 0.1}, "forced": [2]},
    "a free one that uncovers another": {"forced": [0]},
    "signs": {"helps": [1], "hurts": [0]},
    "cheap of the wrong sign": {"costs": {7: 0.1}, "hurts": [7]},
    "off": {"off": [0]},
}


def shop() -> RankingData:
    """Twelve queries; feature 5 says something only beside feature 0, which hides its part in the other's slope."""
    rng = np.random.default_rng(0)
    features, labels = rng.normal(size=(120, N_FEATURES)), rng.integers(0, 3, 120)
    features[:, 2] += 0.5 * labels
    features[:, 7] += labels
    features[:, 5] *= 3.0
    features[:, 0] = 3.0 * labels - 2.0 * features[:, 5] + 0.3 * features[:, 0]
    return RankingData.build(features, labels, np.arange(0, 121, 10))


def largest(data: RankingData, factors: np.ndarray[Any, Any], signs: np.ndarray[Any, Any]) -> float:
    """From every pair's difference, with the free weights by a general optimiser."""
    pairs, free, w = RankSvm.of(data), factors == 0.0, np.zeros(N_FEATURES)
    if free.any():
        w, _ = optimum(pairs, 1.0, np.where(free, 0.0, np.inf))
    slope = pairs.gradient(w)
    steep = np.where(signs * slope > 0.0, 0.0, np.abs(slope))
    priced = (factors > 0.0) & np.isfinite(factors)
    return float((steep[priced] / factors[priced]).max())


@pytest.mark.parametrize("given", RULES.values(), ids=RULES)
def test_a_path_under_rules_starts_where_the_first_feature_with_a_price_enters(given: dict[str, Any]) -> None:
    data, given = shop(), dict(given)
    costs = np.ones(N_FEATURES)
    for j, cost in given.pop("costs", {}).items():
        costs[j] = cost
    rules = Rules.of(N_FEATURES, costs=costs, **given)
    method = rules.applied(get_method("l1"))
    training = method.training(data)
    right = largest(data, rules.factors, rules.signs)
    for lams in (path_grid(method, training, 6), method.grid(training)):
        assert lams[0] == pytest.approx(right, rel=1e-6)
        assert lams[-1] == pytest.approx(1e-4 * min(right, training.lam_max), rel=1e-6)
    free = set(np.flatnonzero(rules.factors == 0.0))
    above, below = (set(np.flatnonzero(method.fit(training, share * right).weights)) for share in (1.001, 0.99))
    assert above == free
    assert below > free


@pytest.mark.parametrize("given", [{"costs": {2: 0.1}}, {"off": [7]}], ids=str)
def test_the_path_of_a_push_starts_at_its_first_feature_too(given: dict[str, Any]) -> None:
    costs = np.ones(N_FEATURES)
    for j, cost in given.get("costs", {}).items():
        costs[j] = cost
    method = Rules.of(N_FEATURES, costs=costs, off=given.get("off", [])).applied(get_method("infinite-push-l1"))
    training = method.training(shop(), {"top_share": 0.5})
    first = float(method.grid(training)[0])
    kept = [method.fit(training, share * first).result.nonzero for share in (1.001, 0.98)]
    assert kept[0] == 0 < kept[1]


def test_rules_on_data_in_which_no_feature_helps_say_so() -> None:
    data = RankingData.build(np.zeros((12, 3)) + 1.0, np.tile([0, 1, 2, 0], 3), [0, 4, 8, 12])
    method = Rules.of(3, costs=np.array([0.1, 1.0, 1.0])).applied(get_method("l1"))
    with pytest.raises(ValueError, match="no feature differs"):
        method.grid(method.training(data))


L2 = get_method("l2")


@pytest.mark.parametrize("data", [ranking_problem(0), ranking_problem(1)], ids=["0", "1"])
def test_at_its_largest_lambda_the_model_is_as_good_as_constant_and_its_direction_final(data: RankingData) -> None:
    pairs = RankSvm.of(data).differences
    slope = -2.0 * pairs.mean(axis=0)
    curvature = 2.0 * pairs.T @ pairs / len(pairs)
    training = L2.training(data)
    grid = L2.grid(training)
    assert grid[0] == pytest.approx(100.0 * np.linalg.eigvalsh(curvature)[-1], rel=0.05)
    assert grid[-1] == pytest.approx(get_method("l1").grid(training)[-1]), "down as far as those of the others"
    assert (np.diff(grid) < 0.0).all()
    assert len(grid) == len(get_method("l1").grid(training))
    fit = L2.fit(training, grid[0], stop=Stop(tol=1e-12))
    assert 0.99 <= fit.result.objective <= 1.0, "the objective of constant scores is 1"
    assert np.linalg.norm(grid[0] * fit.weights + slope) <= 0.0105 * np.linalg.norm(slope)


def test_beyond_its_largest_lambda_the_order_of_documents_stays() -> None:
    data = open_dataset("planted").fold(1).train
    training = L2.training(data)
    end, far = (L2.fit(training, lam, stop=Stop(tol=1e-12)) for lam in (L2.grid(training)[0], 1e4 * training.lam_max))
    scores = [RankSvm.of(data.take_queries(range(10))).differences @ fit.weights for fit in (end, far)]
    assert np.mean(np.sign(scores[0]) == np.sign(scores[1])) > 0.99
