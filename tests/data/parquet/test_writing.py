"""What is written as Parquet is read again bit for bit, here and by pyarrow, in row groups of whole queries.

Features in a temporary file: the values of the table, in either precision, with memory for one block.
"""

import io
import shutil
import sys
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.data import DataError, RankingData, Reading, open_dataset
from core.data.feature_blocks import block_edges
from core.data.files.disk import cache_folder
from core.data.parquet import parquet_blocks
from core.data.parquet.parquet_blocks import ScratchBlocks, open_out_of_core
from core.data.parquet.parts import ParquetDescription
from core.data.parquet.writing import converted, write_parquet
from core.data.single_file import open_file
from tests.blocked import with_pairs
from tests.oracles import ranking_problem
from tests.ranking_files import letor_text
from tests.says import assert_says


def file_of(data: RankingData, described: ParquetDescription | None = None, group_values: int = 40) -> bytes:
    file = io.BytesIO()
    write_parquet(data, file, described or ParquetDescription(), group_values=group_values)
    return file.getvalue()


def again(data: RankingData) -> RankingData:
    return open_file(file_of(data), "again.parquet").fold(1).train


def odd_names() -> RankingData:
    """Features that are called like the other columns, and ids that no LETOR file can hold."""
    return RankingData.build(
        [[1.0, -0.0, 5e-324], [0.1, 2.0, 1e300], [3.0, 1.0, 0.2]],
        [1, 0, 2],
        [0, 2, 3],
        query_ids=["two words # and more", ""],
        feature_names=["qid", "Label", "a,b\n\x1f"],
        document_ids=["", "d\t1", "d\n2"],
    )


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_file_gives_the_same_data_bit_for_bit(dtype: type[np.floating]) -> None:
    problem = ranking_problem(0)
    data = RankingData.build(problem.features, problem.relevance, problem.query_offsets, dtype=dtype)
    for one in (data, replace(data, document_ids=tuple(map(str, range(data.n_documents))))):
        assert again(one).fingerprint == one.fingerprint
    assert again(odd_names()).fingerprint == odd_names().fingerprint


def test_pyarrow_sees_the_columns_by_name_and_row_groups_of_whole_queries() -> None:
    data = ranking_problem(0)
    file = pq.ParquetFile(io.BytesIO(file_of(data)))
    table = file.read()
    assert table.column_names == ["relevance", "qid", *data.feature_names]
    np.testing.assert_array_equal(table.select(data.feature_names).to_pandas().to_numpy(), data.features)
    np.testing.assert_array_equal(table["relevance"].to_numpy(), data.relevance)
    groups = [file.read_row_group(k, ["qid"])["qid"].to_pylist() for k in range(file.num_row_groups)]
    assert len(groups) > 2
    assert [query for group in groups for query in group] == [data.query_ids[q] for q in data.query_of_document]
    seen = [set(group) for group in groups]
    assert all(not (one & other) for k, one in enumerate(seen) for other in seen[k + 1 :])


def test_what_the_dataset_is_goes_with_the_file() -> None:
    data = odd_names()
    said = ParquetDescription(
        name="mine", provenance="From a log.", licence="CC0-1.0", convention="letor3", query_texts={"": "nothing"}
    )
    dataset = open_file(file_of(data, said), "other.parquet")
    assert (dataset.name, dataset.convention, dict(dataset.query_texts)) == ("other", "letor3", {"": "nothing"})
    assert_says(dataset.provenance, "other.parquet", "From a log.")


def test_two_features_of_one_name_cannot_be_written() -> None:
    with pytest.raises(DataError, match="same name"):
        file_of(RankingData.build([[1.0, 2.0]], [0], [0, 1], feature_names=["f", "f"]))


@pytest.mark.parametrize("name", ["mine.txt", "mine.csv", "classes.csv"])
def test_a_file_of_text_is_converted_with_its_names(tmp_path: Path, name: str) -> None:
    data = ranking_problem(0)
    if name == "mine.txt":
        (tmp_path / name).write_text(letor_text(data))
    elif name == "mine.csv":
        table = pd.DataFrame(data.features, columns=data.feature_names).assign(relevance=data.relevance)
        table.assign(qid=[data.query_ids[q] for q in data.query_of_document]).to_csv(tmp_path / name, index=False)
    else:
        (tmp_path / name).write_text("a,b,class\n" + "".join(f"{k},{k * k % 7},{'yn'[k % 2]}\n" for k in range(9)))
    dataset = Reading(positive="y" if name == "classes.csv" else None).open(str(tmp_path / name))
    assert [*converted(dataset, tmp_path / "out.parquet")] == [tmp_path / "out.parquet"]
    back = open_dataset(str(tmp_path / "out.parquet"))
    assert back.fold(1).train.fingerprint == dataset.fold(1).train.fingerprint


def test_a_dataset_with_folds_is_the_same_folds_again(tmp_path: Path) -> None:
    before = open_dataset("planted")
    files = [path.relative_to(tmp_path / "out").as_posix() for path in converted(before, tmp_path / "out", title="T")]
    assert [name for name in files if "/" in name] == [
        f"Fold{k}/{part}.parquet" for k in range(1, 6) for part in ("train", "vali", "test")
    ]
    after = open_dataset(str(tmp_path / "out"))
    for told in ("name", "fold_names", "convention", "provenance", "query_texts", "document_names"):
        assert getattr(after, told) == getattr(before, told)
    for k in (1, 4):
        assert after.fold(k).fingerprint == before.fold(k).fingerprint


def test_single_precision_is_asked_for_and_a_value_beyond_it_refused(tmp_path: Path) -> None:
    data = RankingData.build([[0.1, 1.0], [2.0, 3.0]], [0, 1], [0, 2])
    (tmp_path / "mine.txt").write_text(letor_text(data))
    list(converted(open_dataset(str(tmp_path / "mine.txt")), tmp_path / "out.parquet", dtype=np.float32))
    back = open_dataset(str(tmp_path / "out.parquet")).fold(1).train.features
    assert back.dtype == np.float32
    np.testing.assert_array_equal(back, data.features.astype(np.float32))
    (tmp_path / "mine.txt").write_text("1 qid:1 1:1e300\n0 qid:1 1:0\n")
    with pytest.raises(DataError, match="float64"):
        list(converted(open_dataset(str(tmp_path / "mine.txt")), tmp_path / "big.parquet", dtype=np.float32))
    assert not (tmp_path / "big.parquet").exists()


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
