"""One JSON object a line, whatever a record holds.

Where a browser of this machine finds the app.
"""

import gc
import json
import logging
import os
import subprocess
import sys
import weakref
from pathlib import Path

import pytest
import streamlit as st

from pages.shared.room import welcome
from pages.shared.server import log
from pages.shared.server.log import SETTING, JsonLines
from pages.shared.server.server import tidy

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


def _said(name: str, text: str, *args: object) -> str:
    return log._without_query_and_client(name, logging.INFO, "", 0, text, args, None).getMessage()


def test_a_request_has_its_path_alone_and_no_client_and_the_servers_own_address_stays() -> None:
    """That the server's log is made of such records: test_running_server.py."""
    for client in CLIENTS:
        page = _said("uvicorn.access", '%s - "%s %s HTTP/%s" %d', client, "GET", ASKED, "1.1", 200)
        for said in (_said("uvicorn.error", '%s - "WebSocket %s" [accepted]', client, ASKED), page):
            assert "/_stcore/stream" in said
            assert not [mark for mark in (MARKER, "203.0.113", "2001:db8") if mark in said]
    own = _said("uvicorn.error", "Uvicorn running on %s://%s:%d", "http", "127.0.0.1", 8501)
    assert "http://127.0.0.1:8501" in own


def test_the_log_in_text_is_made_of_such_records_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SETTING, raising=False)
    kept = logging.getLogRecordFactory()
    logging.setLogRecordFactory(logging.LogRecord)
    try:
        log.begin()
        assert logging.getLogRecordFactory() is log._without_query_and_client
    finally:
        logging.setLogRecordFactory(kept)


class Visitor:
    """Refers to itself, as sessions do."""

    def __init__(self) -> None:
        self.me = self


def test_what_only_refers_to_itself_goes_however_long_it_was_there() -> None:
    gone, here = Visitor(), Visitor()
    seen = weakref.ref(gone), weakref.ref(here)
    try:
        tidy()
        del gone
        gc.collect()
        assert seen[0]() is not None  # passed over by usual collections: that is what makes them short
        tidy()
        assert seen[0]() is None
        assert seen[1]() is here
    finally:
        gc.unfreeze()


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({"server.address": "0.0.0.0"}, "http://localhost:8501/"),
        ({"server.address": None}, "http://localhost:8501/"),
        ({"server.address": "::1"}, "http://[::1]:8501/"),
        ({"server.address": "10.0.0.7", "server.baseUrlPath": "/lab/"}, "http://10.0.0.7:8501/lab"),
        ({"server.sslCertFile": "mine.pem", "server.address": "lab.example"}, "https://lab.example:8501/"),
    ],
)
def test_the_address_is_one_that_a_browser_can_open(
    monkeypatch: pytest.MonkeyPatch, options: dict[str, str | None], found: str
) -> None:
    monkeypatch.setattr(st, "get_option", ({"server.port": 8501} | options).get)
    assert welcome.address() == found
