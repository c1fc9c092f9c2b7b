"""Measures of a ranking against their definitions spelled out, in every convention.

The library ir_measures, which asks trec_eval and gdeval, computes the same from our TREC files.
What the official LETOR scripts print for known scores on MQ2008, to the last printed digit.
"""

import csv
import math
from pathlib import Path

import ir_measures
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, ndcg_score

from core.data import RankingData
from core.data.letor.letor_format import read_letor
from core.export.trec import trec_qrels, trec_run
from core.metrics import JudgedLists, Measure, evaluate_ranking
from core.metrics.measures import further_measures_at, measures_at
from tests.oracles import judged
from tests.ranking_files import there

CONVENTIONS = ["standard", "letor3", "letor4"]


def per_query(data, scores, measure, convention):
    return JudgedLists(data, convention).rank(scores).per_query(Measure.parse(measure))


def in_file_order(data: RankingData) -> np.ndarray:
    return -np.arange(data.n_documents)


# The definitions, spelled out for the labels of one list in ranked order.


def dcg(labels: list[int], k: int, convention: str) -> float:
    total = 0.0
    for rank, label in enumerate(labels[:k], start=1):
        gain = 2**label - 1
        if convention == "standard":
            total += gain / math.log2(rank + 1)
        else:
            total += gain if rank <= 2 else gain / math.log2(rank)
    return total


def ndcg(labels: list[int], k: int, convention: str) -> float:
    if max(labels) == 0 or (convention != "standard" and len(labels) < k):
        return 0.0
    return dcg(labels, k, convention) / dcg(sorted(labels, reverse=True), k, convention)


def precision(labels: list[int], k: int, convention: str) -> float:
    if convention == "letor3" and len(labels) < k:
        return 0.0
    return sum(label >= 1 for label in labels[:k]) / k


def average_precision(labels: list[int]) -> float:
    precisions = [
        sum(label >= 1 for label in labels[:rank]) / rank for rank in range(1, len(labels) + 1) if labels[rank - 1] >= 1
    ]
    return sum(precisions) / len(precisions) if precisions else 0.0


def err(labels: list[int], k: int, largest: int = 4) -> float:
    """Chapelle et al. 2009, Algorithm 2."""
    past, total = 1.0, 0.0
    for rank, label in enumerate(labels[:k], 1):
        stop = (2**label - 1) / 2**largest
        total += past * stop / rank
        past *= 1 - stop
    return total


def by_definition(labels: list[int], measure: str, convention: str) -> float:
    if measure == "MAP":
        return average_precision(labels)
    if measure == "RR":
        return next((1 / rank for rank, label in enumerate(labels, 1) if label > 0), 0.0)
    if measure.startswith("ERR"):
        return err(labels, int(measure.partition("@")[2] or 99))
    if measure == "MeanNDCG":
        n = len(labels)
        return sum(ndcg(labels, k, convention) for k in range(1, n + 1)) / n
    kind, k = measure.split("@")
    if kind == "R":
        return sum(label > 0 for label in labels[: int(k)]) / max(1, sum(label > 0 for label in labels))
    return (ndcg if kind == "NDCG" else precision)(labels, int(k), convention)


# Few different scores, with ties broken by the order of the file; lists on both sides of the cutoffs.
documents = st.lists(st.tuples(st.integers(0, 4), st.integers(-2, 2)), min_size=1, max_size=14)


@pytest.mark.parametrize("convention", CONVENTIONS)
@given(queries=st.lists(documents, min_size=1, max_size=5))
@settings(deadline=None, max_examples=60)
def test_every_measure_is_its_definition_query_by_query(convention, queries):
    data = judged(*[[label for label, _ in documents] for documents in queries])
    scores = np.concatenate([[s - 0.01 * i for i, (_, s) in enumerate(documents)] for documents in queries])
    # sorted() is stable: documents of equal score stay in file order.
    ranked = [[label for label, _ in sorted(documents, key=lambda d: -d[1])] for documents in queries]

    means = evaluate_ranking(data, scores, convention)

    assert list(means) == (
        ["MAP", *(f"NDCG@{k}" for k in range(1, 11)), *(f"P@{k}" for k in range(1, 11)), "MeanNDCG", "Top"]
    )
    # Top asks for the scores and not for their order alone: test_top_of_list.
    for measure in (*list(means)[:-1], "RR", "ERR", "ERR@1", "ERR@3", "ERR@20", "R@1", "R@3", "R@20"):
        expected = [by_definition(labels, measure, convention) for labels in ranked]
        np.testing.assert_allclose(per_query(data, scores, measure, convention), expected, atol=1e-12)
        assert means.get(measure, np.mean(expected)) == pytest.approx(np.mean(expected), abs=1e-12)


def test_standard_ndcg_and_map_agree_with_scikit_learn():
    rng = np.random.default_rng(3)
    lists = [np.append(rng.integers(0, 4, size), 1) for size in rng.integers(1, 30, 20)]
    scores = [rng.permutation(len(labels)).astype(float) for labels in lists]
    for measure, theirs in (
        ("NDCG@10", lambda labels, s: ndcg_score([2.0**labels - 1], [s], k=10)),
        ("MAP", lambda labels, s: average_precision_score(labels >= 1, s)),
    ):
        ours = per_query(judged(*lists), np.concatenate(scores), measure, "standard")
        np.testing.assert_allclose(ours, [theirs(labels, s) for labels, s in zip(lists, scores, strict=True)])


def test_large_labels_do_not_overflow_and_a_gain_doubles_with_each_level():
    data = judged([1999, 2000, 0])
    # Against 2^2000 the −1 is nothing: gains 1/2 and 1, against the ideal 1 and 1/2.
    second = 1 / math.log2(3)
    assert evaluate_ranking(data, in_file_order(data), "standard")["NDCG@2"] == pytest.approx(
        (0.5 + second) / (1 + 0.5 * second)
    )


def test_a_grade_beyond_four_is_the_largest_of_its_data_in_err():
    data = judged([6, 0], [3, 6])
    np.testing.assert_allclose(per_query(data, in_file_order(data), "ERR", "standard"), [63 / 64, err([3, 6], 2, 6)])
    huge = judged([2000, 1])
    np.testing.assert_allclose(per_query(huge, in_file_order(huge), "ERR", "standard"), [1.0])


def test_infinite_scores_are_ranked_first_and_last():
    data = judged([0, 1, 2])
    assert evaluate_ranking(data, [-np.inf, 1.0, np.inf], "letor4", cutoffs=[3])["NDCG@3"] == 1.0


def test_scores_that_are_not_numbers_are_refused():
    with pytest.raises(ValueError, match=r"\b2 of 3 scores\b.*not a number.*document 2\b"):
        evaluate_ranking(judged([0, 1, 2]), [0.0, np.nan, np.nan], "standard")


@pytest.mark.parametrize(
    ("scores", "convention", "cutoffs", "said"),
    [
        *((one, "standard", [5], r"\b3 documents\b.*\b3 scores\b") for one in ([1.0, 2.0], 1.0, [[1.0], [2.0], [3.0]])),
        ([0, 1, 2], "standard", [0, 5], r"cutoffs.*\b1\b.*\b0\b"),
        ([0, 1, 2], "letor5", [5], r"no metric convention 'letor5'.*\bstandard, letor3, letor4\b"),
    ],
)
def test_what_cannot_be_measured_is_refused(scores, convention, cutoffs, said):
    with pytest.raises(ValueError, match=said):
        evaluate_ranking(judged([0, 1, 2]), scores, convention, cutoffs=cutoffs)


NAMED = [
    measure
    for measure in (*measures_at([1, 3, 5, 10, 50]), *further_measures_at([1, 3, 10, 50]))
    if measure.ir_measures_name("standard")
]


def random_lists(*, ties: bool) -> tuple[RankingData, np.ndarray]:
    """Lists of 1 to 40 documents in five levels; some without a relevant one."""
    rng = np.random.default_rng(11)
    sizes = rng.integers(1, 41, 30)
    labels = np.concatenate([rng.integers(0, 1 + q % 5, size) for q, size in enumerate(sizes)])
    data = RankingData.build(np.zeros((sizes.sum(), 1)), labels, np.cumsum([0, *sizes]))
    scores = rng.integers(-2, 3, len(labels)) if ties else rng.permutation(len(labels))
    return data, scores.astype(float)


def differing(data: RankingData, scores: np.ndarray, folder: Path) -> list[str]:
    """Names of the measures that the other program finds otherwise for some query."""
    (folder / "run").write_text(trec_run(data, scores))
    (folder / "qrels").write_text(trec_qrels(data))
    theirs = {str(m.ir_measures_name("standard")): m for m in NAMED}
    asked = [ir_measures.parse_measure(name) for name in theirs]
    qrels = list(ir_measures.read_trec_qrels(str(folder / "qrels")))
    run = list(ir_measures.read_trec_run(str(folder / "run")))
    found: dict[tuple[str, str], float] = {
        (str(metric.measure), metric.query_id): metric.value for metric in ir_measures.iter_calc(asked, qrels, run)
    }
    run_order = np.lexsort((np.arange(len(scores)), -scores))  # a run breaks ties by the order of the file
    ranked = JudgedLists(data, "standard").rank(-np.argsort(run_order))
    different = []
    for name, measure in theirs.items():
        ours = ranked.per_query(measure)
        other = [found.get((name, query), 0.0) for query in data.query_ids]
        digits = 1e-5 if name[:4] in ("nDCG", "ERR@") else 1e-9  # gdeval prints five digits
        if not np.allclose(ours, other, rtol=0, atol=digits):
            different.append(name)
    return different


@pytest.mark.parametrize("ties", [False, True])
def test_every_measure_that_has_a_name_there_has_the_same_value_for_every_query(ties: bool, tmp_path: Path) -> None:
    assert {m.kind for m in NAMED} == {"MAP", "NDCG", "P", "R", "RR", "ERR"}
    assert differing(*random_lists(ties=ties), tmp_path) == []


def test_the_conventions_of_letor_have_names_only_where_they_count_alike() -> None:
    ndcg, precision = Measure("NDCG", 10), Measure("P", 5)
    assert (ndcg.ir_measures_name("letor4"), ndcg.ir_measures_name("letor3")) == (None, None)
    assert (precision.ir_measures_name("letor4"), precision.ir_measures_name("letor3")) == ("P@5", None)
    assert Measure("MAP").ir_measures_name("letor3") == "AP"
    assert Measure("Top").ir_measures_name("standard") is Measure("ERR").ir_measures_name("standard") is None


def printed(file: Path) -> dict[tuple[str, str, str], dict[str, str]]:
    """By file, score and convention: the printed value of every measure."""
    values: dict[tuple[str, str, str], dict[str, str]] = {}
    with file.open() as rows:
        for row in csv.DictReader(rows):
            key = row["file"], row["score"], row["convention"]
            values.setdefault(key, {})[row["measure"]] = row["value"]
    return values


def scores(data: RankingData, name: str) -> np.ndarray:
    if name == "all zero":
        return np.zeros(data.n_documents)
    return data.features[:, int(name.removeprefix("feature ")) - 1]


def test_the_official_scripts_print_the_same_numbers(shared_data: Path) -> None:
    table, letor = there(shared_data / "metric_fixtures/official_scores_mq2008.csv"), there(shared_data / "letor")
    # The LETOR 4.0 script rounds to 4 digits. That of LETOR 3.0 prints 15, of which the last depends on the
    # order in which queries are added up: one unit of it is granted.
    granted = {"letor3": 1.0e-15, "letor4": 0.5e-4 + 1e-12}
    data = {}
    checked = 0
    for (file, score, convention), values in printed(table).items():
        if file not in data:
            data[file] = read_letor(letor / file)
        ranked = JudgedLists(data[file], convention).rank(scores(data[file], score)).official
        ours = {measure: ranked.mean(Measure.parse(measure)) for measure in values}
        for measure, value in values.items():
            assert ours[measure] == pytest.approx(float(value), rel=0, abs=granted[convention]), (
                f"{measure} of {score} on {file} by {convention}"
            )
            checked += 1
    assert checked == 275
