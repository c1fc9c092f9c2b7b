"""The Lab on a server just started, measured in a browser: from opening the page until its four views stand."""

from __future__ import annotations

import os

import numpy as np

from benchmarks.app.drag import server_and_tab
from benchmarks.report import Column, Goal, Report
from benchmarks.shapes import SAMPLE

VIEWS = ("lab_path", "lab_tradeoff", "lab_features", "lab_convergence")
ROUNDS = 5
GOAL = 2.5
# Milliseconds since the page was opened.
_STRIP = "() => document.querySelector('.strip') && performance.now()"
_STAND = """names => names.every(name =>
  document.querySelector(`.st-key-chart_${name} .live-chart[aria-busy="false"] .main-svg`)) && performance.now()"""


def run(threads: int | None) -> Report:
    """Every round has a server and a browser of its own, and the compiled kernels in their cache."""
    starts, strips, views = [], [], []
    for _ in range(ROUNDS + 1):
        with server_and_tab(threads) as (server, page):
            page.goto(server.address, wait_until="commit")
            starts.append(server.seconds_to_health)
            strips.append(float(page.wait_for_function(_STRIP).json_value()) / 1000)
            views.append(float(page.wait_for_function(_STAND, arg=list(VIEWS)).json_value()) / 1000)
    measured = {
        "start of the server to its health": starts[1:],  # the first one may still compile
        "opening the page to the strip": strips[1:],
        "opening the page to the four views": views[1:],
        "start of the server to the four views": [sum(pair) for pair in zip(starts, views, strict=True)][1:],
    }
    median = float(np.median(measured["opening the page to the four views"]))
    return Report(
        title="The Lab on a server just started",
        setting=f"{SAMPLE}; Chromium, 1366 x 768, {os.cpu_count()} cores; {ROUNDS} servers",
        columns=(
            Column("from and to"),
            Column("median, s", ".2f"),
            Column("least, s", ".2f"),
            Column("most, s", ".2f"),
        ),
        rows=[(name, float(np.median(taken)), min(taken), max(taken)) for name, taken in measured.items()],
        goals=[Goal(f"four views within {GOAL:g} s (median)", f"{median:.2f} s", median <= GOAL)],
    )
