"""Features in a temporary file: the values of the table, in either precision, with memory for one block."""

import shutil
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.data import DataError, RankingData, Reading
from core.data.feature_blocks import block_edges
from core.data.files.disk import cache_folder
from core.data.parquet import parquet_blocks
from core.data.parquet.parquet_blocks import ScratchBlocks, open_out_of_core
from core.data.parquet.parts import ParquetDescription
from core.data.parquet.writing import write_parquet
from tests.blocked import with_pairs


def written(data: RankingData, folder: Path, group_values: int = 500) -> Path:
    with (folder / "mine.parquet").open("wb") as file:
        write_parquet(data, file, ParquetDescription(), group_values=group_values)
    return folder / "mine.parquet"


def opened(path: Path, rows: int = 30) -> RankingData:
    return open_out_of_core(str(path), rows=rows).fold(1).train


@pytest.mark.parametrize("precision", [np.float64, np.float32])
@pytest.mark.parametrize("rows", [1, 30, 10**6])
def test_a_pass_reads_the_values_of_the_table(tmp_path: Path, precision: type[np.floating], rows: int) -> None:
    whole = with_pairs()
    whole = RankingData.build(whole.features, whole.relevance, whole.query_offsets, dtype=precision)
    data = opened(written(whole, tmp_path), rows)
    blocks: Any = data.features
    assert isinstance(blocks, ScratchBlocks)
    for _ in range(2):
        found = list(blocks.over(np.copy))
        assert [len(block) for block in found] == np.diff(block_edges(whole.query_offsets, rows)).tolist()
        assert all(block.dtype == precision for block in found)
        np.testing.assert_array_equal(np.concatenate(found), whole.features)
    assert data.fingerprint == whole.fingerprint


@pytest.mark.skipif(sys.platform == "win32", reason="there, the file goes when it is closed")
def test_nothing_is_left_in_the_folder_where_the_process_is_killed(tmp_path: Path) -> None:
    data = opened(written(with_pairs(), tmp_path))
    assert isinstance(data.features, ScratchBlocks)
    assert list(cache_folder().iterdir()) == []


def test_memory_holds_a_block_while_the_file_is_written_and_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(with_pairs(n_queries=1200, n_features=200), tmp_path, group_values=20_000)
    opened(written(with_pairs(n_queries=5), tmp_path / ".."))  # what is imported on first use
    decoded, before, held = parquet_blocks.feature_rows, pa.total_allocated_bytes(), [0]

    def watched(*what: Any) -> Any:
        held.append(pa.total_allocated_bytes() - before)
        return decoded(*what)

    monkeypatch.setattr(parquet_blocks, "feature_rows", watched)
    tracemalloc.start()
    try:
        data = opened(path, rows=100)
        data.features.max(axis=0)
        peak = tracemalloc.get_traced_memory()[1] + max(held)
    finally:
        tracemalloc.stop()
    assert max(held) > 0
    assert peak < 0.25 * data.features.nbytes


def test_a_value_that_cannot_be_used_is_refused_when_the_file_is_opened(tmp_path: Path) -> None:
    path = written(with_pairs(), tmp_path)
    table = pq.read_table(path)
    name = with_pairs().feature_names[3]
    values = table[name].to_numpy().copy()
    values[17] = np.inf
    place = table.schema.get_field_index(name)
    pq.write_table(table.set_column(place, name, pa.array(values)), path)
    with pytest.raises(DataError) as error:
        opened(path)
    assert (error.value.row, error.value.column) == (18, name)


@pytest.mark.parametrize("refusal", ["no room", "read-only"])
def test_without_room_it_is_said_how_to_name_another_folder(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch, refusal: str
) -> None:
    path, whole = written(with_pairs(), tmp_path), with_pairs()
    if refusal == "no room":
        free = shutil.disk_usage(tmp_path)._replace(free=whole.features.nbytes)
        monkeypatch.setattr(parquet_blocks.shutil, "disk_usage", lambda _: free)
    else:
        own_cache.rmdir()
        own_cache.write_text("a file where the folder should be")
    with pytest.raises(DataError, match=r"^mine\.parquet: its features, .* SPARSE_RANK_CACHE names another folder$"):
        opened(path)


@pytest.mark.parametrize("how", [{"folds": 3}, {"group": True}])
def test_what_needs_the_data_in_memory_is_refused(how: dict[str, Any]) -> None:
    with pytest.raises(DataError, match=f"--{next(iter(how))} needs the data in memory"):
        open_out_of_core("any.parquet", Reading(**how))
