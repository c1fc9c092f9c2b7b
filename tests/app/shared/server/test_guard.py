"""Foreign pages may read what is public, and ask for nothing else; every answer tells browsers what may run."""

import base64
import hashlib
import logging
import re
from pathlib import Path

import pytest
import streamlit as st
from starlette.types import Receive, Scope, Send
from streamlit import file_util

from pages.shared.server import guard
from pages.shared.server.assets import BASIC, tags
from pages.shared.server.forms import Door
from pages.shared.server.guard import Guard, headers_of_all
from pages.shared.server.server import MIDDLEWARE
from tests.app.shared.server.asgi import ask, inside

HOST = "lab.example:8501"
FOREIGN = [
    "http://lab.example:8502", "http://lab.example", "https://evil.example", "http://evil.example:8501", "null", "",
    "http://lab.example:8501.evil.example", "http://lab.example:8501@evil.example", "file://lab.example:8501", HOST,
    "ftp://lab.example:8501", "http://evil.example/http://lab.example:8501",
]  # fmt: skip
OURS = ["http://lab.example:8501", "https://lab.example:8501", "http://LAB.example:8501"]


def _opened(origin: str, host: str = HOST) -> bool:
    answer = ask(Guard(inside), "/_stcore/stream", kind="websocket", host=host, origin=origin, cookie="a=b")
    return [message["type"] for message in answer.messages] == ["websocket.accept"]


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_foreign_page_opens_no_websocket_and_sends_nothing(origin: str) -> None:
    assert not _opened(origin)
    for method in ("POST", "PUT", "DELETE", "PATCH", "X"):
        answer = ask(Guard(inside), "/", method=method, host=HOST, origin=origin)
        assert answer.status == 403, method
        assert b"secret" not in answer.body
    assert ask(Guard(inside), "/", host=HOST, origin=origin).status == 200  # what it may read, CORS says


def test_who_runs_the_server_is_told_of_it_once(caplog: pytest.LogCaptureFixture) -> None:
    app = Guard(inside)
    for _ in range(3):
        ask(app, kind="websocket", host=HOST, origin="https://seen.example")
    (said,) = caplog.records
    assert "server.corsAllowedOrigins" in said.getMessage()
    assert "seen.example" not in said.getMessage()


@pytest.mark.parametrize("origin", OURS)
def test_pages_of_this_server_may(origin: str) -> None:
    assert _opened(origin)
    assert ask(Guard(inside), method="POST", host=HOST, origin=origin).status == 200


def test_who_tells_no_origin_is_no_page_of_another_address() -> None:
    for site, status in (("none", 200), ("same-origin", 200), ("same-site", 403), ("cross-site", 403)):
        assert ask(Guard(inside), method="POST", host=HOST, sec_fetch_site=site).status == status
    assert ask(Guard(inside), method="POST", host=HOST).status == 200  # programs


def test_a_proxy_that_changes_the_host_is_listed_in_streamlits_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit itself then sees an origin of its own: it would ask a service for its public address first."""
    seen = []

    async def streamlit(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(dict(scope["headers"])[b"origin"])
        await inside(scope, receive, send)

    settings = {"server.corsAllowedOrigins": ["https://lab.example"], "server.enableCORS": True}
    monkeypatch.setattr(st, "get_option", settings.get)
    for origin, opened in (("https://lab.example", True), ("https://lab.example:81", False), ("http://x", False)):
        answer = ask(Guard(streamlit), kind="websocket", host="127.0.0.1:8501", origin=origin)
        assert (answer.messages[0]["type"] == "websocket.accept") == opened
    assert seen == [b"http://127.0.0.1:8501"]


@pytest.mark.parametrize("path", ["/", "/data.csv", BASIC, "/health", "/nothing"])
def test_every_answer_has_the_headers(path: str) -> None:
    for app in (Guard(inside), Guard(Door(inside, "ge heim"))):
        answer = ask(app, path, accept="text/html")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["x-frame-options"] == "SAMEORIGIN"
        assert "frame-ancestors 'self'" in answer.headers["content-security-policy"]
    refused = ask(Guard(inside), path, method="POST", host=HOST, origin="http://evil.example")
    assert "content-security-policy" in refused.headers


def test_the_guard_stands_before_everything_else() -> None:
    assert MIDDLEWARE[0].cls is Guard


def test_only_scripts_that_are_known_run_within_a_page() -> None:
    policy = headers_of_all()["Content-Security-Policy"]
    allowed = next(rule for rule in policy.split("; ") if rule.startswith("script-src"))
    assert "'unsafe-inline'" not in allowed
    assert "'unsafe-eval'" not in allowed
    page = (Path(file_util.get_static_dir()) / "index.html").read_text("utf-8") + tags().decode()
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL) + re.findall(r'onload="([^"]*)"', page)
    assert len(scripts) >= 2
    for script in scripts:
        assert base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() in allowed, script[:60]


def test_other_sites_may_show_it_in_a_frame_where_the_setting_names_them(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    monkeypatch.setenv(guard.SETTING, "https://lms.example https://*.school.example:8443")
    headers = ask(Guard(inside)).headers
    assert headers["content-security-policy"].endswith(
        "frame-ancestors 'self' https://lms.example https://*.school.example:8443"
    )
    assert "x-frame-options" not in headers
    assert not caplog.records
    for said in ("lms.example", "*", "https://a.example;script-src", "https://a.example/path", "'none'"):
        headers_told = headers_of_all(said)
        assert headers_told["Content-Security-Policy"].endswith("frame-ancestors 'self'"), said
        assert headers_told["X-Frame-Options"] == "SAMEORIGIN"
    assert caplog.records


def test_a_browser_gets_a_secret_of_its_own_with_its_first_page_and_keeps_it() -> None:
    first, second = (ask(Guard(inside), "/").headers["set-cookie"] for _ in range(2))
    assert first.partition(";")[0] != second.partition(";")[0]
    assert re.match(r"sparse_rank_browser=[\w-]{43}; HttpOnly; Path=/; SameSite=lax$", first)
    assert ask(Guard(inside), "/", x_forwarded_proto="https").headers["set-cookie"].endswith("; Secure")
    assert "set-cookie" not in ask(Guard(inside), "/", cookie=first.partition(";")[0]).headers
    assert "set-cookie" not in ask(Guard(inside), "/file.txt").headers
