"""The best subset as a method: rules for features are constraints of its search, and its path is a path of optima.

The l0 method: rules change prices, and the best subset of the same size is the same model.
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


def test_the_l0_model_is_the_best_subset_of_its_size_at_the_same_lambda() -> None:
    fit = PRICED.fit(TRAINING, PRICED_LAM)
    best = get_method("best-subset").fit(TRAINING, PRICED_LAM, parameters={"k": float(fit.result.nonzero)})
    assert 0 < fit.result.nonzero < 8
    np.testing.assert_allclose(fit.weights, best.weights, rtol=1e-4, atol=1e-8)


def test_features_that_are_off_or_forced_have_an_infinite_price_or_none() -> None:
    plain = PRICED.fit(TRAINING, PRICED_LAM)
    best, out = int(plain.selected[0]), int(np.flatnonzero(plain.weights == 0.0)[0])
    fit = Rules.of(8, off=[best], forced=[out]).applied(PRICED).fit(TRAINING, PRICED_LAM)
    assert fit.weights[best] == 0.0
    assert fit.weights[out] != 0.0
    assert fit.result.stop == "converged"
    assert_says(fit.result.certificate.among, "without", "off")


def test_a_higher_price_keeps_fewer_features() -> None:
    kept = [PRICED.fit(TRAINING, PRICED_LAM, parameters={"price": price}).result.nonzero for price in (0.1, 1.0, 10.0)]
    assert kept == sorted(kept, reverse=True)
    assert kept[0] > kept[-1]
