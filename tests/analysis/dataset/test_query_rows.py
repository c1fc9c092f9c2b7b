"""The rows of one query: its own, most relevant first, equals in the order of the file."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.dataset.query_rows import query_rows
from core.data import RankingData

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


@pytest.mark.parametrize("query", [-1, 3])
def test_a_query_that_is_not_there_is_refused(query):
    with pytest.raises(IndexError, match="3 queries"):
        query_rows(DATA, query)
