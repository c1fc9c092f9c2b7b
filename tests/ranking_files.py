"""Ranking data as LETOR text, and in folds; reading it gives the same bits.

Made-up files in the layouts of two UCI sets: WPBC (id, class, features, some ``?``) and SPECTF (class first). No number
in them is anybody's data; only the order of the columns is theirs.
"""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from core.data.letor.letor_format import document_comment
from core.data.ranking_data import RankingData

WPBC_ROWS, WPBC_FEATURES, WPBC_MISSING = 60, 33, 4
SPECTF_ROWS, SPECTF_FEATURES = 80, 44


def letor_text(data: RankingData) -> str:
    """All values of every document, and its id where it has one."""
    ids = data.document_ids or ("",) * data.n_documents
    lines = []
    for row, query in enumerate(data.query_of_document.tolist()):
        values = [f"{j}:{value!r}" for j, value in enumerate(data.features[row].tolist(), 1)]
        comment = [document_comment(ids[row])] if ids[row] else []
        lines.append(" ".join([str(data.relevance[row]), f"qid:{data.query_ids[query]}", *values, *comment]))
    return "\n".join(lines) + "\n"


def there(path: Path) -> Path:
    """The path of shared data, where it is: some is licensed. Without it a test is skipped."""
    if not path.exists():
        pytest.skip(f"there is no {path} (set SPARSE_RANK_DATA)")
    return path


def write_folds(folder: Path, folds: Iterable[RankingData], **parts: range) -> Path:
    """Write ``Fold1`` and so on, whose parts have these queries of each."""
    for number, data in enumerate(folds, 1):
        (folder / f"Fold{number}").mkdir(parents=True)
        for part, queries in parts.items():
            (folder / f"Fold{number}" / f"{part}.txt").write_text(letor_text(data.take_queries(queries)))
    return folder


def wpbc_like(seed: int = 0, *, n_missing: int = WPBC_MISSING, header: bool = False) -> bytes:
    """Id, class N or R, time, and 32 measurements, of which the last is missing in some rows."""
    random = np.random.default_rng(seed)
    recurs = random.random(WPBC_ROWS) < 0.3
    measured = (
        random.normal(size=(WPBC_ROWS, WPBC_FEATURES - 2))
        + recurs[:, np.newaxis] * np.r_[np.full(4, 1.5), np.zeros(WPBC_FEATURES - 6)]
    )
    ids = 840_000 + random.permutation(WPBC_ROWS) * 7
    nodes = [str(k) for k in random.poisson(3 + 3 * recurs) % 27]
    for row in random.choice(WPBC_ROWS, n_missing, replace=False):
        nodes[row] = "?"
    lines = [
        ",".join([str(ids[k]), "NR"[int(recurs[k])], str(random.integers(1, 120)), *map("{:.4f}".format, measured[k]),
                  nodes[k]])
        for k in range(WPBC_ROWS)
    ]  # fmt: skip
    names = ["id", "diagnosis", "time", *(f"cell {j}" for j in range(1, WPBC_FEATURES - 1)), "nodes"]
    return "".join(f"{line}\n" for line in ([",".join(names)] if header else []) + lines).encode()


def spectf_like(seed: int = 0) -> bytes:
    """Class 1 or 0, then 44 whole numbers up to 100."""
    random = np.random.default_rng(seed)
    abnormal = random.random(SPECTF_ROWS) < 0.4
    counts = random.integers(30, 85, size=(SPECTF_ROWS, SPECTF_FEATURES))
    counts[:, :6] -= 15 * abnormal[:, np.newaxis]
    rows = np.column_stack([abnormal, counts]).astype(int)
    return "".join(f"{','.join(map(str, row))}\n" for row in rows).encode()
