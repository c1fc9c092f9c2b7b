"""Every kind of work comes out of the process that computes as it comes out of a thread, to the last bit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from core.analysis.best_subset.alternatives import AlternativesRun
from core.analysis.best_subset.refitted_sets import Ridge, refits_along, selections
from core.analysis.best_subset.yardstick import BEST, Yardstick, certified_rows
from core.analysis.evaluation import FoldJudge
from core.analysis.features.resampling import SelectedOnFolds, SelectedOnSamples, Selection
from core.analysis.features.rules import Rules
from core.analysis.features.single_feature import SingleFeatureScores
from core.analysis.fitting import AtRatio, Fitting
from core.analysis.path import PathPoint
from core.analysis.path_run import FinerPath, PathRun
from core.analysis.penalties.several_starts import StartsRun, from_random_starts
from core.analysis.solver_race import SolverRace
from core.analysis.tradeoff.fold_paths import FoldPaths, FoldPlan, PathPlan, fold_judge, paths_of_folds
from core.analysis.tuning.method_bench import BenchPlan, MethodBench
from core.analysis.tuning.method_rows import MethodRows
from core.analysis.tuning.tried_models import TriedModels
from core.data import Reading
from core.methods import Fit, Method, Training, get_method
from core.solvers import Stop
from core.warm_up import warm_up
from pages.shared.work.board import JobBoard
from pages.shared.work.jobs import Job
from tests.app.fitting import until
from tests.app.shared.work.process.boards import process_board
from tests.cases import sweep

DATASET = Reading().open("planted")
FOLD = DATASET.fold(1)
JUDGE = FoldJudge(FOLD, DATASET.convention)
RIDGE_RATIO = 0.01


def prepared(method_id: str) -> tuple[Method, Training, float]:
    method = get_method(method_id)
    training = method.training(FOLD.train, None, DATASET.convention)
    return method, training, training.lam_at(0.05)


def fitting(method: Method, training: Training) -> Fitting:
    return Fitting(method, training, JUDGE, {}, None, method.stop)


def points_of(method: Method, training: Training, count: int) -> list[PathPoint]:
    return list(fitting(method, training).path(count, 0.01))


def told(fit: Fit) -> tuple[Any, ...]:
    """A fit without its seconds."""
    result = fit.result
    steps = [(p.step, p.objective, p.certificate, p.passes, p.nonzero) for p in result.trace]
    return (fit.method, fit.solver, fit.lam, fit.weights.tobytes(), result.objective, result.stop, steps)


def points_told(points: list[PathPoint]) -> list[Any]:
    return [(*told(point.fit), point.metrics, point.in_file_order) for point in points]


def finished(work: Any) -> Any:
    while not work.done:
        work.advance()
    return work


Kind = tuple[Callable[[], Any], Callable[[Any], Any]]


def single(method_id: str, solver: str | None = None) -> Kind:
    method, training, lam = prepared(method_id)
    return partial(method.run, training, lam, solver=solver), lambda run: told(run.fit())


def under_rules() -> Kind:
    _, training, lam = prepared("log")
    method = Rules.of(FOLD.train.n_features, off=[1], forced=[2], helps=[3]).applied(get_method("log"))
    return partial(method.run, training, lam), lambda run: told(run.fit())


def path() -> Kind:
    method, training, _ = prepared("mcp")
    return partial(PathRun.of, fitting(method, training)), lambda run: points_told(run.points)


def finer() -> Kind:
    method, training, _ = prepared("l0.5")
    points = points_of(method, training, 6)
    return partial(FinerPath, points, training, JUDGE, most=20), lambda run: points_told(run.whole)


def race() -> Kind:
    # Whose turn it is depends on seconds: what each solver has found at its end does not.
    method, training, lam = prepared("l1")
    make = partial(SolverRace, method, training, lam, parameters={}, tol=0.1, limit=1e3)
    return make, lambda run: (run.problems, [told(fit) for fit in run.fits()])


def tuning() -> Kind:
    return TriedModels(FOLD, "l1", {}).work, lambda run: points_told(run.points)


def stability(*, on_folds: bool = False) -> Kind:
    selection = Selection(FOLD, "l1", AtRatio(0.1), 1, {})
    work = SelectedOnFolds(selection, DATASET).work if on_folds else SelectedOnSamples(selection, "halves", 3, 5).work
    return work, lambda run: (run.result().frequencies.tobytes(), run.result().mean_selected)


def folds() -> Kind:
    plans = [
        FoldPlan(
            f"fold {number}",
            partial(fold_judge, DATASET, number, DATASET.convention),
            (PathPlan(f"path {number}", "log", get_method("log").settings()),),
            f"single {number}",
            keep=False,
        )
        for number in (1, 2)
    ]

    def seen(run: FoldPaths) -> Any:
        outcome = [(key, [repr(replace(point, seconds=0.0)) for point in points]) for key, points in run.found]
        return outcome, run.count, run.total

    return partial(paths_of_folds, plans, ["single 2"], 6), seen


def bench() -> Kind:
    plans = [BenchPlan(key, key, get_method(key).solver().id, {}, Stop(), 1e3) for key in ("l1", "log")]

    def seen(run: MethodBench) -> Any:
        return [(key, told(row.fit), row.judgement) for key, row in run.found]

    return MethodRows(JUDGE.fold, JUDGE.convention, tuple(plans), AtRatio(0.1)).work, seen


def starts() -> Kind:
    _, training, lam = prepared("mcp")

    def seen(run: StartsRun) -> Any:
        assert run.problem.loss is training.loss
        return [told(fit) for fit in run.ends]

    return partial(from_random_starts, "mcp", training, lam, {}, 4, 1), seen


def ridge() -> Ridge:
    _, training, _ = prepared(BEST)
    return Ridge.of(training, training.lam_at(RIDGE_RATIO), JUDGE)


def yardstick() -> Kind:
    one = ridge()

    def seen(run: Yardstick) -> Any:
        return [(row.k, row.weights.tobytes(), row.objective, row.bound, row.judgement) for row in certified_rows(run)]

    return partial(Yardstick, get_method(BEST), one, 3), seen


def alternatives() -> Kind:
    one = ridge()

    def seen(run: AlternativesRun) -> Any:
        found = run.result
        assert found is not None
        return [(s.columns.tolist(), s.objective) for s in found.found.sets], list(found.judgements)

    return partial(AlternativesRun, one, 2, 0.02), seen


def refits(*, by_hand: bool = False) -> Kind:
    method, training, _ = prepared("l1")
    along = partial(refits_along, points_of(method, training, 8), ridge(), 5)
    make = partial(selections, "rfe", ridge(), 5) if by_hand else along
    return make, lambda run: [(s.columns, s.objective, s.weights.tobytes(), s.judgement) for s in run.found]


def single_features() -> Kind:
    return SingleFeatureScores(FOLD.train, DATASET.convention).work, lambda run: run.found


KINDS: dict[str, Callable[[], Kind]] = {
    "a convex fit": partial(single, "l1"),
    "a fit of another solver": partial(single, "l1", "fista"),
    "a non-convex fit": partial(single, "mcp"),
    "an infinite push": partial(single, "infinite-push-l1"),
    "a best subset": partial(single, BEST),
    "a fit of a filter": partial(single, "gas-e"),
    "a fit of a selection": partial(single, "forward"),
    "a fit under rules": under_rules,
    "a path": path,
    "a finer path": finer,
    "a race": race,
    "tuning": tuning,
    "stability": stability,
    "stability over folds": partial(stability, on_folds=True),
    "folds": folds,
    "methods side by side": bench,
    "several starts": starts,
    "the yardstick": yardstick,
    "alternatives": alternatives,
    "refitted sets": refits,
    "selections by hand": partial(refits, by_hand=True),
    "single features": single_features,
}


@pytest.fixture(scope="module")
def board() -> Iterator[JobBoard]:
    warm_up()
    with process_board() as made:
        yield made


@pytest.mark.parametrize("name", sweep(sorted(KINDS, key="a race".__eq__), always=6))
def test_a_process_computes_what_a_thread_does(board: JobBoard, name: str) -> None:
    make, seen = KINDS[name]()
    here = seen(finished(make()))
    job = board.submit(Job(name, "ann", make))
    until(lambda: not job.active)
    assert (job.state, job.problem) == ("finished", "")
    assert job.task.computed_there
    assert seen(job.run) == here
