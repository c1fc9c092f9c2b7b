"""Few queries say little: no interval, p-value or ± of theirs is told, on any door.

A list exported best first, with many tied documents: no number profits from the order of the file.

The right values are brute force: the mean over random orders of tied documents, by code of its own.
A time stamp beside features in [0, 1]: certificates hold, and agree with a linear program over all documents.
"""

import re
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

import core
from core import fit
from core.analysis.evaluation import FoldJudge
from core.analysis.tuning.choice_noise import ByChoice
from core.data import Fold, RankingData, Reading, read_letor
from core.experiments.results.difference import TOO_FEW, Difference, mean_words, model_difference
from core.experiments.results.statistics import compare
from tests.app.conftest import Open
from tests.cli.conftest import Ask, Command
from tests.oracles import ranking_problem
from tests.says import assert_says


@pytest.mark.parametrize("n", [1, 3, 9])
def test_a_handful_of_queries_has_no_p_value_and_no_interval(n: int) -> None:
    ours, theirs = np.linspace(0.5, 0.9, n), np.full(n, 0.1)
    found = compare(ours, theirs)
    assert (found.t_test_p, found.randomization_p, found.interval) == (None, None, None)
    assert found.difference == pytest.approx(float(np.mean(ours - theirs)))
    assert Difference.of(ours, theirs).interval is None
    assert n == 1 or Difference.of(ours, theirs).verdict == TOO_FEW


def test_a_deviation_of_two_draws_is_known_to_sixty_per_cent_of_itself() -> None:
    """The relative deviation of a standard deviation of n normal draws, by simulation; its divisor is n − 1."""
    for n in (2, 5, 20):
        drawn = np.random.default_rng(n).normal(size=(200_000, n))
        error = drawn.std(axis=1, ddof=1).std()
        found = ByChoice.of(drawn[0])
        assert found.deviation == pytest.approx(float(drawn[0].std(ddof=1)))
        assert found.deviation_error / found.deviation == pytest.approx(error, rel=0.02)
    assert ByChoice.of([0.1, 0.3]).deviation_error / ByChoice.of([0.1, 0.3]).deviation == pytest.approx(0.603, abs=1e-3)


def parts(n_vali: int, level: int | None = None) -> Fold:
    data = ranking_problem(11, n_queries=40, n_documents=400, n_features=5)
    vali = data.take_queries(range(n_vali))
    if level is not None:
        vali = RankingData.build(vali.features, np.full(vali.n_documents, level), vali.query_offsets)
    return Fold("one", data.take_queries(range(10, 40)), vali, vali)


def test_validation_that_cannot_tell_has_no_noise_of_the_choice() -> None:
    """Nine queries are too few, and labels that are all equal tell nothing."""
    for n_vali, level, told in ((9, None, False), (12, 1, False), (10, None, True)):
        tuned = fit(parts(n_vali, level), "l1", tune="map", tol=1e-2).tuned
        assert (tuned.record()["choice"]["resamples"] > 0) is told, n_vali


def test_the_command_line_says_that_validation_queries_are_few(tmp_path: Path, run: Command, ask: Ask) -> None:
    rng, lines = np.random.default_rng(0), []
    for query in range(15):
        lines += [f"{rng.integers(3)} qid:{query} 1:{rng.normal():.3f} 2:{rng.normal():.3f}" for _ in range(8)]
    (tmp_path / "few.txt").write_text("\n".join(lines))
    for rule in ("best", "one-se", "average"):
        told = run("fit", tmp_path / "few.txt", "--folds", 5, "--tune", "map", "--choose", rule).out
        assert_says(told, "fewer than 10 queries", "not known")
        assert "±" not in told
    record = ask("protocol", tmp_path / "few.txt", "--folds", 3, "--methods", "l1,l2", "--out", tmp_path / "run")
    assert [row["t_test_p"] for row in record["comparison"]["rows"]] != [], "fifteen test queries are compared"


def test_a_mean_over_few_queries_has_no_interval() -> None:
    judge = FoldJudge(parts(4), "standard")
    few, many = (mean_words(judge.per_query(np.ones(5), part, "MAP")) for part in ("vali", "train"))
    assert_says(few, "4 queries", "too few")
    assert_says(many, "95 % interval")


DRAWS = 1500


@pytest.fixture
def file(cases: Path) -> Path:
    return cases / "sorted-by-grade" / "sorted.txt"


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
            values[line.choice.label].append(average_precision(test, test.features @ result.weights))
    ours, theirs = (np.concatenate(values[method]) for method in ("log", "l2"))
    assert log["difference"] == pytest.approx((ours - theirs).mean(), abs=0.002)
    assert -0.021 <= log["difference"] <= -0.0165 + 5e-5
    assert 0.05 < log["t_test_p"] < 0.3
    assert log["interval"][0] < 0 < log["interval"][1]
    for line in told["results"]:
        assert line["MAP"] == pytest.approx(np.mean([one.mean() for one in values[line["method"]]]), abs=0.002)


def test_under_letor_the_number_in_file_order_is_marked_and_what_is_said_is_over_orders(
    file: Path, ask: Ask, tmp_path: Path, run: Command
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
    judge = FoldJudge(model.fold, "letor4")
    mean, *_ = mean_words(judge.per_query(model.fit.weights, "test", "MAP")).split()
    assert float(mean) == pytest.approx(expected.mean(), abs=0.004)
    chance = average_precision(data, np.zeros(data.n_documents))
    difference = model_difference(judge, model.fit.weights, empty, "test", "MAP")
    assert difference.value == pytest.approx((expected - chance).mean(), abs=0.006)
    (tmp_path / "scores.txt").write_text("0\n" * core.open_dataset(str(file)).fold(1).train.n_documents)
    printed = run("evaluate", file, tmp_path / "scores.txt", "--convention", "letor4").out
    assert "1.0000*" in printed
    assert "over the orders of tied documents MAP 0." in printed
    standard = run("evaluate", file, tmp_path / "scores.txt", "--convention", "standard")
    assert standard.status == 0
    assert "*" not in standard.out


@pytest.mark.usefixtures("all_unfolded")
def test_one_label_is_one_number_on_the_page_and_the_command_line(
    shared_data: Path, open_app: Open, run: Command
) -> None:
    assert (shared_data / "letor" / "MQ2008").exists()
    printed = dict(re.findall(r"^ *(test[*]?) +([0-9.]+)", run("fit", "MQ2008", "--lambda-ratio", 1).out, re.MULTILINE))
    app = open_app("fit", dataset="MQ2008", method="l1", ratio="1")
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


def _push(data: RankingData, lam: float) -> float:
    """Minimise the infinite push plus lam ||w||_1 by HiGHS: weights up and down, a slack a positive, a top a query."""
    unit = np.ptp(data.features, axis=0)
    x = (data.features - data.features[0]) / unit
    positive = data.relevance > 0
    query, n_queries = data.query_of_document, data.n_queries
    slack = np.cumsum(positive) - 1
    rows = np.hstack([np.where(positive, -1.0, 1.0)[:, None] * x, np.zeros((len(x), positive.sum() + n_queries))])
    rows[positive, x.shape[1] + slack[positive]] = -1.0
    rows[np.arange(len(x)), x.shape[1] + positive.sum() + query] = np.where(positive, 1.0, -1.0)
    rows = np.hstack([rows, -rows[:, : x.shape[1]]])
    share = 1.0 / (n_queries * np.bincount(query, positive)[query[positive]])
    cost = np.concatenate([lam / unit, share, np.zeros(n_queries), lam / unit])
    free = [(0, None)] * (len(unit) + positive.sum()) + [(None, None)] * n_queries + [(0, None)] * len(unit)
    found = linprog(cost, A_ub=rows, b_ub=np.where(positive, -1.0, 0.0), bounds=free, method="highs")
    return float(found.fun)


@pytest.fixture
def stamp_year(cases: Path) -> Path:
    return cases / "wide-range" / "stamp_year.txt"


def test_the_push_is_not_called_empty_because_of_a_wide_feature(ask: Ask, stamp_year: Path) -> None:
    data = read_letor(stamp_year)
    found = ask("fit", stamp_year, "--method", "infinite-push-l1", "--C", "100")
    assert found["objective"] == pytest.approx(_push(data, 0.01), rel=1e-9)
    assert found["stop"] == "converged"
    assert found["nonzero"] == 8
    without = ask("fit", stamp_year, "--method", "infinite-push-l1", "--C", "94.787", "--off", "9")
    assert without["objective"] == pytest.approx(0.5905, abs=1e-4)
    narrow = RankingData.build(data.features[:, :8], data.relevance, data.query_offsets)
    assert without["objective"] == pytest.approx(_push(narrow, without["lambda"]), rel=1e-6)


@pytest.mark.parametrize("more", [["infinite-push-l2"], ["infinite-push-l1", "--set", "top_share=0.25"]])
def test_nor_is_that_of_l2_or_of_a_share_of_the_top(ask: Ask, stamp_year: Path, more: list[str]) -> None:
    found = ask("fit", stamp_year, "--method", *more, "--C", "100")
    assert (found["stop"], found["objective"] < 0.6) == ("converged", True)
