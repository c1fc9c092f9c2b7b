"""Error messages about labels and values, the same for every text format; and line and column of a byte."""

from __future__ import annotations

import math
import re

from core.data.letor._letor_kernel import MAX_RELEVANCE
from core.data.numbers import read_number


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
