"""Reading the same data from LETOR text and from Parquet, against scikit-learn's reader of such text."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from sklearn.datasets import load_svmlight_file

from benchmarks.pairing import take_turns
from benchmarks.report import Column, Goal, Report
from benchmarks.threads import limited_to
from core.data import RankingData, read_letor
from core.data.parquet.parquet_format import read_parquet
from core.data.parquet.parts import ParquetDescription
from core.data.parquet.writing import write_parquet

N_DOCUMENTS = 60_000
N_FEATURES = 136
LIST_LENGTH = 120
ROUNDS = 5
TURN = 0.5
"""Seconds that a turn of each reader lasts at least."""
TEXT_GOAL, PARQUET_GOAL = 10.0, 100.0
THEIRS = "scikit-learn, text, sparse"


def run(threads: int | None) -> Report:
    """By turns, from files in the page cache; every value is written, as MSLR does it.

    A table is read in a twentieth of a second, which one interruption doubles: a turn is several readings.
    """
    with TemporaryDirectory() as folder, limited_to(threads) as used:
        text, tables, data = _files(Path(folder))
        ways: dict[str, Callable[[], object]] = {
            THEIRS: partial(load_svmlight_file, str(text), query_id=True),
            "text": partial(read_letor, text),
            "text, float32": partial(read_letor, text, dtype=np.float32),
            **{f"Parquet, {kind}": partial(_table, path) for kind, path in tables.items()},
        }
        _same(data, ways)
        times = take_turns(ways, ROUNDS, least=TURN)
        sizes = {name: path.stat().st_size / 1e6 for name, path in (("text", text), *tables.items())}
    rows = [(name, times.median(name), str(times.ratio(THEIRS, name)) if name != THEIRS else "") for name in ways]
    goals = []
    for name, least in (("text", TEXT_GOAL), ("Parquet, float64", PARQUET_GOAL), ("Parquet, float32", PARQUET_GOAL)):
        ratio = times.ratio(THEIRS, name)
        claim = f"{name}: at least {least:g}x as fast as scikit-learn's reader of the text, {used}"
        goals.append(Goal(claim, f"{ratio}x", ratio.median >= least))
    files = ", ".join(f"{name} {size:,.0f} MB" for name, size in sizes.items())
    return Report(
        title="Readers: the same values from text and from Parquet",
        setting=f"{N_DOCUMENTS:,} documents x {N_FEATURES} features; {used}; {ROUNDS} rounds; {files}",
        columns=(Column("reader"), Column("median, s", ".3f"), Column("scikit-learn over it (least-most)")),
        rows=rows,
        goals=goals,
    )


def _files(folder: Path) -> tuple[Path, dict[str, Path], RankingData]:
    """Write whole numbers, and decimals of six digits as MSLR has them, as text and as tables of both precisions."""
    random = np.random.default_rng(0)
    values = random.gamma(1.0, 20.0, (N_DOCUMENTS, N_FEATURES))
    values[:, ::2] = np.floor(values[:, ::2])
    forms = " ".join(f"{j + 1}:%{'d' if j % 2 == 0 else '.6f'}" for j in range(N_FEATURES))
    relevance = random.integers(0, 5, N_DOCUMENTS)
    text = folder / "data.txt"
    with text.open("w") as file:
        for row, (grade, line) in enumerate(zip(relevance.tolist(), values.tolist(), strict=True)):
            file.write(f"{grade} qid:{row // LIST_LENGTH + 1} {forms % tuple(line)}\n")
    data = read_letor(text)
    tables = {}
    for dtype in (np.float64, np.float32):
        name = np.dtype(dtype).name
        tables[name] = folder / f"{name}.parquet"
        with tables[name].open("wb") as file:
            write_parquet(read_letor(text, dtype=dtype), file, ParquetDescription())
    return text, tables, data


def _table(path: Path) -> RankingData:
    return read_parquet(path, name=path.name).data


def _same(data: RankingData, ways: dict[str, Callable[[], object]]) -> None:
    """Check that scikit-learn and the table of doubles have the values of the text, to the bit."""
    theirs, table = ways[THEIRS](), ways["Parquet, float64"]()
    assert isinstance(theirs, tuple)
    assert isinstance(table, RankingData)
    assert np.allclose(theirs[0].toarray(), data.features, rtol=1e-15, atol=0.0)
    assert table.fingerprint == data.fingerprint
