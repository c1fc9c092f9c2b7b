"""Whatever is wrong with a LETOR file is said with its place, and nothing is read in part.

A text parsed in chunks, by several threads, gives the data and the errors of one that is parsed as a whole.
"""

import pytest

from core.data import DataError, UngroupedQueriesError
from core.data.letor import letor_lines
from core.data.letor.letor_format import read_letor
from tests.says import assert_says

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


@pytest.fixture(scope="module")
def whole() -> str:
    return read_letor(TEXT).fingerprint


@pytest.mark.usefixtures("small_chunks")
def test_chunks_give_the_data_of_the_whole(whole: str) -> None:
    data = read_letor(TEXT)
    assert data.fingerprint == whole
    assert data.n_queries == 15
    assert data.n_features == 7


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
