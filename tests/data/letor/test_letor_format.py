"""A LETOR file is read as it is meant, to the bit.

A regular file read without the compiled parser: the same arrays, and nothing that is not regular.
Whatever is wrong with a LETOR file is said with its place, and nothing is read in part.
A text parsed in chunks, by several threads, gives the data and the errors of one that is parsed as a whole.
"""

import gzip
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.data import DataError, UngroupedQueriesError
from core.data.files.packed import Limits
from core.data.letor import letor_format, letor_lines
from core.data.letor.letor_format import document_comment, named_document, read_letor, read_letor_and_texts
from core.data.letor.letor_lines import parse, plain_lines
from tests.ranking_files import there
from tests.says import assert_says


def test_labels_queries_features_and_document_ids_stand_where_the_file_has_them() -> None:
    data = read_letor(
        b"2 qid:10 1:0.5 2:-1.25 #docid = GX1 inc = 1 prob = 0.5\n"
        b"0 qid:10 1:3 2:4e-2 #docid = GX2\n"
        b"1 qid:7 1:1 2:.5 #docid = GX3\n"
    )
    assert data.features.tolist() == [[0.5, -1.25], [3, 0.04], [1, 0.5]]
    assert data.relevance.tolist() == [2, 0, 1]
    assert data.query_offsets.tolist() == [0, 2, 3]
    assert data.query_ids == ("10", "7")
    assert data.document_ids == ("GX1", "GX2", "GX3")


@pytest.mark.parametrize(
    ("text", "attribute", "expected"),
    [
        ("1 qid:1 2:5 4:7\n0 qid:1\n0 qid:1 1:3\n", "features", [[0, 5, 0, 7], [0, 0, 0, 0], [3, 0, 0, 0]]),
        ("1 qid:7 1:1\n0 qid:07 1:2\n", "query_ids", ["7", "07"]),  # two queries
        ("1 qid:1 1:1 #  a page \n0 qid:1 1:2\n0 qid:1 1:0#third\n", "document_ids", ["a page", "", "third"]),
        *((f"{label} qid:1 1:1\n", "relevance", [2]) for label in ("2", "2.0", "+2", "20e-1")),
        *(
            (f"1 qid:{query} 1:1\n", "query_ids", [query])
            for query in ("18446744073709551617", "-3", "007", "a:b", "query-é", "0")
        ),
    ],
)
def test_what_a_line_may_leave_out_or_write_otherwise(text: str, attribute: str, expected: list[object]) -> None:
    found = getattr(read_letor(text.encode()), attribute)
    assert np.asarray(found).tolist() == expected


def test_without_comments_there_are_no_document_ids() -> None:
    assert read_letor(b"# made by hand\n1 qid:1 1:1\n").document_ids is None


def test_line_ends_blanks_and_comment_lines_do_not_matter() -> None:
    plain = read_letor(b"1 qid:1 1:1 2:2 #a\n0 qid:1 1:3 2:4 #b\n")
    odd = read_letor(b"\xef\xbb\xbf# head\r\n\r\n  1\tqid:1  1:1\t2:2   #a\r\n   \n#\n0 qid:1 1:3 2:4 #b")
    assert odd.fingerprint == plain.fingerprint


@pytest.mark.parametrize("length", range(40))
def test_the_widest_line_is_found_wherever_line_breaks_and_comments_stand(length: int) -> None:
    text = f"1 qid:1 2:1#{'-' * length}9:9\n0 qid:1 3:5\n\n#{'-' * length}\n2 qid:1 {'0' * length}4:1 # 5:1"
    assert read_letor(text.encode()).features.tolist() == [[0, 1, 0, 0], [0, 0, 5, 0], [0, 0, 0, 1]]


def test_documents_apart_are_grouped_by_first_appearance_when_asked() -> None:
    data = read_letor(b"1 qid:b 1:1 #1\n0 qid:a 1:2 #2\n2 qid:b 1:3 #3\n3 qid:a 1:4 #4\n", group=True)
    assert data.query_ids == ("b", "a")
    assert data.document_ids == ("1", "3", "2", "4")
    assert data.relevance.tolist() == [1, 2, 0, 3]
    assert data.features.ravel().tolist() == [1, 3, 2, 4]


def test_single_precision_is_kept_when_asked_for() -> None:
    data = read_letor(b"1 qid:1 1:0.1 2:0.12345678901234567890\n", dtype=np.float32)
    assert data.features.dtype == np.float32
    assert data.features.tolist() == np.float32([[0.1, 0.12345678901234567890]]).tolist()


decimals = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.from_regex(r"[+-]?([0-9]{1,25}\.?[0-9]{0,25}|\.[0-9]{1,25})([eE][+-]?[0-9]{1,2})?", fullmatch=True),
)


AFTER = ["", f"# {'-' * 80}\n"]
"""What follows a line: the last bytes of a text are parsed one by one, those before them eight at a time."""


HARD = ["9007199254740993", "9007199254740992e22", "1e23", "1e-23", "0e999", "-0", "5e-324", f"0.{'0' * 30}1"]


@settings(max_examples=100, deadline=None)
@given(st.lists(decimals, min_size=1, max_size=10), st.sampled_from(AFTER))
@example(HARD, AFTER[0])
@example(HARD[::-1], AFTER[0])
@example(HARD, AFTER[1])
def test_every_decimal_becomes_the_double_nearest_to_it(texts: list[str], after: str) -> None:
    line = " ".join(f"{j}:{text}" for j, text in enumerate(texts, 1))
    values = read_letor(f"0 qid:1 {line}\n{after}".encode()).features[0]
    assert values.tobytes() == np.array([float(text) for text in texts]).tobytes()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_numbers_of_every_length_stand_at_their_index(dtype: type[np.floating]) -> None:
    generator = random.Random(1)
    digits = ["".join(generator.choices("0123456789", k=k)) for k in range(20)]
    texts = [f"{sign}{a}{'.' if b else ''}{b}" for sign in ("", "-") for a in digits for b in digits if a or b]
    indices = sorted(generator.sample(range(1, 5000), len(texts)))
    line = " ".join(f"{j}:{text}" for j, text in zip(indices, texts, strict=True))
    data = read_letor(f"1 qid:1 {line}\n0 qid:1 4:1#{line}\n{AFTER[1]}".encode(), dtype=dtype)
    expected = np.zeros((2, indices[-1]), dtype=dtype)
    expected[0, np.array(indices) - 1] = [float(text) for text in texts]
    expected[1, 3] = 1
    assert data.features.tobytes() == expected.tobytes()


def test_more_long_decimals_than_the_buffer_holds_all_arrive() -> None:
    generator = random.Random(0)
    values = [[generator.random() for _ in range(500)] for _ in range(300)]
    lines = [" ".join(["0 qid:1", *(f"{j}:{v!r}" for j, v in enumerate(row, 1))]) for row in values]
    assert read_letor("\n".join(lines).encode()).features.tolist() == values


# As the demo of Elasticsearch LTR writes its training set.
RAMBO = "4 qid:1 1:12.3 2:10.5 # 7555\trambo\n3 qid:1 1:8.1 2:9.5 # 1370\trambo\n0 qid:40 1:1 2:0 # 7555\tstar trek\n"


def test_a_search_engines_comments_name_document_and_query_text() -> None:
    data, texts = read_letor_and_texts(RAMBO.encode())
    assert data.document_ids == ("7555", "1370", "7555")
    assert texts == {"1": "rambo", "40": "star trek"}


@pytest.mark.parametrize(
    "changed",
    [
        RAMBO.replace("1370\trambo", "1370\trocky"),  # a query with two texts
        RAMBO.replace("1370", "7555"),  # a document twice
        RAMBO.replace("1370\trambo", "1370"),  # no text
    ],
)
def test_comments_of_another_kind_are_the_document_id_whole(changed: str) -> None:
    data, texts = read_letor_and_texts(changed.encode())
    assert texts == {}
    assert data.document_ids is not None
    assert data.document_ids[0] == "7555\trambo"


def test_lines_above_the_first_document_name_features_and_queries() -> None:
    header = "#1: title\n# 2: body text\n#3: never listed\n\n# qid:1: first blood\n# qid:9: not here\n"
    data, texts = read_letor_and_texts((header + RAMBO).encode())
    assert data.feature_names == ("title", "body text", "never listed")
    assert data.features.tolist()[0] == [12.3, 10.5, 0.0]
    assert texts == {"1": "first blood", "40": "star trek"}


@pytest.mark.parametrize("header", ["#1: title\n", "#1: title\n#3: body\n", "#1: title\n#2: title\n"])
def test_names_that_are_not_those_of_all_features_are_left(header: str) -> None:
    assert read_letor((header + RAMBO).encode()).feature_names == ("feature 1", "feature 2")


@pytest.mark.parametrize("document", ["GX1", "two words", '"', '"quoted"', 'a "b" c', "ü # x", "http://a/b?c=d"])
def test_a_written_document_is_read_again(document: str) -> None:
    assert named_document(document_comment(document)) == document


def test_mq2008_is_read_as_a_parser_of_a_few_lines_reads_it(shared_data: Path) -> None:
    path = there(shared_data / "letor" / "MQ2008" / "Fold1" / "vali.txt")
    labels, queries, rows, documents = [], [], [], []
    for line in path.read_text().splitlines():
        values, _, comment = line.partition("#")
        label, query, *features = values.split()
        labels.append(int(label))
        queries.append(query.removeprefix("qid:"))
        rows.append([float(feature.split(":")[1]) for feature in features])
        documents.append(comment.split()[2])
    data = read_letor(path)
    assert (data.n_documents, data.n_queries, data.n_features) == (2707, 157, 46)
    assert data.relevance.tolist() == labels
    assert [data.query_ids[q] for q in data.query_of_document] == queries
    assert np.array_equal(data.features, np.array(rows))
    assert data.document_ids == tuple(documents)


SAMPLES = Path(__file__).resolve().parents[3] / "sample_data"
LINES = b"2 qid:a 1:0.5 2:1.25 #docid = x\n0 qid:a 1:0.1 2:17.0 #\n1 qid:b 1:0.0 2:0.333333333 # rest of it\n"


@pytest.mark.parametrize("name", ["python-docs", "planted"])
@pytest.mark.parametrize("precision", [np.float64, np.float32])
def test_samples_are_what_the_parser_makes_of_them(name: str, precision: type[np.floating]) -> None:
    content = gzip.decompress((SAMPLES / name / "partitions" / "S1.txt.gz").read_bytes())
    plain, parsed = plain_lines(content, precision), parse(content, name, Limits.of(content), precision)
    assert plain is not None
    for part, array in vars(parsed).items():
        found = getattr(plain, part)
        assert (found.dtype, found.tobytes()) == (array.dtype, array.tobytes()), part


@pytest.mark.parametrize(
    "content",
    [
        LINES.replace(b" 2:17.0", b""),
        LINES.replace(b"2:17.0", b"3:17.0"),
        LINES.replace(b"2:17.0", b"2:1e1"),
        LINES.replace(b"2:17.0", b"2:-1.0"),
        LINES.replace(b"2 qid", b"2000 qid"),
        LINES.replace(b"2 qid", b"+2 qid"),
        LINES.replace(b"#\n", b"\n"),
        LINES.removesuffix(b"\n"),
        b"# all of it\n" + LINES,
        b"",
    ],
)
def test_whatever_is_not_regular_is_left_to_the_parser(content: bytes) -> None:
    assert plain_lines(LINES, np.float64) is not None
    assert plain_lines(content, np.float64) is None


def test_a_file_is_read_plainly_before_the_parser_is_compiled_and_only_then(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = letor_format.read_letor(LINES)
    monkeypatch.setattr(letor_format, "parse", lambda *_: pytest.fail("it would be compiled"))
    with pytest.raises(pytest.fail.Exception):
        letor_format.read_letor(LINES)
    monkeypatch.setattr(letor_format, "is_cached", lambda _: False)
    assert letor_format.read_letor(LINES).fingerprint == expected.fingerprint


GOOD = "# a comment\n1 qid:1 1:0.5 2:0.5\n"

BAD_LINES = {
    "label missing": ("qid:10 1:0.5", 1, ("label", "missing", "'qid:10'")),
    "label and query missing": ("1:0.5 2:1", 1, ("label", "missing", "'1:0.5'")),
    "label a word": ("good qid:10 1:0.5", 1, ("label", "'good'", "number", "whole")),
    "label negative": ("-1 qid:10 1:0.5", 1, ("label", "-1", "negative", "0")),
    "label a fraction": ("1.5 qid:10 1:0.5", 1, ("label", "1.5", "whole number", "round")),
    "label NaN": ("nan qid:10 1:0.5", 1, ("label", "nan", "whole number")),
    "label huge": ("5000 qid:10 1:0.5", 1, ("label", "5000", "too large")),
    "label of a CSV": ("relevance,qid,bm25", 1, ("CSV", ".csv")),
    "query missing": ("1 1:0.5 2:1", 3, ("query", "missing", "'qid:'")),
    "query missing in a short line": ("1", 2, ("line ends",)),
    "query without id": ("1 qid: 1:0.5", 3, ("query id", "missing", "'qid:'")),
    "query cut off": ("1 qid", 3, ("query id", "missing", "'qid:'")),
    "query twice": ("1 qid:2 qid:3 1:4", 9, ("second query", "'qid:3'")),
    "index 0": ("1 qid:10 0:0.5", 10, ("feature index", "0", "1")),
    "index negative": ("1 qid:10 1:2 -3:0.5", 14, ("feature index", "-3", "negative")),
    "index a word": ("1 qid:10 bm25:0.5", 10, ("feature index", "'bm25'", "whole number")),
    "index repeated": ("1 qid:10 1:2 1:0.5", 14, ("feature 1", "twice")),
    "index descending": ("1 qid:10 1:2 9:0.5 2:1", 20, ("feature 2", "after", "feature 9", "ascend")),
    "index absurd": ("1 qid:10 1:2 1000001:0.5", 14, ("1000001", "large", "1,000,000 features")),
    "index beyond 64 bits": ("1 qid:10 99999999999999999999:1", 10, ("99999999999999999999", "large")),
    "no colon": ("1 qid:10 1:2 0.5", 14, ("'0.5'", "no ':'", "index:value")),
    "no colon after what could be an index": ("1 qid:10 1:2 5.5", 14, ("'5.5'", "no ':'", "index:value")),
    "value missing": ("1 qid:10 1:0.5 2:", 18, ("feature 2", "missing")),
    "value missing amid the line": ("1 qid:10 1: 2:3", 12, ("feature 1", "missing")),
    "value NaN": ("1 qid:10 1:NaN", 12, ("feature 1", "NaN", "finite number")),
    "value infinite": ("1 qid:10 1:2\t2:-inf", 16, ("feature 2", "-inf", "infinite")),
    "value overflows": ("1 qid:10 1:1e999", 12, ("feature 1", "1e999", "infinite")),
    "value a word": ("1 qid:10 1:high", 12, ("feature 1", "'high'", "number")),
    "value with a decimal comma": ("1 qid:10 1:0,5", 12, ("'0,5'", "decimal comma", "0.5")),
    "value with underscore": ("1 qid:10 1:1_0", 12, ("'1_0'", "number", "digits", "0", "9")),
    "two colons": ("1 qid:10 1:2:3", 12, ("feature 1", "'2:3'", "number")),
    "exponent without digits": ("1 qid:10 1:2e", 12, ("feature 1", "'2e'", "number")),
    "after letters beyond ASCII": ("1 qid:é 1:x", 11, ("feature 1", "'x'", "number")),
}


@pytest.mark.parametrize("after", ["1 qid:11 1:1\n", f"# {'-' * 80}\n"])
@pytest.mark.parametrize(("line", "column", "facts"), BAD_LINES.values(), ids=BAD_LINES.keys())
def test_a_bad_line_is_named_with_line_column_and_reason(
    line: str, column: int, facts: tuple[str, ...], after: str
) -> None:
    with pytest.raises(DataError) as caught:
        read_letor(f"{GOOD}{line}\n{after}".encode(), name="train.txt")
    assert (caught.value.file, caught.value.line, caught.value.column) == ("train.txt", 3, column)
    assert_says(caught.value.reason, *facts)


@pytest.mark.parametrize("end", ["1 qid", "2 qid:10 1:0.5 2:", "2 qid:10 1:0.5 2"])
def test_a_file_that_stops_within_a_line_is_called_cut_off(end: str) -> None:
    with pytest.raises(DataError, match=r"\bline 3, column \d+\b.*cut off"):
        read_letor((GOOD + end).encode(), name="train.txt")


def test_a_file_that_stops_within_a_number_is_found_out_where_all_other_lines_are_full() -> None:
    whole = "".join(f"{k % 3} qid:1 1:0.25 2:0.75 3:0.5\n" for k in range(20))
    with pytest.raises(DataError, match=r"^x, line 20\b.*\bfile ends\b.*\b2 of 3 features"):
        read_letor(whole.rstrip("\n")[:-7].encode(), name="x")
    assert read_letor((whole + "0 qid:1 1:0.5\n").encode()).n_documents == 21


def test_a_small_file_may_end_with_a_shorter_line() -> None:
    assert read_letor(b"1 qid:1 1:1 2:2\n0 qid:1 1:0.5").features.tolist() == [[1, 2], [0.5, 0]]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"1 qid:1 1:1e999 2:1\n1 qid:1 1:bad\n", r"^the file, line 1, column 11: "),  # the first of several
        (b"", r"^the file: .*\bempty\b"),
        (b"\n  \r\n\n", r"^the file: .*\bempty\b"),
        (b"# 1 qid:1 1:1\n#\n", "only comments"),
        (b"1 qid:1\n0 qid:1 # nothing\n", r"no document\b.*\bfeature"),
    ],
)
def test_a_file_that_is_no_data_is_refused(content: bytes, said: str) -> None:
    with pytest.raises(DataError, match=said):
        read_letor(content)


def test_a_query_that_comes_again_offers_to_group() -> None:
    with pytest.raises(UngroupedQueriesError) as caught:
        read_letor(b"1 qid:1 1:1\n0 qid:1 1:1\n\n1 qid:2 1:1\n# x\n0 qid:1 1:1\n", name="a.txt")
    assert_says(str(caught.value), "a.txt, line 6", "query 1", "not consecutive", "line 2", "brought together")


def test_one_stray_index_that_would_fill_the_memory_is_named() -> None:
    lines = b"0 qid:1 1:1\n" * 200_000 + b"0 qid:1 1:1 999999:1\n"
    with pytest.raises(DataError, match=r"\bfeature index 999999\b") as caught:
        read_letor(lines)
    assert (caught.value.line, caught.value.column) == (200_001, 13)


LINE = b"%d qid:%d 1:%d.25 2:-.5 7:0.12345678901234567 #docid = D%d\n"
TEXT = b"# head\n" + b"".join(LINE % (row % 3, row // 4, row, row) for row in range(60)) + b"\n# foot"
WRONG = {
    "label": b"x qid:90 1:1\n",
    "query": b"1 1:1\n",
    "index": b"1 qid:90 0:1\n",
    "order": b"1 qid:90 2:1 1:1\n",
    "value": b"1 qid:90 1:one\n",
    "infinite": b"1 qid:90 1:1e999\n",
    "cut off": b"1 qid:90 1:1 2:",
}


@pytest.fixture(params=[1, 40, 500])
def small_chunks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(letor_lines, "_CHUNK", request.param)
    monkeypatch.setenv("SPARSE_RANK_THREADS", "3")


@pytest.mark.usefixtures("small_chunks")
def test_chunks_give_the_data_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    in_chunks = read_letor(TEXT).fingerprint
    monkeypatch.setattr(letor_lines, "_CHUNK", 1 << 22)
    assert read_letor(TEXT).fingerprint == in_chunks


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize("kind", WRONG)
def test_the_first_error_is_told_with_line_and_column(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = TEXT[: -len(b"\n# foot")] + WRONG[kind]
    text += b"" if kind == "cut off" else b"1 qid:91 1:two\n" + TEXT[7:]
    with pytest.raises(DataError) as in_chunks:
        read_letor(text)
    monkeypatch.setattr(letor_lines, "_CHUNK", 1 << 22)
    with pytest.raises(DataError) as at_once:
        read_letor(text)
    assert str(in_chunks.value) == str(at_once.value)
    assert in_chunks.value.line == 62
