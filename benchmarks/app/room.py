"""A class of forty: how soon followers have what the presenter shows, and what it costs the server.

``ROOM_FOLLOWERS`` is how many follow. Each has a page open over a websocket, as a browser has.
"""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.app.class_member import ClassMember
from benchmarks.app.websocket_visitor import Visitor
from benchmarks.report import Cell, Column, Goal, Report
from tests.browser.server import ClassServer

FOLLOWERS = int(os.environ.get("ROOM_FOLLOWERS", "40"))
STEPS, APART = 80, 0.12  # places of the handle, and seconds between two of them: as often as room.js tells
MOVES, LOOKS = ("path", "tradeoff", "path", "features", ""), 4.0  # addresses, and seconds at each
QUERY = "dataset=planted&method=l1"
GOAL = 1.0


def run(threads: int | None) -> Report:
    """Move the handle before a class, then go from page to page."""
    if threads is not None:
        os.environ["NUMBA_NUM_THREADS"] = str(threads)
    with TemporaryDirectory() as folder:
        os.environ["SPARSE_RANK_CACHE"] = folder
        with ClassServer(Path(folder) / "log.txt") as server:
            handle, runs, told, drawn = asyncio.run(_lesson(server))
    rows: list[tuple[Cell, ...]] = [
        _row("a step of the handle: until a follower is told", handle),
        _row("another page: until a follower is told", told),
        _row("another page: until a follower's page is drawn", drawn),
    ]
    median = float(np.median(handle))
    return Report(
        title="A class that follows a presenter",
        setting=f"{FOLLOWERS} followers over websockets and HTTP; {os.cpu_count()} cores for them and the server",
        columns=(Column("what"), Column("median, s", ".2f"), Column("95 %, s", ".2f"), Column("most, s", ".2f")),
        rows=rows,
        goals=[
            Goal(f"half of {FOLLOWERS} have the handle within {GOAL:g} s", f"{median:.2f} s", median <= GOAL),
            Goal("no page is run for a step of the handle", f"{runs} runs in {STEPS} steps", runs == 0),
        ],
    )


def _row(what: str, seconds: list[float]) -> tuple[Cell, ...]:
    return what, float(np.median(seconds)), float(np.quantile(seconds, 0.95)), max(seconds)


async def _finished(visitor: Visitor) -> None:
    await visitor.until(lambda: visitor.finished)


async def _lesson(server: ClassServer) -> tuple[list[float], int, list[float], list[float]]:
    """Seconds of each follower until the handle is told, page runs meanwhile, and seconds of moves to other pages."""
    async with AsyncExitStack() as entered:
        presenter = await entered.enter_async_context(ClassMember(server.address, server.present))
        await presenter.post(address=f"path?{QUERY}")
        members, visitors = [], []
        for _ in range(FOLLOWERS):
            member = await entered.enter_async_context(ClassMember(server.address, server.join))
            visitor = await entered.enter_async_context(Visitor(server.address, member.cookie))
            await visitor.open("path", QUERY)
            members.append(member)
            visitors.append(visitor)
        await asyncio.gather(*map(_finished, visitors))
        posted: dict[float, float] = {}
        handle: list[float] = []
        moved: dict[str, float] = {}
        told: list[float] = []
        drawn: list[float] = []
        under_way: set[asyncio.Task[None]] = set()

        async def go(visitor: Visitor, address: str) -> None:
            page, _, query = address.partition("?")
            await visitor.open(page, query)
            drawn.append(time.perf_counter() - moved[address])

        def hears(visitor: Visitor, seen: dict[str, Any]) -> Any:
            def hear(said: dict[str, Any]) -> None:
                now, place = time.perf_counter(), said["place"]
                c, address = place["c"], place["address"]
                if c != seen.get("c") and c in posted:  # steps between the two were never to be seen
                    handle.append(now - posted[c])
                if address != seen.get("address") and address in moved:
                    told.append(now - moved[address])
                    task = asyncio.create_task(go(visitor, address))
                    under_way.add(task)
                    task.add_done_callback(under_way.discard)
                seen.update(place)

            return hear

        for member, visitor in zip(members, visitors, strict=True):
            member.listen(hears(visitor, {"address": f"path?{QUERY}"}))
        await asyncio.sleep(1.0)
        before = sum(visitor.runs for visitor in visitors)
        for step in range(STEPS):
            c = 1e-3 * 1.05**step
            posted[c] = time.perf_counter()
            await presenter.post(address=f"path?{QUERY}", c=c, held=True)
            await asyncio.sleep(APART)
        await asyncio.sleep(1.0)
        runs = sum(visitor.runs for visitor in visitors) - before
        for number, page in enumerate(MOVES):
            address = f"{page}?{QUERY}&ratio=0.0{number + 1}"
            moved[address] = time.perf_counter()
            await presenter.post(address=address)
            await asyncio.sleep(LOOKS)
        if under_way:
            await asyncio.wait(under_way)
        assert len(handle) >= FOLLOWERS
        return handle, runs, told, drawn
