"""Radius and lambda are two names of the same model, and FenchelRank speaks both.

The three reweighted methods: what share of the features they may keep, and of which features.
TGRank and RSRank stop where their readers' paper says, and people are told what it leaves open.
"""

import numpy as np
import pytest

from core.methods import Method, get_method
from core.methods.fenchelrank import FENCHELRANK, PAPER_RADII, SMALLEST_SHARE, lam_of_radius, radius_of
from core.methods.ranksvm import RANKSVM_L2
from core.methods.reweighted_l2 import L2_AROM, RWFS_L0, RWFS_L1, most_kept
from core.solvers import Stop
from tests.oracles import RankSvm, optimum, ranking_problem

DATA = ranking_problem(2)
PAIRS = RankSvm.of(DATA)
TRAINING = FENCHELRANK.training(DATA)
LARGEST = float(
    np.abs(optimum(PAIRS, 1e-9, np.ones(DATA.n_features))[0]).sum()
)  # ||w||_1 of the unconstrained minimiser
TIGHT = Stop(tol=1e-10)


@pytest.mark.parametrize("share", [0.999, 0.8, 0.3, 0.03, 1e-3, 1e-4])
def test_the_radius_is_the_size_of_the_l1_model_whose_lambda_it_gives_back(share: float) -> None:
    lam = TRAINING.lam_at(share)
    w, _ = optimum(PAIRS, lam, np.ones(DATA.n_features))
    radius = radius_of(TRAINING, lam)
    assert radius == pytest.approx(np.abs(w).sum(), rel=1e-5)
    assert lam_of_radius(TRAINING, radius) == pytest.approx(lam, rel=1e-6)
    assert radius_of(TRAINING, TRAINING.lam_max / share) == 0.0, "the empty model"


@pytest.mark.parametrize("times", [1.001, 3.0, 100.0])
def test_a_ball_that_holds_nothing_back_has_a_lambda_below_the_smallest_that_names_it(times: float) -> None:
    lam = lam_of_radius(TRAINING, times * LARGEST)
    assert lam == pytest.approx(SMALLEST_SHARE * TRAINING.lam_max / times, rel=2e-3)
    assert radius_of(TRAINING, lam) == pytest.approx(times * LARGEST, rel=1e-9)


def test_fenchelrank_at_a_lambda_is_the_l1_model_there() -> None:
    lam = TRAINING.lam_at(0.05)
    fit = FENCHELRANK.fit(TRAINING, lam, solver="fully-corrective", stop=TIGHT)
    best = optimum(PAIRS, lam, np.ones(DATA.n_features))[1]
    assert (fit.lam, fit.c) == (lam, TRAINING.c_of(lam))
    assert fit.result.objective + lam * np.abs(fit.weights).sum() == pytest.approx(best, rel=1e-8)


def test_a_radius_of_ones_own_sets_lambda_and_c() -> None:
    """The fit tells the truth about itself, whatever C was asked for."""
    radius = 0.4 * LARGEST
    fit = FENCHELRANK.fit(
        TRAINING, TRAINING.lam_at(0.9), solver="fully-corrective", parameters={"radius": radius}, stop=TIGHT
    )
    assert np.abs(fit.weights).sum() == pytest.approx(radius)
    assert np.abs(PAIRS.gradient(fit.weights)).max() == pytest.approx(fit.lam, rel=1e-4)
    assert fit.c == TRAINING.c_of(fit.lam)


def test_fenchelrank_stops_as_its_paper_does() -> None:
    """At a gap of epsilon = 0.001, or after T = 1000 steps (Lai et al. 2013, section 8.3)."""
    loose = FENCHELRANK.fit(TRAINING, TRAINING.lam_at(0.5)).result
    assert loose.stop == "converged"
    assert loose.certificate.value <= 1e-3 < loose.trace[-2].certificate.value
    tight = FENCHELRANK.fit(TRAINING, TRAINING.lam_at(0.1)).result
    assert (tight.stop, tight.steps) == ("the paper's step limit", 1000)


def test_the_papers_radii_are_the_grid_also_where_a_ball_holds_nothing_back() -> None:
    """{1, 2, 4, 8, 16, 32, 64, 128, 256}: Lai et al. 2013, section 8.3."""
    lams = FENCHELRANK.grid(TRAINING)
    np.testing.assert_allclose([radius_of(TRAINING, lam) for lam in lams], 2.0 ** np.arange(9), rtol=1e-6)
    assert tuple(2.0 ** np.arange(9)) == PAPER_RADII
    assert PAPER_RADII[-2] > LARGEST, "or this tests nothing"
    assert np.all(np.diff(lams) < 0.0)


REWEIGHTED_DATA = ranking_problem(1, n_features=20)
every_reweighted = pytest.mark.parametrize("method", [L2_AROM, RWFS_L1, RWFS_L0], ids=lambda m: m.id)


@pytest.mark.parametrize(
    ("share", "usable", "kept"), [(0.5, 64, 32), (0.3, 64, 19), (0.1, 64, 6), (0.29, 100, 29), (0.1, 5, 1), (1, 39, 39)]
)
def test_the_share_is_a_limit_but_one_feature_may_always_stay(share: float, usable: int, kept: int) -> None:
    assert most_kept(share, usable) == kept


@every_reweighted
def test_features_that_are_zero_everywhere_do_not_count(method: Method) -> None:
    """As in the paper's ratios of sparsity: half of 10 usable features are 5, whatever else is in the file."""
    padded = REWEIGHTED_DATA.with_features(
        np.hstack([REWEIGHTED_DATA.features[:, :10], np.zeros((REWEIGHTED_DATA.n_documents, 10))]),
        ["f"] * 20,
    )
    training = method.training(padded)
    fit = method.fit(training, training.lam_at(1e-3), parameters={"share": 0.5})
    assert 0 < fit.result.nonzero <= 5


@every_reweighted
def test_a_larger_null_threshold_drops_more_in_the_first_round(method: Method) -> None:
    training = method.training(REWEIGHTED_DATA)
    lam = training.lam_at(0.1)
    dense = np.abs(RANKSVM_L2.fit(training, lam, stop=Stop(tol=1e-10)).weights)
    null = float(np.median(dense))
    fit = method.fit(training, lam, parameters={"share": 0.5, "null": null})
    np.testing.assert_array_equal(np.flatnonzero(fit.weights), np.flatnonzero(dense > null))


TRUNCATED_DATA = ranking_problem(3, n_queries=3, n_documents=8, n_features=30)


@pytest.mark.parametrize("method", [get_method("tgrank"), get_method("rsrank")], ids=lambda m: m.id)
def test_the_papers_t_ends_it_and_its_accuracy_is_said_to_be_anothers(method: Method) -> None:
    """Lai et al. 2013, sections 8.3 and 8.5.1: T = 1000; epsilon = 0.001 is FenchelRank's."""
    assert "T = 1000" in method.stopping
    assert "FenchelRank's gap" in method.stopping
    assert "below 1e-6" in method.stopping
    training = method.training(TRUNCATED_DATA)
    early, late = (method.fit(training, training.lam_at(ratio)).result for ratio in (0.9, 1e-7))
    assert early.stop == "converged"
    assert early.certificate.relative <= 1e-6
    assert (late.stop, late.steps) == ("the paper's step limit", 1000)
