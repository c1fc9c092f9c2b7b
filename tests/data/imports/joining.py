"""Files joined in memory, for tests."""

import io
import json

import numpy as np

from core.data import RankingData
from core.data.imports.importing import Import, ImportReport
from core.data.letor.letor_format import read_letor_and_texts
from tests.work_contract import finished

PAIRS = [(query, document, document % 3) for query in range(12) for document in range(6)]
JUDGMENTS = "query,docid,rating\n" + "".join(f"query {q},d{d},{grade}\n" for q, d, grade in PAIRS)
"""In which relevance follows the feature ``title`` of the log."""


def solr_log() -> str:
    """The log of all documents but the last of each query, one response a line."""
    random, lines = np.random.default_rng(5), []
    for query in range(12):
        documents = [
            {"id": f"d{d}", "[features]": f"title={grade + random.random():.4f},noise={random.random():.4f}"}
            for q, d, grade in PAIRS
            if q == query and d < 5
        ]
        lines.append(
            json.dumps({"responseHeader": {"params": {"q": f"query {query}"}}, "response": {"docs": documents}})
        )
    return "\n".join(lines)


def joined(**files: str | bytes) -> tuple[str, ImportReport]:
    """The text of files by name (``__`` for a dot), and the report."""
    out = io.BytesIO()
    contents = [
        (name.replace("__", "."), text.encode() if isinstance(text, str) else text) for name, text in files.items()
    ]
    work = finished(Import(contents, out))
    assert work.report is not None
    return out.getvalue().decode(), work.report


def read(**files: str | bytes) -> tuple[RankingData, dict[str, str], ImportReport]:
    """The data that comes of files, read back."""
    text, report = joined(**files)
    return *read_letor_and_texts(text.encode()), report


def rows(data: RankingData, texts: dict[str, str]) -> dict[tuple[str, str], tuple[int, list[float]]]:
    """Relevance and features by query (its text, where it has one) and document."""
    assert data.document_ids is not None
    return {
        (texts.get(data.query_ids[q], data.query_ids[q]), document): (int(label), x)
        for q, document, label, x in zip(
            data.query_of_document, data.document_ids, data.relevance, data.features.tolist(), strict=True
        )
    }
