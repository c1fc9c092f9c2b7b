"""The report as a file in a browser that may ask nobody for anything."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from core.experiments.results.run import Run
from core.export.files import write_files
from core.export.protocol_report import report_files
from tests.browser.offline import Scheme, opened
from tests.cases import sweep
from tests.contrast import colour, contrast
from tests.experiments.made_up import four_lines, run

_LETTERS = """() => [...document.querySelectorAll(".js-plotly-plot .xtick text, .js-plotly-plot .xtitle")]
  .map(letter => getComputedStyle(letter).fill)"""
_WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
_DRAWN = """() => [...document.querySelectorAll(".js-plotly-plot")].map(chart =>
  [chart.id, chart._fullData.length, chart.querySelectorAll(".main-svg .point, .main-svg .hm").length])"""
_WIDTHS = """() => [...document.querySelectorAll(".js-plotly-plot")].map(chart => chart._fullLayout.width)"""
BACKGROUNDS = {"light": "#ffffff", "dark": "#0e1117"}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    plan, results = run(four_lines())
    files = report_files(Run.of(plan, results, {}, "l2"), [["python", "-m", "core"]])
    return write_files(tmp_path_factory.mktemp("report"), files)[0]


@contextmanager
def drawn(browser: Browser, report: Path, scheme: Scheme, width: int) -> Iterator[Page]:
    """The report with all of its pictures."""
    with opened(browser, report, scheme=scheme, width=width) as page:
        page.wait_for_function("() => document.querySelectorAll('.js-plotly-plot .main-svg').length >= 6")
        yield page


@pytest.mark.parametrize(("scheme", "width"), sweep([("dark", 400), ("light", 1280), ("dark", 1280)]))
def test_it_is_drawn_without_a_network_in_both_themes_wide_and_narrow(
    browser: Browser, report: Path, scheme: Scheme, width: int
) -> None:
    with drawn(browser, report, scheme, width) as page:
        pictures = page.evaluate(_DRAWN)
        wider, letters = page.evaluate(_WIDER), page.evaluate(_LETTERS)
    assert len(pictures) == 6
    assert all(traces > 0 and marks > 0 for _, traces, marks in pictures), pictures
    assert wider <= 0
    assert letters
    background = colour(BACKGROUNDS[scheme])
    for letter in set(letters):
        red, green, blue = (int(part) for part in letter.removeprefix("rgb(").rstrip(")").split(","))
        assert contrast(colour(f"#{red:02x}{green:02x}{blue:02x}"), background) >= 7.0


def test_pictures_are_alive_tables_unfold_and_on_paper_it_is_black_on_white(browser: Browser, report: Path) -> None:
    with drawn(browser, report, "dark", 1280) as page:
        mark = page.locator("#tradeoff-map .scatterlayer .trace .point").first
        mark.hover(force=True)
        page.locator("#tradeoff-map .hoverlayer .hovertext").first.wait_for()
        assert "MAP" in (page.locator("#tradeoff-map .hoverlayer").text_content() or "")
        page.locator("summary", has_text="Every chosen model").click()
        assert page.locator("#folds tbody tr").count() == 12
        assert page.locator("#folds").is_visible()

        before = page.evaluate(_WIDTHS)
        page.evaluate(f"addEventListener('beforeprint', () => window.printed = ({_WIDTHS})())")
        assert len(page.pdf(format="A4")) > 20_000
        assert page.evaluate("window.printed") == [660.0] * 6
        page.wait_for_function(f"before => String(({_WIDTHS})()) === String(before)", arg=before)
        page.emulate_media(media="print")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert page.locator("nav").is_hidden()
