"""A step of C: what it costs a server, by turns with the server of another checkout.

``VISITORS_ROOT`` names that checkout; without one nothing is compared.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.report import Cell, Column, Goal, Report
from benchmarks.visitors import Measured
from benchmarks.websocket_visitor import Visitor
from core.analysis.evaluation import FloatArray
from tests.browser.server import ROOT

PAGES = ("", "path", "features", "tradeoff", "fit")
STEPS = ("0.001", "0.003", "0.01", "0.03")
"""Values of C, one after the other."""
ROUNDS, UNCOUNTED = 40, 3
LINK = "dataset=python-docs&fold=1&method=l1"
SETTLED = 2.0
"""Seconds for what goes on beside a page when it has been drawn."""


class _Here(Measured):
    root = ROOT


def run(threads: int | None) -> Report:
    """Processor time of the server for a step of C to a model that is known, page by page."""
    if threads is not None:
        os.environ["NUMBA_NUM_THREADS"] = str(threads)
    compared = "VISITORS_ROOT" in os.environ
    with ExitStack() as open_servers:
        kinds = (_Here, Measured) if compared else (_Here,)
        servers = [open_servers.enter_context(_server(kind)) for kind in kinds]
        times = {page: asyncio.run(_page(servers, page)) for page in PAGES}
    rows: list[tuple[Cell, ...]] = []
    worst = 0.0
    for page, spent in times.items():
        here, other, ratio = *np.median(spent, axis=1)[[0, -1]], float(np.median(spent[0] / spent[-1]))
        rows.append((page or "lab", float(here), *((float(other), ratio) if compared else ("-", "-"))))
        worst = max(worst, ratio)
    return Report(
        title="A step of C to a known model",
        setting=f"sample data, {ROUNDS} rounds of {len(STEPS)} steps by turns; {os.cpu_count()} cores",
        columns=(
            Column("page"),
            Column("here, ms", ".1f"),
            Column("other checkout, ms", ".1f"),
            Column("ratio", ".3f"),
        ),
        rows=rows,
        goals=[Goal("not slower on any page", f"{worst:.3f} of the other's time at most", worst <= 1.0)] * compared,
        notes=["Processor time of the server's process, all threads; medians, the ratio round by round."],
    )


@contextmanager
def _server(kind: type[Measured]) -> Iterator[Measured]:
    with TemporaryDirectory() as folder:
        os.environ["SPARSE_RANK_CACHE"] = os.environ["SPARSE_RANK_HOME"] = folder
        with kind(Path(folder) / "log.txt") as server:
            yield server


async def _page(servers: Sequence[Measured], page: str) -> FloatArray:
    """Milliseconds a step, of shape (servers, ROUNDS)."""
    async with AsyncExitStack() as visits:
        visitors = [await visits.enter_async_context(Visitor(server.address)) for server in servers]
        for visitor in visitors:
            await visitor.open(page, LINK)
        for _ in range(UNCOUNTED):
            for visitor in visitors:
                await _steps(visitor)
            await asyncio.sleep(SETTLED)
        spent = np.zeros((len(servers), ROUNDS))
        for number in range(ROUNDS):
            for which in range(len(servers))[:: 1 if number % 2 else -1]:
                before = servers[which].processor_seconds
                await _steps(visitors[which])
                spent[which, number] = 1e3 * (servers[which].processor_seconds - before) / len(STEPS)
    return spent


async def _steps(visitor: Visitor) -> None:
    for c in STEPS:
        await visitor.tell("text_input", "C", string_value=c)
