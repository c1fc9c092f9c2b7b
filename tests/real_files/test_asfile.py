"""Names and conventions are what the file says, and what was decided is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.cli import main
from core.data.reading import open_dataset
from tests.says import assert_says


@pytest.mark.parametrize(
    ("file", "name"), [("shop45", "feature 1"), ("shop45_named", "shop_2"), ("shop44", "feature 1")]
)
def test_own_data_of_45_features_is_not_ohsumed(
    file: str, name: str, shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = shared_data / f"cases/own-45-features/{file}.txt"
    assert main(["fit", str(case), "--lambda-ratio", "0.4", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["convention"] == "standard"
    assert name in [feature["name"] for feature in record["features"]]
    assert record["metrics"]["train"]["NDCG@10"] > 0.8
    assert not any("Measures are those of" in note for note in record.get("reading", []))


def test_why_a_convention_was_chosen_is_said(shared_data: Path) -> None:
    whole = open_dataset(str(shared_data / "letor/MQ2008"))
    assert_says(" ".join(whole.notes), "LETOR 4.0", "46 features", "MQ2008")
    one = open_dataset(str(shared_data / "letor/MQ2008/Fold1/test.txt"))
    assert (whole.convention, one.convention) == ("letor4", "letor4")
    assert one.fold(1).train.feature_names == whole.fold(1).train.feature_names
