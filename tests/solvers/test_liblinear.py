"""LIBLINEAR on explicit pairs has our l1 optimum, here and on MQ2008; as a solver it is certified by our own gap."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_svmlight_file
from sklearn.svm import LinearSVC

from core.data import RankingData
from core.losses import SquaredHinge
from core.penalties import L1
from core.solvers import Liblinear, Problem, ProximalNewton, SolverRun, Stop, liblinear, solve
from tests.oracles import RankSvm, optimum, ranking_problem
from tests.ranking_files import there
from tests.stand_ins import Clock

DATA = ranking_problem(2)


def problem(lam: float, data: RankingData = DATA) -> Problem:
    return Problem(data.features, SquaredHinge.of(data), L1(), lam)


@pytest.mark.parametrize("lam", [0.3, 0.03, 0.003])
def test_tighter_tolerances_come_closer_to_the_optimum_and_every_gap_holds(lam: float) -> None:
    pairs, start = RankSvm.of(DATA), np.full(DATA.n_features, 0.1)
    best = optimum(pairs, lam, np.ones(DATA.n_features))[1]
    found = solve(Liblinear(), problem(lam), Stop(tol=1e-7), start)
    objectives = [point.objective for point in found.trace]
    assert objectives[0] == pytest.approx(pairs.loss(start) + lam * 0.1 * DATA.n_features)
    assert np.all(np.diff(objectives) <= 1e-12)
    for point in found.trace:
        assert point.certificate.kind == "duality gap"
        assert -1e-12 <= point.objective - best <= point.certificate.value + 1e-12
    assert found.stop == "converged"
    assert found.objective == pytest.approx(pairs.loss(found.weights) + lam * np.abs(found.weights).sum(), rel=1e-11)
    assert found.objective == pytest.approx(best, rel=1e-6)


def test_a_single_pair_has_two_classes_all_the_same() -> None:
    """min (1 - w)^2 + 0.2 |w| is at w = 0.9."""
    data = RankingData.build(np.array([[1.0, 0.0], [0.0, 0.0]]), [1, 0], [0, 2])
    np.testing.assert_allclose(solve(Liblinear(), problem(0.2, data), Stop(tol=1e-9)).weights, [0.9, 0.0], atol=1e-6)


def test_the_time_of_an_iterate_is_that_of_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looser runs that come before it are how it is looked at, no part of it."""
    took, clock = iter([0.01, 0.05, 0.06]), Clock()

    def run(self: Liblinear, *rest: object) -> tuple[np.ndarray, int]:
        clock.now += next(took)
        return np.zeros(DATA.n_features), 1

    monkeypatch.setattr("time.perf_counter", clock)
    monkeypatch.setattr(Liblinear, "_run", run)
    steps = SolverRun(Liblinear(), problem(0.01), Stop(tol=0.0))
    for _ in range(4):
        steps.advance()
    assert [point.seconds for point in steps.trace] == pytest.approx([0.0, 0.01, 0.05, 0.06])


def test_it_ends_where_it_runs_out_of_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.solvers.liblinear.MOST_ITERATIONS", 3)
    found = solve(Liblinear(), problem(0.001), Stop(tol=1e-12))
    assert found.stop == "no further progress"
    assert found.steps == 1


def test_too_many_pairs_are_refused_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    n_pairs = len(RankSvm.of(DATA).differences)
    monkeypatch.setattr(liblinear, "MOST_ENTRIES", n_pairs * DATA.n_features)
    assert Liblinear().accepts(problem(0.1)) is None
    monkeypatch.setattr(liblinear, "MOST_ENTRIES", n_pairs * DATA.n_features - 1)
    with pytest.raises(ValueError, match=rf"at most {n_pairs - 1:,} pairs.*\b15\b.*\b{n_pairs:,}\b.*\bmethod l1\b"):
        solve(Liblinear(), problem(0.1))


def training_part(folder: Path) -> tuple[RankingData, RankSvm]:
    x, labels, queries = load_svmlight_file(str(folder / "train.txt"), query_id=True)
    x = np.asarray(x.todense())
    starts = np.flatnonzero(np.diff(queries, prepend=-1))
    data = RankingData.build(x, labels, [*starts, len(labels)])
    differences = []
    for first, last in zip(starts, [*starts[1:], len(labels)], strict=True):
        better, worse = np.nonzero(labels[first:last, None] > labels[None, first:last])
        differences.append(x[first + better] - x[first + worse])
    return data, RankSvm(np.concatenate(differences))


@pytest.mark.filterwarnings("error::sklearn.exceptions.ConvergenceWarning")
def test_scikit_learns_own_on_mq2008_has_our_objective(shared_data: Path) -> None:
    """Independent in reader, loss and solver. Half of the pairs are turned round, so that there are two classes."""
    data, pairs = training_part(there(shared_data / "letor" / "MQ2008" / "Fold1"))
    loss, classes = SquaredHinge.of(data), np.where(np.arange(len(pairs.differences)) % 2 == 0, 1.0, -1.0)
    assert loss.n_pairs == len(pairs.differences)
    for ratio in (0.3, 0.05):  # below, LIBLINEAR takes half a minute
        lam = ratio * np.abs(pairs.gradient(np.zeros(data.n_features))).max()
        svm = LinearSVC(
            penalty="l1", loss="squared_hinge", dual=False, fit_intercept=False, C=1.0 / (lam * loss.n_pairs),
            tol=2e-5, max_iter=20_000, random_state=0,
        )  # fmt: skip
        theirs = svm.fit(classes[:, None] * pairs.differences, classes).coef_[0]
        ours = solve(ProximalNewton(), Problem(data.features, loss, L1(), lam), Stop(tol=1e-9))
        assert ours.objective == pytest.approx(pairs.loss(theirs) + lam * np.abs(theirs).sum(), rel=1e-6)
