"""A chart that is drawn again and again stays the same picture: what a person has zoomed into is still there.

Nothing moves once it is shown: the browser's own log of what has moved without a touch.
"""

from itertools import pairwise
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, Route, expect

from pages.shared.frame import PAGES
from tests.browser.lab import Lab, assert_it_gives_way_and_comes_back
from tests.browser.server import Server
from tests.cases import sweep

_CHART = 'document.querySelector(".st-key-chart_convergence .js-plotly-plot")'
_RANGE = f"() => {_CHART}._fullLayout.xaxis.range"


def test_a_fit_under_way_keeps_the_zoom_until_other_axes_are_asked_for_and_may_fill_the_screen(lab: Lab) -> None:
    lab.open("fit", dataset="planted", solver="subgradient", tol="1e-10")
    lab.press("fit")
    lab.steps_beyond(50)
    lab.page.evaluate(f"() => {{ {_CHART}.dataset.seen = 'before' }}")
    lab.at("chart_convergence").hover()
    lab.at("chart_convergence").locator("[data-title='Zoom in']").click()
    zoomed = lab.page.evaluate(_RANGE)
    lab.steps_beyond(lab.steps_drawn() + 50)
    assert lab.page.evaluate(_RANGE) == zoomed
    expect(lab.at("chart_convergence").locator(".js-plotly-plot")).to_have_attribute("data-seen", "before")
    lab.press("fit_more")
    lab.pick("x", "seconds")
    lab.page.keyboard.press("Escape")
    lab.page.wait_for_function(f"zoomed => ({_RANGE})()[0] !== zoomed[0]", arg=zoomed)
    lab.page.evaluate("document.querySelector('.st-key-stop button:not([disabled])')?.click()")  # it may have ended
    expect(lab.button("stop")).to_be_disabled()
    lab.wait()

    height = f"() => {_CHART}._fullLayout.height"
    before = lab.page.evaluate(height)
    lab.at("chart_convergence").hover()
    lab.at("chart_convergence").locator("[data-title='Fullscreen']").click()
    full = f"() => document.fullscreenElement === {_CHART} && ({height})() === innerHeight"
    lab.page.wait_for_function(full)
    for key, button in (("Control+Enter", "fit"), ("F8", "stop"), ("F9", "continue"), ("F8", "stop")):
        lab.press_key(key, button)  # no button is seen: the keys work
    expect(lab.button("stop")).to_be_disabled()
    lab.page.wait_for_function(full)
    lab.page.evaluate("() => { document.exitFullscreen(); }")
    lab.page.wait_for_function(f"before => ({height})() === before", arg=before)


def test_a_chart_whose_figure_changes_while_plotly_is_on_its_way_is_drawn(lab: Lab) -> None:
    held: list[Route] = []
    lab.page.route("**/plotly-basic.min.js", lambda route: held.append(route))
    lab.page.goto(f"{lab.address}/fit?dataset=planted", wait_until="commit")  # pictures are held back
    lab.press("fit")
    lab.says("Converged")
    lab.press("fit_more")
    for against in ("seconds", "passes over X"):
        lab.pick("x", against)
        expect(lab.at("x").get_by_role("radio", name=against, exact=True)).to_be_checked()
        lab.page.wait_for_timeout(500)  # the page has nothing to show for it yet
    held[0].continue_()
    lab.page.wait_for_function(f"() => {_CHART}?._fullData?.length > 0", timeout=150_000)
    assert lab.drawn("weights")


def test_a_picture_waits_for_room_while_the_page_is_laid_out(lab: Lab) -> None:
    """In a column of some pixels plotly writes errors to the console, which no test lets pass."""
    rule = ".st-key-picture [data-testid=stColumn] { width: 12px !important; flex: none !important }"
    style = f"Object.assign(document.createElement('style'), {{ id: 'narrow', textContent: '{rule}' }})"
    lab.page.add_init_script(f"addEventListener('DOMContentLoaded', () => document.documentElement.append({style}))")
    lab.page.goto(f"{lab.address}/?dataset=planted&method=l1")
    chart = lab.at("chart_lab_path").locator(".live-chart")
    expect(chart).to_have_attribute("aria-busy", "false")
    lab.page.wait_for_timeout(1000)
    expect(chart.locator(".main-svg")).to_have_count(0)
    lab.page.evaluate("document.getElementById('narrow').remove()")
    expect(chart.locator(".main-svg").first).to_be_visible()
    lab.wait()
    assert_it_gives_way_and_comes_back(lab, ".live-chart")


_WATCHED = """async () => {
  const Plotly = await window.plotlyBasic, react = Plotly.react;
  window.calls = [];
  window.frames = 0;
  const frame = () => { window.frames += 1; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  Plotly.react = function (chart, ...figure) {
    const [, name] = chart.closest("[class*=st-key-chart_]").className.match(/st-key-chart_(\\w+)/);
    window.calls.push([name, window.frames]);
    for (const end = performance.now() + 40; performance.now() < end;); // longer than a frame takes
    return react.call(this, chart, ...figure);
  };
}"""


def test_a_picture_is_on_the_screen_before_the_next_one_is_drawn(lab: Lab) -> None:
    lab.open("data", dataset="planted", method="l1", lab_beside="nothing")
    lab.page.wait_for_function("() => window.plotlyBasic")
    lab.page.evaluate(_WATCHED)
    lab.go_to("Lab")
    lab.wait()
    lab.page.wait_for_function("() => new Set(window.calls.map(([name]) => name)).size >= 4")
    calls = lab.page.evaluate("() => window.calls")
    first: dict[str, int] = {}  # one that is there already may be drawn anew beside another
    for name, frame in calls:
        first.setdefault(name, frame)
    assert next(iter(first)) == "lab_path"
    assert all(earlier < later for earlier, later in pairwise(first.values())), calls


@pytest.mark.more
def test_a_picture_saved_on_a_phone_has_its_title_and_the_width_of_a_page(lab: Lab) -> None:
    lab.page.set_viewport_size({"width": 400, "height": 800})
    lab.open("data", dataset="planted")
    title = lab.title("labels").inner_text().splitlines()[0]
    lab.at("keep_labels").locator("button").first.click()
    lab.pick("format_labels", "svg")
    lab.page.keyboard.press("Escape")
    lab.wait()
    chart = lab.at("chart_labels")
    chart.hover()
    with lab.page.expect_download() as saved:
        chart.locator("[data-title='Download the picture']").click()
    assert saved.value.suggested_filename == "labels.svg"
    picture = ElementTree.parse(saved.value.path()).getroot()
    assert title in "".join(picture.itertext())
    assert picture.get("width") == "2000", "1000 pixels, twice as fine"


MOST = 0.1  # share of the window, summed: "good" in the terms of web vitals
_NOTE_SHIFTS = """(() => {
  window.shifts = [];
  const named = node => {
    const met = node?.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    const key = met?.closest('[class*="st-key-"]')?.className.match(/st-key-\\S+/)?.[0] ?? "";
    return `${key} ${met?.tagName} ${met?.dataset.testid ?? ""} "${met?.textContent.slice(0, 40)}"`;
  };
  const told = ({x, y, width, height}) => [x, y, width, height].map(Math.round).join(" ");
  new PerformanceObserver(list => {
    for (const { startTime, value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      const moved = one => `${named(one.node)}: ${told(one.previousRect)} to ${told(one.currentRect)}`;
      shifts.push([value, `${Math.round(startTime)} ms, ${value.toFixed(3)}:`, ...sources.map(moved)]);
    }
  }).observe({type: "layout-shift", buffered: true});
})()"""


def shifts(lab: Lab, name: str) -> list[list[float | str]]:
    """What moves while a page is loaded and computed: value, time, and the elements."""
    lab.open("" if name == "start" else name)
    found: list[list[float | str]] = lab.page.evaluate("shifts")
    return found


@pytest.mark.parametrize(("width", "height"), sweep([(1366, 768), (390, 844)]))
@pytest.mark.parametrize("group", sweep(PAGES))
def test_nothing_moves_while_a_page_is_loaded_and_computed(
    browser: Browser, server: Server, group: str, width: int, height: int
) -> None:
    """In a browser that is new: what it loads comes late."""
    with browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce") as context:
        context.set_default_timeout(120_000)
        page = context.new_page()
        page.add_init_script(_NOTE_SHIFTS)
        lab = Lab(page, server.address)
        for name in PAGES[group]:
            found = shifts(lab, name)
            told = "\n  ".join(str(words) for shift in found for words in shift[1:])
            assert sum(float(shift[0]) for shift in found) <= MOST, f"{name}:\n  {told}"
