"""The real server as one process: warm before it says so, deep links cold, and an end that loses nothing."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from pages.shared.server.rehearsal import PATIENCE

ROOT = Path(__file__).resolve().parents[4]
SECONDS = 300.0  # a busy machine fails no test
PARTING = 120.0


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


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


def test_it_draws_the_first_page_before_it_is_well_says_what_happens_and_ends_when_told(tmp_path: Path) -> None:
    port = _free_port()
    said = tmp_path / "log.txt"
    words = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    words += ["--server.fileWatcherType", "none", "--logger.hideWelcomeMessage", "true"]
    settings = os.environ | {"SPARSE_RANK_LOG": "json", "SPARSE_RANK_CACHE": str(tmp_path / "cache")}
    with said.open("wb") as log:
        server = subprocess.Popen(words, cwd=ROOT, env=settings, stdout=log, stderr=subprocess.STDOUT)
    try:
        deadline = time.monotonic() + SECONDS
        while (found := _get(f"http://127.0.0.1:{port}/health"))[0] != 200:
            assert server.poll() is None, said.read_text()
            assert time.monotonic() < deadline, said.read_text()
            time.sleep(0.05)
        assert json.loads(found[1])["visitors"] == 0  # the server itself has left
        assert b"plotly-basic" in _get(f"http://127.0.0.1:{port}/path?C=1")[1]
        server.send_signal(signal.SIGTERM)
        server.wait(PARTING)
    finally:
        server.kill()
        server.wait()
    lines = [json.loads(line) for line in said.read_text().splitlines()]
    events = {line["event"]: line for line in lines}
    ready = events["ready"]
    assert ready["first_page"] or ready["seconds"] >= PATIENCE, lines  # where it takes longer, visitors are let in
    order = [line["event"] for line in lines]
    assert order.index("ready") < order.index("stopping") < order.index("stopped")
    assert events["stopped"]["unfinished"] == 0
    assert all(line["level"] in ("info", "warning") for line in lines), lines
