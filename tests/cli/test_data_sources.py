"""DATA in its forms: a name, a folder, a single file, a CSV with classes; tests/data has each format."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.data import RankingData
from tests.cli.conftest import Ask
from tests.oracles import RankSvm
from tests.says import assert_says

FIT = ("--lambda-ratio", 0.05)


def table(header: list[str] | None, columns: list[list[object]]) -> str:
    rows = [*([header] if header else []), *zip(*columns, strict=True)]
    return "".join(",".join(map(str, row)) + "\n" for row in rows)


@pytest.fixture
def bipartite() -> tuple[np.ndarray, list[str]]:
    """40 documents with 3 features of very different scale, 15 of them good."""
    rng = np.random.default_rng(3)
    good = np.arange(40) % 8 < 3
    features = rng.normal(size=(40, 3)) + np.outer(good, [1.0, -0.5, 0.0])
    return features * [1.0, 100.0, 0.01] + [5.0, 0.0, 0.0], ["g" if g else "b" for g in good]


def bipartite_csv(features: np.ndarray, classes: list[str], header: list[str] | None = None) -> str:
    return table(header, [*features.T.tolist(), classes])


def test_a_split_gives_train_and_test_by_its_seed(letor_file: Path, data: RankingData, ask: Ask) -> None:
    split = ("fit", letor_file, *FIT, "--split", 0.7, "--seed")
    first, again, other = ask(*split, 0), ask(*split[:-1]), ask(*split, 1)  # without a seed it is 0
    assert list(first["metrics"]) == ["train", "test"]
    for key in ("features", "metrics", "lambda", "objective"):
        assert first[key] == again[key]
        assert first[key] != other[key]
    # Every query of this file has as many pairs as any other, so pairs count queries: C = 1 / (lambda P).
    pairs = [1 / (record["C"] * record["lambda"]) for record in (first, ask("fit", letor_file, *FIT))]
    assert pairs[0] == pytest.approx(0.7 * pairs[1])


def test_the_convention_asked_for_is_used_and_named(folds: Path, ask: Ask) -> None:
    answers = {name: ask("fit", folds, *FIT, "--convention", name) for name in ("standard", "letor3", "letor4")}
    assert [record["convention"] for record in answers.values()] == list(answers)
    standard, letor = (answers[name]["metrics"]["test"] for name in ("standard", "letor4"))
    assert standard["MAP"] == letor["MAP"]
    assert standard["NDCG@5"] != letor["NDCG@5"], "the discounts at rank 2 differ"


def test_a_bipartite_csv_is_one_query(bipartite: tuple[np.ndarray, list[str]], tmp_path: Path, ask: Ask) -> None:
    features, classes = bipartite
    path = tmp_path / "b.csv"
    path.write_text(bipartite_csv(features, classes))
    record = ask("fit", path, "--method", "l2", "--C", 0.1)
    w = np.zeros(3)
    for feature in record["features"]:
        w[feature["index"] - 1] = feature["weight"]
    good = np.array(classes) == "g"
    pairs = RankSvm((features[good][:, None] - features[~good][None]).reshape(-1, 3))
    assert record["lambda"] == pytest.approx(1 / (0.1 * 15 * 25))
    assert record["objective"] == pytest.approx(pairs.loss(w) + record["lambda"] / 2 * w @ w)
    assert [f["name"] for f in sorted(record["features"], key=lambda f: f["index"])] == [
        "feature 1", "feature 2", "feature 3"
    ]  # fmt: skip


def test_repeated_splits_are_folds_to_choose_c_and_to_judge_on(
    bipartite: tuple[np.ndarray, list[str]], tmp_path: Path, ask: Ask, refused: Callable[..., str]
) -> None:
    (tmp_path / "b.csv").write_text(bipartite_csv(*bipartite))
    fit = ("fit", tmp_path / "b.csv", "--scale", "standard")
    third = ask(*fit, "--repeats", 10, "--fold", 3, "--tune", "top")
    assert (list(third["metrics"]), third["fold"]) == (["train", "vali", "test"], 3)
    assert third["tuned"]["vali"] == third["metrics"]["vali"]["Top"]
    from_two = ask(*fit, "--repeats", 1, "--seed", 2, "--tune", "top")
    assert from_two["features"] == third["features"] != ask(*fit, "--repeats", 10, "--tune", "top")["features"]
    assert ask(*fit, *FIT, "--repeats", 2)["metrics"] == ask(*fit, *FIT, "--repeats", 2, "--split", 0.7)["metrics"]
    assert_says(refused(*fit, *FIT, "--repeats", 10, "--fold", 11), "b", "1", "10", "no fold 11")
    assert_says(refused(*fit, *FIT, "--repeats", 0), "--repeats", "whole number", "1", "1000")


@pytest.mark.parametrize(("name", "positive", "classes"), [("ionosphere", "g", (225, 126)), ("SONAR", "M", (111, 97))])
def test_the_uci_sets_are_known_by_name(
    name: str, positive: str, classes: tuple[int, int], shared_data: Path, ask: Ask
) -> None:
    if not (shared_data / "uci" / f"{name.lower()}.csv").is_file():
        pytest.skip(f"{name} is not in the shared data")
    record = ask("fit", name, "--positive", positive, "--scale", "standard", *FIT)
    assert 1 / (record["C"] * record["lambda"]) == pytest.approx(classes[0] * classes[1])
    assert record["metrics"]["train"]["MAP"] > 0.9
