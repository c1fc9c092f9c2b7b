"""Files joined in memory, for tests."""

import io

from core.data import RankingData
from core.data.imports.importing import Import, ImportReport
from core.data.letor.letor_format import read_letor_and_texts
from tests.work_contract import finished


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
