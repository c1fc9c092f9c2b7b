"""A server that is killed in the middle of its work: the next one has every path that was finished."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.websocket_visitor import Visitor
from tests.browser.server import Server

LINK = "dataset=planted&fold=Fold2&method=l1&beside=log,mcp,l0.5"


async def looked_at(server: Server, enough: Callable[[Visitor], bool]) -> None:
    async with Visitor(server.address) as visitor:
        await visitor.open("path", LINK)
        while not enough(visitor):
            await asyncio.sleep(0.02)


@pytest.mark.more
def test_what_was_finished_before_a_kill_is_not_computed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARSE_RANK_CACHE", str(tmp_path / "cache"))

    def kept() -> set[str]:
        return {path.name for path in tmp_path.glob("cache/paths/*.json.gz")}

    with Server(tmp_path / "first.txt") as first:
        asyncio.run(asyncio.wait_for(looked_at(first, lambda _: len(kept()) > 0), 120))
        first._process.kill()
    before = kept()
    assert before
    with Server(tmp_path / "second.txt") as second:
        asyncio.run(asyncio.wait_for(looked_at(second, lambda visitor: visitor.finished), 120))
        deadline = time.monotonic() + 120
        while len(kept()) < 4:
            assert time.monotonic() < deadline
            time.sleep(0.05)
    after = kept()
    assert before <= after
    assert len(after) == 4
