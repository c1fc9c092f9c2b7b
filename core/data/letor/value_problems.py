"""What is wrong with labels and values, in the words of every text format, and with a line of LETOR text."""

from __future__ import annotations

import math
import re

from core.data.errors import DataError
from core.data.letor._letor_kernel import MAX_INDEX, MAX_RELEVANCE, Stop
from core.data.numbers import read_number

_SHOWN = 40
_TOKEN = re.compile(rb"[^\s#]*")
_CUT_OFF = "; the file ends here without a line break, so it may have been cut off"


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
        ways = "leave out documents that nobody judged, and write 0 for those that are not relevant"
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
