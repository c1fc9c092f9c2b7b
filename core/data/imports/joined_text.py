"""Joined judgments and features as LETOR text, with all names in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from operator import add

import numpy as np

from core.data.imports.judgments import Judgments
from core.data.imports.logged_features import LoggedFeatures
from core.data.letor.letor_comments import document_comment
from core.data.ranking_data import IntArray

_ROWS = 500
_NUMBERED = re.compile(r"feature ([0-9]+)")


def joined_text(judgments: Judgments, features: LoggedFeatures) -> Iterator[str]:
    """Yield the text, some lines at a time.

    Lines ``#1: name`` name the features and ``# qid:1: rambo`` the queries; documents are in the comments. Queries have
    the order of the judgments, their documents that of the log. Query ids are those of the judgments where LETOR text
    can hold them, else numbers.
    """
    order = document_order(judgments, features)
    queries = _query_ids(judgments)
    columns, names = feature_order(features)
    yield "".join(f"#{j}: {' '.join(name.split())}\n" for j, name in enumerate(names, 1))
    used = dict.fromkeys(judgments.query_of[features.rows[number]] for number in order.tolist())
    texts = ((queries[number], judgments.queries[number].text) for number in used)
    yield "".join(f"# qid:{query}: {' '.join(text.split())}\n" for query, text in texts if text)
    prefixes: dict[int, tuple[list[int], list[str]]] = {}
    for begin in range(0, len(order), _ROWS):
        lines = []
        for number in order[begin : begin + _ROWS].tolist():
            listed, values = features.listed(number)
            if id(listed) not in prefixes:
                prefixes[id(listed)] = _places(listed, columns)
            places, written = prefixes[id(listed)]
            row = features.rows[number]
            told = " ".join(map(add, written, [repr(values[place]) for place in places]))
            comment = document_comment(judgments.documents[row])
            lines.append(f"{judgments.ratings[row]} qid:{queries[judgments.query_of[row]]} {told} {comment}\n")
        yield "".join(lines)


def document_order(judgments: Judgments, features: LoggedFeatures) -> IntArray:
    """Return the numbers of the sets of features by query, within a query as they were logged."""
    query_of = np.asarray(judgments.query_of)[np.asarray(features.rows)]
    return np.argsort(query_of, kind="stable")


def feature_order(features: LoggedFeatures) -> tuple[list[int], list[str]]:
    """Return the new position of every feature, and the names in the new order.

    That is the order of the rows that list all features where they agree, else by name; by number where all have only
    one. So it does not depend on which row comes first.
    """
    if all(map(_NUMBERED.fullmatch, features.names)):
        order = sorted(range(len(features.names)), key=lambda j: int(features.names[j].removeprefix("feature ")))
    elif len(complete := features.complete_orders()) == 1:
        order = complete[0]
    else:
        order = sorted(range(len(features.names)), key=features.names.__getitem__)
    positions = [0] * len(order)
    for position, j in enumerate(order):
        positions[j] = position
    return positions, [features.names[j] for j in order]


def _places(listed: Sequence[int], columns: list[int]) -> tuple[list[int], list[str]]:
    """Return the order in which a row's values are written, and what stands before each."""
    positions = [columns[j] for j in listed]
    order = sorted(range(len(positions)), key=positions.__getitem__)
    return order, [f"{positions[place] + 1}:" for place in order]


def _query_ids(judgments: Judgments) -> list[str]:
    ids = [query.id for query in judgments.queries]
    usable = len(set(ids)) == len(ids) and all(text.split() == [text] and "#" not in text for text in ids)
    return ids if usable else [str(number) for number in range(1, len(ids) + 1)]
