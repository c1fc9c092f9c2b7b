"""A refit keeps what a penalty selects and takes its shrinkage back: the ridge model of the support, and no other."""

from functools import cache

import numpy as np
import pytest

from core.analysis.path import path_fits
from core.analysis.tuning.tuning import settings_to_try, values_tried
from core.experiments.run.cells import MethodChoice
from core.methods import METHODS, Fit, Method, get_method
from core.methods.refit import REFITTING, RIDGE
from core.methods.registry import model_title
from core.methods.training import RANKSVM_LOSS
from core.penalties import L2, L2AtMost, L2On
from core.solvers import FirstStage, Stop
from tests.oracles import RankSvm, optimum_l2, ranking_problem

DATA = ranking_problem(1)
PAIRS = RankSvm.of(DATA)
TRAINING = METHODS[0].training(DATA)
SHARE, RIDGE_SHARE = 0.03, 0.02
REFITTED = {"refit": 1.0, "ridge": RIDGE_SHARE}
REFITTABLE = [method for method in METHODS if set(REFITTING) <= set(method.parameters)]
every_one = pytest.mark.parametrize("method", REFITTABLE, ids=lambda m: m.id)


TRAININGS = {method.id: method.training(DATA, {"top_share": 0.5} if method.loss.parameters else None)
             for method in REFITTABLE}  # fmt: skip


@cache
def fitted(method: Method, share: float = SHARE, **parameters: float | str) -> Fit:
    training = TRAININGS[method.id]
    return method.fit(training, training.lam_at(share), parameters=method.settings(parameters))


def test_every_sparse_method_can_be_refitted_that_does_not_end_with_a_ridge_model_by_itself() -> None:
    ridges = L2 | L2AtMost | L2On
    sparse = [method for method in METHODS if method.sparse]
    assert [m for m in sparse if not isinstance(m.make_penalty(m.settings(), 1.0), ridges)] == REFITTABLE
    assert {"l1", "log", "fenchelrank", "rsrank", "infinite-push-mcp"} <= {method.id for method in REFITTABLE}
    for method in METHODS:
        assert any(name in [p.name for p in method.parameters] for name in ("refit", "ridge")) == (method in REFITTABLE)


@every_one
def test_the_model_is_the_ridge_model_of_the_support_that_the_method_finds(method: Method) -> None:
    plain, refitted = fitted(method), fitted(method, **REFITTED)
    columns = np.flatnonzero(plain.weights)
    assert 0 < len(columns) < DATA.n_features
    assert np.array_equal(np.flatnonzero(refitted.weights), columns)
    lam_r = RIDGE_SHARE * np.abs(PAIRS.gradient(np.zeros(DATA.n_features))).max()
    w, objective = optimum_l2(RankSvm(PAIRS.differences[:, columns]), lam_r)
    assert refitted.result.objective == pytest.approx(objective, rel=2e-6)
    np.testing.assert_allclose(refitted.weights[columns], w, atol=2e-3 * np.abs(w).max())
    assert refitted.result.objective == pytest.approx(
        PAIRS.loss(refitted.weights) + 0.5 * lam_r * refitted.weights @ refitted.weights, rel=1e-11
    )
    if method.convex and method.loss is RANKSVM_LOSS:  # beyond its knee MCP shrinks less than this ridge does
        assert PAIRS.loss(refitted.weights) < PAIRS.loss(plain.weights)
    assert (refitted.lam, refitted.c, refitted.solver) == (plain.lam, plain.c, plain.solver), "those of the selection"


@every_one
def test_the_certificate_holds_on_these_features_and_the_first_stage_is_provisional(method: Method) -> None:
    plain, refitted = fitted(method).result, fitted(method, **REFITTED).result
    certificate = refitted.certificate
    assert refitted.stop == "converged"
    assert (plain.first_stage, refitted.first_stage) == (None, FirstStage(plain.stop, plain.certificate))
    assert (certificate.kind, certificate.among) == ("duality gap", "on these features")
    assert certificate.relative <= 1e-6
    first = [point for point in refitted.trace if point.provisional]
    second = refitted.trace[len(first) :]
    assert [point.objective for point in first] == [point.objective for point in plain.trace]
    assert [point.certificate for point in first] == [point.certificate for point in plain.trace]
    assert second
    assert not any(point.provisional for point in second)
    assert {point.certificate.among for point in second} == {"on these features"}
    for values in ([p.step for p in refitted.trace], [p.seconds for p in refitted.trace]):
        assert np.all(np.diff(values) >= 0)
    assert np.all(np.diff([p.passes for p in [first[-1], *second]]) > 0)


@every_one
@pytest.mark.parametrize("share", [1.0, 1.5])
def test_an_empty_support_leaves_the_empty_model(method: Method, share: float) -> None:
    result = fitted(method, share=share, **REFITTED).result
    assert (result.nonzero, result.objective, result.stop) == (0, 1.0, "converged")
    assert (result.certificate.value, result.certificate.among) == (0.0, "on these features")
    assert result.first_stage is not None


@pytest.mark.parametrize("method", [get_method("l1"), get_method("log"), get_method("tgrank")], ids=lambda m: m.id)
def test_a_path_selects_the_same_with_and_without_a_refit(method: Method) -> None:
    """The first stage starts where that of the model before has ended, not at the refitted weights."""
    lams = TRAINING.lam_max * np.geomspace(1.0, 0.02, 8)
    plain = list(path_fits(method, TRAINING, lams))
    refitted = list(path_fits(method, TRAINING, lams, parameters=REFITTED))
    for one, other in zip(plain, refitted, strict=True):
        assert np.array_equal(one.weights != 0.0, other.weights != 0.0)
        first = [point for point in other.result.trace if point.provisional]
        assert [point.objective for point in first] == [point.objective for point in one.result.trace]


def test_a_run_that_is_stopped_in_its_first_stage_is_told_as_such() -> None:
    run = get_method("l1").run(TRAINING, TRAINING.lam_at(0.01), solver="fista", parameters=REFITTED)
    for _ in range(4):
        run.advance()
    result = run.fit().result
    assert (result.stop, result.trace[-1].provisional, result.first_stage) == ("stopped", True, None)
    assert result.certificate.kind == "stationarity"
    assert run.finish().result.stop == "converged"


def test_a_time_limit_is_the_limit_of_both_stages_and_can_be_extended() -> None:
    stop = Stop(max_seconds=1e-9)
    run = get_method("l1").run(TRAINING, TRAINING.lam_at(0.01), parameters=REFITTED, stop=stop)
    assert run.finish().result.stop == "time limit"
    while run.finish().result.stop == "time limit":
        run.extend()
    assert run.fit().result.stop == "converged"


def test_a_first_stage_that_ends_at_its_step_limit_is_refitted_all_the_same() -> None:
    """TGRank's paper stops at a number of steps, and at nothing else."""
    stop = Stop(max_steps=30)
    result = get_method("tgrank").fit(TRAINING, TRAINING.lam_at(0.01), parameters=REFITTED, stop=stop).result
    assert [point.step for point in result.trace if point.provisional][-1] == 30
    assert result.stop == "converged"


def test_a_first_stage_at_its_papers_rule_is_not_covered_by_the_certificate_of_the_refit() -> None:
    first = fitted(get_method("fsmrank"), **REFITTED).result.first_stage
    assert (first.stop, first.certificate.relative > 1e-6) == ("the paper's rule", True)
    method = get_method("fsmrank")
    exact = method.fit(
        TRAINING, TRAINING.lam_at(SHARE), parameters=method.settings(REFITTED), stop=method.stop_at(1e-6)
    )
    assert exact.result.first_stage.stop == "converged"


def test_the_ridge_is_chosen_with_c_only_where_there_is_a_refit() -> None:
    for method in REFITTABLE:
        assert "ridge" not in values_tried(method, {}, 15)
        assert values_tried(method, {"refit": 1.0}, 15)["ridge"] == RIDGE.tried
        assert "ridge" not in values_tried(method, {"refit": 1.0, "ridge": 0.5}, 15)
    assert settings_to_try(get_method("l1"), {"refit": 1.0}, 15)[0]["ridge"] == RIDGE.default


def test_l1_refit_is_the_short_word_for_refit_yes() -> None:
    short = MethodChoice.parse("l1:refit")
    assert short == MethodChoice.parse("l1:refit=yes") == MethodChoice("l1", (("refit", 1.0),))
    assert short.label == "l1:refit"
    assert dict(short.settings) == {"refit": 1.0}, "the ridge is left to the validation part"
    given = MethodChoice.parse("mcp:gamma=2:refit:ridge=0.01")
    assert given.label == "mcp:gamma=2:refit:ridge=0.01"
    assert MethodChoice.parse(given.label) == given
    assert MethodChoice.parse("l1:refit=no") == MethodChoice("l1")
    with pytest.raises(ValueError, match="has no parameter 'refit'"):
        MethodChoice.parse("l2:refit")


def test_titles_say_that_a_model_is_refitted() -> None:
    assert MethodChoice.parse("l1:refit").title == "RankSVM ℓ1, refitted"
    assert MethodChoice.parse("mcp:gamma=2:refit").title == "RankSVM MCP, refitted (gamma=2)"
    assert model_title(get_method("l1"), {"refit": 1.0}) == "ℓ1, refitted"
    assert model_title(get_method("l1"), get_method("l1").settings()) == "ℓ1"
    assert model_title(get_method("l2"), {}) == "ℓ2"
