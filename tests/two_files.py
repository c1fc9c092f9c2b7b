"""Files of one name whose training parts are equal: what two visitors may each call their own."""

from __future__ import annotations

import numpy as np

from core.data import Reading

QUERIES, DOCUMENTS, FEATURES = 15, 8, 5


def letor(relabelled: frozenset[str] = frozenset()) -> bytes:
    """A file whose grades are turned round in these queries."""
    random = np.random.default_rng(11)
    lines = []
    for q in range(QUERIES):
        x = random.random((DOCUMENTS, FEATURES)).round(3)
        grades = np.argsort(np.argsort(x[:, 0] + 0.6 * x[:, 1] - 0.4 * x[:, 2] + 0.6 * random.random(DOCUMENTS))) // 3
        for grade, row in zip(2 - grades if str(q) in relabelled else grades, x, strict=True):
            lines.append(f"{grade} qid:{q} " + " ".join(f"{j}:{value}" for j, value in enumerate(row, 1)))
    return ("\n".join(lines) + "\n").encode()


ONE = letor()
_FOLD = Reading(folds=5).open("mine.txt", ONE).fold(1)
assert _FOLD.vali is not None
assert _FOLD.test is not None
OTHER = letor(frozenset(_FOLD.vali.query_ids[:2]) | frozenset(_FOLD.test.query_ids[:2]))
"""The same training part; other grades in the others."""
CORRECTED = letor(frozenset(_FOLD.test.query_ids[:1]))
"""The grades of one query of the test part are others: what somebody corrects, and uploads again."""
