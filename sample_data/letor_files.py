"""A sample set as files: LETOR's text format in five partitions, written to the same bytes every time."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

N_PARTITIONS = 5


@dataclass(frozen=True)
class Query:
    """A query's candidates: ids, grades and one row of features each; ``text`` may be empty."""

    document_ids: Sequence[str]
    relevance: Sequence[int]
    features: Sequence[Sequence[float]]
    text: str = ""


@dataclass(frozen=True)
class SampleSet:
    """What goes into a folder. Queries are numbered from 1 and dealt to the partitions in turn."""

    description: Mapping[str, Any]
    feature_names: Sequence[str]
    queries: Sequence[Query]
    document_names: Mapping[str, str] = field(default_factory=dict)


def write(sample: SampleSet, folder: Path) -> None:
    """Write the set, replacing files of the same names."""
    (folder / "partitions").mkdir(parents=True, exist_ok=True)
    numbered = list(enumerate(sample.queries, start=1))
    for part in range(N_PARTITIONS):
        dealt = numbered[part::N_PARTITIONS]
        lines = [line for number, query in dealt for line in letor_lines(number, query)]
        _write_gzip(folder / "partitions" / f"S{part + 1}.txt.gz", lines)
    _write_text(folder / "dataset.json", [json.dumps(sample.description, indent=2, ensure_ascii=False)])
    _write_text(folder / "feature_names.txt", sample.feature_names)
    texts = {str(number): query.text for number, query in numbered if query.text}
    for key, table in (("query_texts", texts), ("document_names", sample.document_names)):
        if table:
            _write_text(folder / sample.description[key], [f"{name}\t{text}" for name, text in table.items()])


def letor_lines(number: int, query: Query) -> list[str]:
    """``relevance qid:number 1:value … #docid = name``, six decimals as in LETOR."""
    rows = zip(query.document_ids, query.relevance, query.features, strict=True)
    return [
        f"{grade} qid:{number} {' '.join(f'{j}:{value:.6f}' for j, value in enumerate(row, start=1))}"
        f" #docid = {document}"
        for document, grade, row in rows
    ]


def _write_text(path: Path, lines: Sequence[str]) -> None:
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())


def _write_gzip(path: Path, lines: Sequence[str]) -> None:
    """Without file name and time, which gzip would otherwise put into the bytes."""
    with (
        path.open("wb") as file,
        gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=file, mtime=0) as packed,
    ):
        packed.write("".join(f"{line}\n" for line in lines).encode())
