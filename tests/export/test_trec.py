"""TREC's run and qrels: the form of their lines, and an order that no other tool can change."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data import DataError
from core.export.trec import trec_names, trec_qrels, trec_run
from tests.oracles import judged


def test_the_lines_are_those_that_trec_eval_reads() -> None:
    data = judged([0, 2], [1], query_ids=["401", "402"], document_ids=["FT-1", "LA-2", "FT-1"])
    assert trec_qrels(data) == "401 0 FT-1 0\n401 0 LA-2 2\n402 0 FT-1 1\n"
    assert trec_run(data, [0.5, 2.25, -1.0]) == (
        "401 Q0 LA-2 1 2.25 {0}\n401 Q0 FT-1 2 0.5 {0}\n402 Q0 FT-1 1 -1 {0}\n".format("sparse-ranking-lab")
    )


values = st.sampled_from([0.0, -0.0, 1.0, 1.0 + 1e-12, 1.0 - 1e-9, -3.5, 1e-300, 1e30, 1.0000001])


@given(lists=st.lists(st.lists(values, min_size=1, max_size=8), min_size=1, max_size=4))
@settings(deadline=None, max_examples=80)
def test_sorting_by_the_float32_of_the_score_gives_our_order_with_ties_in_file_order(lists: list[list[float]]) -> None:
    data = judged(*[[0] * len(scores) for scores in lists])
    rows = [line.split() for line in trec_run(data, np.concatenate(lists)).splitlines()]
    for query, scores in zip(data.query_ids, lists, strict=True):
        written = [row for row in rows if row[0] == query]
        expected = sorted(range(len(scores)), key=lambda row: -scores[row])
        assert [row[2] for row in written] == [f"{query}-{row + 1}" for row in expected]
        assert [row[3] for row in written] == [str(rank) for rank in range(1, len(scores) + 1)]
        falling = np.array([row[4] for row in written], dtype=np.float32)
        assert (np.diff(falling) < 0).all()
        np.testing.assert_allclose(falling, [scores[row] for row in expected], rtol=2e-6, atol=1e-40)


@pytest.mark.parametrize(
    ("ids", "numbered"),
    [
        ({"query_ids": ["a", "b"], "document_ids": ["x", "y", "x"]}, ()),
        ({"query_ids": ["a", "b"]}, ("documents",)),
        ({"query_ids": ["two words", "b"], "document_ids": ["x", "y", "x"]}, ("queries",)),
        ({"query_ids": ["a", "b"], "document_ids": ["x", "x", "y"]}, ("documents",)),
        ({"query_ids": ["a", "b"], "document_ids": ["x", "", "y"]}, ("documents",)),
    ],
)
def test_ids_that_a_line_cannot_hold_are_numbered(ids: dict[str, list[str]], numbered: tuple[str, ...]) -> None:
    data = judged([0, 1], [1], **ids)
    assert trec_names(data).numbered == numbered
    assert all(len(line.split()) == 6 for line in trec_run(data, [1, 2, 3]).splitlines())
    names = [tuple(line.split()[::2]) for line in trec_qrels(data).splitlines()]
    assert len(set(names)) == 3


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(DataError, match="scale them"):
        trec_run(judged([1]), [1e39])
