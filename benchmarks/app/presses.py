"""Presses that follow each other sooner than a page is drawn, on a quiet server and beside a busy loop: none is lost.

Each visitor chooses a method and pins the run 100 to 300 ms later, when the page has often not met the answer.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.app.websocket_visitor import Visitor
from benchmarks.report import Column, Goal, Report
from tests.browser.server import Server

VISITORS = int(os.environ.get("PRESSES_VISITORS", "100"))
GAP = (0.1, 0.3)  # seconds
METHODS = ("log", "MCP", "ℓ0.5")


def run(threads: int | None) -> Report:
    """All visits on a quiet machine, then all beside a busy loop for each processor."""
    rows = []
    with TemporaryDirectory() as folder, Server(Path(folder) / "log.txt") as server:
        rows.append(("quiet", 2 * VISITORS, asyncio.run(_lost(server.address))))
        with _busy():
            rows.append(("beside a busy loop for each processor", 2 * VISITORS, asyncio.run(_lost(server.address))))
    lost = sum(row[2] for row in rows)
    return Report(
        title="Presses 100 to 300 ms apart",
        setting=f"planted; a method, then Pin; {os.cpu_count()} cores",
        columns=(Column("server"), Column("presses", "d"), Column("lost", "d")),
        rows=rows,
        goals=[Goal("none is lost", str(lost), not lost)],
    )


async def _lost(address: str) -> int:
    chance, lost = random.Random(0), 0
    for number in range(VISITORS):
        title = METHODS[number % len(METHODS)]
        async with Visitor(address) as visitor:
            await visitor.open("fit", "dataset=planted&method=l1&ratio=0.1")
            await visitor.tell("button_group", "quick_method", string_array_value=["ℓ1"])
            await visitor.tell("button_group", "quick_method", string_array_value=[title], waits=False)
            await asyncio.sleep(chance.uniform(*GAP))
            await visitor.press("pin")
            await asyncio.sleep(0.5)
            html = [e.html.body for e in visitor.elements.values() if e.WhichOneof("type") == "html"]
            strip = next((body for body in html if 'class="strip"' in body), "")
            buttons = [e.button.id for e in visitor.elements.values() if e.WhichOneof("type") == "button"]
            lost += (f"<b>{title}</b>" not in strip) + (not any(name.endswith("-unpin") for name in buttons))
    return lost


@contextmanager
def _busy() -> Iterator[None]:
    loops = [
        multiprocessing.get_context("spawn").Process(target=_spin, daemon=True) for _ in range(os.cpu_count() or 1)
    ]
    for loop in loops:
        loop.start()
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()


def _spin() -> None:
    while True:
        pass
