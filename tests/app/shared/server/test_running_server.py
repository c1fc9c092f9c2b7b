"""The real server as one process, from its first page to an end that loses nothing."""

import asyncio
import json
import urllib.request
from http.client import HTTPConnection
from pathlib import Path

import pytest
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg

from benchmarks.websocket_visitor import Visitor
from pages.shared.server.log import SETTING
from tests.browser.server import Server

MARKER = "file-of-mine-7f3a"
CLIENT = "127.0.0.2"


async def _follow_a_deep_link(address: str) -> None:
    """The choice of the link and the whole menu are there."""
    async with Visitor(address) as visitor:
        await visitor.open("fit", "dataset=planted&method=mcp&ratio=0.01")
        chosen = {e.selectbox.id: e.selectbox for e in visitor.elements.values() if e.WhichOneof("type") == "selectbox"}
        (method,) = [box for name, box in chosen.items() if "-method~" in name]
        assert method.options[method.default] == "RankSVM MCP"
        (slider,) = [
            e.slider for e in visitor.elements.values() if e.WhichOneof("type") == "slider" and e.slider.label == "C"
        ]
        assert "λ/λ_max = 0.01," in slider.help
        assert {"", "fit", "path"} <= set(visitor.pages)
        assert not visitor.has("exception")


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
        asyncio.run(_follow_a_deep_link(server.address))
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
