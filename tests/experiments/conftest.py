"""A small dataset in folds, and the protocol planned on it."""

from pathlib import Path

import numpy as np
import pytest

from core.data import Fold
from core.experiments.run.cells import MethodChoice
from core.experiments.run.plan import DatasetSource, Plan, plan_protocol
from tests.experiments.made_up import Table, undisturbed
from tests.oracles import ranking_problem
from tests.ranking_files import write_folds


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three folds with all parts; the last feature is zero everywhere."""
    folds = []
    for fold in (1, 2, 3):
        queries = ranking_problem(fold, n_queries=40)
        with_zeros = np.hstack([queries.features, np.zeros((queries.n_documents, 1))])
        folds.append(queries.with_features(with_zeros, [*queries.feature_names, "zero"]))
    folder = tmp_path_factory.mktemp("folds") / "three-folds"
    return write_folds(folder, folds, train=range(12), vali=range(13, 25), test=range(26, 38))


@pytest.fixture
def fold(folder: Path) -> Fold:
    return DatasetSource(str(folder)).open().fold(1)


@pytest.fixture(scope="session")
def plan(folder: Path) -> Plan:
    """Three folds, three methods, grids of four."""
    choices = [MethodChoice.parse(text) for text in ("l1", "log", "l2")]
    return plan_protocol([DatasetSource(str(folder))], choices, points=4)


@pytest.fixture(scope="session")
def expected(plan: Plan) -> Table:
    return undisturbed(plan)
