"""Lines of a small, regular LETOR file as arrays, without the compiled parser: before that has been compiled."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

from core.data.letor._letor_kernel import MAX_RELEVANCE
from core.data.letor.letor_lines import Lines

_DOCUMENT = re.compile(rb"(\d{1,4}) qid:([^\s#]+) ((?:\d{1,7}:\d{1,9}\.\d{1,9} )+)#([^\n]*)\n")


def plain_lines(content: bytes, dtype: type[np.floating]) -> Lines | None:
    """Parse lines that all list the same features, with decimals and a comment; None where one line does not.

    The result is that of `core.data.letor.letor_lines.parse`.
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
