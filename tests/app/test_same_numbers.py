"""The page, the command line and the API say the same of the same model."""

from __future__ import annotations

import json
import shlex

import pytest

from core import fit, open_dataset
from core.cli import main
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, command, table_of

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")

MEASURES = ("MAP", "NDCG@1", "NDCG@10", "P@5", "MeanNDCG", "Top")


@pytest.mark.parametrize(
    ("asked", "options"),
    [
        ({"method": "log", "C": "0.5"}, {}),
        ({"method": "mcp", "C": "0.05", "mcp.gamma": "3"}, {"parameters": {"gamma": 3.0}}),
        ({"method": "l0.5", "C": "0.2", "off": "3", "helps": "5"}, {"off": [3], "helps": [5]}),
    ],
    ids=["log", "a parameter", "rules"],
)
def test_the_page_its_command_and_the_api_fit_the_same_model(
    asked: dict[str, str], options: dict, open_app: Open, capsys: pytest.CaptureFixture[str]
) -> None:
    app = open_app("fit", dataset="planted", fold="Fold2", **asked)
    assert_fine(app)
    capsys.readouterr()
    assert main([*shlex.split(command(app))[3:], "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    dataset = open_dataset("planted")
    how = {"C": float(asked["C"]), "convention": dataset.convention} | options
    model = fit(dataset.fold(2), asked["method"], **how)
    assert model.fit.result.nonzero > 1
    assert told["objective"] == pytest.approx(model.fit.result.objective, rel=1e-9)
    assert {row["index"]: row["weight"] for row in told["features"]} == pytest.approx(
        dict(zip(model.features["index"], model.features["weight"], strict=True)), rel=1e-9
    )
    shown = table_of(app, "weight")
    assert dict(zip(shown["name"], shown["weight"], strict=True)) == pytest.approx(
        model.features["weight"].to_dict(), rel=1e-6
    )
    measured = table_of(app, "MAP")
    for part, values in model.judgement.metrics.items():
        for measure in MEASURES:
            assert told["metrics"][part][measure] == pytest.approx(values[measure], abs=1e-12)
            assert measured.loc[part, measure] == pytest.approx(values[measure], abs=1e-12)
