"""Scaling does to every number what its formula says, with constants from the training part only."""

import statistics

import numpy as np
import pytest

from core.data.dataset import Fold
from core.data.ranking_data import RankingData
from core.data.scaling import SCALINGS, query_minmax, ranges_within_queries, scale_fold, scaled


def some_data(seed: int, sizes: tuple[int, ...] = (4, 1, 3), dtype: type[np.floating] = np.float64) -> RankingData:
    generator = np.random.default_rng(seed)
    features = generator.normal(size=(sum(sizes), 3)) * [1, 100, 1e-3] + [0, 50, 0]
    features[:, 2] = 0.1
    return RankingData.build(
        features,
        generator.integers(0, 3, sum(sizes)),
        np.cumsum([0, *sizes]),
        dtype=dtype,
        document_ids=["d"] * sum(sizes),
    )


def the_fold(**options: object) -> Fold:
    return Fold("Fold1", some_data(0, **options), some_data(1, **options), some_data(2, **options))


def test_query_minmax_runs_from_0_to_1_within_each_query() -> None:
    data = some_data(0)
    scaled = query_minmax(data)
    for begin, end in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True):
        for j in range(data.n_features):
            column = data.features[begin:end, j].tolist()
            low, span = min(column), max(column) - min(column)
            expected = [(x - low) / span if span else 0.0 for x in column]
            assert scaled.features[begin:end, j].tolist() == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("how", ["minmax", "standard"])
def test_global_scalings_take_their_constants_from_training(how: str) -> None:
    fold = the_fold()
    scaled = scale_fold(fold, how)
    for j in range(2):
        train = fold.train.features[:, j].tolist()
        if how == "minmax":
            origin, span = min(train), max(train) - min(train)
        else:
            origin, span = statistics.fmean(train), statistics.pstdev(train)
        for name, part in fold.parts().items():
            expected = [(x - origin) / span for x in part.features[:, j].tolist()]
            assert scaled.parts()[name].features[:, j].tolist() == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("how", ["query-minmax", "minmax", "standard"])
def test_a_constant_feature_becomes_zero_exactly(how: str) -> None:
    for part in scale_fold(the_fold(), how).parts().values():
        assert not part.features[:, 2].any()


@pytest.mark.parametrize("how", [scaling.id for scaling in SCALINGS])
def test_nothing_but_the_values_changes(how: str) -> None:
    fold = the_fold(dtype=np.float32)
    for name, part in scale_fold(fold, how).parts().items():
        before = fold.parts()[name]
        assert part.features.dtype == np.float32
        assert part.relevance is before.relevance
        assert (part.query_ids, part.document_ids) == (before.query_ids, before.document_ids)


def test_none_gives_the_very_same_fold() -> None:
    fold = the_fold()
    assert scale_fold(fold, "none") is fold


@pytest.mark.parametrize("how", [scaling.id for scaling in SCALINGS])
def test_a_fold_keeps_the_constants_and_they_scale_other_data_alike(how: str) -> None:
    fold = the_fold()
    done = scale_fold(fold, how)
    assert done.scaling.id == how
    for part, data in done.parts().items():
        before = fold.parts()[part]
        np.testing.assert_array_equal(scaled(before, done.scaling).features, data.features)
        if how != "query-minmax":
            np.testing.assert_allclose(done.scaling.undone(data.features), before.features, atol=1e-12)


@pytest.mark.parametrize("then", ["none", "minmax", "standard"])
def test_a_file_that_was_scaled_within_queries_is_recognised_whatever_is_done_to_all_of_it(then: str) -> None:
    data = some_data(0, (4, 1, 3))
    assert not ranges_within_queries(scale_fold(Fold("a", data), then).train)
    assert ranges_within_queries(scale_fold(Fold("a", query_minmax(data)), then).train)
