"""The report as a file in a browser that may ask nobody for anything."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, Route

from core.experiments.results.run import Run
from core.export.files import write_files
from core.export.protocol_report import report_files
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
Scheme = Literal["light", "dark"]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    plan, results = run(four_lines())
    files = report_files(Run.of(plan, results, {}, "l2"), [["python", "-m", "core"]])
    return write_files(tmp_path_factory.mktemp("report"), files)[0]


class Alone:
    """A tab without a network, and what it complained of."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.asked: list[str] = []
        self.complaints: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.route("**/*", self._refuse)

    def open(self, path: Path) -> None:
        self.page.goto(path.as_uri())
        self.page.wait_for_function("() => document.querySelectorAll('.js-plotly-plot .main-svg').length >= 6")

    def _refuse(self, route: Route) -> None:
        if route.request.url.startswith(("file:", "data:", "blob:")):
            route.continue_()
        else:
            self.asked.append(route.request.url)
            route.abort()


def tabs(browser: Browser, scheme: Scheme, width: int) -> Iterator[Alone]:
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme, offline=True)
    alone = Alone(context.new_page())
    yield alone
    context.close()
    assert (alone.asked, alone.complaints) == ([], [])


@pytest.fixture(params=sweep([(("dark", 400),), (("light", 1280),), (("dark", 1280),)]), ids=str)
def alone(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Alone]:
    yield from tabs(browser, *request.param)


def test_it_is_drawn_without_a_network_in_both_themes_wide_and_narrow(alone: Alone, report: Path) -> None:
    alone.open(report)
    drawn = alone.page.evaluate(_DRAWN)
    assert len(drawn) == 6
    assert all(traces > 0 and marks > 0 for _, traces, marks in drawn), drawn
    assert alone.page.evaluate(_WIDER) <= 0
    scheme = "dark" if alone.page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") else "light"
    letters = alone.page.evaluate(_LETTERS)
    assert letters
    background = colour(BACKGROUNDS[scheme])
    for letter in set(letters):
        red, green, blue = (int(part) for part in letter.removeprefix("rgb(").rstrip(")").split(","))
        assert contrast(colour(f"#{red:02x}{green:02x}{blue:02x}"), background) >= 7.0


def test_pictures_are_alive_tables_unfold_and_on_paper_it_is_black_on_white(browser: Browser, report: Path) -> None:
    for alone in tabs(browser, "dark", 1280):
        alone.open(report)
        mark = alone.page.locator("#tradeoff-map .scatterlayer .trace .point").first
        mark.hover(force=True)
        alone.page.locator("#tradeoff-map .hoverlayer .hovertext").first.wait_for()
        assert "MAP" in (alone.page.locator("#tradeoff-map .hoverlayer").text_content() or "")
        alone.page.locator("summary", has_text="Every chosen model").click()
        assert alone.page.locator("#folds tbody tr").count() == 12
        assert alone.page.locator("#folds").is_visible()

        before = alone.page.evaluate(_WIDTHS)
        alone.page.evaluate(f"addEventListener('beforeprint', () => window.printed = ({_WIDTHS})())")
        assert len(alone.page.pdf(format="A4")) > 20_000
        assert alone.page.evaluate("window.printed") == [660.0] * 6
        alone.page.wait_for_function(f"before => String(({_WIDTHS})()) === String(before)", arg=before)
        alone.page.emulate_media(media="print")
        assert alone.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert alone.page.locator("nav").is_hidden()
