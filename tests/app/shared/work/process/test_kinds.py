"""Every kind of work comes out of the process that computes as it comes out of a thread, to the last bit."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import partial
from importlib import import_module
from operator import attrgetter, methodcaller
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.analysis.best_subset.certified_path import AlternativesRun
from core.analysis.best_subset.refitted_sets import Ridge, refits_along, selections
from core.analysis.best_subset.yardstick import BEST, Yardstick, certified_rows
from core.analysis.evaluation import FoldJudge
from core.analysis.features.resampling import SelectedOnFolds, SelectedOnSamples, Selection
from core.analysis.features.rules import Rules
from core.analysis.features.single_feature import SingleFeatureScores
from core.analysis.fitting import AtRatio, Fitting
from core.analysis.path import PathPoint
from core.analysis.path_run import FinerPath, PathRun, TriedModels
from core.analysis.solver_race import SolverRace
from core.analysis.tradeoff.fold_paths import FoldPlan, PathPlan, fold_judge, paths_of_folds
from core.analysis.tuning.method_bench import BenchPlan
from core.analysis.tuning.method_rows import MethodRows
from core.data import Reading
from core.methods import Method, Training, get_method
from core.solvers import Stop
from core.warm_up import warm_up
from pages.shared.work.board import JobBoard
from pages.shared.work.jobs import Job, Task
from tests.app.fitting import until
from tests.app.shared.work.house import process_board
from tests.cases import sweep

DATASET = Reading().open("planted")
FOLD = DATASET.fold(1)
JUDGE = FoldJudge(FOLD, DATASET.convention)


def training_of(method: Method) -> Training:
    return method.training(FOLD.train, None, DATASET.convention)


def single(method_id: str, rules: Rules | None = None, ratio: float = 0.05) -> Callable[[], Any]:
    method = get_method(method_id)
    training = training_of(method)
    method = method if rules is None else rules.applied(method)
    return partial(method.run, training, training.lam_at(ratio))


def fitting(method_id: str) -> Fitting:
    method = get_method(method_id)
    return Fitting(method, training_of(method), JUDGE, {}, None, method.stop)


def points(method_id: str, count: int) -> list[PathPoint]:
    return list(fitting(method_id).path(count, 0.01))


def folds() -> Callable[[], Any]:
    paths = [(PathPlan(f"path {number}", "log", get_method("log").settings()),) for number in (1, 2)]
    plans = [
        FoldPlan(f"fold {k}", partial(fold_judge, DATASET, k, DATASET.convention), path, f"single {k}", keep=False)
        for k, path in enumerate(paths, start=1)
    ]
    return partial(paths_of_folds, plans, ["single 2"], 6)


def bench() -> Callable[[], Any]:
    plans = [BenchPlan(key, key, get_method(key).solver().id, {}, Stop(), 1e3) for key in ("l1", "log")]
    return MethodRows(JUDGE.fold, JUDGE.convention, tuple(plans), AtRatio(0.1)).work


def ridge() -> Ridge:
    training = training_of(get_method(BEST))
    return Ridge.of(training, training.lam_at(0.01), JUDGE)


RACED = replace(fitting("l1"), stop=Stop(tol=0.1))
RULES = Rules.of(FOLD.train.n_features, off=[1], forced=[2], helps=[3])
SELECTION = Selection(FOLD, "l1", AtRatio(0.1), 1, {})
FIT, FOUND, POINTS, RESULT = methodcaller("fit"), attrgetter("found"), attrgetter("points"), methodcaller("result")

KINDS: dict[str, tuple[Callable[[], Callable[[], Any]], Callable[[Any], Any]]] = {
    "a convex fit": (lambda: single("l1"), FIT),
    "a best subset": (lambda: single(BEST, ratio=0.5), FIT),
    "a fit under rules": (lambda: single("log", rules=RULES), FIT),
    "a path": (lambda: partial(PathRun.of, fitting("mcp")), POINTS),
    "a finer path": (
        lambda: partial(FinerPath, points("l0.5", 6), fitting("l0.5").training, JUDGE, most=20), attrgetter("whole"),
    ),
    # Whose turn it is depends on seconds: what each solver has found at its end does not.
    "a race": (
        lambda: partial(SolverRace, RACED, RACED.training.lam_at(0.05), 1e3), lambda run: (run.problems, run.fits()),
    ),
    "tuning": (lambda: TriedModels(FOLD, "l1", {}).work, POINTS),
    "stability": (lambda: SelectedOnSamples(SELECTION, "halves", 3, 5).work, RESULT),
    "stability over folds": (lambda: SelectedOnFolds(SELECTION, DATASET).work, RESULT),
    "folds": (folds, attrgetter("found", "count", "total")),
    "methods side by side": (bench, FOUND),
    "the yardstick": (lambda: partial(Yardstick, get_method(BEST), ridge(), 3), certified_rows),
    "alternatives": (lambda: partial(AlternativesRun, ridge(), 2, 0.02), attrgetter("result")),
    "refitted sets": (lambda: partial(refits_along, points("l1", 8), ridge(), 5), FOUND),
    "selections by hand": (lambda: partial(selections, "rfe", ridge(), 5), FOUND),
    "single features": (lambda: SingleFeatureScores(FOLD.train, DATASET.convention).work, FOUND),
}  # fmt: skip
"""What makes each kind, and what it has found; what a page alone makes of core's work stands with its tests."""
for path in sorted(Path(__file__).parents[3].glob("views/*/test_page.py")):
    KINDS |= getattr(import_module(f"tests.app.views.{path.parent.name}.test_page"), "KINDS", {})


def told(value: Any) -> Any:
    """All that a value holds but seconds, to be compared to the last bit."""
    if is_dataclass(value):
        return {one.name: told(getattr(value, one.name)) for one in fields(value) if "second" not in one.name}
    if isinstance(value, Mapping):
        return {key: told(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [told(one) for one in value]
    return value.tobytes() if isinstance(value, np.ndarray) else repr(value)


@pytest.fixture(scope="module")
def board() -> Iterator[JobBoard]:
    warm_up()
    with process_board() as made:
        yield made


@pytest.mark.parametrize("name", sweep(sorted(KINDS, key="a race".__eq__), always=6))
def test_a_process_computes_what_a_thread_does(board: JobBoard, name: str) -> None:
    prepare, seen = KINDS[name]
    make = prepare()
    here = make()
    while not here.done:
        here.advance()
    job = board.submit(Job(Task(name, make), "ann"))
    until(lambda: not job.active)
    assert (job.state, job.problem) == ("finished", "")
    assert job.task.computed_there
    assert told(seen(job.run)) == told(seen(here)) != told(None)
