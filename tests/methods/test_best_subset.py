"""The best subset as a method: rules for features are constraints of its search, and its path is a path of optima."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.features.rules import Rules
from core.analysis.features.what_if import weighted
from core.analysis.path import path_fits
from core.methods import get_method
from tests.oracles import ranking_problem
from tests.says import assert_says

DATA = ranking_problem(4, n_features=8)
METHOD = get_method("best-subset")
TRAINING = METHOD.training(DATA)
LAM = TRAINING.lam_at(0.01)


def test_features_that_are_off_forced_or_dear_are_constraints_of_the_search() -> None:
    plain = METHOD.fit(TRAINING, LAM, parameters={"k": 2.0})
    best = int(plain.selected[0])
    forced = int(np.setdiff1d(np.arange(8), plain.selected)[0])
    under = Rules.of(8, off=[best], forced=[forced]).applied(METHOD)
    fit = under.fit(TRAINING, LAM, parameters={"k": 2.0})
    assert fit.weights[best] == 0.0
    assert fit.weights[forced] != 0.0
    assert fit.result.nonzero == 3  # the forced one is free
    assert fit.result.stop == "converged"
    assert_says(fit.result.certificate.among, "at most 2 features", "free", "without", "off")
    costs = np.where(np.isin(np.arange(8), plain.selected), 3.0, 1.0)
    cheap = Rules.of(8, costs=costs).applied(METHOD).fit(TRAINING, LAM, parameters={"k": 2.0})
    assert (costs / costs.mean())[cheap.weights != 0.0].sum() <= 2.0 + 1e-9


def test_signs_are_constraints_too() -> None:
    plain = METHOD.fit(TRAINING, LAM, parameters={"k": 3.0})
    signs = -np.sign(plain.weights)
    fit = weighted(METHOD, np.ones(8), signs).fit(TRAINING, LAM, parameters={"k": 3.0})
    assert np.all(fit.weights * signs >= 0.0)
    assert fit.result.objective > plain.result.objective
    assert_says(fit.result.certificate.among, "at most 3 features", "signs")
    assert "off" not in fit.result.certificate.among


def test_every_point_of_its_path_is_proven_as_if_it_stood_alone() -> None:
    lams = TRAINING.lam_at(1.0) * np.array([1.0, 0.1, 0.01])
    for fit in path_fits(METHOD, TRAINING, lams, parameters={"k": 2.0}):
        alone = METHOD.fit(TRAINING, fit.lam, parameters={"k": 2.0})
        assert fit.result.stop == "converged"
        assert fit.result.objective == pytest.approx(alone.result.objective, rel=1e-5)
