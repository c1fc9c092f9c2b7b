"""``python -m core import``: judgments and logs in, a LETOR file out that the other commands read.

``convert`` writes Parquet, of which a fit is that of the text.
``features``, ``methods`` and ``datasets``: what there is to choose from.
``--out-of-core`` leaves the features on the disk and answers as in memory; what it cannot do is one sentence.
"""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from core.data.parquet import parquet_blocks
from core.methods import METHODS
from tests.blocked import with_pairs
from tests.cli.conftest import Ask, Command
from tests.data.imports.joining import JUDGMENTS, solr_log
from tests.ranking_files import letor_text
from tests.says import assert_says


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "judgments.csv").write_text(f"{JUDGMENTS}query 0,unseen,1\n")
    (tmp_path / "log.json").write_text(solr_log())
    return tmp_path / "judgments.csv", tmp_path / "log.json"


def test_the_joined_file_is_fitted_with_the_names_of_the_log(
    ask: Ask, files: tuple[Path, Path], tmp_path: Path
) -> None:
    out = tmp_path / "joined.txt"
    report = ask("import", *files, "--out", out)
    assert (report["matched"], report["queries"], report["features"]) == (60, 12, ["title", "noise"])
    assert report["unmatched"]["judgments"] == 13
    assert report["unmatched"]["first_judgments"][0] == "query 0: d5"
    assert report["unmatched"]["logged"] == 0
    fitted = ask("fit", out, "--lambda-ratio", "0.5")
    assert [feature["name"] for feature in fitted["features"]] == ["title"]
    assert fitted["metrics"]["train"]["MAP"] == 1.0


def test_bad_input_leaves_no_file_and_no_folder(
    refused: Callable[..., str], files: tuple[Path, Path], tmp_path: Path
) -> None:
    out = tmp_path / "new" / "joined.txt"
    assert_says(refused("import", files[0], "--out", out), "judgments.csv", "judgments", "without features")
    assert_says(refused("import", files[0], tmp_path / "missing", "--out", out), "missing", "no such file")
    files[1].write_text(files[1].read_text()[:-20])
    assert_says(refused("import", *files, "--out", out), "log.json", "file ends")
    assert not out.parent.exists()
    assert "cannot write" in refused("import", files[0], "--out", files[0] / "below.txt")


LINES = [(q, k, (k * (q + 3)) % 7 / 7, (k + q) % 3) for q in range(6) for k in range(5)]


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "mine.txt"
    path.write_text("".join(f"{grade} qid:{q} 1:{value} 2:{k % 2} # docid = d{q}{k}\n" for q, k, value, grade in LINES))
    return path


def test_folds_stay_folds_and_a_place_that_does_not_fit_is_refused(
    tmp_path: Path, text: Path, ask: Ask, refused: Callable[..., str]
) -> None:
    for part in ("train", "vali", "test"):
        (tmp_path / "folds" / "Fold1").mkdir(parents=True, exist_ok=True)
        shutil.copy(text, tmp_path / "folds" / "Fold1" / f"{part}.txt")
    ask("convert", tmp_path / "folds", "--out", tmp_path / "out", "--dtype", "float32")
    assert sorted(path.name for path in (tmp_path / "out" / "Fold1").iterdir()) == [
        "test.parquet",
        "train.parquet",
        "vali.parquet",
    ]
    fits = [ask("fit", tmp_path / name, "--tune", "map") for name in ("folds", "out")]
    assert fits[1]["objective"] == pytest.approx(fits[0]["objective"], rel=1e-6)
    assert_says(refused("convert", tmp_path / "folds", "--out", tmp_path / "out"), "new or empty")
    (tmp_path / "same.parquet").write_bytes(b"")
    ask("convert", text, "--out", tmp_path / "same.parquet")
    refused("convert", tmp_path / "same.parquet", "--out", tmp_path / "same.parquet")
    refused("convert", text, "--out", tmp_path / "mine.txt" / "x.parquet")


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


def test_datasets_are_listed_with_their_folds(own_data: Path, ask: Ask) -> None:
    rows = {row["name"]: row for row in ask("datasets")}
    assert rows["TD2004"].keys() == {"name", "title", "folds", "state"}
    assert (rows["TD2004"]["folds"], rows["MQ2008"]["folds"]) == (2, 0)


def test_as_text_what_is_not_here_stands_apart(own_data: Path, run: Command) -> None:
    table, *elsewhere = run("datasets").out.split("\n\n")
    first_words = {line.split()[0] for line in table.splitlines()}
    assert first_words == {"name", "mine", "TD2004", "planted", "python-docs", "breast-cancer", "digits", "toy"}
    assert_says(table, "vali.txt", "missing")
    assert any(block.startswith("MQ2007, MQ2008, OHSUMED") and "https://" in block for block in elsewhere)
    assert "TD2004" not in "".join(elsewhere)
    assert any(block.startswith("ionosphere, sonar") and "uci/NAME.csv" in block for block in elsewhere)


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


@pytest.fixture
def parquet_folds(tmp_path: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a fold as Parquet, which is read in several blocks a part."""
    monkeypatch.setattr(parquet_blocks, "BLOCK_VALUES", 300)
    text = tmp_path / "text" / "Fold1"
    text.mkdir(parents=True)
    for seed, part in enumerate(("train", "vali", "test")):
        (text / f"{part}.txt").write_text(letor_text(with_pairs(seed=seed)))
    ask("convert", tmp_path / "text", "--out", tmp_path / "folds")
    return tmp_path / "folds"


def assert_close(found: Any, expected: Any) -> None:
    """Check that two records say the same, numbers to ten digits; times and the digest of last bits aside."""
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for name in expected.keys() - {"seconds", "digest"}:
            assert_close(found[name], expected[name])
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_close(one, other)
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)
    else:
        assert found == expected


@pytest.mark.parametrize(
    "words",
    [
        ("fit", "--method", "l1", "--tune", "map"),
        ("fit", "--method", "log", "--lambda-ratio", 0.05),
        ("path", "--method", "l1", "--points", 4),
        ("fit", "--method", "l1", "--lambda-ratio", 0.05, "--scale", "standard"),
        ("fit", "--method", "l1", "--lambda-ratio", 0.05, "--scale", "query-minmax"),
    ],
)
def test_the_answers_are_those_of_memory(parquet_folds: Path, ask: Ask, words: tuple[object, ...]) -> None:
    expected = ask(words[0], parquet_folds, *words[1:])
    expected.pop("reading", None)  # copies are looked for in memory only
    found = ask(words[0], parquet_folds, *words[1:], "--out-of-core")
    if "standard" in words:  # means and deviations have other last bits
        assert found["training"].pop("fingerprint") != expected["training"].pop("fingerprint")
    assert_close(found, expected)


def test_one_file_or_part_files_are_fitted_whole(parquet_folds: Path, tmp_path: Path, ask: Ask) -> None:
    train = pq.read_table(parquet_folds / "Fold1" / "train.parquet")
    (tmp_path / "parts").mkdir()
    for number, (first, n) in enumerate([(0, 77), (77, 1), (78, len(train))]):  # within a query
        pq.write_table(train.slice(first, n), tmp_path / "parts" / f"part.{number}.parquet")
    how = ("--lambda-ratio", 0.1)
    expected = ask("fit", parquet_folds / "Fold1" / "train.parquet", *how)
    (tmp_path / "fit.json").write_text(json.dumps(expected))
    told = ask("evaluate", parquet_folds / "Fold1" / "train.parquet", tmp_path / "fit.json")
    assert told["MAP"] == pytest.approx(expected["metrics"]["train"]["MAP"], abs=1e-12)
    for place in (parquet_folds / "Fold1" / "train.parquet", tmp_path / "parts"):
        assert_close(ask("fit", place, *how, "--out-of-core") | {"dataset": expected["dataset"]}, expected)
