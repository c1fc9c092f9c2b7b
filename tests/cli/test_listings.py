"""``features``, ``methods`` and ``datasets``: what there is to choose from."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.methods import METHODS
from tests.cli.conftest import Ask, Command
from tests.says import assert_says


def test_of_a_dataset_it_is_the_training_part_of_the_fold(folds: Path, ask: Ask) -> None:
    of_fold = ask("features", folds, "--fold", 2)
    of_file = ask("features", folds / "Fold2" / "train.txt")
    assert of_fold["features"] == of_file["features"] != ask("features", folds)["features"]


def test_every_method_is_listed_with_what_fit_takes(ask: Ask, letor_file: Path) -> None:
    listed = ask("methods")
    assert [row["id"] for row in listed] == [method.id for method in METHODS]
    for row in listed:
        assert row.keys() == {"id", "title", "source", "solvers", "parameters"}
        assert row["source"]
        settings = [word for p in row["parameters"] for word in ("--set", f"{p['name']}={p['default']}")]
        fit = ("fit", letor_file, "--lambda-ratio", 0.5, "--method", row["id"])
        plain, spelled = ask(*fit), ask(*fit, "--solver", row["solvers"][0], *settings)
        assert plain["features"] == spelled["features"]
        assert plain["parameters"] == spelled["parameters"] == {p["name"]: p["default"] for p in row["parameters"]}


@pytest.fixture
def own_data(tmp_path: Path, folds: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with one published set, and one of a person's own that is incomplete."""
    shutil.copytree(folds, tmp_path / "letor" / "TD2004")
    (tmp_path / "mine" / "Fold1").mkdir(parents=True)
    (tmp_path / "mine" / "Fold1" / "train.txt").write_text("1 qid:1 1:1\n0 qid:1 1:0\n")
    monkeypatch.setenv("SPARSE_RANK_DATA", str(tmp_path))
    return tmp_path


def test_datasets_are_ready_broken_or_to_be_had_elsewhere(own_data: Path, ask: Ask) -> None:
    rows = {row["name"]: row for row in ask("datasets")}
    assert all(row.keys() == {"name", "title", "folds", "state"} for row in rows.values())
    ready = {name for name, row in rows.items() if row["state"] == "ready"}
    assert ready == {"planted", "python-docs", "breast-cancer", "digits", "toy", "TD2004"}
    assert rows["TD2004"]["folds"] == 2
    assert_says(rows["mine"]["state"], "vali.txt", "missing")
    assert "https://" in rows["MQ2008"]["state"]
    assert rows["MQ2008"]["folds"] == 0


def test_as_text_what_is_not_here_stands_apart(own_data: Path, run: Command) -> None:
    table, *elsewhere = run("datasets").out.split("\n\n")
    first_words = {line.split()[0] for line in table.splitlines()}
    assert first_words == {"name", "mine", "TD2004", "planted", "python-docs", "breast-cancer", "digits", "toy"}
    assert_says(table, "vali.txt", "missing")
    assert any(block.startswith("MQ2007, MQ2008, OHSUMED") and "https://" in block for block in elsewhere)
    assert "TD2004" not in "".join(elsewhere)
    assert any(block.startswith("ionosphere, sonar") and "uci/NAME.csv" in block for block in elsewhere)


def test_an_absent_set_says_where_to_get_it(own_data: Path, refused: Callable[..., str]) -> None:
    line = refused("fit", "mq2008", "--C", 1)
    assert line.startswith("MQ2008")
    assert_says(line, "MQ2008", "not here", "https://")


def test_features_and_models_of_classes_are_told_of_rows_and_by_top(tmp_path: Path, ask: Ask, run: Command) -> None:
    path = tmp_path / "two.csv"
    rows = [(i % 7, (i * 5) % 11, "b" if i % 3 else "a") for i in range(60)]
    path.write_text("x,y,class\n" + "".join(f"{x},{y},{label}\n" for x, y, label in rows))
    printed = run("features", path).out
    header, *table = printed.splitlines()
    assert header.split()[:3] == ["index", "name", "Top"]
    tops = {row["index"]: row["Top"] for row in ask("features", path)["features"]}
    assert [int(line.split()[0]) for line in table[:2]] == sorted(tops, key=tops.__getitem__, reverse=True)
    told = printed + run("path", path, "--method", "l1", "--points", 3).out
    assert "rows" in told
    assert "train Top" in told
    assert not re.search("document|quer", told)
