"""Addresses and saved choices of earlier versions mean what they meant; written out here, as people have kept them."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from core.data import Reading
from pages.shared import cache
from pages.shared.choice import history
from pages.shared.choice.choice import Source
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, chosen
from tests.uci_layouts import wpbc_like

pytestmark = pytest.mark.usefixtures("all_unfolded")

CLASSES = (
    "dataset=wpbc&fold=split+2&method=mcp&solver=proximal-newton&class_scale=Standard&division=ten+splits&missing=drop"
    "&drop_columns=none%2C1%2C3&positive=R&mcp.gamma=3.0&C=0.02&ratio=0.1"
)
GRADED = (
    "dataset=planted&fold=Fold3&scale=Min%E2%80%93max&method=log&solver=reweighted-l1&tol=1e-04&log.epsilon=0.2"
    "&ratio=0.01"
)
SAVED = """{
 "lecture 3": {
  "dataset": "breast-cancer", "fold": 4, "scale": "none", "class_scale": "minmax", "holdout": true,
  "division": "ten splits", "positive": "benign", "class_column": null, "drop_columns": null, "missing": null,
  "group": false, "method": "mcp", "solver": "proximal-newton", "tol": 1e-06, "C": "0.02", "ratio_step": 20,
  "mcp.gamma": 3.0
 }
}"""


@pytest.fixture
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "uci").mkdir()
    (tmp_path / "uci" / "wpbc.csv").write_bytes(wpbc_like())
    monkeypatch.setenv("SPARSE_RANK_DATA", str(tmp_path))
    cache.clear()
    yield
    cache.clear()


@pytest.mark.usefixtures("own_data")
def test_an_address_of_a_table_with_classes(open_app: Open) -> None:
    app = open_app("data", **dict(parse_qsl(CLASSES)))
    assert_fine(app)
    choice = chosen(app)
    reading = Reading(scale="standard", repeats=10, positive="R", drop_columns=("none", "1", "3"), missing="drop")
    assert choice.source == Source("wpbc", reading=reading)
    assert (choice.fold_number, choice.method_id, choice.solver_id) == (2, "mcp", "proximal-newton")
    assert dict(choice.parameters)["gamma"] == 3.0
    assert choice.training.c_of(choice.lam) == pytest.approx(0.02)


def test_an_address_of_a_set_with_folds(open_app: Open) -> None:
    app = open_app("data", **dict(parse_qsl(GRADED)))
    assert_fine(app)
    choice = chosen(app)
    assert choice.source == Source("planted", reading=Reading(scale="minmax"))
    assert (choice.fold_number, choice.method_id, choice.solver_id) == (3, "log", "reweighted-l1")
    assert (choice.tol, dict(choice.parameters)["epsilon"]) == (1e-4, 0.2)
    assert choice.lam == pytest.approx(0.01 * choice.training.lam_max)


def test_a_saved_choice(open_app: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARSE_RANK_HOME", str(tmp_path))
    (tmp_path / "presets.json").write_text(SAVED, encoding="utf-8")
    assert history.saved() == json.loads(SAVED)
    app = open_app("data")
    app.selectbox(key="preset_name").set_value("lecture 3").run()
    app.button(key="preset_open").click().run()
    assert_fine(app)
    choice = chosen(app)
    assert choice.source == Source("breast-cancer", reading=Reading(scale="minmax", repeats=10, positive="benign"))
    assert (choice.fold_number, choice.method_id) == (4, "mcp")
    assert dict(choice.parameters)["gamma"] == 3.0
    assert choice.training.c_of(choice.lam) == pytest.approx(0.02)
