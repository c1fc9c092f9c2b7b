"""What a server allows each visitor is said in a sentence, and leaves him the rest of the app."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.lab import Lab
from tests.browser.server import Server
from tests.browser.test_stop_and_continue import ENDLESS

Allowing = Callable[..., Lab]


@pytest.fixture
def fitting(
    chromium: str, own_cache: None, context: BrowserContext, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[Allowing]:
    """From what a server allows to a tab of it in which a fit without an end has been started."""
    with ExitStack() as servers:

        def start(**quota: str) -> Lab:
            for name, value in quota.items():
                monkeypatch.setenv(f"SPARSE_RANK_VISITOR_{name}", value)
            lab = Lab(context.new_page(), servers.enter_context(Server(tmp_path / "log.txt")).address)
            lab.open("fit", **ENDLESS)
            lab.press("fit")
            return lab

        yield start
        for page in context.pages:
            page.close()  # before its server goes


@pytest.mark.more
def test_one_job_too_many_is_refused_in_a_sentence(fitting: Allowing) -> None:
    lab = fitting(JOBS="1")
    lab.says("Running")
    lab.choose("fold", "Fold2")
    lab.go_to("Path")
    expect(lab.status.first).to_contain_text(re.compile(r"running\b.*\bno more\b.*\bstop\b"))
    assert lab.drawn("path") == []
    expect(lab.at("headline")).to_contain_text("Fold2")  # the choice and its strip are there all the same
    lab.go_to("Data")
    expect(lab.at("picture")).to_be_visible()
    assert lab.value("fold") == "Fold2"
