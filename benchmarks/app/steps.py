"""A step of C: what it costs a server, by turns with the server of another checkout.

``VISITORS_ROOT`` names that checkout; without one nothing is compared. ``STEPS_INSTRUCTIONS=1`` counts instructions by
valgrind instead of time: these tell 1 % apart, where the times of two servers with the same code differ by 5 %.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.app.visitors import Measured
from benchmarks.app.websocket_visitor import Visitor
from benchmarks.report import Cell, Column, Goal, Report
from core.analysis.evaluation import FloatArray
from tests.browser.server import ROOT

PAGES = ("", "path", "features", "tradeoff", "fit")
STEPS = ("0.001", "0.003", "0.01", "0.03")
"""Values of C, one after the other."""
ROUNDS, UNCOUNTED = 40, 3
LINK = "dataset=python-docs&fold=1&method=l1"
SETTLED = 2.0
"""Seconds for what goes on beside a page when it has been drawn."""


class _Timed(Measured):
    """A server whose processor time is measured."""

    unit, rounds = "ms", ROUNDS

    @asynccontextmanager
    async def measuring(self, spent: list[float]) -> AsyncIterator[None]:
        """Add what some steps of C take, of each."""
        before = self.processor_seconds
        yield
        spent.append(1e3 * (self.processor_seconds - before) / len(STEPS))


class _Counted(_Timed):
    """A server whose instructions are counted, some fifty times slower."""

    unit, rounds = "million instructions", 7

    def __init__(self, log: Path) -> None:
        super().__init__(log)
        self._counts, self._measured = log.with_name("instructions"), 0
        counting = ("valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={self._counts}")
        self.interpreter = (*counting, sys.executable)

    @asynccontextmanager
    async def measuring(self, spent: list[float]) -> AsyncIterator[None]:
        """Add what some steps of C take, of each; what else the server does meanwhile counts, too."""
        self._measured += 1
        name = f"measured{self._measured}"
        self._control("--instr=on")
        self._control("--zero")
        yield
        self._control(f"--dump={name}")
        self._control("--instr=off")
        written = (path.read_text(encoding="utf-8") for path in self._counts.parent.glob(f"{self._counts.name}.*"))
        text = next(text for text in written if f"desc: Trigger: dump {name}\n" in text)
        total = re.search(r"^totals: (\d+)", text, re.MULTILINE)
        assert total is not None
        spent.append(int(total[1]) / 1e6 / len(STEPS))

    def _control(self, word: str) -> None:
        subprocess.run(["callgrind_control", word, str(self._process.pid)], check=True, stdout=subprocess.DEVNULL)


def run(threads: int | None) -> Report:
    """What a step of C to a model that is known takes in the server, page by page."""
    if threads is not None:
        os.environ["NUMBA_NUM_THREADS"] = str(threads)
    compared = "VISITORS_ROOT" in os.environ
    kind = _Counted if "STEPS_INSTRUCTIONS" in os.environ else _Timed
    roots = (ROOT, Measured.root) if compared else (ROOT,)
    with ExitStack() as open_servers:
        servers = [open_servers.enter_context(_server(kind, root)) for root in roots]
        times = {page: asyncio.run(_page(servers, page)) for page in PAGES}
    rows: list[tuple[Cell, ...]] = []
    worst = 0.0
    for page, spent in times.items():
        here, other, ratio = *np.median(spent, axis=1)[[0, -1]], float(np.median(spent[0] / spent[-1]))
        rows.append((page or "lab", float(here), *((float(other), ratio) if compared else ("-", "-"))))
        worst = max(worst, ratio)
    return Report(
        title="A step of C to a known model",
        setting=f"sample data, {kind.rounds} rounds of {len(STEPS)} steps by turns; {os.cpu_count()} cores",
        columns=(
            Column("page"),
            Column(f"here, {kind.unit}", ".1f"),
            Column(f"other checkout, {kind.unit}", ".1f"),
            Column("ratio", ".3f"),
        ),
        rows=rows,
        goals=[Goal("not more on any page", f"{worst:.3f} of the other at most", worst <= 1.0)] * compared,
        notes=["The server's process, all threads; medians, the ratio round by round."],
    )


@contextmanager
def _server(kind: type[_Timed], root: Path) -> Iterator[_Timed]:
    with TemporaryDirectory() as folder:
        os.environ["SPARSE_RANK_CACHE"] = os.environ["SPARSE_RANK_HOME"] = folder
        server = kind(Path(folder) / "log.txt")
        server.root = root
        with server:
            yield server


async def _page(servers: Sequence[_Timed], page: str) -> FloatArray:
    """What a step takes, of shape (servers, rounds)."""
    async with AsyncExitStack() as visits:
        visitors = [await visits.enter_async_context(Visitor(server.address)) for server in servers]
        for visitor in visitors:
            await visitor.open(page, LINK)
        for _ in range(UNCOUNTED):
            for visitor in visitors:
                await _steps(visitor)
            await asyncio.sleep(SETTLED)
        spent: list[list[float]] = [[] for _ in servers]
        for number in range(servers[0].rounds):
            for which in range(len(servers))[:: 1 if number % 2 else -1]:
                async with servers[which].measuring(spent[which]):
                    await _steps(visitors[which])
    return np.array(spent)


async def _steps(visitor: Visitor) -> None:
    for c in STEPS:
        await visitor.tell("text_input", "C", string_value=c)
