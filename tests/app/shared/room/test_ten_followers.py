"""A real server and a class of ten, over websockets and HTTP: all follow, and no page is run for the handle."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import websockets

from benchmarks.class_member import ClassMember
from benchmarks.websocket_visitor import Visitor
from pages.shared.work.process.fits import SETTING, THREADS
from tests.browser.class_server import ClassServer

TEN = 10
PATIENCE = 120.0


def test_ten_follow_a_handle_without_a_run_of_a_page_and_one_comes_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SETTING, THREADS)
    with ClassServer(tmp_path / "log.txt") as server:
        asyncio.run(asyncio.wait_for(_lesson(server), PATIENCE))
        written = (tmp_path / "log.txt").read_text()
    for secret in (server.join.partition("=")[2], server.present.partition("=")[2]):
        assert written.count(secret) == 1, "the start prints it, and the log does not repeat it"


async def _lesson(server: ClassServer) -> None:
    with pytest.raises(websockets.InvalidStatus):
        async with Visitor(server.address):
            pass
    async with AsyncExitStack() as entered:
        presenter = await entered.enter_async_context(ClassMember(server.address, server.present))
        await presenter.post(address="numbers?dataset=planted")
        members = [await entered.enter_async_context(ClassMember(server.address, server.join)) for _ in range(TEN)]
        visitors = [await entered.enter_async_context(Visitor(server.address, one.cookie)) for one in members[:2]]
        for visitor in visitors:
            await visitor.open("numbers", "dataset=planted")
        before = [visitor.runs for visitor in visitors]
        for member in members:
            member.listen(lambda said: None)
        steps = [0.001 * 1.1**k for k in range(20)]
        for c in steps:
            await presenter.post(address="numbers?dataset=planted", c=c, held=True)
            await asyncio.sleep(0.01)
        while any((member.said.get("place") or {}).get("c") != steps[-1] for member in members):
            await asyncio.sleep(0.02)
        assert [visitor.runs for visitor in visitors] == before
        late = await entered.enter_async_context(ClassMember(server.address, server.join))
        assert (await late.state())["place"]["c"] == steps[-1]
        assert (await presenter.state())["follow"] == TEN + 1
