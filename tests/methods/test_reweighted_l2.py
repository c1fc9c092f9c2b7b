"""The three reweighted methods: what share of the features they may keep, and of which features."""

from __future__ import annotations

import numpy as np
import pytest

from core.methods import Method
from core.methods.liblinear import LIBLINEAR_L1
from core.methods.ranksvm_l1 import RANKSVM_L1
from core.methods.ranksvm_l2 import RANKSVM_L2
from core.methods.reweighted_l2 import L2_AROM, RWFS_L0, RWFS_L1, most_kept
from core.solvers import Stop
from tests.oracles import ranking_problem

DATA = ranking_problem(1, n_features=20)
every_reweighted = pytest.mark.parametrize("method", [L2_AROM, RWFS_L1, RWFS_L0], ids=lambda m: m.id)


@pytest.mark.parametrize(
    ("share", "usable", "kept"), [(0.5, 64, 32), (0.3, 64, 19), (0.1, 64, 6), (0.29, 100, 29), (0.1, 5, 1), (1, 39, 39)]
)
def test_the_share_is_a_limit_but_one_feature_may_always_stay(share: float, usable: int, kept: int) -> None:
    assert most_kept(share, usable) == kept


@every_reweighted
@pytest.mark.parametrize("share", [0.5, 0.3, 0.1])
def test_no_more_than_the_papers_thresholds_are_kept(method: Method, share: float) -> None:
    training = method.training(DATA)
    fit = method.fit(training, training.lam_at(0.01), parameters={"share": share})
    assert 0 < fit.result.nonzero <= share * 20
    assert fit.result.stop == "converged"


@every_reweighted
def test_features_that_are_zero_everywhere_do_not_count(method: Method) -> None:
    """As in the paper's ratios of sparsity: half of 10 usable features are 5, whatever else is in the file."""
    padded = DATA.with_features(np.hstack([DATA.features[:, :10], np.zeros((DATA.n_documents, 10))]), ["f"] * 20)
    training = method.training(padded)
    fit = method.fit(training, training.lam_at(1e-3), parameters={"share": 0.5})
    assert fit.result.nonzero <= 5


@every_reweighted
def test_all_of_the_features_are_the_l2_model(method: Method) -> None:
    training = method.training(DATA)
    lam, stop = training.lam_at(0.1), Stop(tol=1e-10)
    fit = method.fit(training, lam, parameters={"share": 1.0}, stop=stop)
    np.testing.assert_allclose(fit.weights, RANKSVM_L2.fit(training, lam, stop=stop).weights, atol=1e-7)


@every_reweighted
def test_a_larger_null_threshold_drops_more_in_the_first_round(method: Method) -> None:
    training = method.training(DATA)
    lam = training.lam_at(0.1)
    dense = np.abs(RANKSVM_L2.fit(training, lam, stop=Stop(tol=1e-10)).weights)
    null = float(np.median(dense))
    fit = method.fit(training, lam, parameters={"share": 0.5, "null": null})
    np.testing.assert_array_equal(np.flatnonzero(fit.weights), np.flatnonzero(dense > null))


@pytest.mark.parametrize("ratio", [0.3, 0.03, 0.003])
def test_liblinear_has_the_model_of_l1_at_the_same_c(ratio: float) -> None:
    training = LIBLINEAR_L1.training(DATA)
    theirs = LIBLINEAR_L1.fit(training, training.lam_at(ratio))
    ours = RANKSVM_L1.fit(training, training.lam_at(ratio), stop=Stop(tol=1e-10))
    assert theirs.c == ours.c
    assert theirs.result.objective == pytest.approx(ours.result.objective, rel=1e-6)
