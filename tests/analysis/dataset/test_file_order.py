"""A file whose order is nearly perfect: nothing that is chosen may profit from it."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.dataset.dataset_card import file_order
from core.analysis.evaluation import FoldJudge
from core.analysis.fitting import OnValidation
from core.analysis.path import lambda_grid, regularization_path
from core.analysis.tuning.choice_noise import choice_table
from core.analysis.tuning.method_bench import BenchPlan, MethodBench
from core.analysis.tuning.tuning import best_on_validation
from core.data import Convention, Fold, RankingData
from core.experiments.run.learners.learner import Question
from core.experiments.run.learners.linear import LinearLearner
from core.methods import get_method
from core.metrics import evaluate_ranking


def sorted_by_relevance(data: RankingData) -> RankingData:
    """The same documents, the most relevant first in every query but one."""
    rows = np.lexsort((-data.relevance, data.query_of_document))
    size = data.query_offsets[1]
    rows[:size] = rows[:size][::-1]
    return RankingData.build(
        data.features[rows], data.relevance[rows], data.query_offsets, feature_names=data.feature_names
    )


def learnable(seed: int) -> RankingData:
    """Thirty queries of twelve documents, a third of them relevant; three of eight features say which, with noise."""
    rng = np.random.default_rng(seed)
    features = rng.standard_normal((360, 8)).round(1)
    latent = features[:, 0] + 0.7 * features[:, 3] - 0.5 * features[:, 5] + rng.standard_normal(360)
    return RankingData.build(features, np.digitize(latent, [0.6, 1.5]), np.arange(0, 361, 12))


PLAIN = Fold("1", learnable(0), learnable(1), learnable(2))
SORTED = Fold("1", *(sorted_by_relevance(data) for data in (PLAIN.train, PLAIN.vali, PLAIN.test)))
METHOD = get_method("l1")


def path(fold: Fold, convention: Convention = "standard"):
    training = METHOD.training(fold.train)
    judge = FoldJudge(fold, convention)
    return list(regularization_path(METHOD, training, lambda_grid(training.lam_max, 15), judge)), judge


@pytest.fixture(scope="module")
def paths():
    return path(PLAIN), path(SORTED)


def test_the_order_of_this_file_beats_every_model_by_the_official_count():
    points, _ = path(SORTED, "letor4")
    empty, *others = points
    assert empty.fit.result.nonzero == 0
    official = [point.judgement.official["vali"]["MAP"] for point in others]
    assert empty.judgement.official["vali"]["MAP"] > max(official)
    assert empty.metrics["vali"]["MAP"] < min(official)


@pytest.mark.parametrize("measure", ["MAP", "NDCG@10"])
def test_the_chosen_model_is_the_same_whatever_the_order_of_the_file(paths, measure):
    (plain, _), (ordered, _) = paths
    assert best_on_validation(ordered, measure).fit.result.nonzero > 0
    assert plain.index(best_on_validation(plain, measure)) == ordered.index(best_on_validation(ordered, measure))


def evaluate_over_shuffled(data: RankingData) -> float:
    rng = np.random.default_rng(0)
    return float(np.mean([evaluate_ranking(data, rng.random(data.n_documents), "standard")["MAP"] for _ in range(300)]))


def test_the_protocol_the_bench_and_the_resampled_choices_take_no_empty_model(paths):
    _, (points, judge) = paths
    learned = LinearLearner(METHOD).learn(SORTED, Question({}, 15, "MAP", "standard"))
    assert learned.record["nonzero"] > 0
    plan = BenchPlan("row", "l1", METHOD.solver().id, {}, METHOD.stop, 60.0)
    rows: dict = {}
    MethodBench([plan], rows, judge, OnValidation("MAP")).finish()
    assert rows["row"].fit.result.nonzero > 0
    table = choice_table([point.fit for point in points], judge, "MAP")
    assert not np.isin(table.resampled(100), np.flatnonzero(table.sizes == 0)).any()


def test_the_order_of_the_file_is_told_beside_all_orders():
    found = file_order(SORTED.train, "letor4", "map")
    assert found.measure == "MAP"
    assert found.file == evaluate_ranking(SORTED.train, np.zeros(SORTED.train.n_documents), "letor4")["MAP"] > 0.9
    assert found.expected == pytest.approx(evaluate_over_shuffled(SORTED.train), abs=0.02)
