"""Functions for notebooks give what the command line gives, as tables."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import core
from tests.cli.conftest import ask, run

__all__ = ["ask", "run"]


@pytest.fixture(scope="module")
def fold() -> core.Fold:
    return core.open_dataset("python-docs").fold(1)


def test_a_saved_model_is_exported_as_by_the_command_line(fold, ask, tmp_path):
    ours = core.fit(fold, "log", lambda_ratio=0.05)
    ours.save(tmp_path / "model.json")
    notes = ours.export("solr", tmp_path / "ours.json", name="mine")
    told = ask(
        "export", str(tmp_path / "model.json"), "--format", "solr", "--out", str(tmp_path / "theirs.json"),
        "--name", "mine",
    )  # fmt: skip
    assert (tmp_path / "ours.json").read_bytes() == (tmp_path / "theirs.json").read_bytes()
    assert [note.replace("ours.json", "theirs.json") for note in notes] == told["notes"]
    with pytest.raises(ValueError, match="there is no format 'pmml'"):
        ours.export("pmml", tmp_path / "m")


def test_a_path_is_that_of_the_command_line(fold, ask):
    theirs = ask("path", "python-docs", "--method", "l1", "--points", "12")
    ours = core.fit_path(fold, "l1", points=12)
    assert len(ours) == 12
    np.testing.assert_allclose(ours.table["C"], [point["C"] for point in theirs["points"]])
    assert list(ours.table["features"]) == [point["nonzero"] for point in theirs["points"]]
    assert list(ours.table["test MAP"]) == [point["metrics"]["test"]["MAP"] for point in theirs["points"]]
    np.testing.assert_array_equal(ours.weights.to_numpy()[-1], ours.model(-1).weights)


def test_the_best_of_a_path_is_best_on_validation_among_those_allowed(fold):
    path = core.fit_path(fold, "l1", points=25)
    table = path.table
    free = path.best("map")
    assert free.metrics.loc["MAP", "vali"] == pytest.approx(table["vali MAP"].max(), abs=1e-3)  # ties aside
    few = path.best("map", features=4)
    affordable = table[(table["features"] > 0) & (table["features"] <= 4)]
    assert 0 < len(few.features) <= 4
    assert few.metrics.loc["MAP", "vali"] == pytest.approx(affordable["vali MAP"].max(), abs=1e-3)
    with pytest.raises(ValueError, match="no model of this path"):
        core.fit_path(fold, "l1", points=1).best(features=1)  # the empty model only


def test_models_of_one_fold_are_compared_by_query(fold):
    one, other = core.fit(fold, "l1", lambda_ratio=0.01), core.fit(fold, "l1", lambda_ratio=0.5)
    found = one.compare(other, "ndcg@10")
    assert found.difference == pytest.approx(one.metrics.loc["NDCG@10", "test"] - other.metrics.loc["NDCG@10", "test"])
    assert found.interval[0] <= found.difference <= found.interval[1]
    elsewhere = core.fit(core.open_dataset("python-docs").fold(2), "l1", lambda_ratio=0.5)
    with pytest.raises(ValueError, match="one fold"):
        one.compare(elsewhere)


def test_what_is_neither_fold_nor_data_is_named():
    with pytest.raises(TypeError, match=r"Fold.*not Dataset"):
        core.single_features(core.open_dataset("python-docs"))


def test_documents_are_measured_like_a_file_of_scores(fold):
    model = core.fit(fold, "l1", lambda_ratio=0.05)
    measured = core.evaluate(fold.test, model.score(fold.test))
    assert measured["MAP"] == model.metrics.loc["MAP", "test"]


def test_lists_name_what_can_be_opened_and_fitted():
    assert core.open_dataset(core.list_datasets().index[0])
    assert core.get_method(core.list_methods().index[0])
    assert "C" not in core.list_methods().loc["l1", "parameters"]


def test_every_name_is_there_and_importing_none_of_them_is_quick():
    for name in core.__all__:
        assert getattr(core, name).__doc__, name
    words = "import core, sys; sys.exit(any(name in sys.modules for name in ('numpy', 'sklearn', 'numba')))"
    assert subprocess.run([sys.executable, "-c", words], check=False).returncode == 0
    words = "import core.solvers.run, sys; sys.exit(sum(name.startswith('core.') for name in sys.modules) > 70)"
    assert subprocess.run([sys.executable, "-c", words], check=False).returncode == 0
    with pytest.raises(AttributeError, match="attribute fitt"):
        core.fitt  # noqa: B018
