"""Dragging C, measured in a browser: pictures a second, messages to the server, taking over, page to page."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import numpy as np

from benchmarks.report import Column, Goal, Report
from benchmarks.shapes import SAMPLE, licensed_sets
from tests.browser.server import Server

if TYPE_CHECKING:
    from playwright.sync_api import Page

METHODS = ("l1", "log")
PAGES = {"Lab": ("", "lab_path"), "Path": ("path", "path")}
"""Address and picture of the pages that are measured."""
OTHERS = {"Trade-off": "tradeoff", "Features": "selection", "Fit": "convergence"}
"""Pages that are gone to besides, and their pictures."""
MOVES = 150
TAKEN = 30
ROUNDS = 4
FRAME, LATE_FRAME, TAKE, GO = 17.0, 34.0, 150.0, 400.0  # milliseconds
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
NAMES = ("chromium", "chromium-browser", "google-chrome")

_WATCH = """() => {
  window.sent = 0;
  window.frames = [];
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (message) { window.sent += 1; return send.call(this, message); };
  const frame = now => { window.frames.push(now); requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  addEventListener("pointerup", () => { window.letGo = performance.now(); }, true);
  addEventListener("click", () => { window.pressed = performance.now(); }, true);
}"""
# The server's strip is a new one; dragging changes words in the old one.
_OLD = "() => { document.querySelector('.strip').dataset.old = 'old'; }"
_TAKEN = """() => document.querySelector(".strip:not([data-old])") && performance.now() - window.letGo"""
_DRAWN = """name => document.querySelector(`.st-key-chart_${name} .live-chart[aria-busy="false"] .main-svg`)
  && performance.now() - window.pressed"""
_AT_REST = """() => document.querySelector('[data-testid="stApp"]').dataset.testScriptState === "notRunning"
  && !document.querySelector('.live-chart[aria-busy="true"]')"""


def run(threads: int | None) -> Report:
    """Every page and method on the sample data and, where it is at hand, on MQ2008."""
    found = {}
    with served(threads) as (address, page):
        for dataset in (SAMPLE, *licensed_sets()):
            for method in METHODS:
                for name, (path, chart) in PAGES.items():
                    found[dataset, method, name] = _measured(page, f"{address}/{path}", chart, dataset, method)
    every = list(found.values())
    goals = [
        _goal(f"a new picture within {FRAME:g} ms (median)", [m["frame"] for m in every], FRAME, "ms"),
        _goal(f"95 % of them within {LATE_FRAME:g} ms", [m["late"] for m in every], LATE_FRAME, "ms"),
        _goal("no message to the server while C is dragged", [m["messages"] for m in every], 0, "messages"),
        _goal(f"from letting go to the strip {TAKE:g} ms (median)", [m["take"] for m in every], TAKE, "ms"),
        _goal(f"from page to page {GO:g} ms (median)", [m["go"] for m in every], GO, "ms"),
    ]
    return Report(
        title="Dragging C",
        setting=f"Chromium, 1366 x 768, {os.cpu_count()} cores; {MOVES} moves, let go {TAKEN} times; "
        f"{ROUNDS} rounds of {', '.join(['this page', *OTHERS])} for an already known choice",
        columns=(
            Column("data"),
            Column("method"),
            Column("page"),
            Column("frame, median ms", ".1f"),
            Column("95 %, ms", ".1f"),
            Column("messages", "d"),
            Column("let go to strip, median ms", ".0f"),
            Column("95 %, ms (strip)", ".0f"),
            Column("page to page, median ms", ".0f"),
            Column("most, ms", ".0f"),
        ),
        rows=[
            (*key, m["frame"], m["late"], m["messages"], m["take"], m["late_take"], m["go"], m["late_go"])
            for key, m in found.items()
        ],
        goals=goals,
    )


def _goal(claim: str, values: list[Any], limit: float, unit: str) -> Goal:
    worst = max(values)
    return Goal(claim, f"{worst:.0f} {unit} at worst", worst <= limit)


@contextmanager
def served(threads: int | None) -> Iterator[tuple[str, Page]]:
    """The address of the app on a server of its own, and one tab."""
    with server_and_tab(threads) as (server, page):
        yield server.address, page


@contextmanager
def server_and_tab(threads: int | None) -> Iterator[tuple[Server, Page]]:
    """The app on a server of its own, and one tab."""
    if threads is not None:
        os.environ["NUMBA_NUM_THREADS"] = str(threads)
    with TemporaryDirectory() as folder, Server(Path(folder) / "log.txt") as server, tab() as page:
        yield server, page


@contextmanager
def tab() -> Iterator[Page]:
    """One tab of a browser of its own."""
    from playwright.sync_api import sync_playwright

    chromium = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if chromium is None:
        msg = f"there is no Chromium: set CHROMIUM, or install one of {', '.join(NAMES)}"
        raise SystemExit(msg)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        page.set_default_timeout(120_000)
        yield page
        browser.close()


def _measured(page: Page, address: str, chart: str, dataset: str, method: str) -> dict[str, Any]:
    page.goto(f"{address}?{urlencode({'dataset': dataset, 'method': method, 'beside': ''})}")
    page.wait_for_selector(".handle-knob:visible")
    _rest(page)
    page.evaluate(_WATCH)
    frames, messages = _dragged(page)
    taken = [_taken(page, turn) for turn in range(TAKEN + 1)][1:]
    title = next(name for name, (_, shown) in PAGES.items() if shown == chart)
    for name, shown in OTHERS.items():
        _went(page, name, shown)
    ways = [_went(page, name, shown) for _ in range(ROUNDS) for name, shown in {title: chart, **OTHERS}.items()]
    return {
        "frame": float(np.median(frames)), "late": float(np.percentile(frames, 95)), "messages": messages,
        "take": float(np.median(taken)), "late_take": float(np.percentile(taken, 95)),
        "go": float(np.median(ways)), "late_go": max(ways),
    }  # fmt: skip


def _rest(page: Page) -> None:
    """Until nothing has moved for half a second."""
    quiet = 0
    while quiet < 5:
        page.wait_for_timeout(100)
        quiet = quiet + 1 if page.evaluate(_AT_REST) else 0


def _hold(page: Page) -> tuple[float, float]:
    box = page.locator(".handle-knob:visible").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    return x, y


def _dragged(page: Page) -> tuple[list[float], int]:
    """Milliseconds from picture to picture while the handle moves to and fro, and messages sent meanwhile."""
    x, y = _hold(page)
    page.evaluate("() => { window.sent = 0; window.frames = []; }")
    for step in range(MOVES):
        page.mouse.move(x + 150 * np.sin(step / 15), y)
    at, messages = page.evaluate("() => [window.frames, window.sent]")
    page.mouse.up()
    _rest(page)
    return list(np.diff(at)), messages


def _taken(page: Page, turn: int) -> float:
    """Milliseconds from letting go to the server's strip."""
    x, y = _hold(page)
    page.mouse.move(x + (40 if turn % 2 else -40), y, steps=4)
    page.evaluate(_OLD)
    page.mouse.up()
    milliseconds = float(page.wait_for_function(_TAKEN).json_value())
    _rest(page)
    return milliseconds


def _went(page: Page, title: str, chart: str) -> float:
    """Milliseconds from a click in the navigation to the picture of that page."""
    page.get_by_test_id("stTopNavSection").first.click()
    link = page.get_by_test_id("stTopNavDropdownLink").filter(has_text=title).first
    link.click()
    milliseconds = float(page.wait_for_function(_DRAWN, arg=chart).json_value())
    _rest(page)
    return milliseconds
