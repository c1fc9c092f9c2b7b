"""Paths come back from the disk as they were, for every method, and never from damage or other code."""

from __future__ import annotations

import gzip
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from core.analysis import stored_paths
from core.analysis.evaluation import FoldJudge
from core.analysis.path import PathPoint, lambda_grid, regularization_path
from core.analysis.stored_paths import KeptPaths
from core.data import open_dataset
from core.data.files.disk import DiskCache
from core.methods import METHODS, EmptyOptimumError, Method, get_method
from core.solvers import Stop
from tests.cases import some_then_all


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
