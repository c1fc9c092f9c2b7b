"""Scaling does to every number what its formula says, with constants from the training part only.

One file is a dataset with one fold, whatever its format, from disk or from the browser.
Data in single precision: what does not fit is refused by its place, and nothing warns on the way.
"""

import gzip
import statistics
from pathlib import Path

import numpy as np
import pytest

from core.data import DataError, Fold, RankingData, Reading
from core.data.scaling import SCALINGS, query_minmax, ranges_within_queries, scale_fold, scaled
from core.data.single_file import open_file
from core.losses import SquaredHinge
from core.penalties import L2Budget
from core.solvers import BranchAndBound, Problem, Stop, solve
from tests.oracles import ranking_problem


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


LETOR = b"".join(b"1 qid:%d 1:%d 2:1 #docid = GX%d\n0 qid:%d 1:0 #docid = GX0\n" % (q, q, q, q) for q in range(10))
RANKING = b"label,qid,tf\n1,a,1\n0,a,2\n"
CLASSES = b"".join(b"%d,%d,%s\n" % (k, k * k, b"b" if k % 3 else b"g") for k in range(12))


@pytest.mark.parametrize(
    ("content", "file_name", "queries", "names"),
    [
        (LETOR, "train.txt", 10, ("feature 1", "feature 2")),
        (LETOR, "mislabelled.csv", 10, ("feature 1", "feature 2")),
        (gzip.compress(LETOR), "train.txt.gz", 10, ("feature 1", "feature 2")),
        (b"# made by hand, with care\n" + LETOR, "x", 10, ("feature 1", "feature 2")),
        (RANKING, "table.csv", 1, ("tf",)),
        (RANKING.replace(b",", b"\t"), "table.txt", 1, ("tf",)),
        (CLASSES, "classes.data", 1, ("feature 1", "feature 2")),
    ],
)
def test_content_decides_the_format(content: bytes, file_name: str, queries: int, names: tuple[str, ...]) -> None:
    data = Reading().open(file_name, content).fold().train
    assert (data.n_queries, data.feature_names) == (queries, names)


def test_names_beside_a_file_are_picked_up(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_bytes(LETOR)
    (tmp_path / "feature_names.txt").write_text("tf\nidf\n")
    dataset = open_file(tmp_path / "mine.txt")
    assert (dataset.name, dataset.fold().train.feature_names) == ("mine", ("tf", "idf"))


@pytest.mark.parametrize(("file_name", "convention"), [("mine.txt", "standard"), ("testset.txt", "letor3")])
def test_the_name_of_a_file_decides_the_convention_as_its_place_in_a_folder_does(file_name: str, convention: str):
    assert Reading().open(file_name, b"1 qid:1 1:1 45:1 #docid = 12345\n").convention == convention


DATA = ranking_problem(1, n_queries=6, n_documents=8, n_features=6)


no_warning = pytest.mark.filterwarnings("error")


def single(scale: float) -> RankingData:
    return RankingData.build(DATA.features * scale, DATA.relevance, DATA.query_offsets, dtype=np.float32)


@no_warning
def test_a_value_too_large_for_it_is_named() -> None:
    x = DATA.features.copy()
    x[3, 2] = 1e39
    with pytest.raises(DataError, match=r"document 4 has 1e\+39 in feature 'feature 3'.*float32"):
        RankingData.build(x, DATA.relevance, DATA.query_offsets, dtype=np.float32)


@no_warning
@pytest.mark.parametrize("unit", [1e-30, 1.0, 1e20])
@pytest.mark.parametrize("how", [scaling.id for scaling in SCALINGS])
def test_a_scaling_gives_the_values_of_double_precision(how: str, unit: float) -> None:
    double = RankingData.build(DATA.features * unit, DATA.relevance, DATA.query_offsets)
    found, expected = (scale_fold(Fold("all", data), how).train.features for data in (single(unit), double))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-6 * (unit if how == "none" else 1.0))


@no_warning
@pytest.mark.parametrize("scale", [1.0, 1e20])
def test_the_best_subset_does_not_depend_on_the_unit(scale: float) -> None:
    """The Hessian of values of 1e20 does not fit into single precision, in which the nodes of the search keep it."""
    models = []
    for unit in (1.0, scale):
        data = single(unit)
        problem = Problem(data.features, SquaredHinge.of(data), L2Budget(2.0), 0.01 * unit**2)
        models.append(solve(BranchAndBound(), problem, Stop(tol=1e-6, max_steps=200)))
    assert models[1].objective == pytest.approx(models[0].objective, rel=1e-4)
    assert np.array_equal(np.flatnonzero(models[1].weights), np.flatnonzero(models[0].weights))
