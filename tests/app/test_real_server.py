"""A real server over websockets: no click is lost. What of a file makes numbers its own: tests/app/test_isolation.py.

A server that is killed in the middle of its work: the next one has every path that was finished.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from benchmarks.websocket_visitor import Visitor
from pages.shared.work.process.fits import SETTING, THREADS
from tests.browser.server import Server


def lists(number: int) -> bytes:
    """A file unlike that of any other number; two features rank better than one."""
    random = np.random.default_rng(number)
    rows = []
    for k in range(120):
        x = [k % 3 + 2.0 * random.random(), k % 3 + 2.0 * random.random(), random.random()]
        rows.append(f"{k % 3} qid:{k // 8} 1:{x[0]:.3f} 2:{x[1]:.3f} 3:{x[2]:.3f}\n")
    return "".join(rows).encode()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    place = tmp_path_factory.mktemp("server")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARSE_RANK_DATA", str(place / "data"))
        patch.setenv("SPARSE_RANK_HOME", str(place / "home"))
        patch.setenv(SETTING, THREADS)
        with Server(place / "log.txt") as running:
            yield running


def test_a_click_counts_however_soon_the_next_message_comes(server: Server) -> None:
    """Each click falls into another moment of the server's work, and what follows it breaks that work off."""

    async def clicks() -> list[str]:
        drawn = []
        for i, moment in enumerate((0.0, 0.005, 0.02)):
            async with Visitor(server.address) as visitor:
                await visitor.open("fit")
                await visitor.upload("upload", "mine.txt", lists(i))
                await visitor.press("tune", followed_after=moment)
                await visitor.until(lambda visitor=visitor: bool(tuning(visitor)))
                drawn.append(tuning(visitor))
        return drawn

    assert len(set(asyncio.run(clicks()))) == 3, "a picture of each file"


@pytest.mark.parametrize("moment", [0.0, 0.02])
def test_a_press_at_once_after_a_choice_is_about_that_choice(server: Server, moment: float) -> None:
    """The list of methods is as it was before, in the message of the press too: its page has met no answer."""

    async def pressed() -> str:
        async with Visitor(server.address) as visitor:
            await visitor.open("fit", "dataset=planted&method=l1&ratio=0.1")
            await visitor.tell("selectbox", "method", string_value="RankSVM ℓ1")
            await visitor.tell("button_group", "quick_method", string_array_value=["ℓ1"])
            await visitor.tell("button_group", "quick_method", string_array_value=["log"], waits=False)
            await asyncio.sleep(moment)
            await visitor.press("fit")
            bodies = [e.html.body for e in visitor.elements.values() if e.WhichOneof("type") == "html"]
            return next(body for body in bodies if 'class="strip"' in body)

    assert "<b>log</b>" in asyncio.run(pressed())


def tuning(visitor: Visitor) -> str:
    """The finished picture of the choice of C."""
    done = any(e.WhichOneof("type") == "button" and e.button.id.endswith("-use_c") for e in visitor.elements.values())
    charts = [e.bidi_component for e in visitor.elements.values() if e.WhichOneof("type") == "bidi_component"]
    return next((one.bytes.decode() for one in charts if done and one.id.endswith("-chart_tuning")), "")


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
