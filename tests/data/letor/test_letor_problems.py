"""Whatever is wrong with a LETOR file is said with its place, and nothing is read in part."""

import pytest

from core.data.errors import DataError, UngroupedQueriesError
from core.data.letor.letor_format import read_letor

GOOD = "# a comment\n1 qid:1 1:0.5 2:0.5\n"

BAD_LINES = {
    "label missing": ("qid:10 1:0.5", 1, "the relevance label is missing: the line begins with 'qid:10'"),
    "label and query missing": ("1:0.5 2:1", 1, "the relevance label is missing: the line begins with '1:0.5'"),
    "label a word": ("good qid:10 1:0.5", 1, "the relevance label 'good' is not a number; write grades as whole"),
    "label negative": ("-1 qid:10 1:0.5", 1, "the relevance label -1 is negative; write 0"),
    "label a fraction": ("1.5 qid:10 1:0.5", 1, "the relevance label 1.5 is not a whole number; round it"),
    "label NaN": ("nan qid:10 1:0.5", 1, "the relevance label is nan; it must be a whole number"),
    "label huge": ("5000 qid:10 1:0.5", 1, "the relevance label 5000 is too large for a grade"),
    "label of a CSV": ("relevance,qid,bm25", 1, "if this is a CSV file, name it .csv"),
    "query missing": ("1 1:0.5 2:1", 3, "the query is missing: after the label 'qid:'"),
    "query missing in a short line": ("1", 2, "the line ends"),
    "query without id": ("1 qid: 1:0.5", 3, "the query id is missing after 'qid:'"),
    "query cut off": ("1 qid", 3, "the query id is missing after 'qid:'"),
    "query twice": ("1 qid:2 qid:3 1:4", 9, "a second query, 'qid:3'"),
    "index 0": ("1 qid:10 0:0.5", 10, "the feature index is 0; indices count from 1"),
    "index negative": ("1 qid:10 1:2 -3:0.5", 14, "the feature index -3 is negative"),
    "index a word": ("1 qid:10 bm25:0.5", 10, "the feature index 'bm25' is not a whole number"),
    "index repeated": ("1 qid:10 1:2 1:0.5", 14, "feature 1 is given twice"),
    "index descending": ("1 qid:10 1:2 9:0.5 2:1", 20, "feature 2 comes after feature 9; indices must ascend"),
    "index absurd": ("1 qid:10 1:2 1000001:0.5", 14, "1000001 is absurdly large; at most 1,000,000 features"),
    "index beyond 64 bits": ("1 qid:10 99999999999999999999:1", 10, "99999999999999999999 is absurdly large"),
    "no colon": ("1 qid:10 1:2 0.5", 14, "'0.5' has no ':'; a feature is written index:value"),
    "value missing": ("1 qid:10 1:0.5 2:", 18, "feature 2: the value is missing"),
    "value missing amid the line": ("1 qid:10 1: 2:3", 12, "feature 1: the value is missing"),
    "value NaN": ("1 qid:10 1:NaN", 12, "feature 1: the value is NaN; every feature needs a finite number"),
    "value infinite": ("1 qid:10 1:2\t2:-inf", 16, "feature 2: the value -inf is infinite"),
    "value overflows": ("1 qid:10 1:1e999", 12, "feature 1: the value 1e999 is infinite"),
    "value a word": ("1 qid:10 1:high", 12, "feature 1: the value 'high' is not a number"),
    "value with a decimal comma": ("1 qid:10 1:0,5", 12, "the value '0,5' has a decimal comma; write 0.5"),
    "value with underscore": (
        "1 qid:10 1:1_0",
        12,
        "the value '1_0' is not a number; write it with the digits 0 to 9",
    ),
    "two colons": ("1 qid:10 1:2:3", 12, "feature 1: the value '2:3' is not a number"),
    "exponent without digits": ("1 qid:10 1:2e", 12, "feature 1: the value '2e' is not a number"),
    "after letters beyond ASCII": ("1 qid:é 1:x", 11, "feature 1: the value 'x' is not a number"),
}


@pytest.mark.parametrize(("line", "column", "reason"), BAD_LINES.values(), ids=BAD_LINES.keys())
def test_a_bad_line_is_named_with_line_column_and_reason(line: str, column: int, reason: str) -> None:
    with pytest.raises(DataError) as caught:
        read_letor(f"{GOOD}{line}\n1 qid:11 1:1\n".encode(), name="train.txt")
    assert (caught.value.file, caught.value.line, caught.value.column) == ("train.txt", 3, column)
    assert reason in caught.value.reason


@pytest.mark.parametrize("end", ["1 qid", "2 qid:10 1:0.5 2:", "2 qid:10 1:0.5 2"])
def test_a_file_that_stops_within_a_line_is_called_cut_off(end: str) -> None:
    with pytest.raises(DataError, match=r"line 3, column \d+: .* it may have been cut off"):
        read_letor((GOOD + end).encode(), name="train.txt")


def test_a_file_that_stops_within_a_number_is_found_out_where_all_other_lines_are_full() -> None:
    whole = "".join(f"{k % 3} qid:1 1:0.25 2:0.75 3:0.5\n" for k in range(20))
    with pytest.raises(DataError, match=r"^x, line 20: the file ends in the middle .* after 2 of 3 features"):
        read_letor(whole.rstrip("\n")[:-7].encode(), name="x")
    assert read_letor((whole + "0 qid:1 1:0.5\n").encode()).n_documents == 21


def test_a_small_file_may_end_with_a_shorter_line() -> None:
    assert read_letor(b"1 qid:1 1:1 2:2\n0 qid:1 1:0.5").features.tolist() == [[1, 2], [0.5, 0]]


def test_the_first_of_several_problems_is_reported() -> None:
    with pytest.raises(DataError) as caught:
        read_letor(b"1 qid:1 1:1e999 2:1\n1 qid:1 1:bad\n")
    assert (caught.value.line, caught.value.column) == (1, 11)


@pytest.mark.parametrize("content", [b"", b"\n  \r\n\n"])
def test_an_empty_file_is_called_empty(content: bytes) -> None:
    with pytest.raises(DataError, match=r"^train.txt: the file is empty$"):
        read_letor(content, name="train.txt")


def test_a_file_of_comments_has_no_document() -> None:
    with pytest.raises(DataError, match="no document in it, only comments"):
        read_letor(b"# 1 qid:1 1:1\n#\n")


def test_documents_without_any_feature_are_refused() -> None:
    with pytest.raises(DataError, match="no document has a feature"):
        read_letor(b"1 qid:1\n0 qid:1 # nothing\n")


def test_a_query_that_comes_again_offers_to_group() -> None:
    with pytest.raises(UngroupedQueriesError) as caught:
        read_letor(b"1 qid:1 1:1\n0 qid:1 1:1\n\n1 qid:2 1:1\n# x\n0 qid:1 1:1\n", name="a.txt")
    assert str(caught.value) == (
        "a.txt, line 6: the documents of query 1 are not together: it had ended in line 2 and comes again here; "
        "they can be put together when reading"
    )


def test_more_features_than_names_is_an_error() -> None:
    with pytest.raises(DataError, match="there are 3 features where 2 are expected"):
        read_letor(b"1 qid:1 3:1\n", feature_names=["tf", "idf"])


def test_one_stray_index_that_would_fill_the_memory_is_named() -> None:
    lines = b"0 qid:1 1:1\n" * 200_000 + b"0 qid:1 1:1 999999:1\n"
    with pytest.raises(DataError, match=r"is the feature index 999999 right\?") as caught:
        read_letor(lines)
    assert (caught.value.line, caught.value.column) == (200_001, 13)
