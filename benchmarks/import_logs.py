"""How long 200 MB of logged features take to import, and how much memory: Elasticsearch, Solr, LETOR and CSV.

The files are generated: 40 features of 100 documents a query, every pair judged. The time is that of `Import` in a
process of its own: reading, joining and writing the LETOR text.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import numpy as np

from benchmarks.report import Column, Goal, Report

MEGABYTES = 200
GOAL = 60.0
FEATURES, DOCUMENTS = 40, 100
_CHILD = """
import resource, sys, time
from pathlib import Path
from core.data.imports.importing import Import
paths = [Path(path) for path in sys.argv[1:-1]]
begun, longest = time.perf_counter(), 0.0
with open(sys.argv[-1], "wb") as out:
    work = Import([(path.name, path) for path in paths], out)
    while not work.done:
        before = time.perf_counter()
        work.advance()
        longest = max(longest, time.perf_counter() - before)
print(time.perf_counter() - begun, longest, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, work.report.matched)
"""

Values = list[list[float]]


def _elasticsearch(query: int, values: Values) -> str:
    hits = [
        {
            "_index": "tmdb",
            "_id": f"{query}-{document}",
            "_score": 1.0,
            "fields": {"_ltrlog": [{"log_entry1": [{"name": f"feature_{j}", "value": x} for j, x in enumerate(row)]}]},
        }
        for document, row in enumerate(values)
    ]
    return json.dumps({"query": f"query {query}", "response": {"took": 3, "hits": {"hits": hits}}}) + "\n"


def _solr(query: int, values: Values) -> str:
    docs = [
        {"id": f"{query}-{document}", "[features]": ",".join(f"feature_{j}={x}" for j, x in enumerate(row))}
        for document, row in enumerate(values)
    ]
    header = {"status": 0, "params": {"q": f"query {query}", "fl": "id,[features]"}}
    return json.dumps({"responseHeader": header, "response": {"numFound": len(docs), "docs": docs}}) + "\n"


def _letor(query: int, values: Values) -> str:
    return "".join(
        f"0 qid:{query} {' '.join(f'{j}:{x}' for j, x in enumerate(row, 1))} # {query}-{document} query {query}\n"
        for document, row in enumerate(values)
    )


def _csv(query: int, values: Values) -> str:
    return "".join(
        f"query {query},{query}-{document},{','.join(map(str, row))}\n" for document, row in enumerate(values)
    )


LOGS: dict[str, tuple[str, Callable[[int, Values], str]]] = {
    "Elasticsearch": ("", _elasticsearch),
    "Solr": ("", _solr),
    "LETOR": ("", _letor),
    "CSV": (f"query,docid,{','.join(f'feature_{j}' for j in range(FEATURES))}\n", _csv),
}


def run(_threads: int | None) -> Report:
    """Import a generated log of every kind."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, (header, text_of) in LOGS.items():
            log, judgments = Path(folder) / "log", Path(folder) / "judgments.csv"
            _generate(log, judgments, header, text_of)
            words = [sys.executable, "-c", _CHILD, str(judgments), str(log), str(Path(folder) / "out.txt")]
            answer = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
            seconds, longest, memory = map(float, answer[:3])
            rows.append((name, log.stat().st_size / 1e6, int(answer[3]), seconds, longest, memory / 1e3))
    slowest = max(seconds for _, _, _, seconds, _, _ in rows)
    return Report(
        title="Import of logged features",
        setting=f"{FEATURES} features of {DOCUMENTS} documents a query, every pair judged; a process each, one thread",
        columns=(
            Column("log"),
            Column("MB", ".0f"),
            Column("documents", ",d"),
            Column("seconds", ".1f"),
            Column("longest step s", ".2f"),
            Column("peak memory MB", ".0f"),
        ),
        rows=rows,
        goals=[Goal(f"{MEGABYTES} MB in under {GOAL:g} s", f"{slowest:.1f} s at most", slowest < GOAL)],
        notes=["Between two steps the work shows its progress and can be stopped."],
    )


def _generate(log: Path, judgments: Path, header: str, text_of: Callable[[int, Values], str]) -> None:
    with log.open("w") as file, judgments.open("w") as judged:
        file.write(header)
        judged.write("query,docid,rating\n")
        for query, values in zip(count(1), _values(), strict=False):
            file.write(text_of(query, values))
            judged.writelines(f"query {query},{query}-{document},{document % 3}\n" for document in range(DOCUMENTS))
            if file.tell() > MEGABYTES * 1e6:
                return


def _values() -> Iterator[Values]:
    rng = np.random.default_rng(0)
    while True:
        yield rng.gamma(2.0, 3.0, size=(DOCUMENTS, FEATURES)).round(6).tolist()
