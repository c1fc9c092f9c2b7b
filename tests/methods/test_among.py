"""A certificate holds among the models that it names, and a better one may be found outside them."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest

from core.analysis.features.what_if import penalty_factors, weighted
from core.data import DataError
from core.methods import METHODS, Method, get_method
from core.penalties import L2
from core.solvers import Certificate, ExactPush, Problem, Stop, solve
from tests.methods.certified import AMONG, DATA, RATIO, TWO, all_fits, fit_of, training_of
from tests.oracles import RankSvm, optimum_l2, ranking_problem
from tests.says import assert_says

RESTRICTED = [method_id for method_id in TWO if method_id != "infinite-push-rfe"]
REWEIGHTED = [("log", "reweighted-l1"), ("mcp", "proximal-newton"), ("rwfs-l1", None)]


def ridge_optimum(pairs: RankSvm, columns: tuple[int, ...], lam: float) -> float:
    """Of the loss over explicit pairs plus (lam / 2) |w|^2 on these columns."""
    return optimum_l2(RankSvm(pairs.differences[:, list(columns)]), lam)[1]


@cache
def lowest_of_two(lam: float) -> float:
    """The lowest objective of any two of the eight features."""
    pairs = RankSvm.of(DATA)
    return min(ridge_optimum(pairs, columns, lam) for columns in combinations(range(8), 2))


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.id)
def test_every_methods_certificate_names_its_models(method: Method) -> None:
    certificate = fit_of(method.id).result.certificate
    assert certificate.among == AMONG.get(method.id, "")
    if method.convex:
        assert certificate.kind == "duality gap"


@pytest.mark.parametrize("method_id", RESTRICTED)
def test_two_other_features_have_a_lower_objective_than_the_gap_allows_on_the_chosen_ones(method_id: str) -> None:
    """All pairs of features tried: so a gap among all models would be false."""
    fit = fit_of(method_id)
    result = fit.result
    assert result.certificate.kind == "duality gap"
    assert lowest_of_two(fit.lam) < 0.99 * (result.objective - result.certificate.value)
    own = ridge_optimum(RankSvm.of(DATA), tuple(np.flatnonzero(fit.weights)), fit.lam)
    assert result.objective - result.certificate.value <= own * (1.0 + 1e-9), "among them it holds"
    assert result.objective == pytest.approx(own, rel=2e-6)


def test_two_other_features_have_a_lower_infinite_push_than_the_elimination_ends_with() -> None:
    data, method = ranking_problem(8, n_features=8), get_method("infinite-push-rfe")
    training = method.training(data, {"keep": 2.0})
    fit = method.fit(training, training.lam_at(RATIO), parameters={"keep": 2.0})
    pairs = [np.ascontiguousarray(data.features[:, columns]) for columns in map(list, combinations(range(8), 2))]
    problems = [Problem(columns, training.loss, L2(), fit.lam) for columns in pairs]
    best = min(solve(ExactPush(), problem, Stop(tol=1e-5)).objective for problem in problems)
    assert (fit.result.certificate.kind, fit.result.certificate.among) == ("duality gap", "on these features")
    assert best < 0.99 * (fit.result.objective - fit.result.certificate.value)


def test_a_larger_ball_has_a_lower_loss_than_the_gap_allows_in_this_one() -> None:
    ball, larger = fit_of("fenchelrank").result, fit_of("l1")
    larger = get_method("l1").fit(training_of("l1"), 0.1 * larger.lam)
    assert np.abs(larger.weights).sum() > np.abs(ball.weights).sum()
    assert RankSvm.of(DATA).loss(larger.weights) < ball.objective - ball.certificate.value


@pytest.mark.parametrize("method", [m for m in METHODS if m.convex and m.id not in AMONG], ids=lambda m: m.id)
def test_no_method_finds_a_lower_objective_than_a_gap_among_all_models_allows(method: Method) -> None:
    fit = fit_of(method.id)
    bound = fit.result.objective - fit.result.certificate.value
    problem = method.problem(training_of(method.id), fit.lam, method.settings())
    assert fit.result.certificate.among == ""
    for other in all_fits().values():
        scores = problem.scores(other.weights)
        value = problem.loss.evaluate(scores).value + problem.lam * problem.penalty.value(other.weights)
        assert value >= bound * (1.0 - 1e-12)


@pytest.mark.parametrize("method_id", list(TWO))
def test_where_all_features_are_kept_the_gap_is_one_among_all(method_id: str) -> None:
    name, few = next(iter(TWO[method_id].items()))
    method = get_method(method_id)
    training = method.training(DATA)
    fit = method.fit(training, training.lam_at(RATIO), parameters={name: 1.0 if few < 1.0 else 8.0})
    if fit.result.nonzero == 8:
        assert (fit.result.certificate.kind, fit.result.certificate.among) == ("duality gap", "")
    else:
        assert method_id == "fsmsvm", "FSMRank need not keep eight"
        assert fit.result.certificate.among == "on these features"


def test_a_feature_that_is_switched_off_is_not_spoken_of() -> None:
    plain, training = fit_of("l1"), training_of("l1")
    best = int(plain.selected[0])
    without = weighted(get_method("l1"), penalty_factors(8, off=[best])).fit(training, plain.lam).result
    assert_says(without.certificate.among, "without", "off")
    assert plain.result.objective < without.objective - without.certificate.value
    dearer = weighted(get_method("l1"), penalty_factors(8, costs=np.linspace(1.0, 2.0, 8))).fit(training, plain.lam)
    assert dearer.result.certificate.among == ""


@pytest.mark.parametrize(("method_id", "solver"), REWEIGHTED)
def test_the_gap_of_a_round_is_not_told_as_one_of_the_model(method_id: str, solver: str | None) -> None:
    training = training_of(method_id)
    trace = get_method(method_id).fit(training, training.lam_at(RATIO), solver=solver).result.trace
    inside = [p.certificate for p in trace if p.provisional]
    assert any(certificate.kind == "duality gap" for certificate in inside)
    assert {certificate.among for certificate in inside} == {"in this round's own problem"}


def test_a_saddle_is_said_to_be_a_stationary_point_and_no_more() -> None:
    """Of a column that is there twice, reweighting as published keeps both halves; one alone is far lower."""
    twice = DATA.with_features(DATA.features[:, [6, 6]], ["a", "again"])
    method = get_method("log")
    training = method.training(twice)
    saddle = method.fit(training, training.lam_at(RATIO * 2), solver="reweighted-fista-fixed").result
    lower = method.fit(training, training.lam_at(RATIO * 2)).result
    assert lower.objective < 0.97 * saddle.objective
    assert (saddle.stop, saddle.certificate.holds_among) == ("converged", None)
    assert saddle.converged_to_a_stationary_point


FLAT = ranking_problem().with_features(np.full((240, 2), 0.1), ["a", "b"])


@pytest.mark.parametrize("refit", [False, True], ids=["", "refit"])
@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.id)
def test_the_empty_model_is_proved_best_only_where_the_loss_is_convex(method: Method, refit: bool) -> None:
    """A slope of 0 is all that RSRank's loss shows; for the convex losses it is a proof among all models."""
    if refit and "refit" not in {parameter.name for parameter in method.parameters}:
        return
    training = method.training(FLAT)
    found = method.fit(training, 0.1, parameters={"refit": 1.0} if refit else None).result
    assert found.nonzero == 0
    if method.loss.convex:
        assert (found.stop, found.certificate) == ("empty model", Certificate("duality gap", 0.0, 0.0, among=""))
    else:
        assert (method.id, found.stop, found.certificate.kind) == ("rsrank", "converged", "stationarity")
    with pytest.raises(DataError, match="empty model"):
        method.grid(training)
