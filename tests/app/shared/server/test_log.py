"""One JSON object a line, whatever a record holds."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

from pages.shared.server.log import SETTING, JsonLines

ROOT = Path(__file__).resolve().parents[4]


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
        capture_output=True, text=True, check=True, cwd=ROOT,
        env=os.environ | {SETTING: "json"},
    )  # fmt: skip
    said = [json.loads(line) for line in told.stderr.splitlines()]
    assert [line["event"] for line in said[:3]] == ["one", "two", "three"]
    assert "four" in said[3]["event"]
    assert said[4]["event"] == "five"


MARKER = "file-of-mine-7f3a"
CLIENTS = ("203.0.113.9:51000", "2001:db8::9:51000", "[2001:db8::9]:51000")
ASKED = f"/_stcore/stream?shared={MARKER}&x=1"
WRITE = """
import json
import logging
import sys
from pages.shared.server import log
log.begin()
logging.basicConfig(level="INFO")
for name, text, args in json.load(sys.stdin):
    logging.getLogger(name).warning(text, *args)
"""


def _written(records: list[tuple[str, str, tuple[object, ...]]]) -> list[str]:
    """What loggers write of their messages after `begin`, a line each."""
    told = subprocess.run(
        [sys.executable, "-c", WRITE], input=json.dumps(records), capture_output=True, text=True, check=True, cwd=ROOT
    )
    return told.stderr.splitlines()


def test_a_request_has_its_path_alone_and_no_client_and_the_servers_own_address_stays() -> None:
    websocket = [("uvicorn.error", '%s - "WebSocket %s" [accepted]', (client, ASKED)) for client in CLIENTS]
    page = [("uvicorn.access", '%s - "%s %s HTTP/%s" %d', (client, "GET", ASKED, "1.1", 200)) for client in CLIENTS]
    own = ("uvicorn.error", "Uvicorn running on %s://%s:%d", ("http", "127.0.0.1", 8501))
    *requests, address = _written([*websocket, *page, own])
    assert "http://127.0.0.1:8501" in address
    assert len(requests) == len(websocket) + len(page)
    for said in requests:
        assert "/_stcore/stream" in said
        assert MARKER not in said
        assert "203.0.113" not in said
        assert "2001:db8" not in said
