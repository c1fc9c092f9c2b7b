"""Lines of LETOR text as arrays, and what is wrong with a line, or with a label or value of any format, in words.

The compiled parser reads them; before it is compiled, small regular files are read without.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.data.errors import DataError, refuse
from core.data.files.packed import Limits
from core.data.letor._letor_kernel import (
    LISTED,
    MAX_INDEX,
    MAX_RELEVANCE,
    QUERY_BEGIN,
    QUERY_END,
    Stop,
    parse_lines,
    survey,
)
from core.data.numbers import read_number
from core.data.ranking_data import IntArray
from core.threads import over_chunks

_CHUNK = 1 << 20
"""Bytes of text, about, that one thread parses at a time."""
_INEXACT_ROOM = 65_536
_ENOUGH_TO_JUDGE = 10
_SHOWN = 40
_TOKEN = re.compile(rb"[^\s#]*")
_CUT_OFF = "; the file ends here without a line break, so it may have been cut off"


@dataclass(frozen=True, eq=False)
class Lines:
    """Output of the kernel, by document in file order; ``places`` are byte positions in the text."""

    features: NDArray[np.floating]
    relevance: NDArray[np.int32]
    starts_query: NDArray[np.bool_]
    places: IntArray


def parse(content: bytes, name: str, limits: Limits, dtype: type[np.floating] = np.float64) -> Lines:
    """Parse whole lines.

    Raises a `DataError` at the first error, with line and column; if no line has a feature, or there are too many.
    """
    text = np.frombuffer(content, dtype=np.uint8)
    chunks = _chunks(content)
    words = np.ndarray(max(len(content) - 7, 0), "<u8", content, strides=(1,))
    surveys = over_chunks(lambda begin, end: survey(text, words, begin, end), chunks)
    rows = np.cumsum([0, *(n for n, _, _ in surveys)]).tolist()
    n_documents = rows[-1]
    _, width, widest_at = max(surveys, key=lambda found: found[1])  # the first of equal ones
    if n_documents == 0:
        refuse("the file has only comments and no document" if b"#" in content else "the file is empty", file=name)
    limits.check_rows(n_documents, name)
    _refuse_too_large(n_documents, width, limits, content, widest_at, name)
    lines = Lines(
        features=np.zeros((n_documents, width), dtype=dtype),
        relevance=np.zeros(n_documents, dtype=np.int32),
        starts_query=np.zeros(n_documents, dtype=np.bool_),
        places=np.zeros((n_documents, 5), dtype=np.int64),
    )
    first_rows = dict(zip(chunks, rows, strict=False))

    def parsed(begin: int, end: int) -> DataError | None:
        """Parse whole lines into ``lines``; return the first problem in them."""
        inexact = np.empty((max(_INEXACT_ROOM, width), 3), dtype=np.int64)
        flat = lines.features.reshape(-1)
        stop, position, row = Stop.FULL, begin, first_rows[begin, end]
        into = (row, lines.features, lines.relevance, lines.starts_query, lines.places, inexact)
        while stop == Stop.FULL:
            stop, position, row, pending = parse_lines(text, words, position, end, row, *into)
            values = np.array([float(content[first:last]) for _, first, last in inexact[:pending].tolist()])
            if np.isinf(values).any():
                return problem_at(Stop.VALUE, content, int(inexact[np.isinf(values).argmax(), 1]), name)
            flat[inexact[:pending, 0]] = values
        return None if stop == Stop.END else problem_at(stop, content, position, name)

    for problem in over_chunks(parsed, chunks):
        if problem is not None:
            raise problem
    for row in {row for row in rows if 0 < row < n_documents}:
        before, own = (content[begin:end] for begin, end in lines.places[row - 1 : row + 1, [QUERY_BEGIN, QUERY_END]])
        lines.starts_query[row] = own != before
    if width == 0:
        refuse("no document has a feature; write features as index:value", file=name)
    _refuse_cut_off(content, lines.places, width, name)
    return lines


def load_parser() -> None:
    """Parse nothing."""
    blank = b"\n" * 16
    text, words = np.frombuffer(blank, dtype=np.uint8), np.ndarray(9, "<u8", blank, strides=(1,))
    survey(text, words, 0, 0)
    into = np.zeros((1, 1)), np.zeros(1, np.int32), np.zeros(1, np.bool_), np.zeros((1, 5), np.int64)
    parse_lines(text, words, 0, 0, 0, 0, *into, np.zeros((1, 3), np.int64))


def _chunks(content: bytes) -> list[tuple[int, int]]:
    """Cut the text into ranges of whole lines."""
    edges = [0]
    while edges[-1] < len(content):
        end = content.find(b"\n", edges[-1] + _CHUNK) + 1
        edges.append(end or len(content))
    return list(pairwise(edges)) or [(0, 0)]


def _refuse_too_large(n_documents: int, width: int, limits: Limits, content: bytes, widest_at: int, name: str) -> None:
    """Refuse too many numbers, and name the feature index that makes them so many: often a stray one."""
    try:
        limits.check_numbers(n_documents * width, name)
    except DataError as error:
        line, column = line_and_column(content, widest_at)
        msg = f"{n_documents:,} documents with {width:,} features: {error.reason}; is the feature index {width} right?"
        raise DataError(msg, file=name, line=line, column=column) from None


def _refuse_cut_off(content: bytes, places: IntArray, width: int, name: str) -> None:
    """Refuse a file that was cut off inside its last line, even where that line still parses.

    The cut shows where every other line lists all features: the last line then lists fewer and has no line break. Files
    with few documents, or with lines that do not list all features, are not judged.
    """
    listed = places[:, LISTED]
    others_full = len(listed) > _ENOUGH_TO_JUDGE and bool((listed[:-1] == width).all())
    if others_full and listed[-1] < width and not content.endswith(b"\n"):
        line, _ = line_and_column(content, len(content))
        msg = (
            f"the file ends in the middle of this line, after {listed[-1]} of {width} features; it was cut off, so "
            "fetch it again (or add a line break at the end if it is complete)"
        )
        raise DataError(msg, file=name, line=line)


_DOCUMENT = re.compile(rb"(\d{1,4}) qid:([^\s#]+) ((?:\d{1,7}:\d{1,9}\.\d{1,9} )+)#([^\n]*)\n")


def plain_lines(content: bytes, dtype: type[np.floating]) -> Lines | None:
    """Parse lines that all list the same features, with decimals and a comment; None where one line does not.

    The result is that of `parse`.
    """
    pairs: list[bytes] = []
    labels, queries, places, position = [], [], [], 0
    while (line := _DOCUMENT.match(content, position)) is not None:
        labels.append(int(line[1]))
        queries.append(line[2])
        pairs.append(line[3])
        places.append((*line.span(2), *line.span(4)))
        position = line.end()
    if position < len(content) or not pairs or max(labels) > MAX_RELEVANCE:
        return None
    numbers = np.fromstring(b"".join(pairs).replace(b":", b" ").decode(), sep=" ")
    width = pairs[0].count(b":")
    if len(numbers) != 2 * width * len(pairs):
        return None
    table = numbers.reshape(len(pairs), width, 2)
    if not (table[:, :, 0] == np.arange(1, width + 1)).all():
        return None
    return Lines(
        features=np.ascontiguousarray(table[:, :, 1], dtype=dtype),
        relevance=np.array(labels, dtype=np.int32),
        starts_query=np.array([True, *(own != before for before, own in pairwise(queries))]),
        places=np.column_stack([np.array(places), np.full(len(pairs), width)]),
    )


def line_and_column(content: bytes, position: int) -> tuple[int, int]:
    """Line and column (in characters), both counted from 1, of a byte of UTF-8 text."""
    begin = content.rfind(b"\n", 0, position) + 1
    before = content[begin:position].decode("utf-8", errors="replace")
    return content.count(b"\n", 0, position) + 1, len(before) + 1


def relevance_problem(text: str) -> str:
    """Say why a text is no relevance label; the text must be one that a reader has refused."""
    try:
        value = read_number(text)
    except ValueError:
        return (
            f"the relevance label {text!r} is not a number; write grades as whole numbers, "
            "0 for not relevant (for instance bad = 0, good = 1)"
        )
    if not math.isfinite(value):
        return f"the relevance label is {text}; it must be a whole number, 0 or more"
    if value < 0:
        ways = "remove documents without a judgment, and write 0 for those that are not relevant"
        return f"the relevance label {text} is negative; {ways}"
    if value > MAX_RELEVANCE:
        return f"the relevance label {text} is too large for a grade; use small grades, such as 0 to 4"
    return f"the relevance label {text} is not a whole number; round it to grades 0, 1, 2, ..."


def value_problem(text: str, *, may_name_documents: bool = False) -> str:
    """Say why a text is no feature value; the text must be one that a reader has refused.

    It may name a document where a table has rows of queries but no column of document ids.
    """
    if not text:
        return "the value is missing; every feature needs a finite number, so fill it in (0 for instance)"
    if re.fullmatch(r"[+-]?(nan|na|n/a|null|none)|\?", text, re.IGNORECASE):
        return f"the value is {text}; every feature needs a finite number, so fill it in (0 for instance)"
    try:
        infinite = math.isinf(read_number(text))
    except ValueError:
        if re.fullmatch(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}", text):
            plain = text.replace(",", "")
            point = text.replace(",", ".")
            return f"the value {text!r} has a comma, of thousands or of a fraction; write {plain} or {point}"
        if re.fullmatch(r"[+-]?[0-9]+,[0-9]+", text):
            return f"the value {text!r} has a decimal comma; write {text.replace(',', '.')}"
        if not any(map(str.isalpha, text)) and any(map(str.isdecimal, text)):
            return f"the value {text!r} is not a number; write it with the digits 0 to 9 and a decimal point only"
        ways_out = "encode words as numbers, or leave that feature out"
        if may_name_documents:
            ways_out = "call the column docid if it names documents, encode words as numbers, or leave that feature out"
        return f"the value {text!r} is not a number; {ways_out}"
    kind = "infinite" if infinite else "not written as a plain decimal"
    return f"the value {text} is {kind}; every feature needs a finite number"


def problem_at(stop: Stop, content: bytes, position: int, name: str) -> DataError:
    """Make the error for the part of the line at which the parser stopped."""
    found = _TOKEN.match(content, position)
    assert found is not None  # it matches nothing at all, too
    token = found.group().decode("utf-8", errors="replace")
    token = token if len(token) <= _SHOWN else token[:_SHOWN] + "…"
    before = content[content.rfind(b"\n", 0, position) + 1 : position].split()
    previous = before[-1].decode("ascii", errors="replace").partition(":")[0] if before else ""
    match stop:
        case Stop.LABEL:
            reason = _label_reason(token)
        case Stop.QUERY:
            reason = _query_reason(token)
        case Stop.INDEX:
            reason = _index_reason(token)
        case Stop.ORDER:
            reason = _order_reason(int(token.partition(":")[0]), int(previous))
        case _:
            reason = f"feature {previous}: {value_problem(token)}"
    if found.end() == len(content):
        reason += _CUT_OFF
    line, column = line_and_column(content, position)
    return DataError(reason, file=name, line=line, column=column)


def _label_reason(token: str) -> str:
    if ":" in token:
        return f"the relevance label is missing: the line begins with {token!r}"
    if "," in token or ";" in token:
        return f"the relevance label {token!r} is not a number; if this is a CSV file, name it .csv"
    return relevance_problem(token)


def _query_reason(token: str) -> str:
    if re.fullmatch(r"q|qi|qid:?", token):
        return "the query id is missing after 'qid:'"
    found = f"there is {token!r}" if token else "the line ends"
    return f"the query is missing: after the label 'qid:' and the query's id are needed, but {found}"


def _index_reason(token: str) -> str:
    index, colon, _ = token.partition(":")
    if not colon:
        return f"{token!r} has no ':'; write features as index:value"
    if index == "qid":
        return f"a second query, {token!r}; a document belongs to one query"
    if re.fullmatch(r"-[0-9]+", index):
        return f"the feature index {index} is negative; indices count from 1"
    if not re.fullmatch(r"[0-9]+", index):
        return f"the feature index {index!r} is not a whole number"
    if not index.strip("0"):
        return "the feature index is 0; indices count from 1, so add 1 to every index"
    return f"the feature index {index} is too large; at most {MAX_INDEX:,} features can be read"


def _order_reason(index: int, previous: int) -> str:
    if index == previous:
        return f"feature {index} is given twice; each index may appear once in a line"
    return f"feature {index} comes after feature {previous}; indices must ascend within a line"
