"""The gallery's pictures: ``python -m tests.browser.take_screenshots [FOLDER]``, with CHROMIUM naming a browser."""

import io
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import expect, sync_playwright

from tests.browser.lab import Lab
from tests.browser.server import Server

DOCS = Path(__file__).resolve().parents[2] / "docs"
FOLDER = DOCS / "pictures"
COLOURS = 128
"""Of a picture; all that is seen, in a third of the bytes."""
_SHOWN = re.compile(
    r"\[Open\]\(http://localhost:8501/(?P<address>[^)]*)\)\s*!\[[^\]]*\]\(pictures/(?P<name>\w+)\.png\)"
)


def views() -> Iterator[tuple[str, str]]:
    """Name and address of every picture of the gallery."""
    for found in _SHOWN.finditer((DOCS / "gallery.md").read_text(encoding="utf-8")):
        yield found["name"], found["address"]


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
        for name, address in views():
            page = browser.new_page(viewport={"width": 1366, "height": 768}, color_scheme="light")
            page.set_default_timeout(60_000)
            lab = Lab(page, server.address)
            lab.open(address)
            if name == "fit":
                lab.press("fit")
                lab.says("Converged")
            page.wait_for_selector(".js-plotly-plot, .ranked-lists", timeout=150_000)
            working = page.locator("button:enabled").filter(has_text=re.compile("^Stop"))
            expect(working).to_have_count(0, timeout=300_000)
            lab.wait()
            save(page.screenshot(), folder / f"{name}.png")
            page.close()
        browser.close()


def save(screenshot: bytes, path: Path) -> None:
    """Write a picture with as many colours as it needs."""
    with Image.open(io.BytesIO(screenshot)) as picture:
        picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
