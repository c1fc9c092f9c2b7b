"""Where a browser of this machine finds the app."""

from __future__ import annotations

import pytest
import streamlit as st

from pages.shared.server import browser_tab


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
    assert browser_tab.address() == found
