"""A Parquet table is one column of relevance, one of query, and features by name; what is wrong is said with its place.

Expected values come from pandas and pyarrow on their own.
"""

from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.data import DataError, RankingData, Reading, UndecidedRolesError, UngroupedQueriesError
from core.data.files.packed import VARIABLE
from core.data.parquet import parquet_format
from core.data.parquet.parquet_format import read_parquet
from core.data.parquet.table import ParquetTable
from core.data.single_file import open_file, read_columns
from tests.says import assert_says


def frame() -> pd.DataFrame:
    """Twelve documents of four queries with four features."""
    random = np.random.default_rng(4)
    return pd.DataFrame(
        {
            "label": [2, 0, 1, 0, 1, 0, 0, 1, 0, 2, 1, 0],
            "qid": list("aaabbbbccddd"),
            "docid": [f"d{k}" for k in range(12)],
            "bm25": random.normal(size=12),
            "length": random.integers(1, 500, size=12),
            "title words": random.integers(1, 9, size=12).astype(np.int8),
            "fresh": random.random(12) < 0.5,
        }
    )


def small(**features: Any) -> pd.DataFrame:
    """Three documents of one query with these features."""
    return pd.DataFrame({"qid": ["a"] * 3, "label": [0, 1, 0]} | features)


def written(table: pd.DataFrame | pa.Table, path: Path, **how: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table if isinstance(table, pa.Table) else pa.Table.from_pandas(table), path, **how)
    return path


def opened(path: Path, **how: Any) -> RankingData:
    return Reading(**how).open(str(path)).fold(1).train


def test_values_and_names_are_those_that_pandas_reads(tmp_path: Path) -> None:
    path = written(frame(), tmp_path / "mine.parquet", row_group_size=5)
    data, table = opened(path), pd.read_parquet(path)
    assert data.feature_names == ("bm25", "length", "title words", "fresh")
    np.testing.assert_array_equal(data.features, table[list(data.feature_names)].astype(float).to_numpy())
    assert data.features.dtype == np.float64
    np.testing.assert_array_equal(data.relevance, table["label"])
    sizes = table.groupby("qid", sort=False).size()
    assert data.query_ids == tuple(sizes.index)
    np.testing.assert_array_equal(np.diff(data.query_offsets), sizes)
    assert data.document_ids == tuple(table["docid"])


@pytest.mark.parametrize("kind", ["category", "int64", "bytes"])
def test_queries_are_texts_categories_or_whole_numbers(tmp_path: Path, kind: str) -> None:
    change = {"category": str, "int64": {"a": 7, "b": -2, "c": 30, "d": 4}.__getitem__, "bytes": str.encode}[kind]
    table = frame()
    table["qid"] = table["qid"].map(change)
    table = table.astype({"qid": "category"}) if kind == "category" else table
    ids = opened(written(table, tmp_path / "t.parquet", row_group_size=4)).query_ids
    assert ids == (("7", "-2", "30", "4") if kind == "int64" else ("a", "b", "c", "d"))


KINDS: dict[str, Callable[[np.ndarray], Any]] = {
    "float64": lambda values: values,
    "float32": lambda values: values.astype(np.float32),
    "float16": lambda values: values.astype(np.float16),
    "int64": lambda values: (values * 100).astype(np.int64),
    "int8": lambda values: (values * 9).astype(np.int8),
    "uint8": lambda values: np.abs(values * 9).astype(np.uint8),
    "bool": lambda values: values > 0,
    "decimal": lambda values: [Decimal(round(value * 4)) / 4 for value in values.tolist()],
    "few": lambda values: np.round(values),
}


def wide(n_features: int, kinds: Sequence[str]) -> pa.Table:
    """Fifty documents of ten queries with so many features, of these kinds by turns."""
    random = np.random.default_rng(n_features)
    columns = {"label": pa.array([0, 1] * 25), "qid": pa.array([f"q{k // 5}" for k in range(50)])}
    for j in range(n_features):
        columns[f"f{j}"] = pa.array(KINDS[kinds[j % len(kinds)]](random.normal(size=50)))
    return pa.table(columns)


HOW: dict[str, dict[str, Any]] = {
    "plain": {"use_dictionary": False, "compression": "none"},
    "dictionary and zstd": {"row_group_size": 7, "compression": "zstd"},
    "a row a group": {"row_group_size": 1},
}


@pytest.mark.parametrize("values_at_once", [1, 1 << 19])
@pytest.mark.parametrize("n_features", [1, 16, 17, 50])
@pytest.mark.parametrize("kinds", [("float64",), ("float32",), ("float32", "float16"), tuple(KINDS)], ids="+".join)
@pytest.mark.parametrize("how", HOW)
def test_however_many_columns_there_are_the_rows_are_those_of_pandas(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    values_at_once: int,
    n_features: int,
    kinds: tuple[str, ...],
    how: str,
) -> None:
    monkeypatch.setattr(parquet_format, "_FEW_VALUES", values_at_once)
    monkeypatch.setattr(parquet_format, "LARGEST_GROUP", values_at_once)
    monkeypatch.setenv("SPARSE_RANK_THREADS", "3")
    path = written(wide(n_features, kinds), tmp_path / "t.parquet", **HOW[how])
    data = opened(path)
    as_pandas_reads = pd.read_parquet(path)[list(data.feature_names)].to_numpy(data.features.dtype)
    assert data.features.tobytes() == as_pandas_reads.tobytes()
    assert data.query_ids == tuple(f"q{k}" for k in range(10))
    np.testing.assert_array_equal(data.relevance, [0, 1] * 25)


def test_features_in_another_order_and_parts_with_other_row_groups_are_the_same_rows(tmp_path: Path) -> None:
    table = wide(40, ("float64", "int8"))
    (tmp_path / "mine").mkdir()
    for number, (first, last) in enumerate(((0, 11), (11, 11), (11, 50))):
        with pq.ParquetWriter(tmp_path / "mine" / f"part-{number}.parquet", table.schema) as writer:
            writer.write_table(table.slice(first, last - first), row_group_size=4)
            writer.write_table(table.slice(0, 0))
    names = [f"f{j}" for j in np.random.default_rng(0).permutation(40)]
    data = read_parquet(tmp_path / "mine", name="mine", features=names).data
    assert data.feature_names == tuple(names)
    np.testing.assert_array_equal(data.features, table.select(names).to_pandas().to_numpy())


@pytest.mark.parametrize("bad", [None, np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("place", [(0, 0), (49, 0), (20, 15), (21, 16), (33, 31), (49, 32)])
@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_a_value_that_cannot_be_used_is_named_wherever_it_stands(
    tmp_path: Path, bad: float | None, place: tuple[int, int], kind: str
) -> None:
    table = wide(33, (kind,))
    row, j = place
    column = table.column(f"f{j}").to_pylist()
    column[row] = bad
    table = table.set_column(j + 2, f"f{j}", pa.array(column, table.schema.field(j + 2).type))
    path = written(table, tmp_path / "t.parquet", row_group_size=8)
    with pytest.raises(DataError) as error:
        opened(path)
    assert (error.value.row, error.value.column) == (row + 1, f"f{j}")
    assert_says(error.value.reason, "missing" if bad is None else f"{bad}")


def test_the_index_of_a_frame_is_no_feature_and_columns_are_left_out_on_request(tmp_path: Path) -> None:
    table = frame().set_index(pd.Index(np.arange(12) ** 2))
    path = written(table, tmp_path / "t.parquet")
    assert "__index_level_0__" in pq.read_schema(path).names
    assert opened(path).feature_names == ("bm25", "length", "title words", "fresh")
    assert opened(path, drop_columns=("length", "fresh")).feature_names == ("bm25", "title words")


def test_part_files_with_columns_in_any_order_are_one_file_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    table, cuts = frame(), [0, 2, 4, 4, 9, 12]  # within queries, and a part without a row
    for number in (10, 8, 7, 9, 11):
        first, last = cuts[number - 7], cuts[number - 6]
        part = table.iloc[first:last]
        written(part[[*reversed(part.columns)]] if number % 2 else part, tmp_path / "mine" / f"data_{number}.parquet")
    (tmp_path / "mine" / "_SUCCESS").touch()
    whole = opened(written(table[[*reversed(table.columns)]], tmp_path / "whole.parquet"))
    assert opened(tmp_path / "mine").fingerprint == whole.fingerprint
    assert Reading(folds=3).open(str(tmp_path / "mine")).n_folds == 3


def test_the_parts_of_a_fold_are_files_or_folders_and_agree_in_their_features(tmp_path: Path) -> None:
    table = frame()
    for part in ("train", "vali"):
        written(
            table[[*reversed(table.columns)]] if part == "vali" else table, tmp_path / "m/Fold1" / f"{part}.parquet"
        )
    for number, rows in enumerate((table.iloc[:5], table.iloc[5:])):
        written(rows, tmp_path / "m" / "Fold1" / "test.parquet" / f"part-0000{number}.snappy.parquet")
    fold = Reading().open(str(tmp_path / "m")).fold(1)
    assert {data.fingerprint for data in fold.parts().values()} == {fold.train.fingerprint}
    written(table.rename(columns={"length": "size"}), tmp_path / "m" / "Fold1" / "vali.parquet")
    with pytest.raises(DataError) as error:
        Reading().open(str(tmp_path / "m")).fold(1)
    assert_says(str(error.value), "m/Fold1/vali.parquet", "column length", "missing")


def test_columns_of_other_names_are_a_question_and_an_answer(tmp_path: Path) -> None:
    table = frame().rename(columns={"qid": "Anfrage", "label": "Note"})
    path = written(table, tmp_path / "t.parquet")
    with pytest.raises(UndecidedRolesError) as asked:
        opened(path)
    assert (asked.value.queries[0], asked.value.relevances[0]) == ("Anfrage", "Note")
    assert asked.value.class_column is None
    assert list(read_columns(path, "t.parquet")["Anfrage"].values)[:3] == ["a", "b", "c"]
    dataset = Reading(query_column="Anfrage", relevance_column="Note").open(str(path))
    assert_says(dataset.notes[0], "'Anfrage'", "4", "'Note'", "0, 1, 2")
    assert dataset.fold(1).train.fingerprint == opened(written(frame(), tmp_path / "usual.parquet")).fingerprint


BAD: dict[str, tuple[Callable[[], pd.DataFrame | pa.Table], tuple[str, ...]]] = {
    "no query": (lambda: frame().drop(columns=["qid", "docid"])[["label", "bm25"]], ("no query column",)),
    "no relevance": (lambda: frame().drop(columns="label")[["qid", "bm25"]], ("no relevance column",)),
    "no feature": (lambda: frame()[["qid", "label"]], ("no feature",)),
    "lists": (lambda: small(f=[[1.0], [2.0], [3.0]]), ("column f", "lists")),
    "lists of queries": (lambda: small(f=[1, 2, 3]).assign(qid=[["a"]] * 3), ("column qid", "lists")),
    "a missing value": (lambda: small(f=[1.0, 2.0, 3.0], g=pd.array([1, None, 3], "Int64")), ("row 2", "column g")),
    "a missing query": (lambda: small(f=[1, 2, 3]).assign(qid=["a", "a", None]), ("row 3", "column qid", "missing")),
    "a missing grade": (
        lambda: small(f=[1, 2, 3]).assign(label=pd.array([None, 1, None], "Int64")),
        ("row 1", "column label", "missing"),
    ),
    "nothing but nulls": (lambda: small(f=[None, None, None]), ("column f", "no value")),
    "text": (lambda: small(f=[1, 2, 3], brand=["a", "b", "c"]), ("column brand", "text")),
    "dates": (lambda: small(f=[1, 2, 3], day=pd.Timestamp("2026-01-01")), ("column day", "timestamp")),
    "half a grade": (lambda: small(f=[1, 2, 3]).assign(label=[0.0, 1.5, 1.0]), ("row 2", "column label", "1.5")),
    "a negative grade": (lambda: small(f=[1, 2, 3]).assign(label=[0, 1, -1]), ("row 3", "column label", "-1")),
    "queries with fractions": (lambda: small(f=[1, 2, 3]).assign(qid=[1.0, 1.0, 2.5]), ("column qid", "double")),
    "one column for both": (lambda: small(f=[1, 2, 3]).drop(columns="qid"), ("no query column",)),
    "no row": (lambda: small(f=[1.0, 2.0, 3.0]).iloc[:0], ("no row",)),
    "a name twice": (
        lambda: pa.table([["q", "q"], [0, 1], [1.0, 2.0], [1.0, 2.0]], names=["qid", "label", "f", "f"]),
        ("column f", "two columns"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_used_is_one_sentence_with_file_and_column(tmp_path: Path, case: str) -> None:
    make, facts = BAD[case]
    path = written(make(), tmp_path / "bad.parquet", row_group_size=2)
    with pytest.raises(DataError) as error:
        opened(path)
    assert_says(str(error.value), "bad.parquet", *facts)
    assert "\n" not in str(error.value)
    with pytest.raises(DataError) as uploaded:
        open_file(path.read_bytes(), "bad.parquet")
    assert str(uploaded.value).partition("bad.parquet")[2] == str(error.value).partition("bad.parquet")[2]


@pytest.mark.parametrize(
    ("parts", "facts"),
    [
        (dict.fromkeys(("part-0", "part-2"), pd.DataFrame.copy), ("part 1", "missing")),
        (dict.fromkeys(("part-1", "part-2", "part-4"), pd.DataFrame.copy), ("part 3", "missing")),
        (dict.fromkeys(("part-2", "part-3"), pd.DataFrame.copy), ("part 0", "missing")),
        (
            {"part-0": pd.DataFrame.copy, "part-1": lambda table: table.drop(columns="bm25")},
            ("part-1.parquet", "column bm25", "missing", "part-0.parquet"),
        ),
        (
            {"part-0": pd.DataFrame.copy, "part-1": lambda table: table.assign(new=1.0)},
            ("part-1.parquet", "column new", "only"),
        ),
        (
            {"part-0": pd.DataFrame.copy, "part-1": lambda table: table.assign(bm25="x")},
            ("part-1.parquet", "column bm25", "text"),
        ),
        (
            {"part-0": pd.DataFrame.copy, "part-1": lambda table: table.assign(qid=7)},
            ("part-1.parquet", "column qid", "int64"),
        ),
    ],
)  # fmt: skip
def test_a_part_that_is_missing_or_has_other_columns_is_named(
    tmp_path: Path, parts: dict[str, Callable[[pd.DataFrame], pd.DataFrame]], facts: tuple[str, ...]
) -> None:
    for name, change in parts.items():
        written(change(frame()), tmp_path / "mine" / f"{name}.parquet")
    with pytest.raises(DataError) as error:
        opened(tmp_path / "mine")
    assert_says(str(error.value), "mine", *facts)


def test_a_query_that_is_not_consecutive_is_refused_or_brought_together(tmp_path: Path) -> None:
    table = frame()
    apart = pd.concat([table.iloc[1:], table.iloc[:1]])  # the first document of the first query comes last
    written(apart.iloc[:8], tmp_path / "mine" / "part-0.parquet")
    written(apart.iloc[8:], tmp_path / "mine" / "part-1.parquet")
    with pytest.raises(UngroupedQueriesError) as error:
        opened(tmp_path / "mine")
    assert_says(
        str(error.value), "mine/part-1.parquet", "row 4", "column qid", "query a", "row 2 of", "mine/part-0.parquet"
    )
    data = opened(tmp_path / "mine", group=True)
    assert data.query_ids == ("a", "b", "c", "d")
    np.testing.assert_array_equal(np.sort(data.features[:3, 0]), np.sort(table["bm25"][:3]))
    assert data.document_ids == ("d1", "d2", "d0", *table["docid"][3:])


@pytest.mark.parametrize("harm", ["cut off", "wrong footer", "a few bytes"])
def test_a_damaged_file_is_refused(tmp_path: Path, harm: str) -> None:
    content = written(frame(), tmp_path / "t.parquet").read_bytes()
    harmed = {"cut off": content[:-20], "wrong footer": content[:-40] + b"\0" * 40, "a few bytes": b"PAR1PAR1"}[harm]
    with pytest.raises(DataError) as error:
        open_file(harmed, "t.parquet")
    assert_says(str(error.value), "t.parquet", "damaged")


def test_the_limits_hold_before_a_row_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    n = 200_000
    table = pa.table({"qid": pa.array(["q"] * n).dictionary_encode(), "label": np.zeros(n, int), "f": np.zeros(n)})
    content = written(table, tmp_path / "t.parquet").read_bytes()
    assert len(content) < 20_000, "it packs well"
    monkeypatch.setenv(VARIABLE, "1M")
    monkeypatch.setattr("core.data.parquet.parquet_format.row_batches", None)
    with pytest.raises(DataError) as error:
        open_file(content, "t.parquet")
    assert_says(str(error.value), "t.parquet", "rows", VARIABLE)


def test_only_columns_that_are_used_are_read(tmp_path: Path) -> None:
    path = written(frame().assign(notes=[["x"]] * 12), tmp_path / "t.parquet")
    with pytest.raises(DataError):
        opened(path)
    assert opened(path, drop_columns=("notes",)).n_features == 4
    table = ParquetTable.of(path, "t", Reading(drop_columns=("notes",)).table)
    assert table.columns.others == {"notes"}


def test_reading_gives_the_convention_of_a_published_set(tmp_path: Path) -> None:
    features = {f"feature {j}": np.arange(4.0) for j in range(1, 47)}
    table = pd.DataFrame({"label": [1, 0, 1, 0], "qid": [1, 1, 2, 2], "docid": [f"GX{k}" for k in range(4)]} | features)
    path = written(table, tmp_path / "m.parquet")
    assert Reading().open(str(path)).convention == "letor4"
    for part in ("train", "vali", "test"):
        written(table, tmp_path / "folds" / f"{part}.parquet")
    assert Reading().open(str(tmp_path / "folds")).convention == "letor4"
