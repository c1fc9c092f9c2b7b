"""Table 6 of FenchelRank: the two problems are one in the ball of the model's norm, and only there.

Fig. 5 of FSMRank: both solvers on one problem, and an optimum that neither goes below.
The examples that come with the program are runs of today's program.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.data import open_dataset
from core.experiments.papers.experiment import FoldRef, Request
from core.experiments.papers.fenchelrank_time import (
    FENCHELRANK_TIME,
    BallOutcome,
    ball_outcome,
    ball_tables,
)
from core.experiments.papers.fsmrank_convergence import (
    FSMRANK_CONVERGENCE,
    ConvergenceOutcome,
    Course,
    convergence_outcome,
    convergence_tables,
)
from core.experiments.run.plan import DatasetSource
from core.experiments.run.store.piece import Piece
from core.figures.papers.registry import convergence_sentence
from core.methods import get_method
from core.metrics.feature_scores import relevance_correlation
from core.metrics.feature_similarity import pearson_matrix
from core.solvers import Stop
from tests.oracles import RankSvm


@pytest.fixture(scope="module")
def outcome() -> BallOutcome:
    (cell, *_) = FENCHELRANK_TIME.cells(Request((DatasetSource("planted"),)))
    return ball_outcome(cell, {})


def test_the_radius_is_the_norm_of_tgranks_model_after_a_thousand_steps_and_c_times_it(outcome: BallOutcome) -> None:
    """TGRank by hand: 1000 steps at lambda = 1 / (0.1 P), P counted pair by pair."""
    train = open_dataset("planted").fold(1).train
    n_pairs = sum(
        int((query[:, None] > query[None, :]).sum())
        for query in np.split(train.relevance, train.query_offsets[1:-1])
    )  # fmt: skip
    method = get_method("tgrank")
    fit = method.fit(method.training(train), 1.0 / (0.1 * n_pairs), stop=Stop(tol=0.0, max_steps=1000))
    norm = float(np.abs(fit.weights).sum())
    assert outcome.tgrank.radius == outcome.same_ball.radius == pytest.approx(norm, rel=1e-12)
    assert outcome.printed_ball.radius == pytest.approx(0.1 * norm, rel=1e-12)
    assert outcome.tgrank.share == np.count_nonzero(fit.weights) / train.n_features
    assert outcome.tgrank.steps <= 1000


def test_the_ball_of_the_optimums_norm_has_the_l1_optimum_and_a_tenth_of_it_has_not(outcome: BallOutcome) -> None:
    """Why r = |w|_1: the l1 model at C = 0.1 is best within that ball, and far outside the printed one."""
    training = get_method("l1").training(open_dataset("planted").fold(1).train)
    lam = training.lam_of(0.1)
    weights = get_method("l1").fit(training, lam, stop=Stop(tol=1e-10)).weights
    assert outcome.optimal_radius == pytest.approx(np.abs(weights).sum(), rel=1e-4)
    data = training.data

    def loss(w: np.ndarray) -> float:
        return training.loss.evaluate(data.features @ w).value

    fenchelrank = get_method("fenchelrank")
    ball = {"radius": outcome.optimal_radius}
    inside = fenchelrank.fit(training, lam, solver="fully-corrective", parameters=ball, stop=Stop(tol=1e-9)).weights
    assert loss(inside) == pytest.approx(loss(weights), abs=1e-6)
    small = {"radius": 0.1 * outcome.optimal_radius}
    printed = fenchelrank.fit(training, lam, solver="fully-corrective", parameters=small, stop=Stop(tol=1e-9)).weights
    assert loss(printed) > loss(weights) + 0.01


def test_printed_numbers_stand_beside_those_of_their_fold(outcome: BallOutcome) -> None:
    fold = outcome.cell
    hp2004 = FoldRef("HP2004", 3, fold.identity, fold.convention, fold.n_features, fold.source)
    moved = BallOutcome(hp2004, outcome.tgrank, outcome.same_ball, outcome.printed_ball, outcome.optimal_radius)
    row = ball_tables([moved])[0].rows[0]
    printed = {name.removeprefix("printed "): value for name, value in row.items() if name.startswith("printed")}
    assert printed == {
        "r": 18.94, "FenchelRank seconds": 4.38, "FenchelRank ratio": 0.1563, "TGRank seconds": 33.18,
        "TGRank ratio": 0.6094,
    }  # fmt: skip
    assert not any(name.startswith("printed") for name in ball_tables([outcome])[0].rows[0])


@pytest.fixture(scope="module")
def converged() -> ConvergenceOutcome:
    (cell,) = FSMRANK_CONVERGENCE.cells(Request((DatasetSource("planted"),), quick=True))
    return convergence_outcome(cell, {})


def test_an_outcome_comes_back_from_the_file_as_it_was(outcome: BallOutcome, converged: ConvergenceOutcome) -> None:
    for found in (outcome, converged):
        piece = Piece("any", found.cell, type(found))
        assert piece.unpack(piece.pack(found)) == found


def test_the_objective_of_the_last_step_is_eq_2_worked_out_pair_by_pair(
    converged: ConvergenceOutcome,
) -> None:
    method, train = get_method("fsmrank"), open_dataset("planted").fold(1).train
    course = converged.courses["nesterov-nemirovski"]
    how = {"parameters": {"lambda1": converged.lambda1}, "stop": Stop(tol=0.0, max_steps=100)}
    w = method.fit(method.training(train), converged.lambda2, **how).weights
    used = w != 0.0
    similarity = np.abs(pearson_matrix(train.features))
    penalty = converged.lambda2 * (np.abs(w[used]) / relevance_correlation(train)[used]).sum()
    penalty += converged.lambda1 / 2.0 * np.abs(w) @ similarity @ np.abs(w)
    # The similarity's diagonal may have been raised a little, to make it positive semi-definite.
    assert course.objective[-1] == pytest.approx(RankSvm.of(train).loss(w) + penalty, rel=1e-3)
    assert course.nonzero[-1] == np.count_nonzero(w)


def test_both_begin_at_the_empty_model_and_end_above_the_optimum(
    converged: ConvergenceOutcome,
) -> None:
    assert set(converged.courses) == {"nesterov-nemirovski", "subgradient"}
    for course in converged.courses.values():
        assert (course.objective[0], course.nonzero[0]) == (1.0, 0)
        assert len(course.objective) <= 101
        assert min(course.objective) >= converged.optimum
        assert list(course.seconds) == sorted(course.seconds)
    assert 0.0 <= converged.gap < 1e-5


def test_the_sentence_counts_who_is_first_within_one_percent(
    converged: ConvergenceOutcome,
) -> None:
    fast, slow = Course((0.0, 1.0), (1.0, 0.5), (0, 1)), Course((0.0, 2.0), (1.0, 0.5), (0, 1))
    never = Course((0.0, 0.5), (1.0, 0.6), (0, 1))

    def made_up(nesterov: Course, subgradient: Course) -> ConvergenceOutcome:
        courses = {"nesterov-nemirovski": nesterov, "subgradient": subgradient}
        return replace(converged, courses=courses, optimum=0.4999)

    found = [made_up(fast, slow), made_up(fast, never), made_up(slow, fast), made_up(never, never)]
    assert convergence_sentence(found).endswith("on 2 of 4 datasets")
    summary = convergence_tables(found)[0].rows
    assert [row["seconds to 1 %"] for row in summary] == [1.0, 2.0, 1.0, None, 2.0, 1.0, None, None]
