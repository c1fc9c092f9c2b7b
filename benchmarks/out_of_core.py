"""An ℓ1 fit of a Parquet file that stays on the disk, against the same fit in memory."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.one_fit import peak_bytes
from benchmarks.pairing import take_turns
from benchmarks.report import Column, Goal, Report
from benchmarks.shapes import Shape, generate
from benchmarks.threads import limited_to
from core.data import RankingData
from core.data.parquet.parquet_blocks import read_blocks
from core.data.parquet.parquet_format import read_parquet
from core.data.parquet.parts import ParquetDescription
from core.data.parquet.table import ParquetTable
from core.data.parquet.writing import write_parquet
from core.methods import get_method

SHAPE = Shape(n_queries=4_708, documents_per_query=120, n_features=136, relevant_per_query=12)
SMALL = Shape(n_queries=5, documents_per_query=20, n_features=136, relevant_per_query=3)
BLOCKS = (1, 7, 40)
ROUNDS = 2
GROUP_VALUES, BLOCK_VALUES = 1 << 20, 1 << 21
"""Of a row group and of a block, small beside the file."""
RATIO = 0.01
SLOWER, SHARE, SAME = 2.0, 0.25, 1e-10


def run(threads: int | None) -> Report:
    """By turns, the file in the page cache; the memory that a fit adds is that of a fresh process."""
    with TemporaryDirectory() as folder, limited_to(threads) as used:
        path = Path(folder) / "data.parquet"
        with path.open("wb") as file:
            write_parquet(generate(SHAPE), file, ParquetDescription(), group_values=GROUP_VALUES)
        size = path.stat().st_size
        places = {"in memory": read_parquet(path, name=path.name).data, "on the disk": _blocks(path)}
        times = take_turns({place: partial(_fitted, data) for place, data in places.items()}, ROUNDS)
        expected = times.results["in memory"][0]
        held = _in_fresh_process(path)
        rows: list[tuple[str, float, str, str, str]] = [
            (
                place,
                times.results[place][1],
                f"{times.median(place):.2f}",
                "",
                _apart(times.results[place][0], expected),
            )
            for place in places
        ]
        rows[1] = (*rows[1][:3], f"{held / 1e6:.0f}", rows[1][4])
        worst = 0.0
        for n_blocks in BLOCKS:
            data = _blocks(path, -(-SHAPE.n_documents // n_blocks))
            objective, passes = _fitted(data)
            worst = max(worst, abs(objective - expected) / abs(expected))
            rows.append((f"on the disk, asked for {n_blocks} blocks", passes, "", "", _apart(objective, expected)))
    ratio = times.ratio("on the disk", "in memory")
    return Report(
        title=f"An ℓ1 fit at λ_max/{1 / RATIO:.0f} of a Parquet file",
        setting=f"{SHAPE}, {size / 1e6:,.0f} MB; {used}; {ROUNDS} rounds",
        columns=(
            Column("features"),
            Column("passes over X", ".0f"),
            Column("median, s"),
            Column("fit adds, MB"),
            Column("objective, relative difference"),
        ),
        rows=rows,
        goals=[
            Goal(f"on the disk at most {SLOWER:g}x as long as in memory", f"{ratio}x", ratio.median <= SLOWER),
            Goal(
                f"opening and fitting adds at most {SHARE:g} of the file's size",
                f"{held / size:.2f}",
                held <= SHARE * size,
            ),
            Goal(f"the same objective to {SAME:g} in {BLOCKS} blocks", f"{worst:.0e}", worst <= SAME),
        ],
    )


def _blocks(path: Path, rows: int | None = None) -> RankingData:
    return read_blocks(ParquetTable.of(path, path.name), rows or BLOCK_VALUES // SHAPE.n_features)


def _fitted(data: RankingData) -> tuple[float, float]:
    """Fit; return the objective and the passes over X."""
    method = get_method("l1")
    training = method.training(data)
    result = method.fit(training, training.lam_at(RATIO)).result
    return result.objective, result.passes


def _apart(objective: float, expected: float) -> str:
    return f"{abs(objective - expected) / abs(expected):.0e}"


def _in_fresh_process(path: Path) -> int:
    """Return the bytes that opening the file and fitting add in a process that has done so with a small file."""
    words = [sys.executable, "-m", "benchmarks.out_of_core", str(path)]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    measured: dict[str, Any] = json.loads(done.stdout)
    return int(measured["bytes"])


def main() -> None:
    """Measure the memory of one fit and print it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("path", type=Path)
    path = parser.parse_args().path
    with TemporaryDirectory() as folder:
        first = Path(folder) / "small.parquet"
        with first.open("wb") as file:
            write_parquet(generate(SMALL), file, ParquetDescription())
        _fitted(_blocks(first))
    before = peak_bytes()
    _fitted(_blocks(path))
    print(json.dumps({"bytes": peak_bytes() - before}))


if __name__ == "__main__":
    main()
