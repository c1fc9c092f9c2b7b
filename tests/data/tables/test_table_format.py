"""CSV tables: ranking data by column names, or two classes in the last column."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data import DataError, UndecidedClassError, UngroupedQueriesError
from core.data.tables.table_format import read_table
from core.data.tables.table_options import TableOptions
from tests.says import assert_says

RANKING = b"relevance,qid,docid,bm25,page rank\n2,q1,a,1.5,0.25\n0,q1,b,0.5,1e-3\n1,q2,c,0,-1\n"
CLASSES = b"1,2,g\n3,4,b\n5,6,g\n"


def test_columns_are_told_by_their_names() -> None:
    data = read_table(RANKING).data
    assert data.features.tolist() == [[1.5, 0.25], [0.5, 0.001], [0, -1]]
    assert data.feature_names == ("bm25", "page rank")
    assert data.relevance.tolist() == [2, 0, 1]
    assert data.query_ids == ("q1", "q2")
    assert data.document_ids == ("a", "b", "c")


@pytest.mark.parametrize("relevance", ["relevance", "Label", "REL", "grade", "y"])
@pytest.mark.parametrize("query", ["qid", "Query", "query_id", "Query ID", "queryid"])
def test_the_usual_spellings_of_the_columns_are_known_in_any_place(relevance: str, query: str) -> None:
    data = read_table(f"tf,{query},{relevance}\n5,7,1\n".encode()).data
    assert (data.feature_names, data.query_ids, data.relevance.tolist()) == (("tf",), ("7",), [1])


def test_beside_a_semicolon_a_comma_is_a_decimal_comma() -> None:
    text = "0,5;0,6;x 1,5;{}\n-,7;+0,8e1;y;b\n"
    options = TableOptions(class_column="4", drop_columns=("3",))
    reading = read_table(text.format("g").encode(), options=options)
    assert reading.data.features.tolist() == [[0.5, 0.6], [-0.7, 8.0]]
    (note,) = [note for note in reading.notes if "decimal comma" in note]
    assert_says(note, "0,5", "0.5")
    ranked = read_table(b"rel;qid;tf\n1;a;0,5\n0;a;3\n")
    assert (ranked.data.features.tolist(), len(ranked.notes)) == ([[0.5], [3.0]], 1)
    assert not read_table(b"rel;qid;tf\n1;a;0.5\n0;a;3\n").notes
    named = read_table(b"rel;qid;item;tf\n1;a;0,5;1,5\n0;a;0,25;3\n").data
    assert (named.feature_names, named.document_ids) == (("item", "tf"), None), "numbers are no names of documents"


_DIGITS = st.text("0123456789", min_size=1, max_size=25)
_NUMBERS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.builds("{}{}{}".format, st.sampled_from(["", "-", "+"]), _DIGITS, st.sampled_from(["", ".", "e5", "E-300"])),
    st.builds("{}.{}".format, _DIGITS | st.just(""), _DIGITS),
)
_WORDS = st.text(st.characters(exclude_characters="\0\r", exclude_categories=("C",)), max_size=8)


@given(
    rows=st.lists(st.tuples(_WORDS, _NUMBERS, _NUMBERS), min_size=1, max_size=8),
    written=st.sampled_from([(",", "."), (";", "."), ("\t", "."), (";", ","), ("\t", ",")]),
    end=st.sampled_from(["\n", "\r\n"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    mark=st.booleans(),
)
def test_numbers_are_the_doubles_nearest_to_their_decimals_however_a_table_is_written(
    rows: list[tuple[str, str, str]], written: tuple[str, str], end: str, quoting: int, mark: bool
) -> None:
    delimiter, point = written
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, lineterminator=end, quoting=quoting)  # type: ignore[arg-type]
    writer.writerow(["rel", "qid", "docid", "tf", "idf"])
    writer.writerow([1, "q", "first", f"0{point}25", f"0{point}75"])  # which tells the decimal comma
    for word, *numbers in rows:
        writer.writerow([0, "q", f"d {word}", *(number.replace(".", point) for number in numbers)])
    content = ("\ufeff" * mark + text.getvalue()).encode()
    data = read_table(content).data
    expected = np.array([[0.25, 0.75], *([float(number) for number in numbers] for _, *numbers in rows)])
    assert data.features.view(np.int64).tolist() == expected.view(np.int64).tolist()
    assert data.document_ids == ("first", *(f"d {word}".strip() for word, *_ in rows))


def test_a_decimal_point_far_below_decimal_commas_is_not_taken_for_either() -> None:
    many = b"rel;qid;tf\n" + b"0;a;0,5\n" * 2000
    with pytest.raises(DataError, match=r"line 2002, column tf: .*'1\.000'.*decimal point\b.*\bcomma"):
        read_table(many + b"1;a;1.000\n")


def test_quotes_byte_order_mark_line_ends_and_blank_lines_do_not_matter() -> None:
    head = b'\xef\xbb\xbfrelevance, qid,docid,bm25,"page rank"\r\n'
    odd = head + b'2,"q1", a , 1.5 ,0.25\r\n\r\n  \r\n0,q1,b,0.5,1e-3\r\n1,q2,c,0,-1'
    assert read_table(odd).data.fingerprint == read_table(RANKING).data.fingerprint


@pytest.mark.parametrize(
    ("name", "cell", "named"), [*((name, "d", True) for name in ("docid", "doc", "URL", "id")), ("id", "7", False)]
)
def test_words_by_a_usual_name_name_the_documents_and_an_id_of_numbers_is_a_feature(name, cell, named) -> None:
    data = read_table(f"rel,qid,{name},f\n1,q,{cell}0,3\n0,q,{cell}1,4\n".encode()).data
    assert data.document_ids == ((f"{cell}0", f"{cell}1") if named else None)
    assert data.features.tolist() == ([[3], [4]] if named else [[70, 3], [71, 4]])


def test_where_no_column_names_documents_words_may_be_their_names() -> None:
    with pytest.raises(DataError, match=r"column page: .*'d0'.*\bnumber\b.*\bdocid\b"):
        read_table(b"rel,qid,page,f\n1,q,d0,3\n")
    with pytest.raises(DataError, match=r"column page: .*'d0'.*\bnumber\b.*\bwords as numbers\b") as caught:
        read_table(b"rel,qid,docid,page,f\n1,q,a,d0,3\n")
    assert "docid" not in str(caught.value)


def test_rows_apart_are_grouped_when_asked() -> None:
    table = b"rel,qid,f\n1,a,1\n0,b,2\n2,a,3\n"
    with pytest.raises(UngroupedQueriesError) as caught:
        read_table(table)
    assert caught.value.line == 4
    assert read_table(table, group=True).data.features.ravel().tolist() == [1, 3, 2]


@pytest.mark.parametrize(
    ("table", "line", "column", "facts"),
    [
        ("rel,qid,tf,idf\n1,a,1,2\n0,a,,2\n", 3, "tf", ("value", "missing")),
        ("rel,qid,tf,idf\n1,a,1,2\n0,a,1,x\n", 3, "idf", ("'x'", "number")),
        ("rel,qid,tf,idf\n1,a,1,nan\n", 2, "idf", ("value", "nan")),
        ("rel,qid,tf,idf\n1,a,1,2\n\n0,a,1,NA\n", 4, "idf", ("value", "NA")),
        ("rel,qid,tf,idf\n1,a,1,2\n1,a,inf,2\n", 3, "tf", ("inf", "infinite")),
        ('rel,qid,tf\n1,a,"0,5"\n', 2, "tf", ("decimal comma", "0.5")),
        ("rel;qid;tf\n1;a;1,500\n", 2, "tf", ("comma", "thousands", "fraction", "1500", "1.500")),
        ('rel,qid,tf\n1,a,"1,234.5"\n', 2, "tf", ("'1,234.5'", "not a number", "decimal point only")),
        ("rel;qid;tf\n1;a;0,5\n0;a;1.234,5\n", 3, "tf", ("'1.234,5'", "not a number", "decimal point only")),
        ("rel;qid;tf\n1;a;0,5\n0;a;1.5\n" + "0;a;2\n", 2, "tf", ("decimal comma", "0.5")),
        ("rel,qid,tf\n1,a,1\n1,a,1,9\n", 3, None, ("4 fields", "3")),
        ("rel,qid,tf\n1,a,1\n1,a\n", 3, None, ("2 fields", "3")),
        ("rel,qid,tf\n1,a,1\n0,,1\n", 3, "qid", ("value", "missing")),
        ("rel,qid,tf\n1,a,1\n,a,1\n", 3, "rel", ("value", "missing")),
        ("rel,qid,tf\n1,a,1\ngood,a,1\n", 3, "rel", ("bad = 0", "good = 1")),
        ("rel,qid,tf\n1,a,1\n-1,a,1\n", 3, "rel", ("label", "-1", "negative")),
        ("rel,qid,tf\n1,a,1\n0.5,a,1\n", 3, "rel", ("label", "0.5", "whole number")),
        ("rel,qid,tf,tf\n1,a,1,2\n", 1, "tf", ("two columns", "'tf'")),
        ("rel,qid,tf,\n1,a,1,2\n", 1, None, ("column 4", "no name", "leave it out")),
        ("qid,tf,idf\n1,1,1\n", 1, None, ("no relevance column", "'relevance'")),
        ("rel,qid\n1,1\n", None, None, ("no feature column",)),
        ("rel,qid,tf\n", None, None, ("header", "no row")),
        ('rel,qid,tf\n1,a,"2\n', 2, None, ("quotes",)),
        ("just words\nand more\n", None, None, ("one column", ", ; or tab")),
        (" \n\n", None, None, ("empty",)),
    ],
)
def test_a_bad_table_is_named_with_line_column_and_reason(table, line, column, facts) -> None:
    with pytest.raises(DataError) as caught:
        read_table(table.encode(), name="mine.csv")
    assert (caught.value.file, caught.value.line, caught.value.column) == ("mine.csv", line, column)
    assert_says(caught.value.reason, *facts)


def test_a_class_table_is_one_query_with_the_rarer_class_on_top() -> None:
    data = read_table(CLASSES).data
    assert data.features.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert data.relevance.tolist() == [0, 1, 0]
    assert data.query_ids == ("b-against-g",)
    assert data.feature_names == ("feature 1", "feature 2")


@pytest.mark.parametrize(
    ("classes", "positive", "relevance"),
    [
        ("0 1 1 1", None, [0, 1, 1, 1]),
        ("-1 +1 +1 -1", None, [0, 1, 1, 0]),
        ("1 2 2 1", None, [1, 0, 0, 1]),
        ("b a a b", None, [0, 1, 1, 0]),
        ("b a a a", "a", [0, 1, 1, 1]),
        ("x y z z", "z", [0, 0, 1, 1]),
    ],
)
def test_the_positive_class_is_1_or_the_rarer_or_the_one_that_is_said(classes, positive, relevance) -> None:
    table = "".join(f"0.5,{label}\n" for label in classes.split())
    assert read_table(table.encode(), options=TableOptions(positive)).data.relevance.tolist() == relevance


@pytest.mark.parametrize(
    ("table", "names"),
    [
        (b"length,width,kind\n1,2,a\n3,4,b\n", ("length", "width")),
        (b"0,1,class\n1,2,a\n3,4,b\n", ("0", "1")),
        (b"1,2,a\n3,4,b\n", ("feature 1", "feature 2")),
    ],
)
def test_a_header_is_recognised_by_its_words(table: bytes, names: tuple[str, ...]) -> None:
    data = read_table(table).data
    assert (data.feature_names, data.n_documents) == (names, 2)


@pytest.mark.parametrize(
    ("table", "positive", "facts"),
    [(b"1,a\n2,b\n", "c", ("no class 'c'", "'a', 'b'")), (b"1,a\n2,a\n", None, ("one class", "'a'", "two"))],
)
def test_classes_that_cannot_be_ranked_are_listed(table: bytes, positive: str | None, facts: tuple[str, ...]) -> None:
    with pytest.raises(DataError) as caught:
        read_table(table, options=TableOptions(positive))
    assert_says(caught.value.reason, *facts)


def test_the_classes_to_choose_from_come_with_the_question() -> None:
    with pytest.raises(UndecidedClassError, match=r"3 classes, 'a', 'b', 'c d'; .*positive") as caught:
        read_table(b"1,b\n2,a\n3,c d\n4,a\n")
    assert caught.value.classes == ("a", "b", "c d")
    assert read_table(b"1,b\n2,a\n3,c d\n4,a\n", options=TableOptions("c d")).data.relevance.tolist() == [0, 0, 1, 0]


def test_a_column_of_numbers_is_not_taken_for_classes() -> None:
    table = "".join(f"1,{k}.5\n" for k in range(60)).encode()
    with pytest.raises(DataError, match=r"\b60 different values\b.*\bclass in the last"):
        read_table(table)
    assert read_table(table, options=TableOptions("7.5")).data.relevance.sum() == 1


def test_documents_of_a_class_table_are_known_by_their_lines() -> None:
    assert read_table(b"u,v,kind\n\n1,2,a\n3,4,b\n").data.document_ids == ("line 3", "line 4")


@pytest.mark.parametrize("name", ["relevance", "class"])
def test_a_wide_table_takes_time_in_proportion_to_its_width(name: str) -> None:
    """A quadratic search over 60,000 names would take a minute, and the limit of time of the suite."""
    wide = ",".join(f"f{j}" for j in range(60_000))
    rows = [f"{','.join(['0.5'] * 60_000)},{k % 2}" for k in range(3)]
    head, first = (f"{wide},relevance,qid", ",1") if name == "relevance" else (f"{wide},class", "")
    content = "\n".join([head, *(f"{row}{first}" for row in rows)]).encode()
    assert read_table(content).data.features.shape == (3, 60_000)


def test_a_refusal_is_one_line_whatever_columns_are_called() -> None:
    with pytest.raises(DataError) as refused:
        read_table(b'"c\x1bd","a\r\nb",y\nword,word,0\n', name="t.csv")
    assert_says(str(refused.value), r"c\x1bd", "a b")
    assert not set("\r\n\x1b") & set(str(refused.value))
