"""A real server over websockets, from its first page to an end that loses nothing; no click is lost meanwhile.

A server that is killed in the middle of its work: the next one has every path that was finished.
"""

import asyncio
import json
import time
import urllib.request
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path

import pytest
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg

from benchmarks.app.websocket_visitor import Visitor
from pages.shared.server.log import SETTING
from tests.browser.server import Server
from tests.oracles import ranking_problem
from tests.ranking_files import letor_text

MARKER = "file-of-mine-7f3a"
CLIENT = "127.0.0.2"


async def _click_before_the_answer(address: str) -> None:
    """No click is lost: each falls into another moment of the server's work, which what follows it breaks off."""
    drawn = []
    for i, moment in enumerate((0.0, 0.005, 0.02)):
        async with Visitor(address) as visitor:
            await visitor.open("fit")
            await visitor.upload("upload", "mine.txt", letor_text(ranking_problem(i, n_queries=15)).encode())
            await visitor.press("tune", followed_after=moment)
            await visitor.until(lambda visitor=visitor: bool(tuning(visitor)))
            drawn.append(tuning(visitor))
    assert len(set(drawn)) == 3, "a picture of each file"


async def _press_at_once_after_a_choice(address: str) -> None:
    """It is about that choice, though the list of methods is as before, in the message of the press too."""
    for moment in (0.0, 0.02):
        async with Visitor(address) as visitor:
            await visitor.open("fit", "dataset=planted&method=l1&ratio=0.1")
            await visitor.tell("selectbox", "method", string_value="RankSVM ℓ1")
            await visitor.tell("button_group", "quick_method", string_array_value=["ℓ1"])
            await visitor.tell("button_group", "quick_method", string_array_value=["log"], waits=False)
            await asyncio.sleep(moment)
            await visitor.press("fit")
            bodies = [e.html.body for e in visitor.elements.values() if e.WhichOneof("type") == "html"]
            assert "<b>log</b>" in next(body for body in bodies if 'class="strip"' in body)


def tuning(visitor: Visitor) -> str:
    """The finished picture of the choice of C."""
    done = any(e.WhichOneof("type") == "button" and e.button.id.endswith("-use_c") for e in visitor.elements.values())
    charts = [e.bidi_component for e in visitor.elements.values() if e.WhichOneof("type") == "bidi_component"]
    return next((one.bytes.decode() for one in charts if done and one.id.endswith("-chart_tuning")), "")


async def _ask_over_a_websocket(address: str) -> None:
    place = address.replace("http", "ws", 1) + f"/_stcore/stream?shared={MARKER}"
    protocols = [websockets.Subprotocol("streamlit")]
    async with websockets.connect(place, local_addr=(CLIENT, 0), subprotocols=protocols) as line:
        asked = BackMsg()
        asked.rerun_script.query_string = f"dataset=planted&shared={MARKER}"
        await line.send(asked.SerializeToString())
        await asyncio.wait_for(line.recv(), 60)


def _ask_in_every_way(address: str) -> None:
    """Requests whose clients and addresses the server must not write down."""
    for path in ("/", "/path", "/nothing", "/media/x", "/_stcore/upload_file/a", "/health", "/metrics"):
        connection = HTTPConnection(address.removeprefix("http://"), timeout=60, source_address=(CLIENT, 0))
        connection.request("GET", f"{path}?shared={MARKER}")
        connection.getresponse().read()
        connection.close()
    asyncio.run(_ask_over_a_websocket(address))


@pytest.mark.first
def test_from_its_first_page_to_its_end_with_a_log_that_names_no_visitor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SETTING, "json")
    monkeypatch.setenv("STREAMLIT_LOGGER_HIDE_WELCOME_MESSAGE", "true")  # it is no JSON
    said = tmp_path / "log.txt"
    with Server(said) as server:
        asyncio.run(_click_before_the_answer(server.address))
        asyncio.run(_press_at_once_after_a_choice(server.address))
        with urllib.request.urlopen(f"{server.address}/health", timeout=60) as health:
            assert json.load(health)["visitors"] == 0
        asked = urllib.request.Request(f"{server.address}/path?C=1", headers={"Accept": "text/html"})
        with urllib.request.urlopen(asked, timeout=60) as page:
            assert b"plotly-basic" in page.read()
        _ask_in_every_way(server.address)
    written = said.read_text()
    lines = [json.loads(line) for line in written.splitlines()]
    events = {line["event"]: line for line in lines}
    order = [line["event"] for line in lines]
    assert order.index("ready") < order.index("stopping") < order.index("stopped")
    assert events["stopped"]["unfinished"] == 0
    assert all(line["level"] in ("info", "warning") for line in lines), lines
    assert "/_stcore/stream" in written
    assert MARKER not in written
    assert CLIENT not in written


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
