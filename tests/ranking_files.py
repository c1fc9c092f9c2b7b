"""Writers of ranking data as LETOR text or CSV; reading a written file gives the same bits."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Sequence
from pathlib import Path

from core.data.errors import DataError
from core.data.letor.letor_comments import document_comment
from core.data.ranking_data import RankingData
from core.data.tables.column_roles import DOCUMENT_NAMES


def write_letor(data: RankingData, path: Path, *, zeros: bool = True) -> None:
    """Write a LETOR file, gzipped where the name ends in ``.gz``; reading it gives the same bits.

    Document ids become comments, ``# docid = X``. LETOR has no place for feature names; see `write_feature_names`.

    Parameters
    ----------
    data : RankingData
    path : Path
    zeros : bool
        Also write features that are 0; without them the file is sparse.

    Raises
    ------
    DataError
        If a query id contains a blank or '#', or a document id a line break: LETOR cannot hold them.
    """
    _refuse_unwritable(data)
    ids = data.document_ids or ("",) * data.n_documents
    lines = []
    for row, query in enumerate(data.query_of_document.tolist()):
        values = enumerate(data.features[row].tolist(), 1)
        # The first line names the last feature even if it is 0, so that the width survives.
        last = data.n_features if row == 0 else None
        listed = [f"{j}:{value!r}" for j, value in values if zeros or j == last or repr(value) != "0.0"]
        comment = _comment(ids[row])
        lines.append(" ".join([str(data.relevance[row]), f"qid:{data.query_ids[query]}", *listed, *comment]))
    _write_text("\n".join(lines) + "\n", path)


def write_table(data: RankingData, path: Path) -> None:
    """Write a CSV file with the columns relevance, qid, docid (if known) and the features by name.

    Gzipped where the name ends in ``.gz``; reading it gives the same bits.

    Raises
    ------
    DataError
        If two features share a name, or one is named like the relevance, query or document column.
    """
    reserved = {"relevance", "qid", *DOCUMENT_NAMES}
    for name in data.feature_names:
        if name.lower() in reserved:
            msg = f"a feature is named {name!r}, which in a CSV file is no feature; rename it"
            raise DataError(msg, file=path.name)
    if len(set(data.feature_names)) < data.n_features:
        msg = "two features have the same name; a CSV file needs different ones"
        raise DataError(msg, file=path.name)
    ids = [[]] * data.n_documents if data.document_ids is None else [[text] for text in data.document_ids]
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    document_column = [] if data.document_ids is None else ["docid"]
    writer.writerow(["relevance", "qid", *document_column, *data.feature_names])
    queries = [data.query_ids[query] for query in data.query_of_document]
    for relevance, query, document, values in zip(data.relevance, queries, ids, data.features, strict=True):
        writer.writerow([relevance, query, *document, *map(repr, values.tolist())])
    _write_text(text.getvalue(), path)


def write_feature_names(names: Sequence[str], path: Path) -> None:
    """Write names as ``index<TAB>name`` lines; readers find the file beside the data."""
    _write_text("".join(f"{index}\t{name}\n" for index, name in enumerate(names, 1)), path)


def _comment(document_id: str) -> list[str]:
    return [document_comment(document_id)] if document_id else []


def _refuse_unwritable(data: RankingData) -> None:
    for query in data.query_ids:
        if query.split() != [query] or "#" in query:
            msg = f"the query id {query!r} cannot be written in a LETOR file: it must be one word without '#'"
            raise DataError(msg)
    for document in data.document_ids or ():
        if "\n" in document or "\r" in document:
            msg = f"the document id {document!r} cannot be written in a LETOR file: it has a line break"
            raise DataError(msg)


def _write_text(text: str, path: Path) -> None:
    content = text.encode("utf-8")
    # Without a time stamp the same data gives the same file.
    path.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)
