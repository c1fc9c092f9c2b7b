"""The l0 method: rules for features change prices, and the best subset of the same size is the same model."""

from __future__ import annotations

import numpy as np

from core.analysis.features.rules import Rules
from core.methods import get_method
from tests.oracles import ranking_problem
from tests.says import assert_says

DATA = ranking_problem(4, n_features=8)
METHOD = get_method("l0")
TRAINING = METHOD.training(DATA)
LAM = TRAINING.lam_at(0.03)


def test_its_model_is_the_best_subset_of_its_size_at_the_same_lambda() -> None:
    fit = METHOD.fit(TRAINING, LAM)
    best = get_method("best-subset").fit(TRAINING, LAM, parameters={"k": float(fit.result.nonzero)})
    assert 0 < fit.result.nonzero < 8
    np.testing.assert_allclose(fit.weights, best.weights, rtol=1e-4, atol=1e-8)


def test_features_that_are_off_or_forced_have_an_infinite_price_or_none() -> None:
    plain = METHOD.fit(TRAINING, LAM)
    best, out = int(plain.selected[0]), int(np.flatnonzero(plain.weights == 0.0)[0])
    fit = Rules.of(8, off=[best], forced=[out]).applied(METHOD).fit(TRAINING, LAM)
    assert fit.weights[best] == 0.0
    assert fit.weights[out] != 0.0
    assert fit.result.stop == "converged"
    assert_says(fit.result.certificate.among, "without", "off")


def test_a_higher_price_keeps_fewer_features() -> None:
    kept = [METHOD.fit(TRAINING, LAM, parameters={"price": price}).result.nonzero for price in (0.1, 1.0, 10.0)]
    assert kept == sorted(kept, reverse=True)
    assert kept[0] > kept[-1]
