"""Features and queries that stand twice are found exactly and left out as asked.

Features in blocks answer as one array does; whatever needs the whole array is refused in one sentence.
"""

from dataclasses import replace

import numpy as np
import pytest

from core.data import DataError, Dataset, Fold, RankingData, copies
from core.data.copies import Copies, copies_in_passing, copies_of, equal_columns, without_copies
from core.data.feature_blocks import block_edges
from core.data.scaling import query_minmax, ranges_within_queries, scale_fold
from tests.blocked import ArrayBlocks, in_blocks, with_pairs


def part(n_queries: int, seed: int) -> RankingData:
    """Lists of six documents; features 4 and 5 repeat 1 and 2, 6 is constant, 7 differs from 3 in one value."""
    random = np.random.default_rng(seed)
    plain = random.normal(size=(6 * n_queries, 3)).round(3)
    nearly = plain[:, 2].copy()
    nearly[-1] += 1e-12
    features = np.column_stack([plain, plain[:, 0], plain[:, 1], np.ones(len(plain)), nearly])
    relevance = (plain @ [1.0, 0.5, 0.0] + random.normal(size=len(plain)) > 0.8).astype(int)
    return RankingData.build(features, relevance, np.arange(0, len(plain) + 1, 6))


TRAIN, TEST = part(8, 1), part(4, 2)
FOLD = Fold(
    "Fold1",
    replace(TRAIN.take_queries([*range(8), 3]), query_ids=tuple(map(str, range(9)))),
    None,
    RankingData.build(
        np.vstack([TEST.features, TRAIN.features[:6]]),
        np.concatenate([TEST.relevance, TRAIN.relevance[:6]]),
        np.arange(0, 31, 6),
    ),
)
DATASET = Dataset(name="mine", fold_names=("Fold1",), convention="standard", provenance="", load=lambda _: FOLD)


def test_copies_are_equal_in_every_document_of_every_part_and_constant_features_are_none() -> None:
    found = copies_of(FOLD)
    assert found.features == ((0, 3), (1, 4))
    assert found.n_features == 2
    assert (found.queries, found.across) == (2, 1)
    assert equal_columns([TRAIN.features, np.where(np.arange(7) == 3, 9.0, TEST.features)]) == ((1, 4),)


def test_signs_of_zero_and_an_unlucky_sample_of_documents_do_not_matter() -> None:
    column = np.zeros(1000)
    column[500] = 1.0
    late = np.zeros(1000)
    late[501] = 1.0
    negative = np.where(column == 0.0, -0.0, column)
    assert equal_columns([np.column_stack([column, late, negative])]) == ((0, 2),)


def test_what_is_left_out_stands_nowhere_twice_and_nothing_else_moves() -> None:
    without = without_copies(DATASET)
    fold = without.fold(1)
    assert copies_of(fold) == Copies()
    assert fold.train.query_ids == tuple(map(str, range(8)))
    assert fold.test is not None
    assert fold.test.n_queries == 4
    np.testing.assert_array_equal(fold.train.features[:, [0, 1, 2, 5, 6]], TRAIN.features[:, [0, 1, 2, 5, 6]])
    assert not fold.train.features[:, 3:5].any()
    assert fold.train.feature_names == TRAIN.feature_names
    assert len(without.notes) == 2


def test_data_without_copies_is_left_as_it_is() -> None:
    plain = Fold("Fold1", TRAIN.with_features(TRAIN.features[:, :3], TRAIN.feature_names[:3]))
    same = without_copies(replace(DATASET, load=lambda _: plain)).fold(1)
    assert same.fingerprint == plain.fingerprint


def test_a_single_list_cut_into_parts_has_no_repeated_query() -> None:
    one = RankingData.build(TRAIN.features, TRAIN.relevance, [0, TRAIN.n_documents])
    assert copies_of(Fold("split", one, None, one)).queries == 0


def test_columns_of_mostly_zeros_are_told_apart_without_comparing_each_with_each() -> None:
    """So many columns that agree in a sample of documents; one value in another place makes another feature."""
    sparse = np.zeros((5_000, 1_500))
    places = np.random.default_rng(3).permutation(5_000)[:1_500]
    sparse[places, np.arange(1_500)] = 1.0
    sparse[:, 1_499] = sparse[:, 7]
    assert equal_columns([sparse]) == ((7, 1_499),)


def test_a_fold_too_large_to_look_at_in_passing_is_looked_at_where_copies_are_to_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(copies, "LARGEST", 10)
    assert copies_in_passing(FOLD) == Copies()
    assert copies_of(FOLD).n_features == 2
    assert not without_copies(DATASET).fold(1).train.features[:, 3:5].any()


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
    for name in ("min", "max", "any"):
        np.testing.assert_array_equal(getattr(cut.features, name)(axis=0), getattr(x, name)(axis=0))
        with pytest.raises(ValueError, match="by feature"):
            getattr(cut.features, name)()
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
