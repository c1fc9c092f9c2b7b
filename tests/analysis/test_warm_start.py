"""Where the fits of a grid start: by the method, and the same for whoever follows a grid."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.features.what_if import weighted
from core.analysis.path import path_fits
from core.analysis.tuning.budgeted_fits import BudgetedFits
from core.analysis.warm_start import WarmStart, l1_fit
from core.methods import get_method
from tests.oracles import ranking_problem

DATA = ranking_problem(3, n_queries=8, n_features=7)


@pytest.mark.parametrize("method_id", ["l1", "log", "fenchelrank"])
def test_a_convex_method_starts_where_it_has_been_reweighting_at_its_own_l1_model_and_others_at_nothing(method_id):
    method = get_method(method_id)
    training = method.training(DATA)
    lam, near = training.lam_at(0.3), np.zeros(7)
    start = WarmStart.at(method, training, lam, near)
    run = method.run(training, lam, start=start.weights)
    ended = run.finish().weights
    assert (start.cost is not None) == (method_id == "log")
    if method_id == "log":
        assert np.array_equal(start.weights, l1_fit(training, lam, near).weights)
        assert np.array_equal(start.after(run), start.weights)
    else:
        assert not start.weights.any()
        assert np.array_equal(start.after(run), ended if method_id == "l1" else near)


@pytest.mark.parametrize("method_id", ["l1", "log", "fenchelrank"])
def test_a_bench_and_a_path_start_alike(method_id):
    method = get_method(method_id)
    training = method.training(DATA)
    lams = np.array([training.lam_at(ratio) for ratio in (0.5, 0.2, 0.1)])
    settings = method.settings()
    bench = BudgetedFits(method, training, lams, 60.0, solver=method.solver(None).id, parameters=settings,
                         stop=method.stop)  # fmt: skip
    for _ in bench.steps():
        pass
    for fit, other in zip(path_fits(method, training, lams), bench.finished, strict=True):
        assert np.array_equal(fit.weights, other.weights)


def test_a_path_under_rules_is_warm_started_under_the_same_rules():
    """A start with the wrong signs has an infinite objective, from which nothing descends."""
    method = weighted(get_method("log"), np.ones(7), np.ones(7))
    training = method.training(DATA)
    lams = np.array([training.lam_at(ratio) for ratio in (0.5, 0.2, 0.05)])
    fits = list(path_fits(method, training, lams))
    assert any(np.any(fit.weights) for fit in fits)
    for fit, lam in zip(fits, lams, strict=True):
        assert np.all(fit.weights >= 0.0)
        assert np.isfinite(fit.result.objective)
        alone = method.fit(training, lam)
        assert fit.result.objective == pytest.approx(alone.result.objective, rel=1e-6)
