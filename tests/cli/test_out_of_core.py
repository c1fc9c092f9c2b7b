"""``--out-of-core`` leaves the features on the disk and answers as in memory; what it cannot do is one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.data.parquet import parquet_blocks
from tests.blocked import with_pairs
from tests.cli.conftest import Ask
from tests.ranking_files import letor_text
from tests.says import assert_says


@pytest.fixture
def folds(tmp_path: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> Path:
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
def test_the_answers_are_those_of_memory(folds: Path, ask: Ask, words: tuple[object, ...]) -> None:
    expected = ask(words[0], folds, *words[1:])
    expected.pop("reading", None)  # copies are looked for in memory only
    found = ask(words[0], folds, *words[1:], "--out-of-core")
    if "standard" in words:  # means and deviations have other last bits
        assert found["training"].pop("fingerprint") != expected["training"].pop("fingerprint")
    assert_close(found, expected)


def test_a_model_from_the_disk_is_exported_and_evaluated(folds: Path, tmp_path: Path, ask: Ask) -> None:
    record = ask("fit", folds, "--tune", "map", "--scale", "minmax", "--out-of-core")
    (tmp_path / "result.json").write_text(json.dumps(record))
    found = ask("evaluate", folds / "Fold1" / "test.parquet", tmp_path / "result.json")
    assert found["MAP"] == pytest.approx(record["metrics"]["test"]["MAP"], abs=1e-12)
    ask("export", tmp_path / "result.json", "--format", "solr", "--out", tmp_path / "solr.json")
    sent = json.loads((tmp_path / "solr.json").read_text())
    assert len(sent["params"]["weights"]) == record["nonzero"]


def test_one_file_or_part_files_are_fitted_whole(folds: Path, tmp_path: Path, ask: Ask) -> None:
    train = pq.read_table(folds / "Fold1" / "train.parquet")
    (tmp_path / "parts").mkdir()
    for number, (first, n) in enumerate([(0, 77), (77, 1), (78, len(train))]):  # within a query
        pq.write_table(train.slice(first, n), tmp_path / "parts" / f"part.{number}.parquet")
    how = ("--lambda-ratio", 0.1)
    expected = ask("fit", folds / "Fold1" / "train.parquet", *how)
    for place in (folds / "Fold1" / "train.parquet", tmp_path / "parts"):
        assert_close(ask("fit", place, *how, "--out-of-core") | {"dataset": expected["dataset"]}, expected)


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        (("--folds", 3), ("--folds", "--out-of-core")),
        (("--group",), ("--group", "--out-of-core")),
        (("--method", "fsmrank"), ("in memory",)),
    ],
)
def test_what_needs_the_data_in_memory_is_refused(
    folds: Path, refused: Callable[..., str], words: tuple[object, ...], facts: tuple[str, ...]
) -> None:
    data = folds / "Fold1" / "train.parquet" if "--folds" in words else folds
    assert_says(refused("fit", data, "--lambda-ratio", 0.1, *words, "--out-of-core"), *facts)


def test_text_is_refused_and_a_bad_value_found_as_it_is_read(
    folds: Path, tmp_path: Path, refused: Callable[..., str]
) -> None:
    said = refused("fit", tmp_path / "text" / "Fold1" / "train.txt", "--lambda-ratio", 0.1, "--out-of-core")
    assert_says(said, "Parquet", "convert")
    path = folds / "Fold1" / "vali.parquet"
    table = pq.read_table(path)
    values = table["feature 4"].to_pylist()
    values[7] = float("nan")
    at = table.column_names.index("feature 4")
    pq.write_table(table.set_column(at, "feature 4", pa.array(values)), path)
    said = refused("fit", folds, "--lambda-ratio", 0.1, "--out-of-core")
    assert_says(said, "Fold1/vali.parquet", "row 8", "column feature 4", "nan")
