"""``python -m core import``: judgments and logs in, a LETOR file out that the other commands read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Ask, Command
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


def test_the_report_says_what_was_left_out(run: Command, files: tuple[Path, Path], tmp_path: Path) -> None:
    answer = run("import", *files, "--out", tmp_path / "joined.txt")
    assert answer.status == 0
    assert_says(answer.out, "60 documents", "12 queries", "2 features")
    assert_says(answer.out, "13 of 73 judgments", "no logged features", "left out", "query 0: d5")


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
