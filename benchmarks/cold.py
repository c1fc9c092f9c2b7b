"""The Lab on a server just started, measured in a browser: from opening the page until its four views stand."""

from __future__ import annotations

import os

import numpy as np

from benchmarks.drag import served
from benchmarks.real_data import SAMPLE
from benchmarks.report import Column, Goal, Report

VIEWS = ("lab_path", "lab_tradeoff", "lab_features", "lab_convergence")
ROUNDS = 5
GOAL = 2.5
# Milliseconds since the page was opened.
_STRIP = "() => document.querySelector('.strip') && performance.now()"
_STAND = """names => names.every(name =>
  document.querySelector(`.st-key-chart_${name} .live-chart[aria-busy="false"] .main-svg`)) && performance.now()"""


def run(threads: int | None) -> Report:
    """Every round has a server and a browser of its own, and the compiled kernels in their cache."""
    strips, views = [], []
    for _ in range(ROUNDS + 1):
        with served(threads) as (address, page):
            page.goto(address, wait_until="commit")
            strips.append(float(page.wait_for_function(_STRIP).json_value()) / 1000)
            views.append(float(page.wait_for_function(_STAND, arg=list(VIEWS)).json_value()) / 1000)
    measured = {"the strip": strips[1:], "the four views": views[1:]}  # the first one may still compile
    median = float(np.median(measured["the four views"]))
    return Report(
        title="The Lab on a server just started",
        setting=f"{SAMPLE}; Chromium, 1366 x 768, {os.cpu_count()} cores; {ROUNDS} servers",
        columns=(Column("until"), Column("median, s", ".2f"), Column("least, s", ".2f"), Column("most, s", ".2f")),
        rows=[(name, float(np.median(taken)), min(taken), max(taken)) for name, taken in measured.items()],
        goals=[Goal(f"four views within {GOAL:g} s (median)", f"{median:.2f} s", median <= GOAL)],
    )
