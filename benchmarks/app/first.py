"""From an empty folder to the first picture in a browser: what installs, what starts, and what compiles behind it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.app.cold import VIEWS
from benchmarks.app.drag import tab
from benchmarks.report import Column, Goal, Report
from benchmarks.shapes import SAMPLE
from tests.browser.server import ROOT, Server

FROM_CLONE, AFTER_PACKAGES, AGAIN = 35.0, 8.0, 2.5
_FIRST, _FROM_OPENING = "first picture, the path with its handle", "the four views, counted from opening the page"
_INSTALL = ("make", "--silent", ".venv/.run")
COMPILING = 300_000  # milliseconds, at most
_DRAWN = """names => names.every(name =>
  document.querySelector(`.st-key-chart_${name} .live-chart[aria-busy="false"] .main-svg`))"""
_PREPARED = "() => !document.querySelector('.preparing')"


class _Clone(Server):
    """The server of a clone, with the packages that `make run` has installed in it."""

    def __init__(self, root: Path) -> None:
        super().__init__(root / "server.log")
        self.root = root
        self.interpreter = (str(root / ".venv" / "bin" / "python"),)


def run(threads: int | None) -> Report:
    """One clone with a virtual environment, a cache of kernels and one of results of its own; then two servers."""
    with TemporaryDirectory() as folder, _caches_of_its_own(Path(folder)):
        clone = Path(folder) / "clone"
        _copy(clone)
        begun = time.monotonic()
        subprocess.run([*_INSTALL, f"PYTHON={sys.executable}"], cwd=clone, check=True, stderr=subprocess.DEVNULL)
        installed = time.monotonic() - begun
        size = sum(path.stat().st_size for path in (clone / ".venv").rglob("*") if path.is_file())
        first, second = _started(clone), _started(clone)
    rows: list[tuple[str, float, float | str]] = [("packages installed", installed, "-")]
    rows += [(name, seconds, second[name]) for name, seconds in first.items()]
    after, total, again = first[_FIRST], installed + first[_FIRST], second[_FROM_OPENING]
    return Report(
        title="From an empty folder to the first picture",
        setting=f"{SAMPLE}; Chromium, 1366 x 768, {os.cpu_count()} cores; {size / 1e6:.0f} MB installed; "
        "seconds, those of a server from its start",
        columns=(Column("until"), Column("first start", ".1f"), Column("second start", ".1f")),
        rows=rows,
        goals=[
            Goal(f"first picture within {FROM_CLONE:g} s of a clone", f"{total:.1f} s", total <= FROM_CLONE),
            Goal(f"within {AFTER_PACKAGES:g} s of the packages", f"{after:.1f} s", after <= AFTER_PACKAGES),
            Goal(f"at the second start four views {AGAIN:g} s after opening", f"{again:.1f} s", again <= AGAIN),
        ],
    )


def _started(clone: Path) -> dict[str, float]:
    """Seconds from the start of a server until each row of the table."""
    with tab() as page:
        begun = time.monotonic()
        with _Clone(clone) as server:
            seconds = {"the server answers": time.monotonic() - begun}
            page.goto(server.address, wait_until="commit")
            page.wait_for_function(_DRAWN, arg=[VIEWS[0]])
            seconds[_FIRST] = time.monotonic() - begun
            page.wait_for_function(_DRAWN, arg=list(VIEWS))
            seconds["all four views of the Lab"] = time.monotonic() - begun
            seconds[_FROM_OPENING] = seconds["all four views of the Lab"] - seconds["the server answers"]
            page.wait_for_function(_PREPARED, timeout=COMPILING)
            seconds["all solvers compiled"] = time.monotonic() - begun
    return seconds


def _copy(clone: Path) -> None:
    """The files of the working tree that git knows or would add."""
    words = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            target = clone / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target)


@contextmanager
def _caches_of_its_own(folder: Path) -> Iterator[None]:
    before = dict(os.environ)
    os.environ["SPARSE_RANK_CACHE"] = str(folder / "cache")
    for name in ("NUMBA_CACHE_DIR", "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX"):
        os.environ.pop(name, None)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
