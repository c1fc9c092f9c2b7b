"""DATA in all its forms: a name, folders in both layouts, single files, CSV of both kinds, gzipped or not."""

from __future__ import annotations

import gzip
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.data import RankingData
from tests.cli.conftest import Ask, letor_text
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


def test_a_single_file_is_fitted_whole(letor_file: Path, ask: Ask) -> None:
    record = ask("fit", letor_file, *FIT)
    assert record["dataset"] == "small"
    assert list(record["metrics"]) == ["train"]


def test_a_split_gives_train_and_test_by_its_seed(letor_file: Path, data: RankingData, ask: Ask) -> None:
    split = ("fit", letor_file, *FIT, "--split", 0.7, "--seed")
    first, again, other = ask(*split, 0), ask(*split, 0), ask(*split, 1)
    assert list(first["metrics"]) == ["train", "test"]
    for key in ("features", "metrics", "lambda", "objective"):
        assert first[key] == again[key]
        assert first[key] != other[key]
    # Every query of this file has as many pairs as any other, so pairs count queries: C = 1 / (lambda P).
    pairs = [1 / (record["C"] * record["lambda"]) for record in (first, ask("fit", letor_file, *FIT))]
    assert pairs[0] == pytest.approx(0.7 * pairs[1])


def test_without_a_seed_it_is_seed_0(letor_file: Path, ask: Ask) -> None:
    split = ("fit", letor_file, *FIT, "--split", 0.5)
    assert ask(*split)["features"] == ask(*split, "--seed", 0)["features"]


def test_a_gzipped_file_is_the_same_file(letor_file: Path, tmp_path: Path, ask: Ask) -> None:
    packed = tmp_path / "small.txt.gz"
    packed.write_bytes(gzip.compress(letor_file.read_bytes()))
    plain, unpacked = ask("fit", letor_file, *FIT), ask("fit", packed, *FIT)
    assert (plain["features"], plain["dataset"]) == (unpacked["features"], unpacked["dataset"])


def test_folds_are_counted_from_one(folds: Path, ask: Ask) -> None:
    first, second, default = (ask("fit", folds, *FIT, *fold) for fold in (["--fold", 1], ["--fold", 2], []))
    assert first["features"] == default["features"] != second["features"]
    assert (first["fold"], second["fold"], first["dataset"]) == (1, 2, "two-folds")


def test_letor_3_names_its_parts_otherwise(folds: Path, tmp_path: Path, ask: Ask) -> None:
    """The names of files alone do not make own data LETOR 3.0's, whose NDCG@10 of short lists is 0."""
    for part, name in (("train", "trainingset"), ("vali", "validationset"), ("test", "testset")):
        shutil.copy(folds / "Fold1" / f"{part}.txt", tmp_path / f"{name}.txt")
    fit = ask("fit", tmp_path, *FIT)
    own = ask("fit", folds, *FIT)
    for told in ("convention", "features", "metrics"):
        assert fit[told] == own[told]


def test_the_convention_asked_for_is_used_and_named(folds: Path, ask: Ask) -> None:
    answers = {name: ask("fit", folds, *FIT, "--convention", name) for name in ("standard", "letor3", "letor4")}
    assert [record["convention"] for record in answers.values()] == list(answers)
    standard, letor = (answers[name]["metrics"]["test"] for name in ("standard", "letor4"))
    assert standard["MAP"] == letor["MAP"]
    assert standard["NDCG@5"] != letor["NDCG@5"], "the discounts at rank 2 differ"


def test_a_ranking_csv_is_the_letor_file_with_names(
    letor_file: Path, data: RankingData, tmp_path: Path, ask: Ask
) -> None:
    names = [f"f {j}" for j in range(15)]
    queries = [data.query_ids[q] for q in data.query_of_document]
    text = table(["relevance", "qid", *names], [data.relevance.tolist(), queries, *data.features.T.tolist()])
    (tmp_path / "ranking.csv").write_text(text)
    fit = ask("fit", tmp_path / "ranking.csv", *FIT)
    expected = ask("fit", letor_file, *FIT)["features"]
    assert [(f["index"], f["weight"]) for f in fit["features"]] == [(f["index"], f["weight"]) for f in expected]
    assert {f["name"] for f in fit["features"]} <= set(names)


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


def test_a_header_names_the_features(bipartite: tuple[np.ndarray, list[str]], tmp_path: Path, ask: Ask) -> None:
    (tmp_path / "bare.csv").write_text(bipartite_csv(*bipartite))
    (tmp_path / "named.csv").write_text(bipartite_csv(*bipartite, header=["size", "age", "hue", "class"]))
    bare, named = (ask("fit", tmp_path / file, *FIT) for file in ("bare.csv", "named.csv"))
    names = {1: "size", 2: "age", 3: "hue"}
    assert named["features"] == [{**f, "name": names[f["index"]]} for f in bare["features"]]


def test_the_rarer_class_is_positive_unless_said(
    bipartite: tuple[np.ndarray, list[str]], tmp_path: Path, ask: Ask
) -> None:
    (tmp_path / "b.csv").write_text(bipartite_csv(*bipartite))
    default, good, bad = (
        ask("fit", tmp_path / "b.csv", *FIT, *positive)["features"]
        for positive in ([], ["--positive", "g"], ["--positive", "b"])
    )
    assert default == good
    assert [f["weight"] for f in bad] == pytest.approx([-f["weight"] for f in good], rel=1e-4)


@pytest.mark.parametrize("how", ["standard", "minmax", "none"])
def test_scaling_is_what_a_person_would_do_by_hand(
    how: str, bipartite: tuple[np.ndarray, list[str]], tmp_path: Path, ask: Ask
) -> None:
    features, classes = bipartite
    by_hand = {
        "standard": (features - features.mean(axis=0)) / features.std(axis=0),
        "minmax": (features - features.min(axis=0)) / (features.max(axis=0) - features.min(axis=0)),
        "none": features,
    }[how]
    (tmp_path / "raw.csv").write_text(bipartite_csv(features, classes))
    (tmp_path / "scaled.csv").write_text(bipartite_csv(by_hand, classes))
    scaled = ask("fit", tmp_path / "raw.csv", "--method", "l2", "--C", 0.1, "--scale", how, "--tol", 1e-10)
    expected = ask("fit", tmp_path / "scaled.csv", "--method", "l2", "--C", 0.1, "--tol", 1e-10)
    assert scaled["objective"] == pytest.approx(expected["objective"], rel=1e-9)
    assert [f["index"] for f in scaled["features"]] == [f["index"] for f in expected["features"]]


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


def test_top_is_the_share_of_positives_above_every_negative(
    bipartite: tuple[np.ndarray, list[str]], tmp_path: Path, ask: Ask
) -> None:
    features, classes = bipartite
    (tmp_path / "b.csv").write_text(bipartite_csv(features, classes))
    record = ask("fit", tmp_path / "b.csv", *FIT, "--scale", "standard")
    scores = sum(
        f["weight"] * features[:, f["index"] - 1] / features[:, f["index"] - 1].std() for f in record["features"]
    )
    good = np.array(classes) == "g"
    assert record["metrics"]["train"]["Top"] == np.mean(scores[good] > scores[~good].max())
    assert 0 < record["metrics"]["train"]["Top"] < 1


@pytest.mark.parametrize(
    ("words", "pairs", "parts"),
    [
        (["breast-cancer"], 212 * 357, ["train"]),
        (["digits", "--positive", "8"], 174 * 1623, ["train"]),
        (["digits", "--split", "0.7", "--seed", "0"], 125 * 1133, ["train", "test"]),
        (["toy", "--fold", "10"], 35 * 35, ["train", "vali", "test"]),
    ],
)
def test_sets_that_come_with_the_program_open_by_name(words: list[str], pairs: int, parts: list[str], ask: Ask) -> None:
    record = ask("fit", *words, *FIT)
    assert record["dataset"] == words[0]
    assert 1 / (record["C"] * record["lambda"]) == pytest.approx(pairs)
    assert list(record["metrics"]) == parts


@pytest.mark.parametrize(("name", "positive", "classes"), [("ionosphere", "g", (225, 126)), ("SONAR", "M", (111, 97))])
def test_the_uci_sets_are_known_by_name(
    name: str, positive: str, classes: tuple[int, int], shared_data: Path, ask: Ask
) -> None:
    if not (shared_data / "uci" / f"{name.lower()}.csv").is_file():
        pytest.skip(f"{name} is not in the shared data")
    record = ask("fit", name, "--positive", positive, "--scale", "standard", *FIT)
    assert 1 / (record["C"] * record["lambda"]) == pytest.approx(classes[0] * classes[1])
    assert record["metrics"]["train"]["MAP"] > 0.9


def test_documents_that_are_apart_are_put_together_when_asked(
    tmp_path: Path, ask: Ask, refused: Callable[..., str]
) -> None:
    lines = ["1 qid:a 1:2", "0 qid:b 1:1", "0 qid:a 1:1", "1 qid:b 1:3"]
    (tmp_path / "apart.txt").write_text("\n".join(lines) + "\n")
    (tmp_path / "together.txt").write_text("\n".join(sorted(lines, key=lambda line: line.split()[1])) + "\n")
    assert "--group" in refused("fit", tmp_path / "apart.txt", "--C", 1)
    grouped = ask("fit", tmp_path / "apart.txt", "--C", 1, "--group")
    assert grouped["features"] == ask("fit", tmp_path / "together.txt", "--C", 1)["features"]


def test_fewer_features_in_one_part_are_zeros(folds: Path, tmp_path: Path, data: RankingData, ask: Ask) -> None:
    """A sparse file need not mention its last features."""
    shutil.copytree(folds / "Fold1", tmp_path / "Fold1")
    narrow = data.with_features(data.features[:, :3], data.feature_names[:3]).take_queries(range(4))
    (tmp_path / "Fold1" / "vali.txt").write_text(letor_text(narrow))
    record = ask("fit", tmp_path, *FIT)
    assert record["metrics"]["vali"]["MAP"] > 0
    assert record["features"] == ask("fit", folds, *FIT)["features"]


def test_a_table_in_another_language_asks_for_its_columns_and_takes_them_by_option(
    tmp_path: Path, ask: Ask, refused: Callable[..., str]
) -> None:
    rows = [f"question {row // 5},{(0, 0, 1, 0, 2)[(row + row // 5) % 5]},{row % 7 / 7}" for row in range(60)]
    (tmp_path / "fr.csv").write_text("\n".join(["requête,pertinence,prix", *rows, ""]))
    (tmp_path / "en.csv").write_text("\n".join(["query,relevance,prix", *rows, ""]))
    fit = ("fit", tmp_path / "fr.csv", *FIT)
    roles = ("--query-column", "requête", "--relevance-column", "pertinence")
    assert " ".join(map(shlex.quote, roles)) in refused(*fit)
    found, expected = ask(*fit, *roles), ask("fit", tmp_path / "en.csv", *FIT)
    assert (found["features"], found["metrics"]) == (expected["features"], expected["metrics"])
    assert_says(found["reading"][0], "requête", "12", "pertinence", "0, 1, 2")
