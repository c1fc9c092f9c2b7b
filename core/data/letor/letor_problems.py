"""Error messages about a line of LETOR text: one sentence with the place and the way out."""

from __future__ import annotations

import re

from core.data.errors import DataError
from core.data.letor._letor_kernel import MAX_INDEX, Stop
from core.data.letor.value_problems import line_and_column, relevance_problem, value_problem

_SHOWN = 40
_TOKEN = re.compile(rb"[^\s#]*")
_CUT_OFF = "; the file ends here without a line break, so it may have been cut off"


def problem_at(stop: Stop, content: bytes, position: int, name: str) -> DataError:
    """Make the error for the part of the line at which the parser stopped."""
    token = _token(content, position)
    if stop == Stop.LABEL:
        reason = _label_reason(token)
    elif stop == Stop.QUERY:
        reason = _query_reason(token)
    elif stop == Stop.INDEX:
        reason = _index_reason(token)
    elif stop == Stop.ORDER:
        reason = _order_reason(token, content, position)
    else:
        index = _token_before(content, position).rstrip(":")
        reason = f"feature {index}: {value_problem(token)}"
    if _is_last_token(content, position):
        reason += _CUT_OFF
    line, column = line_and_column(content, position)
    return DataError(reason, file=name, line=line, column=column)


def _token(content: bytes, position: int) -> str:
    match = _TOKEN.match(content, position)
    text = match.group().decode("utf-8", errors="replace") if match else ""
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def _token_before(content: bytes, position: int) -> str:
    begin = content.rfind(b"\n", 0, position) + 1
    return content[begin:position].split()[-1].decode("ascii")


def _is_last_token(content: bytes, position: int) -> bool:
    match = _TOKEN.match(content, position)
    return match is not None and match.end() == len(content)


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


def _order_reason(token: str, content: bytes, position: int) -> str:
    index = int(token.partition(":")[0])
    previous = int(_token_before(content, position).partition(":")[0])
    if index == previous:
        return f"feature {index} is given twice; each index may appear once in a line"
    return f"feature {index} comes after feature {previous}; indices must ascend within a line"
