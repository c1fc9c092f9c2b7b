"""The estimator on a Dask DataFrame answers as the one in memory, however the documents are divided."""

import os
import signal
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from core import DaskSparseRanker, SparseRanker, ranking_data
from core.api import dask_ranker
from core.data import DataError, Fold
from core.data.scaling import scale_fold
from core.experiments.run.workers import dask_blocks, dask_tasks
from tests.blocked import with_pairs
from tests.experiments.run.workers.cluster_of_one import ClusterOfOne, Done
from tests.says import assert_says

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
dd = pytest.importorskip("dask.dataframe")

DATA = with_pairs()
COLUMNS = list(DATA.feature_names)
TABLE = pd.DataFrame(DATA.features, columns=COLUMNS).assign(
    label=DATA.relevance, qid=[f"query {query}" for query in DATA.query_of_document]
)
C, TOL = 2e-3, 1e-11


def in_partitions(table: pd.DataFrame, edges: Any) -> Any:
    """A partition a range of rows, also of none."""
    parts = [table.iloc[first:last] for first, last in pairwise(edges)]
    return dd.from_map(lambda part: part, parts, meta=table.iloc[:0])


def even(n_partitions: int, table: pd.DataFrame = TABLE) -> Any:
    return in_partitions(table, np.linspace(0, len(table), n_partitions + 1).astype(int))


def fitted(ddf: Any, method: str = "l1", **options: Any) -> DaskSparseRanker:
    ranker = DaskSparseRanker(method, **{"C": C, "tol": TOL} | options)
    return ranker.fit(ddf[COLUMNS], ddf.label, qid=ddf.qid)


def in_memory(table: pd.DataFrame = TABLE, method: str = "l1", **options: Any) -> SparseRanker:
    return SparseRanker(method, **{"C": C, "tol": TOL} | options).fit(table[COLUMNS], table.label, qid=table.qid)


def objective(ranker: SparseRanker) -> float:
    return ranker.model_.fit.result.objective


class AtOnce(ClusterOfOne):
    """Computes partitions, too."""

    def compute(self, frames: list[Any]) -> list[Done]:
        return [Done(lambda frame=frame: frame.compute(scheduler="synchronous")) for frame in frames]

    def submit(self, function: Callable[..., Any], *arguments: Any, key: Any, **where: Any) -> Done:
        return Done(lambda: function(*(one.result() if isinstance(one, Done) else one for one in arguments)))

    def run_on_scheduler(self, function: Any) -> None: ...

    def register_worker_callbacks(self, function: Any) -> None: ...


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stands for a cluster; what workers do to a process of their own is not done to this one."""
    monkeypatch.setattr(dask_blocks, "one_thread", lambda: None)
    monkeypatch.setattr(dask_ranker, "_client", AtOnce)


def cluster(**options: Any) -> Any:
    options = {"threads_per_worker": 1, "processes": False, "dashboard_address": ":0"} | options
    return distributed.LocalCluster(**options)


@pytest.mark.usefixtures("client")
@pytest.mark.parametrize("n_partitions", [1, 7, 40])
def test_the_objective_is_that_of_memory_and_the_bits_come_again(n_partitions: int) -> None:
    ddf = even(n_partitions)
    found, expected = fitted(ddf), in_memory()
    assert objective(found) == pytest.approx(objective(expected), rel=1e-10, abs=0)
    np.testing.assert_array_equal(found.coef_ != 0, expected.coef_ != 0)
    np.testing.assert_array_equal(fitted(ddf).coef_, found.coef_)
    assert found.gap_ <= TOL
    assert list(found.feature_names_in_) == COLUMNS


@pytest.mark.usefixtures("client")
def test_only_a_cut_query_moves_and_it_is_said_with_the_largest_and_the_empty_ones() -> None:
    edges = [0, 0, DATA.query_offsets[20] + 1, DATA.query_offsets[40], DATA.query_offsets[40], DATA.n_documents]
    assert DATA.query_offsets[21] > DATA.query_offsets[20] + 1, "the query is cut"
    found = fitted(in_partitions(TABLE, edges))
    assert objective(found) == pytest.approx(objective(in_memory()), rel=1e-10, abs=0)
    moved, sizes = found.moved_, np.diff(DATA.query_offsets)
    assert (moved.queries, moved.documents) == (1, sizes[20] - 1)
    assert (moved.largest_query, moved.largest_documents) == (f"query {sizes.argmax()}", sizes.max())
    assert moved.empty_partitions == (1, 4)
    assert found.model_.fold.train.features.n_blocks == 3
    assert_says(str(moved), f"{moved.documents} documents", moved.largest_query, "1, 4")


@pytest.mark.usefixtures("client")
def test_a_cut_query_is_refused_by_name_where_nothing_may_move() -> None:
    cut = DATA.query_offsets[20] + 1
    with pytest.raises(DataError) as error:
        fitted(in_partitions(TABLE, [0, cut, DATA.n_documents]), repartition="never")
    assert_says(str(error.value), "'query 20'", "boundary")
    whole = fitted(in_partitions(TABLE, [0, DATA.query_offsets[20], DATA.n_documents]), repartition="never")
    assert whole.moved_.documents == 0
    assert objective(whole) == pytest.approx(objective(in_memory()), rel=1e-10, abs=0)


@pytest.mark.usefixtures("client")
def test_scattered_documents_are_refused_by_name_or_shuffled() -> None:
    scattered = TABLE.sample(frac=1.0, random_state=3)
    with pytest.raises(DataError) as error:
        fitted(even(7, scattered))
    assert_says(str(error.value), "query", "shuffle")
    found = fitted(even(7, scattered), repartition="shuffle")
    assert objective(found) == pytest.approx(objective(in_memory(scattered)), rel=1e-10, abs=0)
    assert found.moved_.documents > len(TABLE) / 2
    assert found.model_.fold.train.query_ids == in_memory(scattered).model_.fold.train.query_ids
    blocks: Any = found.model_.fold.train.features
    assert np.diff(blocks.edges).max() < len(TABLE) / 7 + found.moved_.largest_documents


@pytest.mark.usefixtures("client")
@pytest.mark.parametrize("scale", ["standard", "minmax", "query-minmax"])
def test_features_are_scaled_where_they_are(scale: str, tmp_path: Path) -> None:
    found = fitted(even(7), scale=scale, C=0.1)
    fold = scale_fold(Fold("all", ranking_data(TABLE[COLUMNS], TABLE.label, TABLE.qid)), scale)
    table = TABLE.assign(**dict(zip(COLUMNS, fold.train.features.T, strict=True)))
    expected = in_memory(table, C=0.1)
    assert expected.coef_.any()
    assert objective(found) == pytest.approx(objective(expected), rel=1e-10, abs=0)
    np.testing.assert_allclose(found.coef_, expected.coef_, atol=1e-9)
    if scale != "query-minmax":
        scores, wanted = found.to_local().predict(TABLE[COLUMNS]), expected.predict(table[COLUMNS])
        np.testing.assert_allclose(scores - scores[0], wanted - wanted[0], atol=1e-9)


def test_models_of_other_data_are_told_apart_in_one_computation() -> None:
    """Dask takes two calls for one where it takes their models for one."""
    rankers = [SparseRanker(C=C).fit(TABLE[COLUMNS], label, qid=TABLE.qid) for label in (TABLE.label, -TABLE.label + 9)]
    asked = [dask.delayed(ranker.predict, pure=True)(TABLE[COLUMNS]) for ranker in rankers]
    for ranker, found in zip(rankers, dask.compute(*asked, scheduler="synchronous"), strict=True):
        np.testing.assert_array_equal(found, ranker.predict(TABLE[COLUMNS]))
    assert (rankers[0].coef_ != rankers[1].coef_).any()


@pytest.mark.usefixtures("client")
def test_a_choice_on_held_out_queries_is_that_of_memory() -> None:
    options = {"C": None, "tune": "map", "tol": None}
    found, expected = fitted(even(7), **options), in_memory(**options)
    assert pytest.approx(expected.C_, rel=1e-12) == found.C_
    np.testing.assert_allclose(found.coef_, expected.coef_, atol=1e-6)


def test_the_local_estimator_is_the_ordinary_one_and_exports_without_the_cluster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_blocks, "one_thread", lambda: None)
    with cluster(n_workers=1) as workers, distributed.Client(workers):
        ranker = fitted(even(3))
        local = ranker.to_local()
        ddf = even(3)
        np.testing.assert_allclose(ranker.predict(ddf[COLUMNS]).compute(), local.predict(TABLE[COLUMNS]), rtol=1e-12)
    assert type(local) is SparseRanker
    expected = in_memory()
    for format in ("solr", "ranklib", "json", "python", "html"):
        local.model_.export(format, tmp_path / format, name="mine")
        assert (tmp_path / format).stat().st_size > 0
    np.testing.assert_allclose(local.predict(TABLE[COLUMNS]), expected.predict(TABLE[COLUMNS]), atol=1e-9)
    assert local.score(TABLE[COLUMNS], TABLE.label, TABLE.qid) == pytest.approx(
        expected.score(TABLE[COLUMNS], TABLE.label, TABLE.qid)
    )
    assert clone(ranker).get_params() == ranker.get_params()
    with pytest.raises(DataError, match="cluster"):
        local.model_.per_query("MAP", "train")


def broken(column: str, value: Any) -> pd.DataFrame:
    values = TABLE[column].astype(object)
    values.iloc[250] = value
    return TABLE.assign(**{column: values})


@pytest.mark.usefixtures("client")
@pytest.mark.parametrize(
    ("column", "value", "facts"),
    [
        (COLUMNS[1], np.nan, ("partition 6", COLUMNS[1], "missing")),
        (COLUMNS[1], [1.0, 2.0], ("partition 6", COLUMNS[1], "[1.0, 2.0]")),
        (COLUMNS[1], "high", ("partition 6", COLUMNS[1], "high")),
        (COLUMNS[1], np.inf, ("partition 6", COLUMNS[1], "inf")),
        ("label", None, ("partition 6", "y", "missing")),
        ("label", 0.5, ("partition 6", "0.5", "whole number")),
        ("qid", None, ("partition 6", "qid", "missing")),
    ],
)
def test_a_value_that_cannot_be_used_is_one_sentence_with_its_place(column: str, value: Any, facts: Any) -> None:
    assert 5 <= 250 * 7 // len(TABLE) < 6
    with pytest.raises(DataError) as error:
        fitted(even(7, broken(column, value)))
    assert_says(str(error.value), *facts)
    assert "\n" not in str(error.value)


def gone(number: int) -> pd.DataFrame:
    if number == 1:
        msg = "no such file: part-1.parquet"
        raise FileNotFoundError(msg)
    return TABLE


@pytest.mark.usefixtures("client")
def test_a_missing_partition_and_other_collections_are_one_sentence() -> None:
    with pytest.raises(DataError) as error:
        fitted(dd.from_map(gone, [0, 1], meta=TABLE.iloc[:0]))
    assert_says(str(error.value), "partition 2", "no such file")
    ddf = even(3)
    for X, y, qid, fact in (
        (ddf[COLUMNS], ddf.label, None, "qid"),
        (TABLE[COLUMNS], ddf.label, ddf.qid, "X must be"),
        (ddf[COLUMNS], even(2).label, ddf.qid, "partitions"),
    ):
        with pytest.raises(DataError, match=fact):
            DaskSparseRanker(C=C).fit(X, y, qid=qid)
    with pytest.raises(DataError, match="boundary"):
        fitted(ddf, repartition="other")
    with pytest.raises(DataError, match="empty"):
        fitted(even(2, TABLE.iloc[:0]))


def test_no_client_and_no_worker_are_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DataError, match="client"):
        fitted(even(2))
    monkeypatch.setattr(dask_tasks, "WORKER_SECONDS", 0.1)
    monkeypatch.setattr(dask_tasks, "LOOK_SECONDS", 0.1)
    with cluster(n_workers=0) as workers, distributed.Client(workers), pytest.raises(OSError, match="no workers"):
        fitted(even(2))


@pytest.mark.more
def test_a_killed_worker_costs_a_recomputation_and_no_bit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    apply, calls = dask_blocks.DaskBlocks.apply, [0]
    with cluster(n_workers=2, processes=True, local_directory=str(tmp_path)) as workers, distributed.Client(workers):

        def apply_and_kill(self: Any, *what: Any) -> Iterator[Any]:
            calls[0] += 1
            if calls[0] == 6:  # a few passes into the fit
                os.kill(next(iter(workers.workers.values())).pid, signal.SIGKILL)
            return apply(self, *what)

        first = fitted(even(7))
        monkeypatch.setattr(dask_blocks.DaskBlocks, "apply", apply_and_kill)
        np.testing.assert_array_equal(fitted(even(7)).coef_, first.coef_)
        assert calls[0] > 6
    assert objective(first) == pytest.approx(objective(in_memory()), rel=1e-10, abs=0)
