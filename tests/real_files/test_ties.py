"""A list exported best first, with many tied documents: no number profits from the order of the file.

The right values are brute force: the mean over random orders of tied documents, by code of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from core.cli import main
from core.data import RankingData, Reading
from core.experiments.results.difference import model_difference
from core.experiments.results.mean_interval import mean_interval
from tests.app.conftest import Open, all_unfolded, no_fault, nothing_left_over, open_app  # noqa: F401
from tests.app.fitting import assert_fine

Ask = Callable[..., Any]
DRAWS = 1500


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    monkeypatch.setenv("SPARSE_RANK_CACHE", str(tmp_path / "cache"))

    def command(*words: object) -> Any:
        capsys.readouterr()
        assert main([str(word) for word in (*words, "--json")]) == 0
        return json.loads(capsys.readouterr().out)

    return command


@pytest.fixture
def file(shared_data: Path) -> Path:
    return shared_data / "cases" / "sorted-by-grade" / "sorted.txt"


def average_precision(data: RankingData, scores: np.ndarray) -> np.ndarray:
    """Of every query, the mean over `DRAWS` random orders of the file; a difference below 1e-9 is a tie."""
    rng, found = np.random.default_rng(0), []
    for first, last in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True):
        relevant, rounded = data.relevance[first:last] > 0, np.round(scores[first:last], 9)
        orders = np.array([np.lexsort((rng.random(last - first), -rounded)) for _ in range(DRAWS)])
        ranked = relevant[orders]
        precision = ranked.cumsum(axis=1) / np.arange(1, last - first + 1)
        found.append(((ranked * precision).sum(axis=1) / max(relevant.sum(), 1)).mean())
    return np.array(found)


def test_models_are_compared_over_the_orders_of_tied_documents(file: Path, ask: Ask, tmp_path: Path) -> None:
    told = ask("protocol", file, "--methods", "log,l2", "--folds", 5, "--workers", 1, "--out", tmp_path / "run")
    [log] = [row for row in told["comparison"]["rows"] if (row["method"], row["measure"]) == ("log", "MAP")]
    dataset = Reading(folds=5).open(str(file))
    run = core.run_protocol([(str(file), Reading(folds=5))], ["log", "l2"], workers=1)  # the same cells
    values: dict[str, list[np.ndarray]] = {line.choice.label: [] for line in run.lines}
    for line in run.lines:
        for number, result in line.results.items():
            test = dataset.fold(number).test
            assert test is not None
            values[line.choice.label].append(average_precision(test, test.features @ result.weights))
    ours, theirs = (np.concatenate(values[method]) for method in ("log", "l2"))
    assert log["difference"] == pytest.approx((ours - theirs).mean(), abs=0.002)
    assert -0.021 <= log["difference"] <= -0.0165 + 5e-5
    assert 0.05 < log["t_test_p"] < 0.3
    assert log["interval"][0] < 0 < log["interval"][1]
    for line in told["results"]:
        assert line["MAP"] == pytest.approx(np.mean([one.mean() for one in values[line["method"]]]), abs=0.002)


def test_the_empty_model_of_a_path_is_no_better_than_chance(file: Path, ask: Ask) -> None:
    points = ask("path", file, "--folds", 5, "--points", 6)["points"]
    fold = Reading(folds=5).open(str(file)).fold(1)
    for point in points:
        weights = np.zeros(fold.train.n_features)
        for feature in point["features"]:
            weights[feature["index"] - 1] = feature["weight"]
        for part, data in fold.parts().items():
            expected = average_precision(data, data.features @ weights).mean()
            assert point["metrics"][part]["MAP"] == pytest.approx(expected, abs=0.004), (point["nonzero"], part)
    assert points[0]["nonzero"] == 0
    assert max(points, key=lambda point: point["metrics"]["test"]["MAP"])["nonzero"] > 0


def test_the_order_of_rows_within_queries_changes_no_number(file: Path, ask: Ask, tmp_path: Path) -> None:
    groups: dict[str, list[str]] = {}
    for line in file.read_text().splitlines():
        groups.setdefault(line.split()[1], []).append(line)
    rng = np.random.default_rng(3)
    shuffled = tmp_path / "shuffled.txt"
    shuffled.write_text("".join(f"{line}\n" for rows in groups.values() for line in rng.permutation(rows).tolist()))
    told = [
        [point["metrics"] for point in ask("path", one, "--folds", 5, "--points", 6)["points"]]
        + [{str(row["index"]): {m: row[m] for m in ("NDCG@10", "MAP")} for row in ask("features", one)["features"]}]
        for one in (file, shuffled)
    ]
    for one, other in zip(*told, strict=True):
        for part, values in one.items():
            assert values == pytest.approx(other[part], abs=1e-9)


@pytest.mark.parametrize("ratio", [0.9, 0.3, 0.01])
def test_evaluate_prints_the_mean_over_orders(file: Path, ask: Ask, tmp_path: Path, ratio: float) -> None:
    record = ask("fit", file, "--lambda-ratio", ratio)
    (tmp_path / "fit.json").write_text(json.dumps(record))
    told = ask("evaluate", file, tmp_path / "fit.json")
    data = core.open_dataset(str(file)).fold(1).train
    weights = np.zeros(data.n_features)
    for feature in record["features"]:
        weights[feature["index"] - 1] = feature["weight"]
    assert told["MAP"] == pytest.approx(average_precision(data, data.features @ weights).mean(), abs=0.002)
    assert told["MAP"] == record["metrics"]["train"]["MAP"]
    assert told["expected_over_ties"] == record["expected_over_ties"] == {}


def test_under_letor_the_number_in_file_order_is_marked_and_what_is_said_is_over_orders(
    file: Path, ask: Ask, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dataset = Reading(folds=5).open(str(file))
    model = core.fit(dataset.fold(1), "l1", lambda_ratio=0.9, convention="letor4")
    empty = np.zeros(len(model.weights))
    data = dataset.fold(1).test
    expected = average_precision(data, data.features @ model.fit.weights)
    official = model.metrics.loc["MAP", "test*"]
    assert model.metrics.loc["MAP", "test"] == pytest.approx(expected.mean(), abs=0.004)
    assert official > expected.mean() + 0.05, "the file is sorted by grade"
    np.testing.assert_allclose(model.per_query("MAP"), expected, atol=0.03)
    from core.analysis.evaluation import FoldJudge

    judge = FoldJudge(model.fold, "letor4")
    interval = mean_interval(judge, model.fit.weights, "test", "MAP")
    assert interval.value == pytest.approx(expected.mean(), abs=0.004)
    chance = average_precision(data, np.zeros(data.n_documents))
    difference = model_difference(judge, model.fit.weights, empty, "test", "MAP")
    assert difference.value == pytest.approx((expected - chance).mean(), abs=0.006)
    (tmp_path / "scores.txt").write_text("0\n" * core.open_dataset(str(file)).fold(1).train.n_documents)
    assert main(["evaluate", str(file), str(tmp_path / "scores.txt"), "--convention", "letor4"]) == 0
    printed = capsys.readouterr().out
    assert "1.0000*" in printed
    assert "over the orders of tied documents MAP 0." in printed
    assert main(["evaluate", str(file), str(tmp_path / "scores.txt"), "--convention", "standard"]) == 0
    assert "*" not in capsys.readouterr().out


@pytest.mark.usefixtures("all_unfolded")
def test_one_label_is_one_number_on_the_page_and_the_command_line(
    shared_data: Path,
    open_app: Open,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert (shared_data / "letor" / "MQ2008").exists()
    assert main(["fit", "MQ2008", "--lambda-ratio", "1"]) == 0
    printed = dict(re.findall(r"^ *(test[*]?) +([0-9.]+)", capsys.readouterr().out, re.MULTILINE))
    app = open_app("fit", dataset="MQ2008", method="l1", ratio="1")
    assert_fine(app)
    strip = " ".join(block.proto.body for block in app.get("html"))
    told = dict(re.findall(r'data-reading="([^"]+)">([^<]*)<', strip))
    table = next(one.value for one in app.dataframe if "MAP" in one.value.columns)
    rows = {row: f"{table.loc[row, 'MAP']:.4f}" for row in ("test", "test*")}
    assert rows == printed
    assert (told["MAP-test"], told["MAP-test*"]) == (rows["test"], "*")
    assert f"test NDCG@10 {told['NDCG@10-test']}" in told["title"]
    assert (
        f'title="{rows["test"]} over the orders of tied documents; {rows["test*"]}* in the order of the file' in strip
    )
