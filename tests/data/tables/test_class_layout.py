"""Which column has the classes: the named one, the last, or the first with few values; and when a person must say.

A table whose header does not tell the query and the relevance asks, whatever its language; it is never misread.
Tables with a class, ids and missing cells: what is read, what is left out or filled in, and what is said of it.
"""

from pathlib import Path

import numpy as np
import pytest

from core.data import DataError, Fold, MissingValuesError, Reading, UndecidedColumnError, UndecidedRolesError
from core.data.files.cache import Kept
from core.data.missing import complete, fill_fold
from core.data.single_file import open_file, read_classes, read_columns
from core.data.tables.column_roles import shown_values
from core.data.tables.table_cells import OpenTable
from core.data.tables.table_format import ClassTable, read_table
from core.data.tables.table_options import TableOptions, resolve_column
from tests.ranking_files import (
    SPECTF_FEATURES,
    SPECTF_ROWS,
    WPBC_FEATURES,
    WPBC_MISSING,
    WPBC_ROWS,
    spectf_like,
    wpbc_like,
)
from tests.says import assert_says


def layout_of(content, options):
    return ClassTable.of(OpenTable.of(content, "t.csv", options)).layout


N = 60
MEASURED = [f"{x:.3f}" for x in np.random.default_rng(0).normal(size=N)]
BINARY = [str(k % 2) for k in range(N)]
WORDS = ["ab"[k // 2 % 2] for k in range(N)]
IDS = [str(7 * k + 3) for k in range(N)]
NAMES = [f"s{k}" for k in range(N)]
FIVE = [str(k % 5) for k in range(N)]


def table(*columns: list[str], header: str = "") -> bytes:
    lines = [*([header] if header else []), *map(",".join, zip(*columns, strict=True))]
    return "".join(f"{line}\n" for line in lines).encode()


def position(content: bytes, **options: object) -> int | None:
    return layout_of(content, TableOptions(**options)).class_position  # type: ignore[arg-type]


def ids(content: bytes, **options: object) -> tuple[int, ...]:
    return layout_of(content, TableOptions(**options)).left_out  # type: ignore[arg-type]


LAST = {
    "words": (table(MEASURED, WORDS), 1),
    "numbers": (table(BINARY, MEASURED, BINARY), 2),
    "beside 0 and 1": (table(BINARY, MEASURED, WORDS), 2),
    "nameless header": (table(BINARY, MEASURED, BINARY, header="sex,age,kind"), 2),
    "named and last": (table(BINARY, MEASURED, BINARY, header="label,age,class"), 2),
    "y is last": (table(MEASURED, BINARY, MEASURED, header="target,x,y"), 2),
}
FEW_VALUES = {
    "wpbc": (wpbc_like(), 1),
    "wpbc with a header": (wpbc_like(header=True), 1),
    "spectf": (spectf_like(), 0),
    "words first": (table(WORDS, MEASURED, MEASURED), 0),
    "behind ids": (table(IDS, BINARY, MEASURED, MEASURED), 1),
    "behind names": (table(NAMES, BINARY, MEASURED, MEASURED), 1),
    "words within": (table(MEASURED, WORDS, MEASURED), 1),
    "named within": (table(MEASURED, FIVE, MEASURED, header="a,Diagnosis,b"), 1),
    "named first": (table(FIVE, MEASURED, FIVE, header="class,a,b"), 0),
}
ASKED = {
    "0 and 1 first, five numbers last": (table(BINARY, MEASURED, FIVE), None),
    "words first, five numbers last": (table(WORDS, MEASURED, FIVE), None),
    "two with few values": (table(IDS, BINARY, WORDS, MEASURED), None),
    "two names": (table(BINARY, WORDS, MEASURED, header="class,label,x"), None),
}
LAYOUTS = LAST | FEW_VALUES | ASKED


@pytest.mark.parametrize(("content", "expected"), LAYOUTS.values(), ids=LAYOUTS)
def test_the_last_column_has_the_classes_or_the_one_with_few_values_or_it_is_asked(
    content: bytes, expected: int | None
) -> None:
    assert position(content) == expected


def test_a_named_column_and_a_last_one_that_would_do_is_a_question() -> None:
    content = table(BINARY, MEASURED, WORDS, header="class,age,smoker")
    layout = layout_of(content, TableOptions())
    with pytest.raises(UndecidedColumnError) as caught:
        layout.decided("t.csv")
    assert_says(str(caught.value), "t.csv", "'class'", "'0', '1'", "'smoker'", "'a', 'b'", "choose the column")
    assert caught.value.columns == ("class", "smoker")


def test_a_class_that_is_said_tells_its_column() -> None:
    content = table(BINARY, MEASURED, WORDS, header="class,age,smoker")
    assert (position(content, positive="1"), position(content, positive="b")) == (0, 2)
    assert position(table(BINARY, MEASURED, FIVE), positive="4") == 2
    assert position(table(BINARY, MEASURED, BINARY, header="class,age,smoker"), positive="1") is None


def test_a_measurement_that_happens_to_have_the_value_is_no_answer() -> None:
    measured = [str(k) for k in range(N)]
    assert position(table(BINARY, MEASURED, measured), positive="1") is None
    assert position(table(MEASURED, measured), positive="1") == 1, "nothing else can be meant"


def test_a_column_that_is_named_is_the_one() -> None:
    content = wpbc_like(header=True)
    for wanted in ("diagnosis", "DIAGNOSIS", "2", " diagnosis "):
        assert position(content, class_column=wanted) == 1
    assert position(table(BINARY, MEASURED, WORDS), class_column="1") == 0
    with pytest.raises(DataError, match=r"^t\.csv: .*no column 'kind'.*\bheader\b.*\bnumber\b"):
        position(content, class_column="kind")


def test_a_name_counts_before_a_number_and_case_before_neither() -> None:
    assert resolve_column("2", ["2", "b"], "t.csv") == 0
    assert resolve_column("B", ["b", "B"], "t.csv") == 1
    for wanted in ("0", "3", "-1", "bb", ""):
        with pytest.raises(DataError, match="no column"):
            resolve_column(wanted, ["a", "b"], "t.csv")


def test_ids_are_left_out_where_the_class_is_not_last() -> None:
    assert ids(wpbc_like()) == ids(wpbc_like(header=True)) == (0,)
    assert ids(spectf_like()) == ()
    assert ids(table(BINARY, IDS, MEASURED, header="class,sample_id,x")) == (1,)
    assert ids(table(BINARY, FIVE, MEASURED, header="class,id,x")) == (), "rows share values: no id"


def test_where_the_class_is_last_numbers_stay_features_and_names_of_rows_go() -> None:
    counted = layout_of(table(IDS, MEASURED, WORDS), TableOptions())
    assert counted.left_out == ()
    assert [column.position for column in counted.kept_ids] == [0], "but it is said"
    assert ids(table(NAMES, MEASURED, WORDS)) == (0,)


def test_leaving_out_one_of_two_columns_that_may_be_the_classes_says_it_is_the_other() -> None:
    content = table(BINARY, MEASURED, IDS, BINARY, header="class,age,income,smoker")
    assert layout_of(content, TableOptions()).class_position is None, "asked about"
    assert layout_of(content, TableOptions(drop_columns=("class",))).class_position == 3
    assert layout_of(content, TableOptions(class_column="class")).class_position == 0


def test_named_columns_go_beside_ids_or_instead_of_them() -> None:
    assert ids(wpbc_like(), drop_columns=("3",)) == (0, 2)
    assert ids(wpbc_like(), drop_columns=("none", "3")) == (2,)
    assert ids(wpbc_like(header=True), drop_columns=("time", "nodes", "none")) == (2, 34)
    with pytest.raises(DataError, match=r"'diagnosis'.*\bclasses\b.*\bcannot\b.*left out"):
        ids(wpbc_like(header=True), drop_columns=("2",))


QUERIES, LISTED = 12, 5
RANDOM = np.random.default_rng(4)
LEVELS = [int(level) for _ in range(QUERIES) for level in RANDOM.permutation([0, 0, 0, 1, 2])]
VALUES = RANDOM.normal(size=(QUERIES * LISTED, 2)).round(3).tolist()


def query_table(header: str, query: str, *, shuffled: bool = False) -> bytes:
    """A table with a query, a relevance and two features; ``query`` is filled in with the query's number."""
    rows = [
        f"{query.format(row // LISTED)},{level},{VALUES[row][0]},{VALUES[row][1]}" for row, level in enumerate(LEVELS)
    ]
    if shuffled:
        rows = [rows[row] for row in np.random.default_rng(1).permutation(len(rows))]
    return "\n".join([header, *rows, ""]).encode()


FRENCH = query_table("requête,pertinence,bm25,prix", "chaussures n° {}")
GERMAN_IDS = query_table("Anfrage,Stufe,bm25,Preis", "10{}")
SHUFFLED_IDS = query_table("客户,等级,a,b", "7{}", shuffled=True)


@pytest.mark.parametrize("content", [FRENCH, GERMAN_IDS, SHUFFLED_IDS], ids=["texts", "ids", "shuffled ids"])
def test_repeated_texts_or_ids_beside_few_small_numbers_ask_for_both_columns_with_their_values(content: bytes) -> None:
    header = content.decode().partition("\n")[0].split(",")
    with pytest.raises(UndecidedRolesError, match=f"{header[0]}.*12 values.*{header[1]}.*0, 1, 2") as asked:
        read_table(content, name="mine.csv", group=True)
    assert (asked.value.queries[0], asked.value.relevances[0]) == (header[0], header[1])
    assert list(asked.value.columns) == header
    assert read_classes(content, "mine.csv") is None


@pytest.mark.parametrize("columns", [("requête", "pertinence"), ("1", "2")])
def test_the_answer_makes_queries_of_the_one_and_grades_of_the_other(columns: tuple[str, str]) -> None:
    options = TableOptions(query_column=columns[0], relevance_column=columns[1])
    reading = read_table(FRENCH, name="mine.csv", options=options)
    assert reading.data.feature_names == ("bm25", "prix")
    assert reading.data.n_queries == QUERIES
    np.testing.assert_array_equal(reading.data.relevance, LEVELS)
    np.testing.assert_array_equal(reading.data.features, VALUES)
    assert "requête" in reading.notes[0]
    assert "pertinence" in reading.notes[0]


def test_one_answer_is_enough_where_the_header_names_the_other() -> None:
    content = query_table("qid,pertinence,a,b", "{}")
    with pytest.raises(UndecidedRolesError, match=r"qid.*pertinence"):
        read_table(content, name="mine.csv")
    data = read_table(content, name="mine.csv", options=TableOptions(relevance_column="pertinence")).data
    assert (data.n_queries, data.feature_names) == (QUERIES, ("a", "b"))


def test_that_every_row_has_a_class_is_an_answer_too() -> None:
    options = TableOptions(class_column="requête", positive="chaussures n° 3")
    data = read_table(FRENCH, name="mine.csv", options=options).data
    assert (data.n_queries, data.relevance.sum()) == (1, LISTED)
    assert read_classes(FRENCH, "mine.csv", options) is not None


def test_a_named_relevance_does_not_make_a_class_file_of_a_file_with_queries() -> None:
    with pytest.raises(UndecidedRolesError, match="Anfrage") as asked:
        read_table(query_table("Anfrage,a,label,b", "10{}").replace(b"a,label", b"label,a"), name="mine.csv")
    assert asked.value.relevances[0] == "label"
    assert asked.value.class_column is not None


MEASURED_ROWS = "\n".join(f"{i % 7},{a},{b},{'bg'[i % 2]}" for i, (a, b) in enumerate(VALUES))


@pytest.mark.parametrize(
    "content",
    [
        f"age,x,y,class\n{MEASURED_ROWS}\n",
        f"legs,x,y,species\n{MEASURED_ROWS}\n",
        MEASURED_ROWS,
        "a,b,kind\n" + "\n".join(f"{a},{i % 3},{'cde'[i * 3 // 60]}" for i, (a, _) in enumerate(VALUES)),
        "a,b,kind\n" + "\n".join(f"{a},{i % 3},{i * 9 // 60}" for i, (a, _) in enumerate(VALUES)),
    ],
    ids=["named class", "words last", "no header", "sorted words last", "sorted numbers last"],
)
def test_a_plain_class_file_is_read_without_a_question(content: str) -> None:
    assert read_classes(content.encode(), "mine.csv") is not None


def test_a_wrong_answer_is_refused_by_name() -> None:
    with pytest.raises(DataError, match="no column 'question'"):
        read_table(FRENCH, name="mine.csv", options=TableOptions(query_column="question"))
    with pytest.raises(DataError, match=r"'prix'.*both"):
        read_table(FRENCH, name="mine.csv", options=TableOptions(query_column="prix", relevance_column="prix"))
    with pytest.raises(DataError, match=r"query.*relevance.*class.*only one"):
        TableOptions(query_column="requête", class_column="prix")
    with pytest.raises(DataError, match="line 2, column bm25"):
        read_table(FRENCH, name="mine.csv", options=TableOptions(query_column="requête", relevance_column="bm25"))
    options = TableOptions(query_column="requête", relevance_column="pertinence", drop_columns=("requête",))
    with pytest.raises(DataError, match=r"'requête'.*query.*left out"):
        read_table(FRENCH, name="mine.csv", options=options)


def test_files_on_the_disk_and_questions_about_them_agree(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_bytes(FRENCH)
    with pytest.raises(UndecidedRolesError) as asked:
        open_file(path)
    assert {name: shown_values(p) for name, p in read_columns(path, path.name).items()} == asked.value.columns
    assert asked.value.columns["pertinence"] == "0, 1, 2"
    opened = open_file(path, options=TableOptions(query_column="requête", relevance_column="pertinence"))
    assert opened.fold(1).train.n_queries == QUERIES


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
