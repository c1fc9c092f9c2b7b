"""A fit on blocks that workers hold is the fit in memory; what is lost with a worker is computed again."""

import itertools
import os
import pickle
import shutil
import signal
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.cli import main
from core.data import DataError, RankingData
from core.data.parquet.parquet_blocks import open_out_of_core, read_blocks
from core.data.parquet.parts import ParquetDescription
from core.data.parquet.table import ParquetTable
from core.data.parquet.writing import write_parquet
from core.data.reading import open_dataset
from core.data.tables.table_options import USUAL
from core.experiments.run.workers import dask_blocks
from core.experiments.run.workers.dask_blocks import DaskBlocks, ParquetOnDask
from core.experiments.run.workers.dask_tasks import connect, own, own_there
from core.losses import SquaredHinge
from core.methods import Fit, get_method
from core.solvers import Stop
from core.solvers.problem import AtZero, scores_of
from tests.blocked import with_pairs
from tests.experiments.run.workers.cluster_of_one import ClusterOfOne, Done
from tests.says import assert_says

distributed = pytest.importorskip("distributed")


class Client(ClusterOfOne):
    """Computes on what has been pickled as it would be on its way to a worker; counts bytes."""

    def __init__(self) -> None:
        super().__init__()
        self.there = self.back = 0

    def submit(self, function: Callable[..., Any], *arguments: Any, key: Any, **where: Any) -> Done:
        own = [argument for argument in arguments if not isinstance(argument, Done)]
        self.there += sum(len(pickle.dumps(argument)) for argument in own)
        travelled = [a.result() if isinstance(a, Done) else pickle.loads(pickle.dumps(a)) for a in arguments]
        sent = pickle.dumps(function(*travelled))
        self.back += len(sent)
        return Done(lambda: pickle.loads(sent))


@pytest.fixture
def one_thread_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a worker does to its own process is not done to this one."""
    monkeypatch.setattr(dask_blocks, "one_thread", lambda: None)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    with (tmp_path / "mine.parquet").open("wb") as file:
        write_parquet(with_pairs(), file, ParquetDescription(), group_values=500)
    return tmp_path / "mine.parquet"


def fit_of(data: RankingData) -> Fit:
    method = get_method("l1")
    training = method.training(data)
    return method.fit(training, training.lam_at(0.05), stop=Stop(tol=1e-11))


def on(client: Any, place: Path, rows: int) -> RankingData:
    return open_out_of_core(str(place), rows=rows, home=partial(ParquetOnDask, client=client)).fold(1).train


@pytest.mark.usefixtures("one_thread_here")
@pytest.mark.parametrize("rows", [10**6, 45, 8])
def test_what_travels_are_weights_and_scores_and_the_answer_is_that_of_memory(place: Path, rows: int) -> None:
    """On data that memory reads three times a step."""
    client = Client()
    data = on(client, place, rows)
    blocks: Any = data.features
    assert isinstance(blocks, DaskBlocks)
    client.there = client.back = 0  # the blocks stay where they are
    expected, found = fit_of(open_dataset(str(place)).fold(1).train), fit_of(data)
    assert found.result.objective == pytest.approx(expected.result.objective, rel=1e-10, abs=0)
    np.testing.assert_array_equal(found.weights, fit_of(on(Client(), place, rows)).weights)
    assert blocks.messages == blocks.passes * blocks.n_blocks
    n, d, least = data.n_documents, data.n_features, 300 * blocks.messages  # of what stands around a number
    assert client.back < 8 * blocks.passes * (n + blocks.n_blocks * d * d) + least
    assert client.there < 8 * blocks.passes * (n + blocks.n_blocks * d) + 8 * 4 * n + 4 * least
    assert data.fingerprint == open_dataset(str(place)).fold(1).train.fingerprint


@pytest.mark.usefixtures("one_thread_here")
@pytest.mark.parametrize("rows", [10**6, 45, 8])
def test_where_a_step_reads_x_once_no_number_for_each_document_travels(
    place: Path, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.solvers.problem.CACHED_BYTES", 0)
    client = Client()
    data = on(client, place, rows)
    blocks: Any = data.features
    method = get_method("l1")
    training = method.training(data)
    lam = training.lam_at(0.05)
    method.fit(training, lam, stop=Stop(tol=0.5))  # which sends the groups of pairs
    client.there = client.back = blocks.messages = 0
    found = method.fit(training, lam, stop=Stop(tol=1e-11))
    d = data.n_features
    assert blocks.messages > 4 * blocks.n_blocks
    assert client.back < blocks.messages * (8 * (d * d + d + 4) + 800)
    assert client.there < blocks.messages * (8 * 2 * d + 800)
    expected = fit_of(open_dataset(str(place)).fold(1).train)
    assert found.result.objective == pytest.approx(expected.result.objective, rel=1e-10, abs=0)


@pytest.mark.usefixtures("one_thread_here")
@pytest.mark.parametrize(("other", "fact"), [(None, "no such file"), (with_pairs(n_queries=3), "rows there")])
def test_a_worker_without_the_file_or_with_another_is_one_sentence(
    place: Path, tmp_path: Path, other: RankingData | None, fact: str
) -> None:
    class Elsewhere(Client):
        def submit(self, function: Callable[..., Any], *arguments: Any, key: Any, **where: Any) -> Done:
            shutil.move(place, tmp_path / "away")
            if other is not None:
                with place.open("wb") as file:
                    write_parquet(other, file, ParquetDescription())
            try:
                return super().submit(function, *arguments, key=key)
            finally:
                shutil.move(tmp_path / "away", place)

    with pytest.raises(DataError) as error:
        on(Elsewhere(), place, 50)
    assert_says(str(error.value).lower(), "mine.parquet", "worker", fact, "all workers")
    assert "\n" not in str(error.value)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        local_directory=str(tmp_path_factory.mktemp("dask")),
    ) as made:
        yield made


@pytest.mark.usefixtures("one_thread_here")
def test_lambda_max_needs_no_number_for_each_document(tmp_path: Path) -> None:
    place = tmp_path / "long.parquet"
    with place.open("wb") as file:
        write_parquet(with_pairs(n_queries=1000), file, ParquetDescription(), group_values=500)
    client = Client()
    data = on(client, place, 2000)
    loss = SquaredHinge.of(data)
    expected = AtZero.of(open_dataset(str(place)).fold(1).train.features, loss).found
    for _ in range(2):  # the first sends the groups of pairs
        client.there = client.back = 0
        found = AtZero.of(data.features, loss).found
    assert max(client.there, client.back) < data.n_documents
    np.testing.assert_allclose(found.gradient, expected.gradient, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(found.score_slope, expected.score_slope, rtol=1e-12)
    assert found.value == pytest.approx(expected.value, rel=1e-14)


@pytest.mark.more
def test_blocks_are_spread_evenly_and_no_pass_moves_one(place: Path, cluster: Any) -> None:
    """Dask took the tasks of many passes for roots, which go to any worker: that one copied its blocks every pass."""
    with connect(cluster.scheduler_address) as client:
        client.wait_for_workers(2)
        data = on(client, place, 80)
        blocks: Any = data.features
        assert blocks.n_blocks == 4
        for _ in range(12):
            data.features.any(axis=0)
            del blocks._ends
        fit_of(data)
        held = [*client.who_has(blocks._blocks).values()]
        assert [len(holders) for holders in held] == [1, 1, 1, 1]
        assert [held.count(holders) for holders in held] == [2, 2, 2, 2]
        there = client.run(own_there, [block.key for block in blocks._blocks])
        assert sorted(map(len, there.values())) == [2, 2], "in memory of their own"


@pytest.mark.more
def test_the_command_line_fits_and_makes_paths_on_a_cluster(
    place: Path, cluster: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    out = []
    for words in (["fit", "--lambda-ratio", "0.05"], ["path", "--points", "3"]):
        for more in ([], ["--dask", cluster.scheduler_address]):
            assert main([words[0], str(place), *words[1:], *more]) == 0
            out.append([line for line in capsys.readouterr().out.splitlines() if " s" not in line])
    assert out[0] == out[1]
    assert out[2] == out[3]


@pytest.mark.more
def test_two_workers_answer_as_memory_and_one_may_be_killed(place: Path, cluster: Any) -> None:
    """The last that the cluster does: what stands before it needs both."""
    expected = fit_of(open_dataset(str(place)).fold(1).train)
    with connect(cluster.scheduler_address) as client:
        first = fit_of(on(client, place, 45))
        assert first.result.objective == pytest.approx(expected.result.objective, rel=1e-12, abs=0)
        data = on(client, place, 45)
        blocks: Any = data.features
        apply, calls = blocks.apply, [0]

        def apply_and_kill(function: Any, arguments: Any, beside: Any) -> Iterator[Any]:
            calls[0] += 1
            if calls[0] == 4:  # a few passes into the fit
                os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
            return apply(function, arguments, beside)

        blocks.apply = apply_and_kill
        np.testing.assert_array_equal(fit_of(data).weights, first.weights)
        assert calls[0] > 4


@pytest.mark.usefixtures("one_thread_here")
@pytest.mark.parametrize("offset", [0, 1, 8])
def test_a_vector_anywhere_in_a_buffer_of_the_network_is_copied_to_an_address_of_its_own(offset: int) -> None:
    """Products round differently at another address modulo 16, and the buffer may be an array that owns its memory."""
    buffer = np.zeros(200, dtype=np.uint8)
    sent = buffer[offset : offset + 80].view(np.float64)
    own = dask_blocks.run_on_block(lambda _, vector: vector, sent[None], sent)
    assert own.ctypes.data % 16 == 0
    np.testing.assert_array_equal(own, sent)


def test_a_block_that_moves_to_another_worker_is_laid_out_as_before(place: Path) -> None:
    """Products round differently by rows and by columns: a block that moved with its work gave another last bit."""
    from distributed.protocol import deserialize, serialize

    table = ParquetTable.of(place, place.name)
    edges = read_blocks(table, 45).features.edges
    assert len(edges) > 4
    w = np.random.default_rng(0).normal(size=8)
    for first, last in itertools.pairwise(edges.tolist()):
        block = dask_blocks.load_block(str(place), place.name, USUAL, table.columns.features, table.n_rows, first, last)
        moved = own(deserialize(*serialize(block)))
        assert moved.strides == block.strides
        np.testing.assert_array_equal(scores_of(moved, w), scores_of(block, w))


def test_a_value_that_no_worker_can_use_is_told_with_its_place(tmp_path: Path) -> None:
    """It is not the file system's fault."""
    table = pd.DataFrame({"relevance": [1, 0], "qid": [1, 1], "a": [0.5, np.inf]})
    table.to_parquet(tmp_path / "inf.parquet")
    with pytest.raises(DataError, match=r"row 2, column a.*inf") as refused:
        dask_blocks.load_block(str(tmp_path / "inf.parquet"), "inf.parquet", USUAL, ("a",), 2, 0, 2)
    assert "under this path" not in str(refused.value)
