"""Table 6 of FenchelRank: the two problems are one in the ball of the model's norm, and only there.

Fig. 5 of FSMRank: both solvers on one problem, and an optimum that neither goes below.
The examples that come with the program are runs of today's program.
The toy study: repeatable, paired, and averaged over the trials that all methods have.

Running times: exponents of exact power laws, and what is not tried any more.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import wilcoxon

from core.data import open_dataset
from core.data.built_in import toy_problem
from core.experiments.papers.experiment import Request
from core.experiments.papers.fenchelrank_time import FENCHELRANK_TIME, BallOutcome, ball_outcome, ball_tables
from core.experiments.papers.fsmrank_convergence import (
    FSMRANK_CONVERGENCE,
    ConvergenceOutcome,
    Course,
    convergence_outcome,
    convergence_tables,
)
from core.experiments.papers.infinite_push_time import (
    ADMM,
    EXACT,
    RANK,
    Timing,
    TimingCell,
    timing,
    timing_cells,
    timing_curves,
)
from core.experiments.papers.infinite_push_toy import (
    METHODS,
    REFERENCE,
    ToyCell,
    ToyOutcome,
    precision_and_recall,
    toy_cells,
    toy_outcome,
    toy_points,
)
from core.experiments.run.plan import DatasetSource
from core.experiments.run.store.store import Piece
from core.figures.papers.registry import convergence_sentence
from core.methods import get_method
from core.metrics.feature_scores import pearson_matrix, relevance_correlation
from core.solvers import Stop
from tests.oracles import RankSvm


@pytest.fixture(scope="module")
def measured() -> BallOutcome:
    (cell, *_) = FENCHELRANK_TIME.cells(Request((DatasetSource("planted"),)))
    return ball_outcome(cell, {})


def test_the_radius_is_the_norm_of_tgranks_model_after_a_thousand_steps_and_c_times_it(measured: BallOutcome) -> None:
    """TGRank by hand: 1000 steps at lambda = 1 / (0.1 P), P counted pair by pair."""
    train = open_dataset("planted").fold(1).train
    n_pairs = sum(
        int((query[:, None] > query[None, :]).sum())
        for query in np.split(train.relevance, train.query_offsets[1:-1])
    )  # fmt: skip
    method = get_method("tgrank")
    fit = method.fit(method.training(train), 1.0 / (0.1 * n_pairs), stop=Stop(tol=0.0, max_steps=1000))
    norm = float(np.abs(fit.weights).sum())
    assert measured.tgrank.radius == measured.same_ball.radius == pytest.approx(norm, rel=1e-12)
    assert measured.printed_ball.radius == pytest.approx(0.1 * norm, rel=1e-12)
    assert measured.tgrank.share == np.count_nonzero(fit.weights) / train.n_features
    assert measured.tgrank.steps <= 1000


def test_the_ball_of_the_optimums_norm_has_the_l1_optimum_and_a_tenth_of_it_has_not(measured: BallOutcome) -> None:
    """Why r = |w|_1: the l1 model at C = 0.1 is best within that ball, and far outside the printed one."""
    training = get_method("l1").training(open_dataset("planted").fold(1).train)
    lam = training.lam_of(0.1)
    weights = get_method("l1").fit(training, lam, stop=Stop(tol=1e-10)).weights
    assert measured.optimal_radius == pytest.approx(np.abs(weights).sum(), rel=1e-4)
    data = training.data

    def loss(w: np.ndarray) -> float:
        return training.loss.evaluate(data.features @ w).value

    fenchelrank = get_method("fenchelrank")
    ball = {"radius": measured.optimal_radius}
    inside = fenchelrank.fit(training, lam, solver="fully-corrective", parameters=ball, stop=Stop(tol=1e-9)).weights
    assert loss(inside) == pytest.approx(loss(weights), abs=1e-6)
    small = {"radius": 0.1 * measured.optimal_radius}
    printed = fenchelrank.fit(training, lam, solver="fully-corrective", parameters=small, stop=Stop(tol=1e-9)).weights
    assert loss(printed) > loss(weights) + 0.01


def test_printed_numbers_stand_beside_those_of_their_fold(measured: BallOutcome) -> None:
    dataset = replace(measured.cell.dataset, name="HP2004")
    row = ball_tables([replace(measured, cell=replace(measured.cell, dataset=dataset, number=3))])[0].rows[0]
    printed = {name.removeprefix("printed "): value for name, value in row.items() if name.startswith("printed")}
    assert printed == {
        "r": 18.94, "FenchelRank seconds": 4.38, "FenchelRank ratio": 0.1563, "TGRank seconds": 33.18,
        "TGRank ratio": 0.6094,
    }  # fmt: skip
    assert not any(name.startswith("printed") for name in ball_tables([measured])[0].rows[0])


@pytest.fixture(scope="module")
def converged() -> ConvergenceOutcome:
    (cell,) = FSMRANK_CONVERGENCE.cells(Request((DatasetSource("planted"),), quick=True))
    return convergence_outcome(cell, {})


def test_an_outcome_comes_back_from_the_file_as_it_was(measured: BallOutcome, converged: ConvergenceOutcome) -> None:
    for found in (measured, converged):
        piece = Piece("any", found.cell, type(found))
        assert piece.unpack(piece.pack(found)) == found


def test_the_objective_of_the_last_step_is_eq_2_worked_out_pair_by_pair(converged: ConvergenceOutcome) -> None:
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


def test_both_begin_at_the_empty_model_and_end_above_the_optimum(converged: ConvergenceOutcome) -> None:
    assert set(converged.courses) == {"nesterov-nemirovski", "subgradient"}
    for course in converged.courses.values():
        assert (course.objective[0], course.nonzero[0]) == (1.0, 0)
        assert len(course.objective) <= 101
        assert min(course.objective) >= converged.optimum
        assert list(course.seconds) == sorted(course.seconds)
    assert 0.0 <= converged.gap < 1e-5


def test_the_sentence_counts_who_is_first_within_one_percent(converged: ConvergenceOutcome) -> None:
    fast, slow = Course((0.0, 1.0), (1.0, 0.5), (0, 1)), Course((0.0, 2.0), (1.0, 0.5), (0, 1))
    never = Course((0.0, 0.5), (1.0, 0.6), (0, 1))

    def made_up(nesterov: Course, subgradient: Course) -> ConvergenceOutcome:
        courses = {"nesterov-nemirovski": nesterov, "subgradient": subgradient}
        return replace(converged, courses=courses, optimum=0.4999)

    found = [made_up(fast, slow), made_up(fast, never), made_up(slow, fast), made_up(never, never)]
    assert convergence_sentence(found).endswith("on 2 of 4 datasets")
    summary = convergence_tables(found)[0].rows
    assert [row["seconds to 1 %"] for row in summary] == [1.0, 2.0, 1.0, None, 2.0, 1.0, None, None]


def outcome(method: str, trial: int, top: float, n_train: int = 40) -> ToyOutcome:
    return ToyOutcome(ToyCell(n_train, 5, trial, method), top, 3, 0.5, 1.0, 0.1, 0.01)


def test_an_outcome_is_of_its_cell() -> None:
    found = toy_outcome(ToyCell(100, 20, 0, "infinite-push-l2"), {})
    assert found.kept == 30
    assert (found.precision, found.recall) == (10 / 30, 1.0)
    positives = int((toy_problem(n_features=30, seed=0).test.relevance > 0).sum())
    assert found.top * positives == pytest.approx(round(found.top * positives))


def test_precision_and_recall_are_counts_by_hand() -> None:
    assert precision_and_recall([0, 2, 7, 9], range(3)) == (2 / 4, 2 / 3)
    assert precision_and_recall([], [0, 1]) == precision_and_recall([5, 6], [0, 1]) == (0.0, 0.0)
    assert replace(outcome("l1", 0, 0.5), precision=0.0, recall=0.0).f_measure == 0.0


def test_trials_come_one_after_the_other_with_every_method() -> None:
    cells = toy_cells((40, 100), (20,), 2)
    assert [cell.trial for cell in cells] == [0] * 8 + [1] * 8
    assert [cell.method for cell in cells[:4]] == list(METHODS)


def test_averages_and_p_values_are_of_the_trials_that_all_methods_have() -> None:
    ours, theirs = [0.5, 0.4, 0.6, 0.9], [0.3, 0.1, 0.5]
    points = toy_points([*(outcome(REFERENCE, t, top) for t, top in enumerate(ours)),
                         *(outcome("l1", t, top) for t, top in enumerate(theirs))])  # fmt: skip
    first, second = sorted(points, key=lambda p: p.method != REFERENCE)
    assert first.top.mean == pytest.approx(0.5)
    assert first.top.error == pytest.approx(np.std(ours[:3], ddof=1) / np.sqrt(3))
    assert (second.method, second.n_trials, first.p_value) == ("l1", 3, None)
    assert second.p_value == wilcoxon(ours[:3], theirs).pvalue
    assert second.f_measure.mean == pytest.approx(2 / 3)


def test_a_size_without_a_complete_trial_is_not_drawn() -> None:
    points = toy_points([outcome(REFERENCE, 0, 0.5), outcome("l1", 0, 0.2), outcome(REFERENCE, 0, 0.7, n_train=100)])
    assert {p.n_train for p in points} == {40}
    assert toy_points([]) == []


@pytest.mark.more
def test_the_sparse_push_is_above_the_dense_one_and_ranksvm_among_many_noisy_features() -> None:
    cells = toy_cells((200,), (100,), 6, (REFERENCE, "infinite-push-l2", "l1"))
    top = {p.method: p.top.mean for p in toy_points([toy_outcome(cell, {}) for cell in cells])}
    assert top[REFERENCE] > top["infinite-push-l2"] + 0.2
    assert top[REFERENCE] > top["l1"]


def found(n_train: int, seconds: float, stop: str = "converged", trial: int = 0) -> Timing:
    return Timing(TimingCell(n_train, 20, trial, EXACT), seconds, 9, stop)


def test_the_exponent_of_a_power_law_of_the_pairs_is_found() -> None:
    (curve,) = timing_curves([found(n, 0.001 * (n * n / 4) ** 0.7) for n in (40, 80, 160)])
    assert curve.pairs == (400, 1600, 6400)
    assert curve.exponent == pytest.approx(0.7)


def test_what_was_given_up_is_drawn_but_bends_no_exponent_and_what_was_not_tried_is_not() -> None:
    timings = [found(40, 1.0), found(80, 4.0), found(160, 5.0, "time limit"), found(320, np.nan, "not tried")]
    (curve,) = timing_curves(timings)
    assert curve.seconds == (1.0, 4.0, 5.0)
    assert curve.converged == (True, True, False)
    assert curve.exponent == pytest.approx(1.0)


def test_a_curve_is_the_median_over_trials() -> None:
    (curve,) = timing_curves([found(40, s, trial=t) for t, s in enumerate((1.0, 9.0, 2.0))])
    assert (curve.seconds, curve.exponent) == ((2.0,), None)


def test_pairs_are_those_of_the_drawn_problem() -> None:
    for n in (40, 41):
        relevance = toy_problem(n_train=n, n_test=2).train.relevance
        assert TimingCell(n, 20, 0, EXACT).n_pairs == (relevance > 0).sum() * (relevance == 0).sum()


def test_no_more_pairs_than_a_solver_may_have_are_tried() -> None:
    cells = timing_cells((400, 402), (20,), 1)
    assert {cell.n_train for cell in cells if cell.system == ADMM} == {400}
    assert {cell.n_train for cell in cells if cell.system == EXACT} == {400, 402}


def test_a_solver_that_ran_out_of_time_is_not_tried_on_more() -> None:
    hurried = replace(ADMM, most_seconds=0.0)
    known: dict[TimingCell, Timing] = {}
    for cell in (TimingCell(20, 5, 0, hurried), TimingCell(30, 5, 0, hurried), TimingCell(30, 5, 0, EXACT)):
        known[cell] = timing(cell, known)
    first, larger, exact = known.values()
    assert (first.stop, larger.stop, exact.stop) == ("time limit", "not tried", "converged")
    assert np.isnan(larger.seconds)


def test_every_system_solves_a_small_problem() -> None:
    timings = [timing(cell, {}) for cell in timing_cells((20,), (5,), 1)]
    assert [(t.cell.system, t.stop) for t in timings] == [(s, "converged") for s in (EXACT, ADMM, RANK)]
