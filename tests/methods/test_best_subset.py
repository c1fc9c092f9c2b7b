"""The best subset as a method: rules for features are constraints of its search, and its path is a path of optima.

The l0 method: rules change prices.
"""

import numpy as np

from core.analysis.features.rules import Rules
from core.analysis.features.what_if import weighted
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


PRICED = get_method("l0")
PRICED_LAM = TRAINING.lam_at(0.03)


def test_features_that_are_off_or_forced_have_an_infinite_price_or_none() -> None:
    plain = PRICED.fit(TRAINING, PRICED_LAM)
    best, out = int(plain.selected[0]), int(np.flatnonzero(plain.weights == 0.0)[0])
    fit = Rules.of(8, off=[best], forced=[out]).applied(PRICED).fit(TRAINING, PRICED_LAM)
    assert fit.weights[best] == 0.0
    assert fit.weights[out] != 0.0
    assert fit.result.stop == "converged"
    assert_says(fit.result.certificate.among, "without", "off")
