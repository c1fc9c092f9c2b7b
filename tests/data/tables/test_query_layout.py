"""A table whose header does not tell the query and the relevance asks, whatever its language; it is never misread."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.data import DataError, UndecidedRolesError
from core.data.single_file import open_file, read_classes, read_columns
from core.data.tables.column_roles import shown_values
from core.data.tables.table_format import read_table
from core.data.tables.table_options import TableOptions

QUERIES, LISTED = 12, 5
RANDOM = np.random.default_rng(4)
LEVELS = [int(level) for _ in range(QUERIES) for level in RANDOM.permutation([0, 0, 0, 1, 2])]
VALUES = RANDOM.normal(size=(QUERIES * LISTED, 2)).round(3).tolist()


def table(header: str, query: str, *, shuffled: bool = False) -> bytes:
    """A table with a query, a relevance and two features; ``query`` is filled in with the query's number."""
    rows = [
        f"{query.format(row // LISTED)},{level},{VALUES[row][0]},{VALUES[row][1]}" for row, level in enumerate(LEVELS)
    ]
    if shuffled:
        rows = [rows[row] for row in np.random.default_rng(1).permutation(len(rows))]
    return "\n".join([header, *rows, ""]).encode()


FRENCH = table("requête,pertinence,bm25,prix", "chaussures n° {}")
GERMAN_IDS = table("Anfrage,Stufe,bm25,Preis", "10{}")
SHUFFLED_IDS = table("客户,等级,a,b", "7{}", shuffled=True)


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
    content = table("qid,pertinence,a,b", "{}")
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
        read_table(table("Anfrage,a,label,b", "10{}").replace(b"a,label", b"label,a"), name="mine.csv")
    assert asked.value.relevances[0] == "label"
    assert asked.value.class_column is not None


MEASURED = "\n".join(f"{i % 7},{a},{b},{'bg'[i % 2]}" for i, (a, b) in enumerate(VALUES))


@pytest.mark.parametrize(
    "content",
    [
        f"age,x,y,class\n{MEASURED}\n",
        f"legs,x,y,species\n{MEASURED}\n",
        MEASURED,
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
