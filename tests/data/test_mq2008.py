"""MQ2008 is read exactly as a parser of a few lines reads it."""

import os
from pathlib import Path

import numpy as np
import pytest

from core.data.letor.letor_format import read_letor

ROOT = Path(__file__).resolve().parents[2]
MQ2008 = Path(os.environ.get("SPARSE_RANK_DATA") or ROOT.parent / "shared" / "data") / "letor" / "MQ2008"
pytestmark = pytest.mark.skipif(not MQ2008.is_dir(), reason="MQ2008 is not in the data folder (SPARSE_RANK_DATA)")


def tiny_parser(path: Path) -> tuple[list[int], list[str], list[list[float]], list[str]]:
    labels, queries, rows, documents = [], [], [], []
    for line in path.read_text().splitlines():
        values, _, comment = line.partition("#")
        label, query, *features = values.split()
        labels.append(int(label))
        queries.append(query.removeprefix("qid:"))
        rows.append([float(feature.split(":")[1]) for feature in features])
        documents.append(comment.split()[2])
    return labels, queries, rows, documents


def test_validation_set_of_fold_1_equals_an_independent_reading() -> None:
    labels, queries, rows, documents = tiny_parser(MQ2008 / "Fold1" / "vali.txt")
    data = read_letor(MQ2008 / "Fold1" / "vali.txt")
    assert (data.n_documents, data.n_queries, data.n_features) == (2707, 157, 46)
    assert data.relevance.tolist() == labels
    assert [data.query_ids[q] for q in data.query_of_document] == queries
    assert np.array_equal(data.features, np.array(rows))
    assert data.document_ids == tuple(documents)
