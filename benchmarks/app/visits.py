"""Short visits one after the other, each with a file of its own: what the server holds when they have gone.

``VISITS`` is how many, ``VISITORS_ROOT`` another checkout whose server is measured instead.
"""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.app.visitors import Measured
from benchmarks.app.websocket_visitor import Visitor
from benchmarks.report import Cell, Column, Goal, Report

VISITS = int(os.environ.get("VISITS", "200"))
FIRST, EVERY = 50, 10
QUERIES, DOCUMENTS, FEATURES = 20, 8, 10
"""Some 14 kB of text."""
SEEN = ("", "features", "tradeoff")
LONGEST = 10.0
"""Seconds that a visitor waits for a picture."""
GROWTH = 20.0


def run(threads: int | None) -> Report:
    """All visits, with what the server's processes hold after each ten."""
    if threads is not None:
        os.environ["NUMBA_NUM_THREADS"] = str(threads)
    with TemporaryDirectory() as folder:
        os.environ["SPARSE_RANK_CACHE"] = os.environ["SPARSE_RANK_HOME"] = folder
        with Measured(Path(folder) / "log.txt") as server:
            rows = asyncio.run(_visits(server))
    held = {int(row[0]): float(row[1]) for row in rows}
    before = held.get(min(FIRST, VISITS // 2 // EVERY * EVERY), rows[0][1])
    growth = 100 * (held[max(held)] / float(before) - 1)
    claim = f"memory after {VISITS} visits within {GROWTH:g} % of that after the first {min(FIRST, VISITS // 2)}"
    return Report(
        title="Short visits, each with a file of its own",
        setting=f"{len(_file(0)) / 1000:.0f} kB a file; Lab, Features, Trade-off; {os.cpu_count()} cores",
        columns=(
            Column("visits", ","),
            Column("server, MB", ".0f"),
            Column("computing process, MB", ".0f"),
            Column("counted as kept, MB", ".0f"),
            Column("threads", ","),
            Column("open files", ","),
        ),
        rows=rows,
        goals=[Goal(claim, f"{growth:+.0f} %", growth <= GROWTH)],
    )


async def _visits(server: Measured) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    for number in range(1, VISITS + 1):
        await _visit(server.address, _file(number))
        if number % EVERY == 0:
            said = server.health()
            rows.append((number, server.megabytes, said["computing_mb"], said["kept_mb"], server.threads, server.files))
            print(*rows[-1], sep="\t", file=sys.stderr, flush=True)
    return rows


async def _visit(address: str, content: bytes) -> None:
    async with Visitor(address) as visitor:
        await visitor.open("docs")
        await visitor.upload("upload", "mine.txt", content)
        for page in SEEN:
            await visitor.open(page)
            with suppress(TimeoutError):
                await asyncio.wait_for(visitor.until(lambda: visitor.finished), LONGEST)


def _file(number: int) -> bytes:
    random = np.random.default_rng(number)
    lines = []
    for query in range(QUERIES):
        x = random.random((DOCUMENTS, FEATURES))
        grades = np.argsort(np.argsort(x[:, 0] + x[:, 1] / 2 + random.random(DOCUMENTS))) // 3
        for grade, row in zip(grades, x, strict=True):
            lines.append(f"{grade} qid:{query} " + " ".join(f"{j}:{value:.3f}" for j, value in enumerate(row, 1)))
    return ("\n".join(lines) + "\n").encode()
