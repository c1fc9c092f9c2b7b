"""Figs. 1-3 of FSMRank: every value is that of a model chosen, cut or fitted by hand."""

from itertools import combinations, product
from pathlib import Path
from statistics import mean

import numpy as np
import pytest

from core.analysis.tuning.tuning import tuning_grid
from core.data import Fold, open_dataset
from core.experiments.papers.experiment import Request, requested_folds
from core.experiments.papers.fsmrank_sizes import FSMRANK_SIZES, SizeOutcome, size_cells, size_outcome, size_tables
from core.experiments.papers.registry import PaperRun
from core.experiments.run.cells import MethodChoice
from core.experiments.run.plan import DatasetSource
from core.methods import Fit, get_method
from core.metrics import evaluate_ranking
from tests.oracles import ranking_problem
from tests.ranking_files import write_folds

POINTS = 4
FULL = ("train", "vali", "test")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> DatasetSource:
    folds = [ranking_problem(fold, n_queries=24, n_features=6) for fold in (1, 2, 3)]
    folder = tmp_path_factory.mktemp("folds") / "three-folds"
    return DatasetSource(str(write_folds(folder, folds, train=range(7), vali=range(10, 17), test=range(17, 24))))


@pytest.fixture(scope="module")
def outcomes(source: DatasetSource, tmp_path_factory: pytest.TempPathFactory) -> list[SizeOutcome]:
    folds = requested_folds(Request((source,)), parts=FULL)
    choices = [MethodChoice.parse("fsmrank:lambda1=0.03"), MethodChoice.parse("gas-e:c=0.03")]
    run = PaperRun(FSMRANK_SIZES, size_cells(folds, choices, points=POINTS), tmp_path_factory.mktemp("out"))
    run.finish()
    return run.outcomes()


def best_by_hand(fold: Fold, method_id: str, parameters: dict[str, float]) -> tuple[int, list[Fit]]:
    """Which fit has the best validation NDCG@10, among equals the largest lambda, and all of them."""
    method = get_method(method_id)
    training = method.training(fold.train, parameters)
    lams = tuning_grid(method, training, points=POINTS)
    fits = [method.fit(training, lam, parameters=parameters) for lam in lams]
    ranked = [evaluate_ranking(fold.vali, fold.vali.features @ fit.weights, "standard")["NDCG@10"] for fit in fits]
    empty = [not fit.weights.any() for fit in fits]
    return int(np.argmax(np.where(empty, -1.0, np.round(ranked, 12)))), fits


def test_the_cut_model_keeps_its_largest_weights_on_every_fold(
    source: DatasetSource, outcomes: list[SizeOutcome]
) -> None:
    dataset = open_dataset(source.name_or_path)
    whole = [outcome for outcome in outcomes if outcome.cell.size is None]
    assert len(whole) == 3
    for outcome in whole:
        fold = dataset.fold(outcome.cell.fold.number)
        chosen, fits = best_by_hand(fold, "fsmrank", {"lambda1": 0.03})
        assert outcome.c == fits[chosen].c
        weights = fits[chosen].weights
        assert sorted(outcome.values) == list(range(1, np.count_nonzero(weights) + 1))
        for size, values in outcome.values.items():
            cut = np.where(np.abs(weights) >= np.sort(np.abs(weights))[-size], weights, 0.0)
            expected = evaluate_ranking(fold.test, fold.test.features @ cut, dataset.convention)
            assert values["test"]["MAP"] == pytest.approx(expected["MAP"], abs=1e-12)
            assert values["test"]["NDCG@10"] == pytest.approx(expected["NDCG@10"], abs=1e-12)


def test_a_filter_is_fitted_with_so_many_features_and_its_own_c(
    source: DatasetSource, outcomes: list[SizeOutcome]
) -> None:
    dataset = open_dataset(source.name_or_path)
    for number, size in product((1, 3), (1, 4)):
        fold = dataset.fold(number)
        chosen, fits = best_by_hand(fold, "gas-e", {"t": float(size), "c": 0.03})
        (outcome,) = (o for o in outcomes if (o.cell.fold.number, o.cell.size) == (number, size))
        expected = evaluate_ranking(fold.test, fold.test.features @ fits[chosen].weights, dataset.convention)
        assert (outcome.c, list(outcome.values)) == (fits[chosen].c, [size])
        assert outcome.values[size]["test"]["MAP"] == pytest.approx(expected["MAP"], abs=1e-12)


def test_the_table_of_means_is_that_of_the_table_of_folds(outcomes: list[SizeOutcome]) -> None:
    means, folds = size_tables(outcomes)
    assert {row["folds"] for row in means.rows} == {3}
    for row in means.rows:
        of_method = [r for r in folds.rows if r["method"] == row["method"] and r["features"] <= row["features"]]
        largest = {r["fold"]: r for r in sorted(of_method, key=lambda r: r["features"])}
        for measure in ("MAP", "NDCG@10"):
            assert row[measure] == pytest.approx(mean(r[measure] for r in largest.values()))


def test_a_fold_that_is_not_complete_is_in_no_mean(outcomes: list[SizeOutcome]) -> None:
    means, _ = size_tables(outcomes[:-1])
    assert {row["folds"] for row in means.rows} == {2}


def test_an_empty_model_is_worth_what_random_orders_are(tmp_path: Path) -> None:
    """The feature misleads on the validation part, so no feature is best; the file has its best documents first."""
    for part, sign in (("train", 1), ("vali", -1), ("test", 1)):
        lines = [
            f"{int(document < 2)} qid:{query} 1:{sign * (document < 2) + 0.01 * ((query + document) % 3)}\n"
            for query, document in product(range(6), range(8))
        ]
        (tmp_path / "misled" / "Fold1").mkdir(parents=True, exist_ok=True)
        (tmp_path / "misled" / "Fold1" / f"{part}.txt").write_text("".join(lines))
    folds = requested_folds(Request((DatasetSource(str(tmp_path / "misled")),)), parts=FULL)
    (cell,) = size_cells(folds, [MethodChoice("l1")], points=POINTS)
    outcome = size_outcome(cell, {})
    assert list(outcome.values) == [0]
    every_order = [(1 / (i + 1) + 2 / (j + 1)) / 2 for i, j in combinations(range(8), 2)]
    assert outcome.values[0]["test"]["MAP"] == pytest.approx(mean(every_order))
    (row,) = size_tables([outcome])[1].rows
    assert row["features"] == 0
