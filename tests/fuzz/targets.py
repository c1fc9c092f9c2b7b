"""What the fuzz runs against: every reader of files, arguments, links, and of the cache's and the store's own files.

A target takes bytes. It may answer, or refuse with the error class that stands beside it, in one line.
"""

import io
import json
import os
import sqlite3
import tempfile
import zipfile
from argparse import ArgumentTypeError
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from core.analysis.features.rules import RULE_NAMES, read_rules
from core.cli import parse
from core.cli.options import UsageError
from core.cli.reading import reading_of
from core.data import DataError, MissingValuesError, RankingData, Reading, UndecidedClassError, UndecidedColumnError
from core.data.files.cache import Kept, _load, _store
from core.data.files.disk import DiskCache
from core.data.imports.importing import Import
from core.data.imports.text_file import read_scores
from core.data.letor.folders import read_description
from core.data.naming import read_feature_names
from core.data.parquet.parts import ParquetDescription
from core.data.parquet.writing import write_parquet
from core.data.single_file import open_file, read_classes
from core.data.tables.table_options import TableOptions
from core.experiments.run.cells import Cell, MethodChoice
from core.experiments.run.protocol import CellResult
from core.experiments.run.store.store import Piece, RunStore
from core.export.files import zip_of
from core.export.models.linear_model import read_result
from core.export.models.search_engines import read_feature_set
from core.metrics import Measure

DATA = RankingData.build([[1.0, 2.0], [0.0, 1.0]], [0, 1], [0, 2])


@dataclass(frozen=True)
class Target:
    """A reader with examples of what it reads."""

    name: str
    run: Callable[[bytes], object]
    seeds: tuple[bytes, ...]
    refuses_with: tuple[type[BaseException], ...] = (DataError,)


def _place() -> Path:
    folder = Path(tempfile.gettempdir()) / f"sparse-ranking-fuzz-{os.getpid()}"
    folder.mkdir(exist_ok=True)
    return folder


def _written(content: bytes, name: str) -> Path:
    path = _place() / name
    path.write_bytes(content)
    return path


def _table(content: bytes) -> None:
    """Answer what the file asks, as a person would."""
    options = TableOptions()
    for _ in range(4):
        read_classes(content, "t.csv", options)
        try:
            opened = open_file(content, "t.csv", options=options, group=True)
        except UndecidedColumnError as error:
            options = replace(options, class_column=error.columns[len(content) % len(error.columns)])
        except UndecidedClassError as error:
            options = replace(options, positive=error.classes[0])
        except MissingValuesError as error:
            if options.missing is not None:
                raise
            options = replace(options, missing=error.ways[-1])
        else:
            assert np.isfinite(opened.fold(1).train.features).all()
            return
    msg = "it asks again and again"
    raise AssertionError(msg)


def _file(content: bytes) -> None:
    """LETOR text or Parquet, which the content tells."""
    opened = open_file(content, "t", group=len(content) % 2 == 0)
    assert np.isfinite(opened.fold(1).train.features).all()


def _tables() -> tuple[bytes, ...]:
    file = io.BytesIO()
    write_parquet(DATA, file, ParquetDescription(name="d", convention="letor4", query_texts={"1": "rambo"}))
    return (file.getvalue(),)


def _zip(content: bytes) -> None:
    opened = Reading().open("t.zip", content)
    assert all(opened.fold(number) for number in range(1, opened.n_folds + 1))


def _zipped() -> bytes:
    parts = [f"d/Fold{k}/{part}.txt" for k in (1, 2) for part in ("train", "vali", "test")]
    texts = {"d/dataset.json": b'{"query_texts": "q.tsv"}', "d/q.tsv": b"1\trambo\n", "d/feature_names.txt": b"a\nb\n"}
    return zip_of(texts | dict.fromkeys(parts, b"1 qid:1 1:0.5 2:1\n0 qid:1 1:0.25\n"))


COMPANIONS = (
    ("q.csv", b"query,docid,rating\nrambo,7555,3\nrambo,1370,0\n1,a,1\n"),
    ("l.txt", b"0 qid:1 1:0.5 # 7555 rambo\n1 qid:1 1:1 # 1370 rambo\n"),
    ("m.query", b"1\n1\n"),
)


def _import(content: bytes) -> None:
    work = None
    for beside in COMPANIONS:
        try:
            work = work or Import([("f", content), beside], io.BytesIO())
        except DataError as error:
            refusal = error
    if work is None:
        raise refusal
    while not work.done:
        work.advance()


def _scores(content: bytes) -> None:
    assert np.isfinite(read_scores(_written(content, "scores"), 3)).all()


def _arguments(content: bytes) -> None:
    words = content.decode("utf-8", "replace").split("\x1f")
    if not {"-h", "--help"} & set(words):
        options = parse(words)
        if hasattr(options, "split"):
            reading_of(options)


def _link(content: bytes) -> None:
    texts = (content.decode("utf-8", "replace").split("&") + [""] * 12)[:12]
    rules, _ = read_rules(dict(zip(RULE_NAMES, texts, strict=False)), 5)
    assert np.isfinite(rules.every_cost).all()
    for parse_one in (Measure.parse, MethodChoice.parse):
        with suppress(ValueError):
            parse_one(texts[6])
    Reading(scale=texts[7] or "none", missing=texts[8] or None, drop_columns=tuple(texts[9:11]))


def _cache(content: bytes) -> None:
    path = DiskCache("data").path("entry")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    kept = DiskCache("data").get("entry", _load)
    assert kept is None or np.isfinite(kept.data.features).all()


@dataclass(frozen=True)
class Part:
    """What a piece is of."""

    where: str = "all"


@dataclass(frozen=True)
class Rate:
    """Its outcome."""

    cell: Part
    rate: float
    counts: tuple[int, ...]


PIECE = Piece("rates", Part(), Rate)
CELL = Cell(settings=(), points=1, measure="MAP", convention="standard", dataset="any", fold=1,
            fingerprints=("a", "b", "c"), choice=MethodChoice("l1"), code="any")  # fmt: skip


def _run_store(content: bytes) -> None:
    path = _written(content, "runs.sqlite")
    for name in ("runs.sqlite-wal", "runs.sqlite-shm"):
        (_place() / name).unlink(missing_ok=True)
    with RunStore(path) as store:
        store.seconds([PIECE, CELL])
        store.result(PIECE)
        store.result(CELL)


def _description(content: bytes) -> None:
    _written(content, "dataset.json")
    read_description(_place())


def _npz() -> bytes:
    out = io.BytesIO()
    _store(Kept(DATA), out)
    return out.getvalue()


def _compressed_npz() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("features.npy", b"\0" * (1 << 20))
    return out.getvalue()


def _sqlite() -> bytes:
    path = _place() / "seed.sqlite"
    path.unlink(missing_ok=True)
    with RunStore(path) as store:
        store.put(PIECE, Rate(PIECE.cell, 0.5, (1, 2)))
        queries = {"MAP": np.ones(2)}
        store.put(CELL, CellResult({"times": {"cell": 1.0}}, np.ones(2), queries, {}, "", np.zeros(0), {}))
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.read_bytes()


def _words(*lines: str) -> tuple[bytes, ...]:
    return tuple(line.replace(" ", "\x1f").encode() for line in lines)


LETOR = (
    b"2 qid:10 1:0.5 2:1e-3 3:7 # docid = GX1\n0 qid:10 1:.25 3:-1 # docid = GX2\n1 qid:11 2:4.\n",
    b"#1: a\n#2: b\n# qid:1: rambo\n3 qid:1 1:12 2:9 # 7555 rambo\n0 qid:1 1:1 2:0 # 1370 rambo\n",
)
TABLES = (
    b"class,age,income,smoker\n1,20,1.5,0\n0,?,2.5e3,1\n1,40,,1\n0,44,1,0\n",
    b"a;b;class\n0,5;1,25;x\n-1,5;3;y\n7;8;x\n",
    b"qid,docid,relevance,f1,f2\n1,a,2,0.5,1\n1,b,0,0.25,2\n2,c,1,0,0\n",
    b'id\t"a ""b"""\ty\n1\t2\t0\n2\t3\t1\n',
    b"1,2,3,g\n4,5,6,b\n7,8,9,g\n",
)
JSON = (
    b'{"query": "rambo", "hits": {"hits": [{"_id": "7555", "fields": {"_ltrlog": [{"log_entry1": [{"name": "a", '
    b'"value": 9.5}, {"name": "b"}]}]}}]}}\n',
    b'{"responseHeader": {"params": {"q": "rambo"}}, "response": {"docs": [{"id": "7555", "[features]": "a=1,b=2"}]}}',
    b'{"judgmentRatings": [{"query": "rambo", "ratings": [{"docId": "7555", "rating": "3.000"}]}]}',
)
LINES = (
    b"1 0 7555 1\n1 0 1370 -2\n",
    b"3 qid:1 # 7555 rambo\n0 qid:1 # 1370 rambo\n",
    b"query,docid,rating\nrambo,7555,3\nrambo,1370,\n",
    b"1 1:0.5 7:1\n0 2:1\n",
    b"3\n2\n",
    b"Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\ns,t,1,rambo,7555,1\n",
)
CONSTANTS = {"index": 1, "subtract": 0.0, "divide": 1.0, "lowest": 0, "highest": 1}
RESULT = {
    "method": "l1",
    "dataset": "d",
    "features": [{"index": 1, "name": "a", "weight": 0.5}],
    "feature_names": ["a", "b"],
    "scaling": {"id": "none", "features": [CONSTANTS]},
}

TARGETS: Sequence[Target] = (
    Target("tables", _table, TABLES),
    Target("letor", _file, LETOR),
    Target("parquet", _file, _tables()),
    Target("zip", _zip, (_zipped(),)),
    Target("imports", _import, (*JSON, *LINES, *LETOR, TABLES[2])),
    Target("scores", _scores, (b"1\n2.5\n-1e-3\n",)),
    Target("names", lambda c: read_feature_names(_written(c, "names.txt")), (b"a\nb c\nd\n", b"1\ta\n2\tb\n")),
    Target("description", _description, (b'{"name": "d", "provenance": "p", "convention": "letor4"}',)),
    Target("result", lambda c: read_result(_written(c, "r.json")), (json.dumps(RESULT).encode(),)),
    Target(
        "feature set",
        lambda c: read_feature_set(_written(c, "s.json")),
        (b'{"featureset": {"features": [{"name": "f1", "params": ["k"], "template": {"match": {"t": "{{k}}"}}}]}}',),
    ),
    Target(
        "arguments",
        _arguments,
        _words(
            "fit d --fold 2 --C 1e-3 --method mcp --set gamma=2 --split 0.7 --seed 3 --costs 1:2,3:4 --tol 1e-6",
            "path d --points 30 --smallest-ratio 1e-3 --scale standard --repeats 10 --missing drop",
            "features d --class-column 1 --drop-columns a,b --positive yes --group",
            "protocol d --methods l1,mcp:gamma=2 --out o --workers 2 --grid 5 --folds 5",
        ),
        (UsageError, DataError, ArgumentTypeError),
    ),
    Target("links", _link, (b"1,2&3&4:2.5&5&1&2&mcp:gamma=2&standard&drop&a&none", b"&&&&&&NDCG@10")),
    Target("cache", _cache, (_npz(), _compressed_npz())),
    Target("run store", _run_store, (_sqlite(),), (DataError, OSError)),
)
