"""``python -m core import``: judgments and logs in, a LETOR file out that the other commands read.

``convert`` writes Parquet, of which a fit is that of the text.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Ask
from tests.says import assert_says


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Judgments of 12 queries and their Solr log, in which relevance follows the feature ``title``."""
    rng = np.random.default_rng(0)
    judged, answers = ["query,docid,rating"], []
    for query in range(12):
        documents = []
        for document in range(6):
            grade = document % 3
            judged.append(f"query {query},d{document},{grade}")
            documents.append(
                {"id": f"d{document}", "[features]": f"title={grade + rng.random():.4f},noise={rng.random():.4f}"}
            )
        header = {"params": {"q": f"query {query}"}}
        answers.append(json.dumps({"responseHeader": header, "response": {"docs": documents[:5]}}))
    (tmp_path / "judgments.csv").write_text("\n".join([*judged, "query 0,unseen,1"]) + "\n")
    (tmp_path / "log.json").write_text("\n".join(answers))
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
    assert_says(refused("convert", text, "--out", tmp_path / "x.txt"), ".parquet")
    (tmp_path / "same.parquet").write_bytes(b"")
    ask("convert", text, "--out", tmp_path / "same.parquet")
    refused("convert", tmp_path / "same.parquet", "--out", tmp_path / "same.parquet")
    refused("convert", text, "--out", tmp_path / "mine.txt" / "x.parquet")
