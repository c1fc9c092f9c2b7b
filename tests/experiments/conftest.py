"""A small dataset in folds, and the protocol planned on it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.experiments.run.cells import MethodChoice
from core.experiments.run.plan import DatasetSource, Plan, plan_protocol
from tests.cli.conftest import letor_text
from tests.oracles import ranking_problem


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> object:
    """No test touches the cache of whoever runs it; worker processes inherit this one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARSE_RANK_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))
        yield


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three folds with all parts; the last feature is zero everywhere."""
    folder = tmp_path_factory.mktemp("folds") / "three-folds"
    for fold in (1, 2, 3):
        queries = ranking_problem(fold, n_queries=40)
        with_zeros = np.hstack([queries.features, np.zeros((queries.n_documents, 1))])
        queries = queries.with_features(with_zeros, [*queries.feature_names, "zero"])
        (folder / f"Fold{fold}").mkdir(parents=True)
        for part, first in (("train", 0), ("vali", 13), ("test", 26)):
            chosen = queries.take_queries(np.arange(first, first + 12))
            (folder / f"Fold{fold}" / f"{part}.txt").write_text(letor_text(chosen))
    return folder


@pytest.fixture
def plan(folder: Path) -> Plan:
    """Three folds, three methods, grids of four."""
    choices = [MethodChoice.parse(text) for text in ("l1", "log", "l2")]
    return plan_protocol([DatasetSource(str(folder))], choices, points=4)
