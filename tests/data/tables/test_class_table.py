"""Tables with a class, ids and missing cells: what is read, what is left out or filled in, and what is said of it."""

from pathlib import Path

import numpy as np
import pytest

from core.data import DataError, Fold, MissingValuesError, Reading
from core.data.files.cache import Kept
from core.data.missing import complete, fill_fold
from core.data.tables.table_format import read_table
from core.data.tables.table_options import TableOptions
from tests.says import assert_says
from tests.uci_layouts import (
    SPECTF_FEATURES,
    SPECTF_ROWS,
    WPBC_FEATURES,
    WPBC_MISSING,
    WPBC_ROWS,
    spectf_like,
    wpbc_like,
)


def read(content: bytes, **options: object) -> Kept:
    asked = TableOptions(**options)  # type: ignore[arg-type]
    reading = read_table(content, name="t.csv", options=asked)
    data, told = complete(reading.data, asked.missing, "t.csv")
    return Kept(fill_fold(Fold("all", data), asked.missing).train, (*reading.notes, *told))


def cells(content: bytes) -> list[list[str]]:
    return [line.split(",") for line in content.decode().splitlines()]


def test_class_first_is_read_as_the_same_table_with_the_class_last() -> None:
    rows = cells(spectf_like())
    last = "".join(",".join([*row[1:], row[0]]) + "\n" for row in rows).encode()
    first = read(spectf_like())
    assert first.data.fingerprint == read(last).data.fingerprint
    assert (first.data.n_documents, first.data.n_features) == (SPECTF_ROWS, SPECTF_FEATURES)
    (note,) = first.notes
    counts = [f"{sum(row[0] == label for row in rows)} of {label}" for label in ("0", "1")]
    assert_says(note, "Column 1", "classes", *counts)
    assert read(last).notes == ()


def test_rows_with_missing_cells_are_left_out_and_counted() -> None:
    reading = read(wpbc_like(), missing="drop")
    whole = [row for row in cells(wpbc_like()) if "?" not in row]
    assert reading.data.features.tolist() == [[float(cell) for cell in row[2:]] for row in whole]
    assert reading.data.relevance.tolist() == [row[1] == "R" for row in whole]
    assert len(whole) == WPBC_ROWS - WPBC_MISSING
    ids, missing = reading.notes[1:]
    assert_says(ids, "Column 1", "left out", "whole number", "id")
    assert_says(missing, "4 values", "missing", "4 of 60 rows", f"feature {WPBC_FEATURES}: 4", "left out")


def test_missing_cells_are_filled_with_the_median_of_their_column() -> None:
    reading = read(wpbc_like(header=True), missing="median")
    nodes = [row[-1] for row in cells(wpbc_like())]
    median = float(np.median([float(cell) for cell in nodes if cell != "?"]))
    assert reading.data.features[:, -1].tolist() == [median if cell == "?" else float(cell) for cell in nodes]
    assert reading.data.n_documents == WPBC_ROWS
    assert_says(reading.notes[-1], "4 values", "missing", "4 of 60 rows", "nodes: 4", "median", "training part")


def test_nothing_is_done_about_missing_cells_unless_it_is_said_how() -> None:
    line = next(k for k, row in enumerate(cells(wpbc_like()), 1) if "?" in row)
    with pytest.raises(MissingValuesError) as caught:
        read(wpbc_like())
    place, asked = f"t.csv, line {line}, column 35 (feature 33)", ("leave those rows out", "medians")
    counted = ("4 cells", "missing", "4 of 60 rows", "35 (feature 33): 4")
    assert_says(str(caught.value), place, "?", *counted, *asked)
    assert caught.value.ways == ("drop", "median", "zero")


@pytest.mark.parametrize("mark", ["", " ", "?", "NA", "nan", "NaN", "n/a", "NULL", "None"])
def test_the_usual_marks_are_missing_cells(mark: str) -> None:
    content = f"1,2,a\n3,{mark},b\n5,6,b\n".encode()
    assert read(content, missing="drop").data.features.tolist() == [[1, 2], [5, 6]]
    assert read(content, missing="median").data.features.tolist() == [[1, 2], [3, 4], [5, 6]]
    with pytest.raises(MissingValuesError, match=r"t\.csv, line 2, column feature 2: .*\b1 cell\b.*missing"):
        read(content)


@pytest.mark.parametrize("mark", ["", "?"])
def test_a_row_without_a_class_can_only_be_left_out(mark: str) -> None:
    content = f"1,2,a\n3,4,{mark}\n5,6,b\n".encode()
    assert read(content, missing="drop").data.relevance.tolist() == [1, 0]
    for options in ({}, {"missing": "median"}, {"positive": "a"}):
        with pytest.raises(MissingValuesError) as caught:
            read(content, **options)
        assert (caught.value.line, caught.value.column, caught.value.ways) == (2, "class", ("drop",))


def test_a_class_may_be_called_none() -> None:
    assert read(b"1,none\n2,some\n3,some\n").data.query_ids == ("none-against-some",)


def test_what_leaves_nothing_is_refused() -> None:
    with pytest.raises(MissingValuesError, match=r"\b2 of 2 rows\b.*no complete row\b.*\bmedians"):
        read(b"1,?,a\n?,4,b\n", missing="drop")
    with pytest.raises(DataError, match=r"column feature 2: .*\bno median\b.*zeros"):
        read(b"1,?,a\n2,?,b\n", missing="median")
    with pytest.raises(DataError, match=r"no feature\b.*\bclass"):
        read(b"1,2,a\n3,4,b\n", drop_columns=("1", "2"))
    with pytest.raises(DataError, match=r"\bno row has a class\b"):
        read(b"9;", missing="drop")
    with pytest.raises(DataError, match=r"'mean'.*\bmissing\b.*\bdrop\b.*\bmedian\b"):
        TableOptions(missing="mean")


def test_another_fault_is_not_taken_for_a_missing_cell() -> None:
    for missing in (None, "drop", "median"):
        with pytest.raises(DataError, match=r"line 2, column feature 1: .*'x'.*number"):
            read(b"1,2,a\nx,3,b\n4,?,b\n", missing=missing)
        with pytest.raises(DataError, match=r"line 2: .*\b2 fields\b.*\b3\b"):
            read(b"1,2,a\n1,b\n?,3,b\n", missing=missing)


def test_what_is_asked_for_in_vain_is_said() -> None:
    for missing, done in (("drop", "left out"), ("median", "filled in")):
        (note,) = read(b"1,2,a\n3,4,b\n", missing=missing).notes
        assert_says(note, "No value", "missing", done)


def test_cells_of_columns_that_are_left_out_may_be_anything() -> None:
    reading = read(b"red,,1,a\nred,?,2,b\nblue,x,3,b\n", drop_columns=("1", "2"))
    assert reading.data.features.tolist() == [[1], [2], [3]]
    for number, note in zip((1, 2), reading.notes, strict=True):
        assert_says(note, f"Column {number}", "left out", "asked")


@pytest.mark.parametrize("missing", ["drop", "median"])
def test_a_path_an_upload_and_the_second_reading_give_the_same_data_and_say_the_same(
    tmp_path: Path, missing: str
) -> None:
    path = tmp_path / "wpbc.csv"
    path.write_bytes(wpbc_like())
    more = {"positive": "N", "split": 0.7, "seed": 2, "scale": "minmax"}
    how = {"missing": missing, "drop_columns": ("3",), **more}
    opened = [Reading(**how).open(*source) for source in ((str(path),), (str(path),), ("wpbc.csv", wpbc_like()))]
    assert {(dataset.name, dataset.fold_names) for dataset in opened} == {("wpbc", ("split 0.7, seed 2",))}
    assert len({dataset.fold().train.fingerprint for dataset in opened}) == 1
    assert len({dataset.notes for dataset in opened}) == 1
    assert len(opened[0].notes) == 4


def test_of_a_set_that_comes_with_classes_features_are_left_out_and_nothing_is_missing() -> None:
    left_out = Reading(drop_columns=("1",)).open("breast-cancer").fold().train
    assert not left_out.features[:, 0].any()
    assert Reading(missing="drop").open("breast-cancer").fold().train.n_documents == 569
