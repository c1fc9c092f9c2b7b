"""Paths that come with the program: those of today's code, the same as worked out anew, and used for nothing else."""

import ast
import inspect
import shutil
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from core.analysis.evaluation import FoldJudge
from core.analysis.features.single_feature import SingleFeatureScores
from core.analysis.path import lambda_grid, regularization_path
from core.analysis.path_frames import frames_of
from core.analysis.stored_paths import (
    COMMAND,
    DATASET,
    FIRST_RATIO,
    FOLD,
    METHODS,
    PATHS,
    REGISTRY,
    SHIPPED,
    ShippedPath,
    alone_name,
    file_name,
    packed_path,
    shipped_path,
    shipped_result,
)
from core.analysis.tradeoff.best_single_feature import best_single_feature
from core.code_version import TREE, code_version
from core.content import Series
from core.data import Reading
from core.methods import METHODS as METHOD_ROWS
from core.methods import Method, get_method, registry
from core.metrics.measures import MeasureName
from pages.shared.choice.choice import DEFAULT_STEP, ratio_at

SET = Reading().open(DATASET)


def shipped(method_id: str) -> ShippedPath:
    found = shipped_path(SET.fold(FOLD), SET.convention, get_method(method_id), get_method(method_id).settings({}))
    assert found is not None, f"the code that makes the paths has changed; make them anew: {COMMAND}"
    return found


def test_there_are_no_other_files() -> None:
    names = {file_name(SET.fold(FOLD), SET.convention, m, get_method(m).settings({})) for m in METHODS} | {alone_name()}
    assert {path.name for path in SHIPPED.iterdir()} == names, f"make the paths anew: {COMMAND}"


@pytest.mark.parametrize("method_id", METHODS)
def test_shipped_models_are_those_of_a_path_worked_out_now(method_id: str) -> None:
    kept, method, fold = shipped(method_id), get_method(method_id), SET.fold(FOLD)
    training = method.training(fold.train)
    lams = lambda_grid(training.lam_max, len(method.ratios), float(method.ratios[-1]))
    assert [point.fit.lam for point in kept.points] == pytest.approx(lams)
    judge = FoldJudge(fold, SET.convention)
    first = 12
    for old, new in zip(kept.points, regularization_path(method, training, lams[:first], judge), strict=False):
        assert old.fit.weights == pytest.approx(new.fit.weights, abs=1e-5)
        assert old.fit.feature_names == new.fit.feature_names
        assert old.fit.c == pytest.approx(new.fit.c)
    for point in (kept.points[first], kept.points[-1]):
        assert point.judgement == judge.judgement(point.fit.weights)
        assert point.fit.result.trace[-1].nonzero == point.fit.result.nonzero


@pytest.mark.parametrize("method_id", METHODS)
def test_frames_hold_every_model_of_the_path(method_id: str) -> None:
    kept = shipped(method_id)
    assert {point.fit.lam for point in kept.points} <= {frame.lam for frame in kept.frames}
    assert all(np.diff([frame.lam for frame in kept.frames]) < 0)
    if method_id == "l1":
        assert max(frame.certificate.relative for frame in kept.frames) <= 1e-3


@pytest.mark.parametrize("method_id", METHODS)
def test_the_first_model_is_fitted_from_zero_to_its_end(method_id: str) -> None:
    first, method, fold = shipped(method_id).first, get_method(method_id), SET.fold(FOLD)
    assert pytest.approx(ratio_at(DEFAULT_STEP)) == FIRST_RATIO, "that of a new visitor"
    training = method.training(fold.train)
    fit = method.fit(training, training.lam_at(FIRST_RATIO))
    assert first.fit.weights == pytest.approx(fit.weights, abs=1e-5)
    assert [point.nonzero for point in first.fit.result.trace] == [point.nonzero for point in fit.result.trace]
    assert first.judgement == FoldJudge(fold, SET.convention).judgement(first.fit.weights)


def test_features_alone_are_measured_as_now() -> None:
    fold = SET.fold(FOLD)
    scores = SingleFeatureScores(fold.train, SET.convention)
    assert shipped_result(scores) == scores.made(), f"make them anew: {COMMAND}"
    for measure in get_args(MeasureName):
        best = best_single_feature.of(fold, SET.convention, measure)
        assert shipped_result(best) == best.made()
    assert shipped_result(SingleFeatureScores(SET.fold(2).train, SET.convention)) is None
    assert shipped_result(best_single_feature.of(fold, "letor3", "MAP")) is None


def test_a_path_is_the_same_after_it_has_been_written(tmp_path: Path) -> None:
    planted = Reading().open("planted")
    fold, method = planted.fold(1), get_method("l1")
    training, judge = method.training(fold.train), FoldJudge(fold, planted.convention)
    points = list(regularization_path(method, training, lambda_grid(training.lam_max, 50)[:4], judge))
    path = ShippedPath(points, Series(frames_of(points, judge)), points[-1])
    settings = method.settings({})
    name = file_name(fold, planted.convention, "l1", settings)
    (tmp_path / name).write_bytes(packed_path(path))
    again = shipped_path(fold, planted.convention, method, settings, tmp_path)
    assert again is not None
    assert packed_path(again) == packed_path(path)
    assert again.points[-1].fit.result.certificate == points[-1].fit.result.certificate
    (tmp_path / name).write_bytes(b"no path")
    assert shipped_path(fold, planted.convention, method, settings, tmp_path) is None


def test_nothing_is_used_for_what_it_was_not_made_for(monkeypatch: pytest.MonkeyPatch) -> None:
    fold, method = SET.fold(FOLD), get_method("log")
    settings = method.settings({})
    assert shipped_path(SET.fold(2), SET.convention, method, settings) is None
    assert shipped_path(fold, "letor3", method, settings) is None
    assert shipped_path(fold, SET.convention, method, settings | {"epsilon": 0.2}) is None
    assert (
        shipped_path(fold, SET.convention, replace(method, make_penalty=get_method("mcp").make_penalty), settings)
        is None
    )
    monkeypatch.setattr("core.analysis.stored_paths.code_version", lambda *_, **__: "of another day")
    assert shipped_path(fold, SET.convention, method, settings) is None


@pytest.mark.parametrize("method", METHOD_ROWS, ids=lambda method: method.id)
def test_a_method_tells_its_own_module(method: Method) -> None:
    """The registry has it from there, and no module that this one imports has it."""
    imported = ast.parse(inspect.getsource(registry)).body
    (home,) = [
        node.module
        for node in imported
        if isinstance(node, ast.ImportFrom) and any(getattr(registry, name.name) is method for name in node.names)
    ]
    assert method.module == home


def test_a_new_method_leaves_the_paths_of_others_alone_and_a_changed_one_does_not(tmp_path: Path) -> None:
    def changed(file: str) -> set[str]:
        """The methods whose paths are others once a line stands in a file of a copy of the program."""
        tree = tmp_path / file.replace("/", " ")
        shutil.copytree(TREE / "core", tree / "core", ignore=shutil.ignore_patterns("__pycache__"))
        with (tree / file).open("a") as source:
            source.write("\nADDED = 1\n")
        versions = {
            row.id: [code_version(PATHS, row.module, without=REGISTRY, tree=one) for one in (TREE, tree)]
            for row in (*map(get_method, METHODS), get_method("fsmrank"))
        }
        return {name for name, (before, now) in versions.items() if before != now}

    assert changed("core/methods/registry.py") == set()
    assert changed("core/methods/new_method.py") == changed("core/penalties/__init__.pyi") == set()
    assert changed("core/methods/ranksvm.py") == {*METHODS}
    assert changed("core/methods/fsmrank.py") == {"fsmrank"}
    for everybody in ("methods/base", "penalties/separable", "solvers/newton/_quadratic_kernel", "analysis/path"):
        assert changed(f"core/{everybody}.py") == {*METHODS, "fsmrank"}
