"""Work in steps: every class of it keeps the contract, and its numbers are those of what has been done."""

import pickle
import time
from collections.abc import Callable, Iterator
from inspect import isabstract

import numpy as np
import pytest

from core.analysis.best_subset.certified_path import AlternativesRun
from core.analysis.best_subset.refitted_sets import Ridge
from core.analysis.best_subset.yardstick import Yardstick
from core.analysis.evaluation import FoldJudge
from core.analysis.features.stability import SelectionRun, resamples, warm_starts
from core.analysis.fit_keywords import fitting_of
from core.analysis.fitting import AtRatio, Fitting
from core.analysis.path import regularization_path
from core.analysis.path_over_k import PathOverK
from core.analysis.path_run import FinerPath, PathRun, WideningRun
from core.analysis.penalties.several_starts import StartsRun, random_starts
from core.analysis.solver_race import SolverRace
from core.analysis.tradeoff.fold_paths import FoldPaths, FoldPlan, PathPlan
from core.analysis.tuning.method_bench import BenchPlan, MethodBench
from core.data import DataError, Fold
from core.methods import get_method
from core.solvers import Stop
from core.work import CountedWork, Snapshots, Steps, Work, duration
from tests.oracles import ranking_problem
from tests.work_contract import check_contract, finished

L1 = get_method("l1")
DATA = ranking_problem(1)
TRAINING = L1.training(DATA)
JUDGE = FoldJudge(Fold("Fold1", DATA, ranking_problem(2)), "standard")
BEST = get_method("best-subset")
RIDGE = Ridge.of(TRAINING, TRAINING.lam_at(0.1), JUDGE)


def path() -> PathRun:
    return PathRun(regularization_path(L1, TRAINING, TRAINING.lam_max * np.array([1.0, 0.5, 0.2]), JUDGE), 3)


def widening() -> WideningRun:
    how = fitting_of(JUDGE.fold, "l1", {})
    return WideningRun(how, TRAINING.lam_max * np.array([0.9, 0.8]), 1, "MAP", "best")


def finer() -> FinerPath:
    return FinerPath(finished(path()).points, TRAINING, JUDGE, most=5)


def folds() -> FoldPaths:
    def missing() -> FoldJudge:
        msg = "train.txt is missing"
        raise DataError(msg)

    plans = [
        FoldPlan(name, opened, (PathPlan(f"{name}-l1", "l1", {}),), f"{name}-single")
        for name, opened in (("Fold1", lambda: JUDGE), ("Fold2", missing))
    ]
    return FoldPaths(plans, {}, 3)


def bench() -> MethodBench:
    plans = [BenchPlan(m, m, get_method(m).solver().id, {}, Stop(tol=1e-6), 5.0) for m in ("l1", "log")]
    return MethodBench(plans, {}, JUDGE, AtRatio(0.3))


def selection() -> SelectionRun:
    ratios = (1.0, 0.3)
    return SelectionRun(
        fitting_of(DATA, "l1", {}), resamples(DATA, "bootstrap"), 3, ratios, warm_starts(TRAINING, ratios)
    )


def starts() -> StartsRun:
    reach = np.ones(DATA.n_features)
    return StartsRun(L1, TRAINING, TRAINING.lam_at(0.3), random_starts(3, -reach, reach), {})


EVERY: dict[str, Callable[[], Work]] = {
    "steps": lambda: Steps(iter("abc"), 3),
    "path": path,
    "widening": widening,
    "finer path": finer,
    "selection": selection,
    "starts": starts,
    "folds": folds,
    "bench": bench,
    "fit": lambda: L1.run(TRAINING, TRAINING.lam_at(0.3)),
    "path over k": lambda: PathOverK(Fitting(BEST, RIDGE.training, JUDGE, {}, None, BEST.stop), RIDGE.lam, range(1, 3)),
    "yardstick": lambda: Yardstick(BEST, RIDGE, 2),
    "alternatives": lambda: AlternativesRun(RIDGE, 2, 0.01),
    "race": lambda: SolverRace(fitting_of(DATA, "l1", {"tol": 1e-3}), TRAINING.lam_at(0.3), 0.2),
}


@pytest.mark.parametrize("name", EVERY)
def test_all_work_keeps_the_contract(name: str) -> None:
    check_contract(EVERY[name]())


def test_every_base_of_counted_work_is_tried_here() -> None:
    def below(kind: type) -> Iterator[type]:
        for child in kind.__subclasses__():
            yield child
            yield from below(child)

    named = {kind for kind in below(CountedWork) if kind.__module__.startswith("core.") and not isabstract(kind)}
    assert named == {type(make()) for make in EVERY.values()} & named


@pytest.mark.parametrize("name", EVERY)
def test_a_snapshot_is_plain_data_and_says_what_the_work_says(name: str) -> None:
    run = EVERY[name]()
    for _ in range(40):
        if run.done:
            break
        run.advance()
    assert isinstance(run, Snapshots)
    before = run.share, run.done, run.seconds_left, dict(run.problems)
    shown = pickle.loads(pickle.dumps(run))
    assert (shown.share, shown.done, shown.seconds_left, dict(shown.problems)) == before
    if isinstance(run, CountedWork):
        assert (shown.total, shown.count, shown.seconds_each, shown.now) == (
            run.total, run.count, run.seconds_each, run.now
        )  # fmt: skip


def test_a_fit_past_its_limit_is_not_done_once_it_has_been_extended() -> None:
    run = finished(L1.run(TRAINING, TRAINING.lam_at(0.3), stop=Stop(tol=0.0, max_steps=2)))
    run.extend()
    assert (run.done, run.share) == (False, 0.0)


def test_a_step_beyond_the_end_does_nothing() -> None:
    run = Steps(iter("ab"), 2)
    for _ in range(3):
        run.advance()
    assert (run.found, run.share, run.seconds_left) == (["a", "b"], 1.0, 0.0)


def test_what_is_left_takes_as_long_as_what_has_been_done() -> None:
    def slow() -> Iterator[int]:
        for k in range(4):
            time.sleep(0.02)
            yield k

    run = Steps(slow(), 4)
    run.advance()
    assert run.seconds_each is not None
    assert run.seconds_each >= 0.02
    assert run.seconds_left == pytest.approx(3 * run.seconds_each)


class OddOnes(CountedWork):
    """Forty things of which others have done ten; the second step leaves out the odd ones."""

    total, left = 40, 30

    @property
    def count(self) -> int:
        return self.total - self.left

    def _step(self) -> None:
        self.left -= 1 if self.left == 30 else 15


def test_what_others_have_done_or_what_is_left_out_says_nothing_about_the_pace() -> None:
    run = OddOnes()
    run.advance()
    run.advance()
    assert run.seconds_left == pytest.approx(run.seconds / 2 * 14)


def test_a_step_that_fails_has_taken_its_time() -> None:
    def fail() -> Iterator[int]:
        time.sleep(0.02)
        msg = "no"
        raise ValueError(msg)
        yield 0

    run = Steps(fail(), 1)
    with pytest.raises(ValueError, match="no"):
        run.advance()
    assert (run.count, run.seconds >= 0.02, run.seconds_left) == (0, True, None)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "about 1 s"), (59.0, "about 59 s"), (100.0, "about 2 min"), (7200.0, "about 2 h"), (4e5, "about 5 d"),
     (None, "unknown time")],
)  # fmt: skip
def test_lengths_of_time_are_said_in_words(seconds: float | None, words: str) -> None:
    assert duration(seconds) == words
