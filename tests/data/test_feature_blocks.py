"""Features in blocks answer as one array does; whatever needs the whole array is refused in one sentence."""

from __future__ import annotations

import numpy as np
import pytest

from core.data import DataError, Fold, RankingData
from core.data.copies import equal_columns
from core.data.feature_blocks import block_edges
from core.data.scaling import query_minmax, ranges_within_queries, scale_fold
from tests.blocked import ArrayBlocks, in_blocks, with_pairs


@pytest.mark.parametrize(
    ("offsets", "rows", "expected"),
    [
        ([0, 3, 5, 9], 9, [0, 9]),
        ([0, 3, 5, 9], 4, [0, 5, 9]),
        ([0, 3, 5, 9], 1, [0, 3, 5, 9]),
        ([0, 3, 5, 9], 5, [0, 5, 9]),
        ([0, 50, 51, 52], 2, [0, 50, 52]),
    ],
)
def test_blocks_end_where_queries_do(offsets: list[int], rows: int, expected: list[int]) -> None:
    assert block_edges(np.array(offsets), rows).tolist() == expected


def test_a_cut_query_is_refused() -> None:
    x = np.zeros((5, 2))
    with pytest.raises(DataError, match="queries"):
        RankingData(
            features=ArrayBlocks(x, np.array([0, 2, 5])),  # type: ignore[arg-type]
            relevance=np.zeros(5, np.int32),
            query_offsets=np.array([0, 3, 5]),
            query_ids=("a", "b"),
            feature_names=("f", "g"),
        )


@pytest.mark.parametrize("blocks", [1, 7])
def test_ends_copies_and_fingerprint_are_those_of_the_array(blocks: int) -> None:
    whole = with_pairs()
    x = whole.features.copy()
    x[:, 3], x[:, 5], x[:, 6] = x[:, 1], 0.0, 0.0
    x[-1, 6] = -0.0
    whole = whole.with_features(x)
    cut = in_blocks(whole, blocks)
    for axis in (0, None):
        for name in ("min", "max", "any"):
            np.testing.assert_array_equal(getattr(cut.features, name)(axis=axis), getattr(x, name)(axis=axis))
    assert equal_columns([cut.features]) == equal_columns([x]) == ((1, 3),)
    assert cut.fingerprint == whole.fingerprint
    np.testing.assert_array_equal(cut.features[:, [4, 0]], x[:, [4, 0]])
    assert (cut.features.shape, cut.features.nbytes, len(cut.features)) == (x.shape, x.nbytes, len(x))
    for data, scaled in ((whole, False), (query_minmax(whole), True)):
        assert ranges_within_queries(data) is ranges_within_queries(in_blocks(data, blocks)) is scaled
    nearly = query_minmax(whole).features.copy()
    query = np.flatnonzero(np.diff(whole.query_offsets) > 1)[-1]  # of the last block
    first, end = whole.query_offsets[query : query + 2]
    nearly[first:end, 0] = np.linspace(0.1, 1.0, end - first)
    nearly = whole.with_features(nearly)
    assert ranges_within_queries(nearly) is ranges_within_queries(in_blocks(nearly, blocks)) is False


def test_copies_are_looked_for_in_the_blocks_only_where_two_columns_have_the_same_ends() -> None:
    whole = with_pairs()
    x = whole.features.copy()
    x[[0, -1]] = np.arange(x.shape[1]), 10.0 + np.arange(x.shape[1])
    x[:, -2:] = 0.5
    cut = in_blocks(whole.with_features(np.clip(x, x[0], x[-1])), 7).features
    cut.max(axis=0)
    assert equal_columns([cut]) == ()
    assert cut.passes == 1  # that for the ends, which every fit asks for
    x[:, 3], x[0, 4], x[-1, 4] = x[:, 1], x[0, 1], x[-1, 1]
    same_ends = in_blocks(whole.with_features(np.clip(x, x[0], x[-1])), 7).features
    assert equal_columns([same_ends]) == ((1, 3),)
    assert same_ends.passes == 3


@pytest.mark.parametrize("how", ["minmax", "standard", "query-minmax"])
def test_a_scaling_is_that_of_the_array(how: str) -> None:
    train, test = with_pairs(), with_pairs(seed=9)
    expected = scale_fold(Fold("f", train, test=test), how)
    found = scale_fold(Fold("f", in_blocks(train, 7), test=in_blocks(test, 4)), how)
    for part in ("train", "test"):
        blocks, array = found.parts()[part].features, expected.parts()[part].features
        np.testing.assert_allclose(np.concatenate([*blocks.each()]), array, rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(blocks[:, [2, 0]], array[:, [2, 0]], rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(blocks.max(axis=0), array.max(axis=0), rtol=1e-12, atol=1e-14)
    if how == "minmax":
        assert found.train.fingerprint == expected.train.fingerprint


def test_what_needs_the_array_is_refused() -> None:
    blocks = in_blocks(with_pairs(), 3).features
    for use in (lambda: np.asarray(blocks), lambda: blocks[3:5], lambda: blocks.T, lambda: np.add(blocks, 1)):
        with pytest.raises((DataError, TypeError)):
            use()
