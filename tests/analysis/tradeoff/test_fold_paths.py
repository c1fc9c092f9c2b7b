"""A batch of paths: one model a step, nothing twice, and what cannot be used does not end the rest.

Paths come back from the disk as they were, for every method, and never from damage or other code.
"""

import gzip
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from core.analysis import stored_paths
from core.analysis.evaluation import FoldJudge
from core.analysis.path import PathPoint, lambda_grid, regularization_path
from core.analysis.stored_paths import KeptPaths
from core.analysis.tradeoff import fold_paths
from core.analysis.tradeoff.fold_paths import FoldPaths, FoldPlan, Known, PathPlan
from core.analysis.tradeoff.tradeoff import best_single_features, tradeoff_points
from core.data import DataError, Fold, open_dataset
from core.data.files.disk import DiskCache
from core.methods import METHODS, EmptyOptimumError, Method, get_method
from core.solvers import Stop
from tests.cases import some_then_all
from tests.oracles import lists_of, ranking_problem
from tests.work_contract import finished

POINTS = 5


class Opened:
    """Folds that count how often they are opened."""

    def __init__(self) -> None:
        self.seeds: list[int] = []

    def __call__(self, seed: int) -> FoldJudge:
        self.seeds.append(seed)
        return judge(seed)


def judge(seed: int) -> FoldJudge:
    return FoldJudge(Fold(f"Fold{seed}", ranking_problem(seed), ranking_problem(seed + 50)), "standard")


def plan(seed: int, opened: Opened, methods: tuple[str, ...] = ("l1", "log")) -> FoldPlan:
    paths = tuple(PathPlan(f"{seed}-{m}", m, get_method(m).settings()) for m in methods)
    return FoldPlan(f"Fold{seed}", lambda: opened(seed), paths, f"{seed}-single")


def test_a_batch_works_out_the_paths_and_single_features_of_every_fold() -> None:
    known: Known = {}
    opened = Opened()
    run = FoldPaths([plan(1, opened), plan(2, opened)], known, POINTS)
    assert (run.share, run.seconds_left, run.total) == (0.0, None, 20)
    finished(run)
    assert (run.share, run.count, opened.seeds) == (1.0, 20, [1, 2])
    for seed in (1, 2):
        expected = judge(seed)
        assert known[f"{seed}-single"] == best_single_features(expected.fold, expected.convention)
        for name in ("l1", "log"):
            method = get_method(name)
            training = method.training(expected.fold.train)
            lams = lambda_grid(training.lam_max, POINTS, float(method.ratios[-1]))
            path = list(regularization_path(method, training, lams, expected))
            points = tradeoff_points(path, expected.usable_features)
            assert [p.c for p in known[f"{seed}-{name}"]] == [p.c for p in points]
            assert [p.values for p in known[f"{seed}-{name}"]] == [p.values for p in points]


def test_what_another_process_has_kept_is_not_fitted_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = KeptPaths()
    first: Known = {}
    finished(FoldPaths([plan(1, Opened(), ("l1", "infinite-push-l1"))], first, POINTS, kept))
    assert len(list((tmp_path / "paths").iterdir())) == 2 - (first["1-infinite-push-l1"] == ())
    again: Known = {}
    monkeypatch.setattr(fold_paths, "regularization_path", lambda *_, **__: pytest.fail("fitted again"))
    run = FoldPaths([plan(1, Opened(), ("l1", "infinite-push-l1"))], again, POINTS, kept)
    finished(run)
    assert (again, run.count) == (first, 2 * POINTS)
    monkeypatch.undo()
    other: Known = {}
    finished(FoldPaths([plan(2, Opened(), ("l1",))], other, POINTS, kept))
    assert other["2-l1"] != first["1-l1"]


def test_paths_of_a_fold_that_is_not_to_be_kept_leave_nothing_on_the_disk(tmp_path: Path) -> None:
    known: Known = {}
    finished(FoldPaths([replace(plan(1, Opened(), ("l1",)), keep=False)], known, POINTS, KeptPaths()))
    assert known["1-l1"]
    assert list(tmp_path.iterdir()) == []


def test_what_is_known_is_not_worked_out_again() -> None:
    known: Known = {}
    opened = Opened()
    finished(FoldPaths([plan(1, opened, ("l1",))], known, POINTS))
    before = known["1-l1"]
    more = FoldPaths([plan(1, opened), plan(2, opened, ("l1",))], known, POINTS)
    assert more.total == 10
    finished(more)
    assert more.count == 10
    assert known["1-l1"] is before
    opened.seeds.clear()
    finished(FoldPaths([plan(1, opened), plan(2, opened, ("l1",))], known, POINTS))
    assert opened.seeds == []


def test_a_batch_left_in_the_middle_keeps_what_is_complete_and_goes_on_later() -> None:
    known: Known = {}
    run = FoldPaths([plan(1, Opened())], known, POINTS)
    for _ in range(8):  # the single features, the five models of l1, two of log
        run.advance()
    assert not run.done
    assert set(known) == {"1-single", "1-l1"}
    assert run.share == pytest.approx(7 / 10)
    assert run.seconds_left == pytest.approx(run.seconds * 3 / 7)
    finished(run)
    assert set(known) == {"1-single", "1-l1", "1-log"}


def test_a_fold_that_cannot_be_used_is_named_and_the_others_go_on() -> None:
    def missing() -> FoldJudge:
        msg = "train.txt is missing"
        raise DataError(msg)

    def flat() -> FoldJudge:
        data = ranking_problem(3)
        return FoldJudge(Fold("flat", data.with_features(np.ones_like(data.features))), "standard")

    known: Known = {}
    opened = Opened()
    broken = FoldPlan("A", missing, (PathPlan("a", "l1", {}),), "a-single")
    constant = FoldPlan("B", flat, (PathPlan("b", "l1", {}),), "b-single")
    run = FoldPaths([broken, constant, plan(1, opened)], known, POINTS)
    finished(run)
    assert run.problems["A"] == "train.txt is missing"
    assert "no feature differs" in run.problems["B"]
    assert (run.count, run.total) == (10, 10)
    assert set(known) >= {"1-l1", "1-log"}


def test_a_method_that_is_empty_at_every_lambda_has_a_path_of_no_points() -> None:
    known: Known = {}
    run = FoldPaths([nothing_on_top("l1", "infinite-push-l1", "log")], known, POINTS)
    finished(run)
    assert known["infinite-push-l1"] == ()
    assert (run.problems, run.count, run.total, run.share) == ({}, 15, 15, 1.0)
    assert all(len(known[method]) > 0 for method in ("l1", "log"))


def nothing_on_top(*methods: str) -> FoldPlan:
    """Every positive is between one high negative and four low ones: no weight lifts it above the high one."""
    data = lists_of(4 * [[1, 0, 0, 0, 0, 0]], np.tile([[1.0], [2], [0], [0], [0], [0]], (4, 1)))
    paths = tuple(PathPlan(m, m, get_method(m).settings()) for m in methods)
    return FoldPlan("lists", lambda: FoldJudge(Fold("lists", data), "standard"), paths, "single")


def path_of(method_id: str, points: int = 3) -> list[PathPoint]:
    dataset = open_dataset("planted")
    fold, method = dataset.fold(1), get_method(method_id)
    training = method.training(fold.train, method.settings(), dataset.convention)
    try:
        lams = lambda_grid(training.lam_at(1.0), points, 0.1)
    except EmptyOptimumError:
        return []
    judge = FoldJudge(fold, dataset.convention)
    return list(regularization_path(method, training, lams, judge, stop=Stop(max_steps=5, max_seconds=2.0)))


def plain(point: PathPoint) -> dict[str, object]:
    described = asdict(point)
    result = described["fit"]["result"]
    return described | {"weights": result.pop("weights").tolist()}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SPARSE_RANK_CACHE", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("method", some_then_all(METHODS), ids=lambda m: m.id)
def test_a_path_of_every_method_comes_back_with_every_digit(method: Method) -> None:
    path = path_of(method.id)
    if not path:
        pytest.skip("the empty model is optimal at every lambda")
    KeptPaths().put("key", path)
    back = KeptPaths().get("key", path[0].fit.feature_names)
    assert back is not None
    assert [plain(point) for point in back] == [plain(point) for point in path]
    assert all(point.fit.weights.dtype == np.float64 for point in back)


def test_other_libraries_or_another_key_find_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    path = path_of("l1")
    KeptPaths().put("key", path)
    names = path[0].fit.feature_names
    assert KeptPaths().get("another", names) is None
    monkeypatch.setattr(stored_paths, "version", lambda _: "of tomorrow")
    assert KeptPaths().get("key", names) is None


NO_PATHS = {
    "empty": b"",
    "text": b"no gzip",
    "broken": b"\x1f\x8b\x08\x00broken",
    **{written: gzip.compress(written.encode()) for written in ("3", "[3]", "[{}]", "nonsense")},
}


@pytest.mark.parametrize("content", NO_PATHS.values(), ids=NO_PATHS)
def test_what_is_no_path_is_no_path(content: bytes) -> None:
    file = DiskCache("paths").path(stored_paths._name("key"))
    file.parent.mkdir()
    file.write_bytes(content)
    assert KeptPaths().get("key", ["one"]) is None
    assert not file.exists()
