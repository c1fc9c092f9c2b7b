"""Paths compared with the choice included, against the rows that make them up."""

from __future__ import annotations

import numpy as np
import pytest

import core
from core.analysis.choosing import RULES
from core.analysis.evaluation import FoldJudge
from core.analysis.tuning.noise_by_rule import NoiseByRule
from core.experiments.results.compared_paths import compare_paths


def test_a_path_is_compared_over_the_same_draws_of_the_validation_queries() -> None:
    fold = core.open_dataset("planted").fold(1)
    judge = FoldJudge(fold, "standard")
    points = {method: core.fit_path(fold, method, points=12).points for method in ("l1", "log")}
    paths = {method: NoiseByRule(found, fold, "standard", "MAP").made() for method, found in points.items()}
    found = compare_paths(paths, judge, "MAP")
    assert set(found) == {"log"}
    assert set(found["log"]) == set(RULES)
    for rule, compared in found["log"].items():
        ours, theirs = (
            [path.points[k].metrics["test"]["MAP"] for k in path.noise[rule].noise.drawn.tolist()]
            for path in (paths["log"], paths["l1"])
        )
        assert compared.mean == pytest.approx(np.mean(ours) - np.mean(theirs))
        assert compared.deviation == pytest.approx(np.std(np.subtract(ours, theirs), ddof=1), abs=1e-12)
        assert compared.n_queries == fold.test.n_queries
    same = compare_paths({"l1": paths["l1"], "again": paths["l1"]}, judge, "MAP")["again"]["best"]
    assert (same.inner, same.verdict(0.0)) == ((0.0, 0.0), "equivalent")
