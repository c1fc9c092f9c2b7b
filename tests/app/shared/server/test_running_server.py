"""The real server as one process: warm before it says so, early links, and an end that loses nothing."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from http.client import HTTPConnection
from pathlib import Path

import pytest
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg

from benchmarks.websocket_visitor import Visitor
from tests.stand_ins import free_port

ROOT = Path(__file__).resolve().parents[4]
SECONDS = 300.0  # a busy machine fails no test
PARTING = 120.0
MARKER = "file-of-mine-7f3a"
CLIENT = "127.0.0.2"


def _get(address: str) -> tuple[int, bytes]:
    """What a browser is answered: it asks for pages, and takes them compressed."""
    asked = urllib.request.Request(address, headers={"Accept": "text/html,*/*;q=0.8", "Accept-Encoding": "gzip, br"})
    try:
        with urllib.request.urlopen(asked, timeout=5) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read()
    except OSError:
        return 0, b""


def _wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> bytes:
    """What is answered once all is well."""
    deadline = time.monotonic() + SECONDS
    while (found := _get(address))[0] != 200:
        assert server.poll() is None, log.read_text()
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.05)
    return found[1]


async def _follow_a_deep_link(address: str) -> None:
    """A page that is asked for before the server says that it is ready: its choice and the whole menu are there."""
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
def test_from_its_first_page_to_its_end_with_a_log_that_names_no_visitor(tmp_path: Path) -> None:
    address = f"http://127.0.0.1:{free_port()}"
    said = tmp_path / "log.txt"
    words = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", address.rpartition(":")[2]]
    words += ["--server.fileWatcherType", "none", "--logger.hideWelcomeMessage", "true"]
    settings = os.environ | {"SPARSE_RANK_LOG": "json", "SPARSE_RANK_CACHE": str(tmp_path / "cache")}
    with said.open("wb") as log:
        server = subprocess.Popen(words, cwd=ROOT, env=settings, stdout=log, stderr=subprocess.STDOUT)
    try:
        _wait_for(f"{address}/_stcore/health", server, said)
        asyncio.run(_follow_a_deep_link(address))
        health = _wait_for(f"{address}/health", server, said)
        assert json.loads(health)["visitors"] == 0
        assert b"plotly-basic" in _get(f"{address}/path?C=1")[1]
        _ask_in_every_way(address)
        server.send_signal(signal.SIGTERM)
        server.wait(PARTING)
    finally:
        server.kill()
        server.wait()
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
