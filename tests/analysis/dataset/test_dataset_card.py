"""A dataset in numbers: Table III of Laporte et al., and what cannot teach a ranking.

A feature's values at each relevance level, held against numpy and a count over all pairs.
The rows of one query: its own, most relevant first, equals in the order of the file.
A file whose order is nearly perfect: nothing that is chosen may profit from it.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.analysis.dataset.dataset_card import dataset_card, file_order, query_rows
from core.analysis.dataset.distribution import MOST_POINTS, feature_distribution
from core.analysis.evaluation import FoldJudge
from core.analysis.fitting import OnValidation
from core.analysis.path import lambda_grid, regularization_path
from core.analysis.tradeoff.best_single_feature import best_single_feature
from core.analysis.tradeoff.tradeoff import pareto_front, tradeoff_points
from core.analysis.tuning.choice_noise import choice_table
from core.analysis.tuning.method_bench import BenchPlan, MethodBench
from core.analysis.tuning.tuning import best_on_validation
from core.data import Convention, Fold, RankingData, open_dataset
from core.experiments.run.learners.learner import Question
from core.experiments.run.learners.registry import LinearLearner
from core.methods import get_method
from core.metrics import evaluate_ranking


@pytest.fixture
def data() -> RankingData:
    """Queries with relevance 2 0 1 0 | 0 0 | 1 1 1, five features of the five kinds."""
    return RankingData.build(
        features=[
            # telling, zero, constant, constant within queries, telling in one query only
            [0.1, 0.0, 7.0, 5.0, 1.0],
            [0.2, 0.0, 7.0, 5.0, 1.0],
            [0.3, 0.0, 7.0, 5.0, 1.0],
            [0.4, 0.0, 7.0, 5.0, 1.0],
            [0.5, 0.0, 7.0, 0.0, 1.0],
            [0.6, 0.0, 7.0, 0.0, 1.0],
            [0.7, 0.0, 7.0, 2.0, 1.0],
            [0.8, 0.0, 7.0, 2.0, 2.0],
            [0.9, 0.0, 7.0, 2.0, 1.0],
        ],
        relevance=[2, 0, 1, 0, 0, 0, 1, 1, 1],
        query_offsets=[0, 4, 6, 9],
    )


def test_counts_are_those_of_the_lists_and_what_cannot_rank_is_told_apart_by_why(data):
    card = dataset_card(data)
    assert (card.n_features, card.n_queries, card.n_documents) == (5, 3, 9)
    assert card.n_pairs == 5  # 2 > 1, 2 > 0 twice, 1 > 0 twice; the other queries have one level
    assert (card.documents_per_query, card.relevant_per_query) == (3.0, 5 / 3)
    assert (card.smallest_query, card.largest_query) == (2, 4)
    assert card.levels == ((0, 4), (1, 4), (2, 1))
    assert (card.queries_without_pairs, card.queries_without_relevant) == (2, 1)
    assert (card.zero_features, card.constant_features, card.level_features) == ((2,), (3,), (4,))
    assert (card.n_usable, card.n_telling) == (4, 2)


def test_a_card_of_parts_is_the_card_of_their_union(data):
    parts = [data.take_queries([0]), data.take_queries([1]), data.take_queries([2])]
    assert dataset_card(*parts) == dataset_card(data)


def test_the_whole_of_mq2008_is_its_row_of_table_iii(shared_data: Path):
    if not (folder := shared_data / "letor" / "MQ2008").is_dir():
        pytest.skip("MQ2008 is not here (it is licensed)")
    card = dataset_card(*open_dataset(str(folder)).fold(1).parts().values())
    assert (card.n_features, card.n_queries, card.n_documents, card.n_pairs) == (46, 784, 15211, 80925)
    assert np.round([card.documents_per_query, card.relevant_per_query], 1).tolist() == [19.4, 3.7]


def one_feature(values: list[float] | np.ndarray, relevance: list[int] | np.ndarray) -> RankingData:
    return RankingData.build(np.reshape(values, (-1, 1)), relevance, [0, len(relevance)], feature_names=["size"])


@pytest.fixture(scope="module")
def graded() -> RankingData:
    rng = np.random.default_rng(8)
    relevance = rng.choice([0, 1, 4], 900, p=[0.7, 0.2, 0.1])
    return one_feature((rng.gamma(2.0, size=900) + relevance).round(1), relevance)


def test_every_level_has_its_own_documents_and_the_histogram_all_of_them(graded):
    found = feature_distribution(graded, 0, n_bins=12)
    assert (found.index, found.name, len(found.bin_edges)) == (1, "size", 13)
    assert [level.relevance for level in found.levels] == [0, 1, 4]
    for level in found.levels:
        values = graded.features[graded.relevance == level.relevance, 0]
        assert level.n_documents == len(values)
        assert level.five_numbers == tuple(np.percentile(values, [0, 25, 50, 75, 100]))
        last = found.bin_edges[-1]
        for low, high, share in zip(found.bin_edges[:-1], found.bin_edges[1:], level.shares, strict=True):
            inside = (values >= low) & ((values < high) | (high == last))
            assert share == pytest.approx(inside.mean())
        assert level.shares.sum() == pytest.approx(1.0)


def test_the_thinned_curve_lies_on_the_empirical_distribution_function(graded):
    for level in feature_distribution(graded, 0).levels:
        values = graded.features[graded.relevance == level.relevance, 0]
        shares = np.linspace(0.0, 1.0, len(level.quantiles))
        assert len(level.quantiles) == min(MOST_POINTS, len(values))
        for value, share in zip(level.quantiles, shares, strict=True):
            assert (values < value).mean() <= share + 1e-12
            assert (values <= value).mean() >= share - 1e-12


def test_the_share_of_pairs_is_that_of_all_pairs_counted(graded):
    values, relevant = graded.features[:, 0], graded.relevance >= 1
    difference = values[relevant][:, None] - values[~relevant][None, :]
    counted = (difference > 0).mean() + 0.5 * (difference == 0).mean()
    assert feature_distribution(graded, 0).higher_when_relevant == pytest.approx(counted, abs=1e-12)


def test_without_relevant_or_without_irrelevant_documents_there_are_no_such_pairs():
    assert feature_distribution(one_feature([1.0, 2.0], [0, 0]), 0).higher_when_relevant is None
    assert feature_distribution(one_feature([1.0, 2.0], [1, 2]), 0).higher_when_relevant is None


@pytest.mark.parametrize("values", [[3.0, 3.0], [0.0, 0.0], [1e300, 1e300], [1e16, 1e16 + 2], [0.0, 5e-324]])
def test_values_that_are_equal_or_as_close_as_can_be_still_have_bins(values):
    found = feature_distribution(one_feature(values, [0, 1]), 0)
    assert (np.diff(found.bin_edges) > 0).all()
    assert [level.shares.sum() for level in found.levels] == [1.0, 1.0]
    assert found.higher_when_relevant == (0.5 if values[0] == values[1] else 1.0)


DATA = RankingData.build(
    np.arange(14.0).reshape(7, 2),
    [2, 0, 0, 1, 2, 1, 0],
    [0, 1, 6, 7],
    query_ids=["a", "b", "c"],
    document_ids=[f"doc{i}" for i in range(7)],
)


def test_rows_belong_together_and_fall_in_relevance():
    rows = query_rows(DATA, 1)
    assert (rows.query_id, rows.n_documents, rows.n_relevant) == ("b", 5, 3)
    assert rows.relevance.tolist() == [2, 1, 1, 0, 0]
    assert rows.places.tolist() == [3, 2, 4, 0, 1]
    assert rows.document_ids == ("doc4", "doc3", "doc5", "doc1", "doc2")
    assert rows.features.tolist() == [[8.0, 9.0], [6.0, 7.0], [10.0, 11.0], [2.0, 3.0], [4.0, 5.0]]


def test_the_first_rows_still_tell_of_the_whole_query():
    rows = query_rows(DATA, 1, most=2)
    assert rows.document_ids == ("doc4", "doc3")
    assert (rows.n_documents, rows.n_relevant) == (5, 3)


def test_a_query_that_is_not_there_has_no_rows():
    assert [DATA.rows_of(query) for query in range(3)] == [slice(0, 1), slice(1, 6), slice(6, 7)]
    for query in (-1, 3):
        with pytest.raises(IndexError, match=f"3 queries, and none has the number {query}"):
            DATA.rows_of(query)


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


def test_an_empty_model_is_worth_a_random_order(paths):
    _, ((empty, *_), judge) = paths
    for part, data in SORTED.parts().items():
        assert empty.metrics[part]["MAP"] == pytest.approx(evaluate_over_shuffled(data), abs=0.02)
        values = judge.per_query(empty.fit.weights, part, "MAP")
        assert values.mean() == pytest.approx(empty.metrics[part]["MAP"], abs=1e-12)


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


def with_a_tied_feature(fold: Fold) -> Fold:
    """A last feature that is the same for all documents of a query."""
    parts = {}
    for name, data in fold.parts().items():
        features = np.column_stack([data.features, data.query_of_document.astype(float)])
        parts[name] = RankingData.build(features, data.relevance, data.query_offsets)
    return replace(fold, **parts)


def test_trade_offs_and_single_features_do_not_depend_on_the_order_of_the_file(paths):
    fronts = [
        [
            (p.kept, round(p.judged("MAP"), 10))
            for p in pareto_front(tradeoff_points(points, one.usable_features), "MAP")
        ]
        for points, one in paths
    ]
    assert fronts[0] == fronts[1]
    plain, ordered = (best_single_feature(with_a_tied_feature(fold), "standard", "MAP") for fold in (PLAIN, SORTED))
    assert (plain.index, plain.reverse) == (ordered.index, ordered.reverse)
    assert ordered.index <= PLAIN.train.n_features  # by the official count the tied one would win


def test_the_order_of_the_file_is_told_beside_all_orders():
    found = file_order(SORTED.train, "letor4", "map")
    assert found.measure == "MAP"
    assert found.file == evaluate_ranking(SORTED.train, np.zeros(SORTED.train.n_documents), "letor4")["MAP"] > 0.9
    assert found.expected == pytest.approx(evaluate_over_shuffled(SORTED.train), abs=0.02)
