"""The code of the reference for notebooks runs, and says what it says it does."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest
import sklearn

from core.api import pictures

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs" / "reference" / "notebook.md"


def section() -> str:
    return NOTEBOOK.read_text(encoding="utf-8")


@pytest.fixture
def routing_as_it_was():
    before = sklearn.get_config()["enable_metadata_routing"]
    yield
    sklearn.set_config(enable_metadata_routing=before)


def test_the_code_for_notebooks_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, routing_as_it_was: None) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for code in re.findall(r"```python\n(.*?)```", section(), re.DOTALL):
        exec(code, names)
    model, paths, scores = names["model"], names["paths"], names["scores"]
    assert {path.name for path in tmp_path.iterdir()} == {"model.json", "tradeoff.csv", "tradeoff.html"}
    assert 0 < len(paths[0].best(features=10).features) <= 10
    assert len(model.features) < 54
    assert len(scores) == 3
    assert 0.0 < scores.min() <= scores.max() <= 1.0


def test_the_docstring_of_the_pictures_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code = textwrap.dedent(str(pictures.__doc__).split("::\n")[1]).replace("python-docs", "planted")
    exec(code, {})
    assert {path.name for path in tmp_path.iterdir()} == {"tradeoff.csv", "tradeoff.html"}
