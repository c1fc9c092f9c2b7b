"""Fits, paths and choices on features in blocks are those in memory, whatever the number of blocks.

What is worked out from X goes block by block: features kept in single precision are never copied to double.
"""

import io
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.analysis.evaluation import FoldJudge
from core.data import DataError, Fold, RankingData
from core.data.parquet.parquet_blocks import read_blocks
from core.data.parquet.parts import ParquetDescription
from core.data.parquet.table import ParquetTable
from core.data.parquet.writing import write_parquet
from core.losses import InfinitePush, SquaredHinge
from core.methods import Fit, Training, get_method
from core.methods.fsmrank import largest_lambda2
from core.methods.training import RANKSVM_LOSS
from core.solvers import Stop, largest_lambda
from tests.blocked import in_blocks, with_pairs


def on_disk(data: RankingData, folder: Path, rows: int, group_values: int = 200) -> RankingData:
    file = io.BytesIO()
    write_parquet(data, file, ParquetDescription(), group_values=group_values)
    path = folder / f"{rows}.parquet"
    path.write_bytes(file.getvalue())
    return read_blocks(ParquetTable.of(path, path.name), rows)


def fit_of(data: RankingData, method_id: str = "l1", ratio: float = 0.05) -> Fit:
    method = get_method(method_id)
    training = method.training(data)
    return method.fit(training, training.lam_at(ratio), stop=Stop(tol=1e-11))


@pytest.mark.parametrize("n_blocks", [1, 7, 40])
@pytest.mark.parametrize("method_id", ["l1", "log", "l2"])
def test_the_objective_is_that_of_memory_and_the_bits_come_again(method_id: str, n_blocks: int) -> None:
    whole = with_pairs()
    data = in_blocks(whole, n_blocks)
    assert data.features.n_blocks == n_blocks
    expected, found, again = (fit_of(one, method_id) for one in (whole, data, data))
    assert found.result.objective == pytest.approx(expected.result.objective, rel=1e-10, abs=0)
    assert found.result.certificate.kind == expected.result.certificate.kind
    np.testing.assert_array_equal(found.weights != 0, expected.weights != 0)
    np.testing.assert_array_equal(found.weights, again.weights)


def test_the_curvature_is_the_sum_over_blocks_also_where_one_has_no_pair() -> None:
    whole = with_pairs()
    loss, columns = SquaredHinge.of(whole), np.array([5, 0, 2])
    scores = whole.features[:, 0] * 0.3
    expected = loss.hessian(scores, whole.features, columns)
    for n_blocks in (1, 7, 60):  # with 60, blocks of a query without pairs, and of one document
        found = loss.hessian(scores, in_blocks(whole, n_blocks).features, columns)
        np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("rows", [1, 45, 10**6])
def test_a_parquet_file_is_read_in_blocks_of_any_size_whatever_its_row_groups(tmp_path: Path, rows: int) -> None:
    whole = with_pairs()
    data = on_disk(whole, tmp_path, rows)
    assert data.fingerprint == whole.fingerprint
    assert fit_of(data).result.objective == pytest.approx(fit_of(whole).result.objective, rel=1e-10, abs=0)


def test_a_fit_reads_the_file_as_often_as_the_trace_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.solvers.problem.CACHED_BYTES", 0)
    data = on_disk(with_pairs(), tmp_path, 50)
    training = get_method("l1").training(data)
    lam = training.lam_at(0.05)
    assert data.features.passes == 2, "one for the ends of the ranges, one for lambda_max"
    fit = get_method("l1").fit(training, lam, stop=Stop(tol=1e-8))
    steps = fit.result.trace[-1].step
    assert steps >= 4
    # one at every point, that for lambda_max the first; one more for the first curvature; none for copies of features
    assert data.features.passes - 1 == fit.result.passes == (steps + 1) + 1


def test_memory_holds_blocks_and_vectors_of_scores_but_not_the_features(tmp_path: Path) -> None:
    data = on_disk(with_pairs(n_queries=1200, n_features=200), tmp_path, 200, group_values=1 << 16)
    fit_of(with_pairs(n_queries=20))  # which loads the compiled kernels
    tracemalloc.start()
    try:
        assert fit_of(data, ratio=0.9).selected.size > 0
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 0.6 * data.features.nbytes  # two blocks, and some fifty numbers a document of 200


@pytest.mark.parametrize("method_id", ["fsmrank", "infinite-push-l1"])
def test_a_method_that_needs_the_array_says_so(method_id: str) -> None:
    data = in_blocks(with_pairs(n_queries=8), 2)
    with pytest.raises(DataError, match="in memory"):
        fit_of(data, method_id)


@pytest.fixture(scope="module")
def data() -> RankingData:
    """32 MB of features; 64 MB in double precision."""
    rng = np.random.default_rng(0)
    features = rng.random(size=(20_000, 400), dtype=np.float32)
    return RankingData.build(features, rng.integers(0, 2, 20_000), np.arange(0, 20_001, 100), dtype=np.float32)


def lam_max(data: RankingData) -> float:
    return Training(data, SquaredHinge.of(data), RANKSVM_LOSS).lam_max


def lam_max_of_fsmrank(data: RankingData) -> float:
    return largest_lambda2(Training(data, SquaredHinge.of(data), RANKSVM_LOSS), np.ones(data.n_features))


def lam_max_of_all_negatives(data: RankingData) -> float:
    return largest_lambda(data, InfinitePush.of(data, 1.0))


def measures(data: RankingData) -> float:
    weights = np.linspace(-1.0, 1.0, data.n_features)
    return FoldJudge(Fold("all", data), "standard").metrics(weights)["train"]["MAP"]


def fit(data: RankingData) -> float:
    method = get_method("l1")
    training = method.training(data)
    return method.fit(training, training.lam_at(0.95)).result.objective


@pytest.mark.parametrize("work", [lam_max, lam_max_of_fsmrank, lam_max_of_all_negatives, measures, fit])
def test_no_double_precision_copy_of_single_precision_features(
    work: Callable[[RankingData], float], data: RankingData, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A block is 8 MB, and there are as many at once as threads."""
    monkeypatch.setenv("SPARSE_RANK_THREADS", "1")
    tracemalloc.start()
    found = work(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 0.75 * data.features.nbytes
    if work is not fit:
        double = RankingData.build(data.features, data.relevance, data.query_offsets)
        assert found == pytest.approx(work(double), rel=1e-12)
