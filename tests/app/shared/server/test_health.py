"""What the server says of itself: 503 until its first page is ready, then numbers and nothing of anybody's data."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys

import psutil
import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from streamlit import runtime

from pages.shared.server import health as answers
from pages.shared.server.readiness import Readiness
from tests.app.shared.server.asgi import ask, inside


class Ready:
    class _sessions:
        @staticmethod
        def list_active_sessions() -> list[int]:
            return [1, 2]

    _session_mgr = _sessions

    @property
    async def is_ready_for_browser_connection(self) -> tuple[bool, str]:
        return True, "ok"


def test_health_is_a_json_object_of_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "exists", lambda: True)
    monkeypatch.setattr(runtime, "get_instance", Ready)
    app = Starlette(routes=[Route("/health", answers.health)])
    answer = ask(app, "/health")
    assert answer.status == 200
    said = json.loads(answer.body)
    assert said["status"] == "ok"
    assert said["visitors"] == 2
    assert said["jobs"] == 0
    assert said["version"][0].isdigit()
    assert said["memory_mb"] > 1
    assert said["seconds"] >= 0
    assert said["kept_mb"] >= 0
    assert said["computing_mb"] >= 0
    assert set(said) == {
        "status", "version", "seconds", "visitors", "jobs", "memory_mb", "kept_mb", "computing_mb",
    }  # fmt: skip


def test_memory_of_processes_that_compute_is_counted_and_one_that_has_ended_is_none() -> None:
    words = [sys.executable, "-c", "held = b'x' * 50_000_000; print('ready', flush=True); input()"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdin is not None
        child.stdout.readline()
        known = psutil.Process(child.pid)
        assert answers._megabytes(known) > 50
        child.stdin.close()
        child.wait()
        assert answers._megabytes(known) == 0.0


@pytest.mark.parametrize("path", ["/health", "/_stcore/health"])
def test_until_the_first_page_is_ready_it_says_so(path: str) -> None:
    ready = asyncio.Event()
    app = Readiness(inside, ready, held=0.01)
    assert ask(app, path).status == 503
    assert ask(app, "/").status == 200  # a browser may load its files meanwhile
    ready.set()
    assert ask(app, path).status == 200
