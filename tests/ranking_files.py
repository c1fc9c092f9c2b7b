"""Ranking data as LETOR text, and in folds; reading it gives the same bits."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from core.data.letor.letor_format import document_comment
from core.data.ranking_data import RankingData


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
