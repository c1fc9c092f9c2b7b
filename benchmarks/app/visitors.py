"""A room of visitors on one server: how soon all see their pictures, how quick pages stay, what the server holds.

``VISITORS_ROOT`` names another checkout whose server is measured instead, ``SOAK_MINUTES`` the length of the soak,
``VISITORS_PARTS`` some of the measurements, as in ``clicks,memory``, and ``VISITORS_SHARE`` the share of visitors and
seconds to take, such as 0.15 for a look at whether everything runs.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import time
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

import numpy as np

from benchmarks.app.websocket_visitor import SLOWEST, Visitor
from benchmarks.report import Cell, Column, Goal, Report
from tests.browser.server import ROOT, Server

DATASET = "python-docs"
FOUR = "log,mcp,l0.5"
"""Beside l1, the four paths of a link. Fold 1 comes with the program; the others have to be computed."""
SHARE = float(os.environ.get("VISITORS_SHARE", "1"))


def _part_of(count: int) -> int:
    return max(round(SHARE * count), 1)


ROOMS = ((1, "Fold2"), (_part_of(12), "Fold3"), (_part_of(30), "Fold4"), (_part_of(40), "Fold5"))
CLICKING, FITTING, CLICK_SECONDS, THINK = _part_of(40), _part_of(10), max(120.0 * SHARE, 10.0), (1.0, 4.0)
COMING = 0.25
"""Share of that time in which the room fills and most of what it asks for has not been drawn before."""
CLICKED = ("path", "tradeoff", "features", "data", "")
IDLE = _part_of(40)
SHORT_VISITS, SHORT = _part_of(30), 3.0
SOAK_VISITS = _part_of(6)
SESSIONS_KEPT = 125.0
"""Seconds after which Streamlit no longer keeps the session of a visitor who has left, and some more."""
TO_START = 60.0
"""Seconds for the process that computes to be there; where there is none, the pages' own process does."""
HELD = (
    ("memory", "MB"), ("threads", ""), ("files", ""),
    ("of the memory, pictures and tables that are kept", "MB"), ("memory of the process that computes", "MB"),
)  # fmt: skip
TWELVE, KNOWN, CLICK, PER_IDLE, SOAK = 15.0, 5.0, 300.0, 2.0, 10.0


def run(threads: int | None) -> Report:
    """All measurements one after the other, each on a server of its own."""
    if threads is not None:
        os.environ["NUMBA_NUM_THREADS"] = str(threads)
    rows: list[tuple[Cell, ...]] = []
    goals: list[Goal] = []
    wanted = os.environ.get("VISITORS_PARTS", ",".join(PARTS)).split(",")
    for measure in (PARTS[name] for name in wanted):
        with _server() as server:
            found, met = asyncio.run(measure(server))
        rows += found
        goals += met
    return Report(
        title="Many visitors on one server, over websockets",
        setting=f"{DATASET}, l1 with {FOUR}; {os.cpu_count()} cores, which the visitors share with the server",
        columns=(Column("what"), Column("median", ".2f"), Column("95 %", ".2f"), Column("most", ".2f"), Column("unit")),
        rows=rows,
        goals=goals,
    )


Found = tuple[list[tuple[Cell, ...]], list[Goal]]


class Measured(Server):
    """The server of this checkout or another, with what it holds."""

    root = Path(os.environ.get("VISITORS_ROOT", ROOT))

    def assert_quiet(self) -> None:
        """Work under way ends with the server, and may say so."""

    @property
    def megabytes(self) -> float:
        """Of memory, resident."""
        return self._status("VmRSS") / 1024

    @property
    def processor_seconds(self) -> float:
        """Used so far, of all cores."""
        return time.clock_gettime(~self._process.pid << 3 | 2)  # what clock_getcpuclockid(3) gives on Linux

    @property
    def threads(self) -> int:
        """How many it has."""
        return self._status("Threads")

    @property
    def files(self) -> int:
        """Open files and connections."""
        return len(list(Path(f"/proc/{self._process.pid}/fd").iterdir()))

    def health(self) -> dict[str, float]:
        """What the server says of itself."""
        with urllib.request.urlopen(f"{self.address}/health", timeout=SLOWEST) as answer:
            said: dict[str, float] = json.load(answer)
        return said

    def _status(self, name: str) -> int:
        lines = Path(f"/proc/{self._process.pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith(f"{name}:")).split()[1])


@contextmanager
def _server() -> Iterator[Measured]:
    """A server whose cache is empty, which has served its first page, and has started the process that computes."""
    with TemporaryDirectory() as folder:
        os.environ["SPARSE_RANK_CACHE"] = folder
        with Measured(Path(folder) / "log.txt") as server:
            asyncio.run(_seconds_to_picture(server.address, _link("Fold1")))
            ends = time.monotonic() + TO_START
            while not server.health()["computing_mb"] and time.monotonic() < ends:
                time.sleep(0.2)
            yield server


def _link(fold: str, **more: str) -> str:
    return urlencode({"dataset": DATASET, "fold": fold, "method": "l1", "beside": FOUR} | more)


async def _seconds_to_picture(address: str, query: str) -> float:
    """From opening the Path page by a link until its picture is finished; `SLOWEST` for who gives up before."""
    begun = time.perf_counter()
    with suppress(TimeoutError):
        async with asyncio.timeout(SLOWEST), Visitor(address) as visitor:
            await visitor.open("path", query)
            await visitor.until(lambda: visitor.finished)
    return time.perf_counter() - begun


def _row(what: str, values: list[float], unit: str) -> tuple[Cell, ...]:
    return what, float(np.median(values)), float(np.quantile(values, 0.95)), max(values), unit


async def _rooms(server: Measured) -> Found:
    """One link opened by many at once: not computed before, and again by as many others."""
    rows: list[tuple[Cell, ...]] = []
    goals = []
    for count, fold in ROOMS:
        for state in ("not computed before", "computed before"):
            used = server.processor_seconds
            every = await asyncio.gather(*(_seconds_to_picture(server.address, _link(fold)) for _ in range(count)))
            rows.append(_row(f"finished picture, {count} visitors of a link {state}", every, "s"))
            rows.append(("the server's processor time for that", "-", "-", server.processor_seconds - used, "s"))
            limit = {(12, "not computed before"): TWELVE, (40, "computed before"): KNOWN}.get((count, state))
            if limit is not None:
                claim = f"{count} visitors of a link {state} all see it finished within {limit:g} s"
                goals.append(Goal(claim, f"{max(every):.1f} s", max(every) <= limit))
    return rows, goals


async def _clicks(server: Measured) -> Found:
    """Page changes and steps of C by many while others fit."""
    ends = time.perf_counter() + CLICK_SECONDS
    begins = time.perf_counter()
    pages: list[float] = []
    steps: list[float] = []
    later: list[float] = []
    paths: list[float] = []

    async def timed(kept: list[float], act: Awaitable[None]) -> None:
        begun = time.perf_counter()
        await act
        kept.append(1000 * (time.perf_counter() - begun))
        if begun - begins > COMING * CLICK_SECONDS:
            later.append(kept[-1])

    async def clicks(number: int) -> None:
        chance = random.Random(number)
        async with Visitor(server.address) as visitor:
            await visitor.open(CLICKED[number % len(CLICKED)], _link("Fold1"))
            while time.perf_counter() < ends:
                await asyncio.sleep(chance.uniform(*THINK))
                if chance.random() < 0.5:
                    await timed(pages, visitor.open(chance.choice(CLICKED), _link("Fold1")))
                else:
                    await timed(steps, visitor.move("ratio_step", chance.randrange(20, 60)))

    async def fits(number: int) -> None:
        async with Visitor(server.address) as visitor:
            while time.perf_counter() < ends:
                gamma = 2.0 + 0.1 * number + 0.001 * (time.perf_counter() % 100)
                query = _link(f"Fold{2 + number % 4}", method="mcp", beside="", **{"mcp.gamma": f"{gamma:.4f}"})
                begun = time.perf_counter()
                with suppress(TimeoutError):  # its turn may not come where pages keep both cores busy
                    await visitor.open("path", query)
                    await visitor.until(lambda: visitor.finished or time.perf_counter() > ends)
                if visitor.finished:
                    paths.append(time.perf_counter() - begun)

    await asyncio.gather(*(clicks(number) for number in range(CLICKING)), *(fits(n) for n in range(FITTING)))
    who = f"{CLICKING} clicking, {FITTING} fitting"
    both = float(np.median(pages + steps))
    rows = [_row(f"page change, {who}", pages, "ms"), _row(f"step of C, {who}", steps, "ms")]
    if paths:
        rows.append(_row(f"path, complete, of those who fit ({len(paths)} in all)", paths, "s"))
    if later:
        rows.append(_row(f"either, after the first {COMING * CLICK_SECONDS:g} s", later, "ms"))
    return rows, [Goal(f"median click under {CLICK:g} ms with {who}", f"{both:.0f} ms", both < CLICK)]


async def _memory(server: Measured) -> Found:
    """Visitors who have opened a page and look at it."""
    await _stay(server, 5, 0.1)
    before = server.megabytes
    held: list[float] = []

    async def look() -> None:
        held.append((server.megabytes - before) / IDLE)

    await _stay(server, IDLE, 2.0, look)
    return [_row(f"memory of an idle visitor, {IDLE} of them", held, "MB")], [
        Goal(f"an idle visitor holds less than {PER_IDLE:g} MB", f"{held[0]:.2f} MB", held[0] < PER_IDLE)
    ]


async def _stay(
    server: Measured, count: int, seconds: float, then: Callable[[], Awaitable[None]] | None = None
) -> None:
    """So many visitors open a page, one after the other, and look at it together."""
    visitors = [Visitor(server.address) for _ in range(count)]
    for visitor in visitors:
        await visitor.__aenter__()
        await visitor.open("path", _link("Fold1"))
    await asyncio.sleep(seconds)
    if then is not None:
        await then()
    for visitor in visitors:
        await visitor.__aexit__()


async def _newcomer(server: Measured) -> Found:
    """Many open heavy links of their own and leave after a moment; then somebody comes who stays."""

    async def short(number: int) -> None:
        async with Visitor(server.address) as visitor:
            query = _link(f"Fold{2 + number % 4}", method="mcp", **{"mcp.gamma": f"{2 + number / 10:g}"})
            opening = asyncio.create_task(visitor.open("path", query))
            await asyncio.sleep(SHORT)
            opening.cancel()

    await asyncio.gather(*(short(number) for number in range(SHORT_VISITS)))
    seconds = await _seconds_to_picture(server.address, _link("Fold2"))
    what = f"finished picture of a newcomer after {SHORT_VISITS} visits of {SHORT:g} s"
    return [_row(what, [seconds], "s")], [Goal(f"{what} within {TWELVE:g} s", f"{seconds:.1f} s", seconds <= TWELVE)]


async def _soak(server: Measured) -> Found:
    """Visitors come and go; what the server holds when all have been gone for long, at the end and after a first round.

    Streamlit keeps the session of a visitor who has left for two minutes, 128 of them at most, each with its memory and
    three open files; it lets go of them when another leaves. So a first round fills what is kept, and both times are
    measured when only the last few are held.
    """
    minutes = float(os.environ.get("SOAK_MINUTES", "1"))

    async def comes_and_goes(number: int, until: float) -> None:
        chance = random.Random(number)
        while time.perf_counter() < until:
            async with Visitor(server.address) as visitor:
                for page in chance.sample(CLICKED, 3):
                    await visitor.open(page, _link(f"Fold{chance.randrange(1, 6)}"))
                    await asyncio.sleep(chance.uniform(0.1, 1.0))

    async def holds(busy: float) -> list[float]:
        until = time.perf_counter() + 60 * busy
        await asyncio.gather(*(comes_and_goes(number, until) for number in range(SOAK_VISITS)))
        await asyncio.sleep(SESSIONS_KEPT)
        await _stay(server, 2, 0.1)
        await asyncio.sleep(3.0)
        said = server.health()
        return [server.megabytes, float(server.threads), float(server.files), said["kept_mb"], said["computing_mb"]]

    first = max(minutes / 5, min(minutes, 5.0))
    before = await holds(first)
    after = await holds(minutes)
    rows: list[tuple[Cell, ...]] = [
        (f"{what} when all have gone, after {first:g} min and after {minutes:g} min more", was, "-", now, unit)
        for (what, unit), was, now in zip(HELD, before, after, strict=True)
    ]
    growth = [100 * (now / was - 1) for was, now in zip(before[:3], after[:3], strict=True)]
    told = ", ".join(f"{percent:+.0f} %" for percent in growth)
    return rows, [Goal(f"memory, threads and files end within {SOAK:g} % of their start", told, max(growth) <= SOAK)]


PARTS = {"rooms": _rooms, "clicks": _clicks, "memory": _memory, "newcomer": _newcomer, "soak": _soak}
