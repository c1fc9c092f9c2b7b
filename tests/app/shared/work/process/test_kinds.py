"""Every kind of work comes out of the process that computes as it comes out of a thread, to the last bit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from core.analysis.best_subset.alternatives import AlternativesRun
from core.analysis.best_subset.refitted_sets import Ridge, refitted_path
from core.analysis.best_subset.yardstick import BEST, Yardstick, certified_rows
from core.analysis.evaluation import FoldJudge
from core.analysis.features.rules import Rules
from core.analysis.features.single_feature import each_single_feature
from core.analysis.features.stability import SelectionRun, resamples, warm_starts
from core.analysis.finer_path import FinerPath
from core.analysis.fitting import AtRatio
from core.analysis.path import PathPoint, lambda_grid, regularization_path
from core.analysis.path_run import PathRun
from core.analysis.penalties.several_starts import StartsRun, random_starts
from core.analysis.solver_race import SolverRace
from core.analysis.tradeoff.fold_curves import PathsOverFolds
from core.analysis.tradeoff.fold_paths import FoldPaths, FoldPlan, PathPlan
from core.analysis.tuning.method_bench import BenchPlan, MethodBench
from core.analysis.tuning.tuning import tuning_path
from core.data import Reading
from core.methods import Fit, Method, Training, get_method
from core.solvers import Stop
from core.warm_up import warm_up
from core.work import Steps
from pages.shared.work.board import JobBoard
from pages.shared.work.jobs import Job
from pages.shared.work.process.travel import Excerpt
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


def path_of(method: Method, training: Training, count: int) -> PathRun:
    lams = lambda_grid(training.lam_at(1.0), count, 0.01)
    return PathRun(regularization_path(method, training, lams, JUDGE), count)


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
    return lambda: method.run(training, lam, solver=solver), lambda run: told(run.fit())


def under_rules() -> Kind:
    _, training, lam = prepared("log")
    method = Rules.of(FOLD.train.n_features, off=[1], forced=[2], helps=[3]).applied(get_method("log"))
    return lambda: method.run(training, lam), lambda run: told(run.fit())


def path() -> Kind:
    method, training, _ = prepared("mcp")
    return lambda: path_of(method, training, 12), lambda run: points_told(run.points)


def finer() -> Kind:
    method, training, _ = prepared("l0.5")
    points = finished(path_of(method, training, 6)).points
    return lambda: FinerPath(points, training, JUDGE, most=20), lambda run: points_told(run.whole)


def race() -> Kind:
    # Whose turn it is depends on seconds: what each solver has found at its end does not.
    method, training, lam = prepared("l1")
    make = partial(SolverRace, method, training, lam, parameters={}, tol=0.1, limit=1e3)
    return make, lambda run: (run.problems, [told(fit) for fit in run.fits()])


def tuning() -> Kind:
    method, training, _ = prepared("l1")
    lams = lambda_grid(training.lam_at(1.0), 8)
    return lambda: PathRun(tuning_path(method, training, lams, JUDGE), 8), lambda run: points_told(run.points)


def stability() -> Kind:
    method, training, _ = prepared("l1")

    def make() -> SelectionRun:
        starts = warm_starts(training, (0.1,))
        return SelectionRun(method, resamples(FOLD.train, "halves", 3), 5, (0.1,), starts)

    return make, lambda run: (run.result().frequencies.tobytes(), run.result().mean_selected)


def folds() -> Kind:
    known: dict[str, Any] = {}
    plans = [
        FoldPlan(
            f"fold {number}",
            lambda number=number: FoldJudge(DATASET.fold(number), DATASET.convention),  # type: ignore[misc]
            (PathPlan(f"path {number}", "log", get_method("log").settings()),),
            f"single {number}",
        )
        for number in (1, 2)
    ]
    keys = [key for plan in plans for key in plan.keys]
    excerpt = Excerpt(known, keys)

    def make() -> FoldPaths:
        return FoldPaths(plans, excerpt, 6)

    def seen(run: FoldPaths) -> Any:
        outcome = [repr(replace(point, seconds=0.0)) for key in keys for point in known[key]]
        known.clear()
        return outcome, run.count, run.total

    return make, seen


def paths_over_folds() -> Kind:
    one = PathsOverFolds(DATASET, {"l1": {}}, 6, DATASET.convention)

    def seen(run: FoldPaths) -> Any:
        return [
            (fold.name, [repr(replace(point, seconds=0.0)) for point in fold.curves["l1"]]) for fold in one.result(run)
        ]

    return one.work, seen


def bench() -> Kind:
    known: dict[str, Any] = {}
    plans = [BenchPlan(key, key, get_method(key).solver().id, {}, Stop(), 1e3) for key in ("l1", "log")]

    def seen(run: MethodBench) -> Any:
        rows = [(told(known[plan.key].fit), known[plan.key].judgement) for plan in plans]
        known.clear()
        return rows

    excerpt = Excerpt(known, ["l1", "log"])
    return lambda: MethodBench(plans, excerpt, JUDGE, AtRatio(0.1)), seen


def starts() -> Kind:
    method, training, lam = prepared("mcp")

    def make() -> StartsRun:
        reach = np.ones(training.data.n_features)
        return StartsRun(method, training, lam, random_starts(4, -reach, reach, 1), {})

    def seen(run: StartsRun) -> Any:
        assert run.problem.loss is training.loss
        return [told(fit) for fit in run.ends]

    return make, seen


def ridge() -> Ridge:
    _, training, _ = prepared(BEST)
    return Ridge.of(training, training.lam_at(RIDGE_RATIO), JUDGE)


def yardstick() -> Kind:
    one = ridge()

    def seen(run: Yardstick) -> Any:
        return [(row.k, row.weights.tobytes(), row.objective, row.bound, row.judgement) for row in certified_rows(run)]

    return lambda: Yardstick(get_method(BEST), one, 3), seen


def alternatives() -> Kind:
    one = ridge()

    def seen(run: AlternativesRun) -> Any:
        found = run.result
        assert found is not None
        return [(s.columns.tolist(), s.objective) for s in found.found.sets], list(found.judgements)

    return lambda: AlternativesRun(one, 2, 0.02), seen


def refits() -> Kind:
    method, training, _ = prepared("l1")
    points, one = finished(path_of(method, training, 8)).points, ridge()

    def make() -> Steps[Any]:
        total, coming = refitted_path(points, one, 5)
        return Steps(coming, total)

    return make, lambda run: [(s.columns, s.objective, s.weights.tobytes(), s.judgement) for s in run.found]


def single_features() -> Kind:
    data = FOLD.train
    return lambda: Steps(each_single_feature(data, DATASET.convention), data.n_features), lambda run: run.found


KINDS: dict[str, Callable[[], Kind]] = {
    "a convex fit": partial(single, "l1"),
    "a fit of another solver": partial(single, "l1", "fista"),
    "a non-convex fit": partial(single, "mcp"),
    "an infinite push": partial(single, "infinite-push-l1"),
    "a best subset": partial(single, BEST),
    "a fit under rules": under_rules,
    "a path": path,
    "a finer path": finer,
    "a race": race,
    "tuning": tuning,
    "stability": stability,
    "folds": folds,
    "paths over folds": paths_over_folds,
    "methods side by side": bench,
    "several starts": starts,
    "the yardstick": yardstick,
    "alternatives": alternatives,
    "refitted sets": refits,
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
