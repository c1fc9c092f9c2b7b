"""The README's pictures: ``python -m tests.browser.take_screenshots [FOLDER]``, with CHROMIUM naming a browser."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from tests.browser.lab import Lab
from tests.browser.server import Server

FOLDER = Path(__file__).parent / "screenshots"
VIEWS = {
    "lab": ("", {"dataset": "python-docs", "method": "log", "ratio": "0.002512"}),
    "fit": ("fit", {"dataset": "python-docs", "method": "log", "ratio": "0.002512"}),
    "path": ("path", {"dataset": "python-docs", "method": "log", "ratio": "0.002512"}),
    "features": ("features", {"dataset": "python-docs", "method": "log", "ratio": "0.002512"}),
    "tradeoff": ("tradeoff", {"dataset": "python-docs", "method": "log", "ratio": "0.002512"}),
}


def main(folder: Path) -> None:
    """Write one PNG a view."""
    folder.mkdir(parents=True, exist_ok=True)
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with (
        tempfile.TemporaryDirectory() as scratch,
        Server(Path(scratch) / "log.txt") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name, (path, query) in VIEWS.items():
            page = browser.new_page(viewport={"width": 1366, "height": 768}, color_scheme="light")
            page.set_default_timeout(60_000)
            lab = Lab(page, server.address)
            lab.open(path, **query)
            if name == "fit":
                lab.press("fit")
                lab.says("Converged")
            page.wait_for_selector(".js-plotly-plot", timeout=150_000)
            expect(lab.at("paths_stop")).to_have_count(0, timeout=150_000)
            expect(lab.at("yardstick_stop")).to_have_count(0, timeout=150_000)
            lab.wait()
            page.screenshot(path=folder / f"{name}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
