"""One JSON object a line, whatever a record holds."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path

import pytest
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets import Subprotocol

from pages.shared.server.log import SETTING, JsonLines
from tests.browser.server import ROOT, Server


def _line(message: str, **more: object) -> dict[str, object]:
    record = logging.LogRecord("somewhere", logging.WARNING, "", 0, message, (), None)
    record.__dict__.update(more)
    text = JsonLines().format(record)
    assert "\n" not in text
    assert text.isascii()
    return json.loads(text)


def test_a_line_break_or_an_escape_in_a_text_stays_in_its_line() -> None:
    assert _line("a\nb\x1b[31m \u2028")["event"] == "a\nb\x1b[31m \u2028"


def test_details_and_tracebacks_come_along() -> None:
    said = _line("ready", details={"seconds": 1.5})
    assert (said["seconds"], said["level"], said["source"]) == (1.5, "warning", "somewhere")
    try:
        msg = "wrong"
        raise ValueError(msg)
    except ValueError:
        assert "ValueError: wrong" in str(_line("a fault", exc_info=sys.exc_info())["traceback"])


def test_loggers_that_streamlit_makes_later_and_warnings_are_lines_of_json_too() -> None:
    code = """
import warnings
from streamlit.logger import get_logger
early = get_logger("streamlit.early")
from pages.shared.server import log
log.begin()
early.warning("one")
get_logger("streamlit.late").warning("two")
get_logger("websockets").error("three")
warnings.warn("four")
log.event("five")
"""
    told = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=True, cwd=Path(__file__).resolve().parents[4],
        env=os.environ | {SETTING: "json"},
    )  # fmt: skip
    said = [json.loads(line) for line in told.stderr.splitlines()]
    assert [line["event"] for line in said[:3]] == ["one", "two", "three"]
    assert "four" in said[3]["event"]
    assert said[4]["event"] == "five"


MARKER = "file-of-mine-7f3a"
CLIENT = "127.0.0.2"


def _written_by(name: str, text: str, *args: object) -> str:
    """What a logger writes of a message after `begin`."""
    code = f"""
import logging
from pages.shared.server import log
log.begin()
logging.basicConfig(level="INFO")
logging.getLogger({name!r}).warning({text!r}, *{args!r})
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    return told.stderr


@pytest.mark.parametrize("client", ["203.0.113.9:51000", "2001:db8::9:51000", "[2001:db8::9]:51000"])
@pytest.mark.parametrize(
    ("name", "text", "more"),
    [
        ("uvicorn.error", '%s - "WebSocket %s" [accepted]', ()),
        ("uvicorn.access", '%s - "%s %s HTTP/%s" %d', ("1.1", 200)),
    ],
)
def test_a_request_has_its_path_alone_and_no_client(
    client: str, name: str, text: str, more: tuple[object, ...]
) -> None:
    method = ("GET",) if name == "uvicorn.access" else ()
    said = _written_by(name, text, client, *method, f"/_stcore/stream?shared={MARKER}&x=1", *more)
    assert "/_stcore/stream" in said
    assert MARKER not in said
    assert "203.0.113" not in said
    assert "2001:db8" not in said


def test_the_servers_own_address_stays() -> None:
    said = _written_by("uvicorn.error", "Uvicorn running on %s://%s:%d", "http", "127.0.0.1", 8501)
    assert "http://127.0.0.1:8501" in said


@pytest.mark.first
def test_a_server_writes_neither_what_follows_a_path_nor_who_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SETTING, "json")
    said = tmp_path / "log.txt"

    async def visit(address: str) -> None:
        place = address.replace("http", "ws", 1) + f"/_stcore/stream?shared={MARKER}"
        async with websockets.connect(place, local_addr=(CLIENT, 0), subprotocols=[Subprotocol("streamlit")]) as socket:
            asked = BackMsg()
            asked.rerun_script.query_string = f"dataset=planted&shared={MARKER}"
            await socket.send(asked.SerializeToString())
            await asyncio.wait_for(socket.recv(), 60)

    with Server(said) as server:
        host = server.address.removeprefix("http://")
        for path in ("/", "/path", "/nothing", "/media/x", "/_stcore/upload_file/a", "/health", "/metrics"):
            connection = HTTPConnection(host, timeout=60, source_address=(CLIENT, 0))
            connection.request("GET", f"{path}?shared={MARKER}")
            connection.getresponse().read()
            connection.close()
        asyncio.run(visit(server.address))
    written = said.read_text()
    assert "/_stcore/stream" in written
    assert MARKER not in written
    assert CLIENT not in written
