"""What a file is, told by its content: a kind of judgments, of logged features, or of group sizes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from core.data.errors import DataError, refuse
from core.data.imports.json_files import JsonStream, read_opensearch, read_search_log
from core.data.imports.line_files import (
    Roles,
    is_svmlight,
    read_feature_table,
    read_judgment_table,
    read_letor_judgments,
    read_letor_log,
    read_qrels,
)
from core.data.imports.logged_features import UNRATED, Judgments, LoggedRow
from core.data.imports.text_file import CsvRows, TextFile
from core.data.numbers import is_digits, is_number

Role = Literal["judgments", "log", "matrix", "group sizes"]
_LETOR_LINE = re.compile(r"\s*\S+\s+qid:")
_FEATURE = re.compile(r"\s[0-9]+:")
_JUDGED_LINES = 50
_DESCRIBING = frozenset(
    {"team name", "case name", "case id", "case_id", "information need", "information_need", "doc position"}
    | {"snapshot name", "snapshot time"}
)
"""Columns that Quepid writes beside a rating; nothing is a feature there. Nor is a column of words, such as a title."""


@dataclass(frozen=True)
class Kind:
    """A kind of file: its title in words, what it is good for, and its readers.

    It is ``labelled`` if its rows have features and relevance, so that it makes data without any other file.
    """

    title: str
    role: Role
    judgments: Callable[[TextFile, Judgments], Iterator[None]] | None = None
    log: Callable[[TextFile], Iterator[LoggedRow]] | None = None
    labelled: bool = False


QUEPID = Kind("judgments as CSV (Quepid)", "judgments", judgments=read_judgment_table)
OPENSEARCH = Kind("a judgment list of OpenSearch", "judgments", judgments=read_opensearch)
QRELS = Kind("TREC qrels", "judgments", judgments=read_qrels)
LETOR_JUDGMENTS = Kind("a judgment list as LETOR text", "judgments", judgments=read_letor_judgments)
ELASTICSEARCH_LOG = Kind("a feature log of Elasticsearch or OpenSearch", "log", log=read_search_log)
SOLR_LOG = Kind("a feature log of Solr", "log", log=read_search_log)
LETOR_LOG = Kind("LETOR text with features", "log", log=read_letor_log, labelled=True)
TABLE_LOG = Kind("a CSV with features", "log", log=read_feature_table)
LABELLED_TABLE = Kind("a CSV with features and relevance", "log", log=read_feature_table, labelled=True)
MATRIX = Kind("rows without queries", "matrix", labelled=True)
GROUP_SIZES = Kind("group sizes (LightGBM .query, XGBoost .group)", "group sizes")


def recognise(file: TextFile) -> Kind:
    """Tell what a file is by its first lines; raise a `DataError` if it is none of the known kinds."""
    head = file.head
    if head.lstrip()[:1] in ("{", "["):
        return _json_kind(file)
    lines = _first_lines(head)
    if not lines:
        refuse("there are only comments in it", file=file.name)
    if any(_LETOR_LINE.match(line) for line in lines):
        listed = any(_FEATURE.search(line.partition("#")[0]) for line in lines)
        return LETOR_LOG if listed else LETOR_JUDGMENTS
    if is_digits(lines[0].strip()):
        return GROUP_SIZES
    if is_svmlight(head):
        return MATRIX
    words = lines[0].split()
    if len(words) == 4 and words[1] in ("0", "Q0") and (is_number(words[3]) or words[3].lower() in UNRATED):
        return QRELS
    rows = CsvRows(file)
    return _table_kind(rows.names, next((cells for _, cells in rows.filled(rows.width)), []))


def _json_kind(file: TextFile) -> Kind:
    signs = (
        ('"_ltrlog"', ELASTICSEARCH_LOG),
        ('"[features]"', SOLR_LOG),
        ('"judgmentRatings"', OPENSEARCH),
        ('"hits"', ELASTICSEARCH_LOG),
        ('"docs"', SOLR_LOG),
    )
    for sign, kind in signs:
        if sign in file.head:
            return kind
    JsonStream(file).check()
    msg = "this JSON is neither a feature log (Elasticsearch, OpenSearch, Solr) nor a judgment list of OpenSearch"
    raise DataError(msg, file=file.name)


def _first_lines(head: str) -> list[str]:
    """Return some lines that are no comments, the last only if the file ends there."""
    lines = (head[: head.rfind("\n") + 1] or head).split("\n")
    return [line for line in lines if line.strip() and not line.lstrip().startswith("#")][:_JUDGED_LINES]


def _table_kind(names: Sequence[str], first: Sequence[str]) -> Kind:
    roles = Roles.of(names)
    if roles.text is None and roles.number is None:
        return MATRIX
    others = [
        name
        for j, name in enumerate(names)
        if j not in roles and name.lower() not in _DESCRIBING and (not first or is_number(first[j]))
    ]
    described = not _DESCRIBING.isdisjoint(name.lower() for name in names)
    if roles.rating is not None:
        return QUEPID if roles.document is not None and (described or not others) else LABELLED_TABLE
    return TABLE_LOG


def refuse_unfit(files: Sequence[tuple[str, Kind]]) -> None:
    """Refuse files, each a name and a kind, that do not make data together; a `DataError` says what is missing."""
    roles = [kind.role for _, kind in files]
    first = {role: next(name for name, kind in files if kind.role == role) for role in set(roles)}
    if "log" not in roles and "matrix" not in roles:
        if "judgments" in roles:
            msg = "these are judgments without features; add the feature log of the search engine"
            raise DataError(msg, file=first["judgments"])
        refuse("these are group sizes only; add the file with the rows", file=first["group sizes"])
    if "matrix" in roles and "group sizes" not in roles:
        msg = (
            "the rows do not name their query; add a qid column, or the file of group sizes (LightGBM .query, XGBoost "
            ".group)"
        )
        raise DataError(msg, file=first["matrix"])
    if "group sizes" in roles and (roles.count("matrix"), roles.count("group sizes")) != (1, 1):
        refuse("group sizes need one file of rows without queries; give one of each", file=first["group sizes"])
    if "judgments" not in roles and not all(kind.labelled for _, kind in files if kind.role == "log"):
        name = next(name for name, kind in files if kind.role == "log" and not kind.labelled)
        refuse("this log has features but no relevance; add a file of judgments", file=name)
