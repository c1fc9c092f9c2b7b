"""A dataset in numbers: Table III of Laporte et al., and what cannot teach a ranking."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from core.analysis.dataset.dataset_card import dataset_card
from core.data import RankingData, open_dataset

ROOT = Path(__file__).resolve().parents[3]
MQ2008 = Path(os.environ.get("SPARSE_RANK_DATA") or ROOT.parent / "shared" / "data") / "letor" / "MQ2008"


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


def test_counts_are_those_of_the_lists(data):
    card = dataset_card(data)
    assert (card.n_features, card.n_queries, card.n_documents) == (5, 3, 9)
    assert card.n_pairs == 5  # 2 > 1, 2 > 0 twice, 1 > 0 twice; the other queries have one level
    assert (card.documents_per_query, card.relevant_per_query) == (3.0, 5 / 3)
    assert (card.smallest_query, card.largest_query) == (2, 4)
    assert card.levels == ((0, 4), (1, 4), (2, 1))


def test_queries_of_one_level_have_no_pairs_and_some_have_nothing_relevant(data):
    card = dataset_card(data)
    assert (card.queries_without_pairs, card.queries_without_relevant) == (2, 1)


def test_features_that_cannot_rank_are_told_apart_by_why(data):
    card = dataset_card(data)
    assert (card.zero_features, card.constant_features, card.level_features) == ((2,), (3,), (4,))
    assert (card.n_usable, card.n_telling) == (4, 2)


def test_a_card_of_parts_is_the_card_of_their_union(data):
    parts = [data.take_queries([0]), data.take_queries([1]), data.take_queries([2])]
    assert dataset_card(*parts) == dataset_card(data)


def test_parts_must_have_the_same_features(data):
    with pytest.raises(ValueError, match=r"2 parts with \[2, 5\]"):
        dataset_card(data, data.with_features(data.features[:, :2], ["a", "b"]))


@pytest.mark.skipif(not MQ2008.is_dir(), reason="MQ2008 is not here (it is licensed; set SPARSE_RANK_DATA)")
def test_the_whole_of_mq2008_is_its_row_of_table_iii():
    card = dataset_card(*open_dataset(str(MQ2008)).fold(1).parts().values())
    assert (card.n_features, card.n_queries, card.n_documents, card.n_pairs) == (46, 784, 15211, 80925)
    assert np.round([card.documents_per_query, card.relevant_per_query], 1).tolist() == [19.4, 3.7]
