"""The command that the page shows makes the same fit in a terminal, and the API says the same of the same model."""

from __future__ import annotations

import io
import json
import shlex
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from core import fit, open_dataset
from core.cli import main
from pages.shared import panels
from tests.app.conftest import Open
from tests.app.fitting import chosen, command, give, table_of

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")

CLASSES = "".join(f"{k % 7},{(k * k) % 11},{(k % 3) + (k % 2)},{'ad'[k % 4 == 0]}\n" for k in range(80))
APART = "".join(f"{k % 3} qid:{k % 4} 1:{k % 7} 2:{k % 3 + k % 2}\n" for k in range(60))
FILES = {"classes.csv": CLASSES, "apart.txt": APART}


def run(command: str) -> dict:
    python, m, core, *words = shlex.split(command)
    assert (python, m, core) == ("python", "-m", "core")
    printed = io.StringIO()
    with redirect_stdout(printed):
        assert main(words) == 0
    return json.loads(printed.getvalue())


@pytest.mark.parametrize(
    ("file", "query"),
    [
        ("", {"dataset": "planted", "fold": "Fold2", "ratio": "0.05"}),
        ("", {"dataset": "planted", "method": "log", "log.epsilon": "0.123456789", "solver": "reweighted-l1"}),
        ("", {"dataset": "planted", "method": "l2", "scale": "Standard", "tol": "1e-08", "C": "0.0123456789012345"}),
        ("", {"dataset": "planted", "off": "1,7", "forced": "3", "cost": "2:5,9:0.25", "helps": "4", "hurts": "5"}),
        ("classes.csv", {"fold": "split 4"}),
        ("classes.csv", {"division": "one split", "class_scale": "As is"}),
        ("classes.csv", {"division": "whole file", "class_scale": "Min–max"}),
        ("", {"dataset": "digits", "positive": "7"}),
        ("", {"dataset": "toy", "fold": "draw 2"}),
        ("apart.txt", {"group": "true", "method": "mcp"}),
    ],
)
def test_the_command_gives_the_objective_and_the_metrics_of_the_page(
    open_app: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, query: dict[str, str]
) -> None:
    app = open_app("numbers", **query)
    if file:
        (tmp_path / file).write_text(FILES[file], encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        give(app, (file, FILES[file].encode()))
    choice = chosen(app)
    shown = choice.from_zero().finish()
    printed = run(panels.command(choice))
    assert printed["objective"] == pytest.approx(shown.result.objective, rel=1e-9)
    assert printed["C"] == pytest.approx(shown.c, rel=1e-12)
    assert printed["parameters"] == dict(shown.parameters)
    metrics = choice.judge.metrics(shown.weights)
    assert {part: values["MAP"] for part, values in printed["metrics"].items()} == pytest.approx(
        {part: values["MAP"] for part, values in metrics.items()}, abs=1e-9
    )


@pytest.mark.parametrize(
    ("asked", "options"),
    [
        ({"method": "mcp", "C": "0.05", "mcp.gamma": "3"}, {"parameters": {"gamma": 3.0}}),
        ({"method": "l0.5", "C": "0.2", "off": "3", "helps": "5"}, {"off": [3], "helps": [5]}),
    ],
    ids=["a parameter", "rules"],
)
def test_the_tables_of_the_page_its_command_and_the_api_have_the_same_numbers(
    asked: dict[str, str], options: dict, open_app: Open
) -> None:
    app = open_app("fit", dataset="planted", fold="Fold2", **asked)
    told = run(command(app))
    model = fit(open_dataset("planted").fold(2), asked["method"], C=float(asked["C"]), **options)
    weights = model.features["weight"]
    assert len(weights) > 1
    assert told["objective"] == pytest.approx(model.fit.result.objective, rel=1e-9)
    assert {row["name"]: row["weight"] for row in told["features"]} == pytest.approx(weights.to_dict(), rel=1e-9)
    shown = table_of(app, "weight").set_index("name")["weight"]
    assert shown.to_dict() == pytest.approx(weights.to_dict(), rel=1e-6)
    measured = table_of(app, "MAP")
    for part, values in model.judgement.metrics.items():
        for measure in ("MAP", "NDCG@1", "NDCG@10", "P@5", "MeanNDCG", "Top"):
            assert told["metrics"][part][measure] == pytest.approx(values[measure], abs=1e-12)
            assert measured.loc[part, measure] == pytest.approx(values[measure], abs=1e-12)
