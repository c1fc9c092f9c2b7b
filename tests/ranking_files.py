"""Writers of ranking data as LETOR text or CSV; reading a written file gives the same bits."""

from __future__ import annotations

import gzip
from pathlib import Path

import pandas as pd

from core.data.letor.letor_format import document_comment
from core.data.ranking_data import RankingData


def write_letor(data: RankingData, path: Path, *, zeros: bool = True) -> None:
    """Write a LETOR file, gzipped where the name ends in ``.gz``; without ``zeros`` it lists other values only."""
    ids = data.document_ids or ("",) * data.n_documents
    lines = []
    for row, query in enumerate(data.query_of_document.tolist()):
        values = enumerate(data.features[row].tolist(), 1)
        # The first line names the last feature even if it is 0, so that the width survives.
        last = data.n_features if row == 0 else None
        listed = [f"{j}:{value!r}" for j, value in values if zeros or j == last or repr(value) != "0.0"]
        comment = [document_comment(ids[row])] if ids[row] else []
        lines.append(" ".join([str(data.relevance[row]), f"qid:{data.query_ids[query]}", *listed, *comment]))
    content = ("\n".join(lines) + "\n").encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)


def write_table(data: RankingData, path: Path) -> None:
    """Write a CSV file with relevance, qid, docid (if known) and the features by name; gzipped as by `write_letor`."""
    queries = [data.query_ids[query] for query in data.query_of_document]
    documents = {} if data.document_ids is None else {"docid": data.document_ids}
    features = dict(zip(data.feature_names, data.features.T, strict=True))
    pd.DataFrame({"relevance": data.relevance, "qid": queries} | documents | features).to_csv(path, index=False)
