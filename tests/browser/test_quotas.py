"""What a server allows each visitor is said in a sentence, and leaves him the rest of the app."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.lab import Lab
from tests.browser.server import Server
from tests.browser.test_stop_and_continue import ENDLESS


@contextmanager
def server_that_allows(monkeypatch: pytest.MonkeyPatch, folder: Path, **quota: str) -> Iterator[Server]:
    for name, value in quota.items():
        monkeypatch.setenv(f"SPARSE_RANK_VISITOR_{name}", value)
    with Server(folder / "log.txt") as running:
        yield running


def test_one_job_too_many_is_refused_in_a_sentence(
    chromium: str, own_cache: None, context: BrowserContext, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with server_that_allows(monkeypatch, tmp_path, JOBS="1") as server:
        lab = Lab(context.new_page(), server.address)
        lab.open("fit", **ENDLESS)
        lab.press("fit")
        lab.says("Running")
        lab.choose("fold", "Fold2")
        lab.go_to("Path")
        lab.says("A computation of yours is under way, and this server allows no more at a time: stop one")
        lab.page.close()


def test_who_has_used_his_minutes_waits_in_line_and_reads_for_how_long(
    chromium: str, own_cache: None, context: BrowserContext, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with server_that_allows(monkeypatch, tmp_path, MINUTES="0.01") as server:
        lab = Lab(context.new_page(), server.address)
        lab.open("fit", **ENDLESS)
        lab.press("fit")
        expect(lab.page.get_by_test_id("stMain")).to_contain_text(
            "your computing time of this hour is used", timeout=20_000
        )
        lab.go_to("Data")  # what needs none is there
        lab.wait()
        expect(lab.at("picture")).to_be_visible()
        lab.page.close()
