"""Single pages as a person uses them.

Features: what is kept, what if it were not, and how surely.
Path: a click and the slider choose C on a path, whose picture stays as it was zoomed.
Queries: a list that is ranked again under the hand, and a link that restores what was done.
Back and Forward: one press is one choice, and the whole choice follows the address.
"""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab, Trace, assert_it_gives_way_and_comes_back
from tests.cases import sweep

DRAWN = "name => document.querySelector(`.st-key-chart_${name} .js-plotly-plot`)?._fullData?.length > 0"


def drawn(lab: Lab, chart: str) -> dict[str, Trace]:
    """The traces of a chart by name, once it is there."""
    lab.page.wait_for_function(DRAWN, arg=chart)
    lab.wait()
    return {trace.name: trace for trace in lab.drawn(chart)}


def refitted(lab: Lab) -> dict[str, Trace]:
    """The traces of What if, once the model without a feature is among them."""
    chart = "document.querySelector('.st-key-chart_what_if .js-plotly-plot')"
    lab.page.wait_for_function(f"() => {chart}?._fullData?.some(trace => trace.name === 'after')")
    lab.wait()  # a run that is under way draws the picture once more
    return drawn(lab, "what_if")


def row_names(lab: Lab, chart: str) -> list[str]:
    ticks = lab.page.evaluate(
        "name => document.querySelector(`.st-key-chart_${name} .js-plotly-plot`).layout.yaxis.ticktext", chart
    )
    return [re.sub(r"</?b>", "", text).strip() for text in ticks]


# Where on the screen the middle of a bar is.
_PLACE = """([name, k]) => {
  const chart = document.querySelector(".st-key-chart_matrix .js-plotly-plot");
  chart.scrollIntoView({block: "start"});
  const trace = chart._fullData.find(trace => trace.name === name), {xaxis, yaxis} = chart._fullLayout;
  const box = chart.getBoundingClientRect();
  return [box.x + xaxis._offset + xaxis.d2p(trace.x[k] / 2), box.y + yaxis._offset + yaxis.d2p(trace.y[k])];
}"""


def test_a_click_on_a_weight_shows_the_model_without_its_feature(lab: Lab) -> None:
    lab.open("features", dataset="planted", method="log", ratio="0.05")
    expect(lab.at("paths_stop")).to_have_count(0, timeout=150_000)
    lab.wait()  # what comes above the picture moves it
    name = row_names(lab, "matrix")[drawn(lab, "matrix")["weights of log"].y[1]]
    lab.page.mouse.move(*lab.page.evaluate(_PLACE, ["weights of log", 1]))
    expect(lab.page.locator(".st-key-chart_matrix .hoverlayer")).to_contain_text(name)  # the bar is there
    lab.page.mouse.down()
    lab.page.mouse.up()
    expect(lab.page.get_by_test_id("stMain").locator("h2")).to_contain_text(f"Without {name}: ")
    lab.page.wait_for_url(lambda address: "features_section=what" in address)
    traces = refitted(lab)
    assert traces["after"].x[row_names(lab, "what_if").index(f"− {name}")] == 0.0


# Where on the screen a point of a line is.
_POINT = """([name, k]) => {
  const chart = document.querySelector(".st-key-chart_path .js-plotly-plot");
  const trace = chart._fullData.find(t => t.name === name), axes = chart._fullLayout;
  const x = axes[trace.xaxis.replace("x", "xaxis")], y = axes[trace.yaxis.replace("y", "yaxis")];
  const box = chart.getBoundingClientRect();
  return [box.left + x._offset + x.d2p(trace.x[k]), box.top + y._offset + y.d2p(trace.y[k])];
}"""
# Where the solid line stands; nothing before the chart is there.
_MARK = """() => document.querySelector(".st-key-chart_path .js-plotly-plot")?._fullLayout?.shapes
  ?.find(shape => shape.name?.startsWith("chosen"))?.x0"""

# How far, in pixels, the solid lines on the screen are from where their axes say they belong; one number a line.
_ASTRAY = """() => {
  const chart = document.querySelector(".st-key-chart_path .js-plotly-plot"), axes = chart._fullLayout;
  return axes.shapes.flatMap((shape, k) => {
    if (!shape.name?.startsWith("chosen")) return [];
    const axis = axes[shape.xref.replace("x", "xaxis")];
    const drawn = chart.querySelector(`.shapelayer path[data-index="${k}"]`).getBoundingClientRect();
    const wanted = chart.getBoundingClientRect().left + axis._offset + axis.d2p(shape.x0);
    return [Math.abs((drawn.left + drawn.right) / 2 - wanted)];
  });
}"""
_ZOOM = """() => {
  const axes = document.querySelector(".st-key-chart_path .js-plotly-plot")._fullLayout;
  return [...axes.xaxis.range, ...axes.yaxis.range];
}"""


def open_path(lab: Lab, **query: str) -> None:
    lab.open("path", dataset="planted", **query)
    expect(lab.page.get_by_role("slider", name="C", exact=True).last).to_be_visible(timeout=150_000)
    lab.wait()


def test_a_picture_stays_zoomed_where_c_moves(lab: Lab) -> None:
    open_path(lab, method="log", beside="l1", path_by="MAP", ratio="0.1")
    chart = lab.at("chart_path")
    chart.locator(".js-plotly-plot").evaluate("chart => chart.dataset.seen = 'before'")
    whole = lab.page.evaluate(_ZOOM)
    chart.locator("[data-title='Zoom in']").click()
    lab.page.wait_for_function(f"whole => ({_ZOOM})()[0] !== whole[0]", arg=whole)
    zoomed = lab.page.evaluate(_ZOOM)

    before = lab.page.evaluate(_MARK)
    slider = lab.at("choose_c").get_by_role("slider")
    slider.focus()
    slider.press("ArrowRight")
    lab.page.wait_for_function(f"before => ({_MARK})() < 0.99 * before", arg=before)
    lab.wait()
    astray = lab.page.evaluate(_ASTRAY)
    assert len(astray) == 4  # weights and measure of both methods
    assert max(astray) < 1.0
    assert lab.page.evaluate(_ZOOM) == zoomed

    expect(chart.locator(".js-plotly-plot")).to_have_attribute("data-seen", "before")

    lab.pick("path_by", "NDCG@10")
    lab.page.wait_for_function(f"zoomed => ({_ZOOM})()[0] !== zoomed[0]", arg=zoomed)


def test_the_picture_has_words_follows_theme_and_width_and_a_click_makes_its_c_that_of_every_page(lab: Lab) -> None:
    open_path(lab, method="l1", beside="l1")
    picture = lab.at("chart_path").get_by_role("figure")
    expect(picture).to_have_attribute("aria-label", re.compile("Regularization paths of .*ℓ1"))
    buttons = lab.at("chart_path").locator(".modebar-btn").evaluate_all("all => all.map(b => b.dataset.title)")
    assert "Fullscreen" in buttons
    assert not [title for title in buttons if "hare" in title or "loud" in title]
    with lab.page.expect_download() as saved:
        lab.at("chart_path").locator("[data-title='Download the picture']").click()
    assert saved.value.suggested_filename == "path.png"
    what_a_button_has_opened_follows_it_in_the_order_of_tab(lab)

    drawn = "() => document.querySelector('.st-key-chart_path .js-plotly-plot')._fullLayout"
    paper = lab.page.evaluate(f"({drawn})().paper_bgcolor")
    lab.page.emulate_media(color_scheme="dark")
    lab.page.wait_for_function(f"paper => ({drawn})().paper_bgcolor !== paper", arg=paper)
    assert lab.page.evaluate(f"({drawn})().font.color") != "#000037"
    width = lab.page.evaluate(f"({drawn})().width")
    lab.page.set_viewport_size({"width": 1000, "height": 900})
    lab.page.wait_for_function(f"width => ({drawn})().width < width - 100", arg=width)
    lab.wait()

    lab.page.locator(".st-key-chart_path").scroll_into_view_if_needed()
    across, down = lab.page.evaluate(_POINT, ["test", 30])
    lab.page.mouse.move(across - 2, down)
    lab.page.mouse.move(across, down)
    lab.page.mouse.click(across, down)
    wanted = 10 ** (-4 * 30 / 49)
    lab.page.wait_for_function(f"wanted => Math.abs(Math.log(({_MARK})() / wanted)) < 1e-6", arg=wanted)
    lab.wait()
    taken = float(lab.value("C"))

    lab.go_to("Fit")
    lab.wait()
    assert float(lab.value("C")) == taken

    lab.go_to("Path")
    lab.wait()
    slider = lab.at("choose_c").get_by_role("slider")
    slider.focus()
    slider.press("ArrowRight")
    lab.page.wait_for_function(f"wanted => ({_MARK})() < 0.99 * wanted", arg=wanted)
    lab.wait()
    assert lab.value("C") == ""


def what_a_button_has_opened_follows_it_in_the_order_of_tab(lab: Lab) -> None:
    button = lab.button("keep_path")
    button.focus()
    lab.page.keyboard.press("Enter")
    body = lab.page.get_by_test_id("stPopoverBody")
    expect(body.get_by_role("button", name="CSV")).to_be_visible()
    lab.wait()
    lab.page.keyboard.press("Tab")
    assert lab.page.evaluate("document.activeElement.closest('[data-testid=stPopoverBody]') !== null")
    lab.page.keyboard.press("Shift+Tab")
    expect(button).to_be_focused()
    lab.page.keyboard.press("Escape")
    expect(body).to_have_count(0)


_PLACES = """() => [...document.querySelectorAll(".ranked-lists .doc.a")]
  .map(row => +row.querySelector(".place").textContent)"""


def test_the_list_follows_the_hand_and_the_server_hears_of_it_when_the_hand_lets_go(lab: Lab) -> None:
    lab.open("queries", dataset="planted", queries_b="ideal")
    lists = lab.at("picture").locator(".ranked-lists")
    expect(lists.locator(".doc").first).to_be_visible(timeout=150_000)
    expect(lists.get_by_role("heading")).to_contain_text("ranks above")  # of a pair that the page has chosen
    for said in ("scores", "ranks above"):  # a third document is looked at alone, one more beside it
        lab.click(lists.locator(".doc.a[aria-pressed=false]").first)
        expect(lists.get_by_role("heading")).to_contain_text(said)
    assert lists.locator(".doc[tabindex='0']").count() == 1, "arrows lead through the list, Tab past it"
    lab.click(lists.get_by_role("button", name="What if a number were another?"))
    expect(lists.get_by_role("button", name="Swap the two: the weight")).to_be_visible(timeout=150_000)
    lab.wait()
    assert_it_gives_way_and_comes_back(lab, ".ranked-lists")

    slider = lists.locator("[data-slider^=w]").first
    box = slider.bounding_box()
    assert box is not None
    before = lab.page.evaluate(_PLACES)
    lab.count_messages()
    x, y, width = box["x"], box["y"] + box["height"] / 2, box["width"]
    lab.page.mouse.move(x + 0.8 * width, y)
    lab.page.mouse.down()
    seen = set()
    for step in range(8, 0, -1):
        lab.page.mouse.move(x + 0.1 * step * width, y)
        lab.page.wait_for_timeout(40)
        seen.add(tuple(lab.page.evaluate(_PLACES)))
    assert len(seen) > 1, "another order under way"
    assert lab.messages == 0
    held = lab.page.evaluate(_PLACES)
    assert held != before
    lab.page.mouse.up()
    expect(lab.page.get_by_role("heading", name="as edited")).to_be_visible(timeout=150_000)
    lab.wait()
    assert lab.page.evaluate(_PLACES) == held, "the server ranks as the browser did"

    lab.reload()
    expect(lists.get_by_role("button", name="Undo the edits")).to_be_visible(timeout=150_000)
    assert lab.page.evaluate(_PLACES) == held
    assert lists.locator(".doc.a[aria-pressed=true]").count() == 2
    lists.get_by_role("button", name="Undo the edits").click()
    assert lab.page.evaluate(_PLACES) == before


def state(lab: Lab) -> tuple[object, ...]:
    """The choice as the address, the sidebar and the strip of a page at rest tell it."""
    slider = lab.at("choose_c").get_by_role("slider").input_value()
    strip = lab.page.locator(".strip").inner_text().split(" · ")[:2]
    return lab.query, lab.value("method"), lab.value("C"), slider, strip


def drag(lab: Lab, chart: str, by: float) -> None:
    """Take C from a picture."""
    c = lab.query.get("C")
    x, y = lab.take_hold(lab.handle(chart))
    lab.page.mouse.move(x + by, y, steps=8)
    lab.next_frame()
    lab.page.mouse.up()
    lab.page.wait_for_function("c => new URL(location).searchParams.get('C') !== c", arg=c)
    lab.wait()


@pytest.mark.first
@pytest.mark.parametrize(("path", "chart"), sweep([("path", "path"), ("", "lab_path")]))
def test_one_press_of_back_takes_back_one_choice_and_forward_brings_it_again(lab: Lab, path: str, chart: str) -> None:
    lab.open(path, dataset="planted", method="l1", ratio="0.1")
    states = [state(lab)]
    entries = lab.page.evaluate("history.length")
    drag(lab, chart, 60.0)
    states.append(state(lab))
    lab.choose("method", "RankSVM log")
    states.append(state(lab))
    drag(lab, chart, -60.0)
    states.append(state(lab))
    assert len({repr(each) for each in states}) == len(states)
    assert lab.page.evaluate("history.length") == entries + 3
    for way, order in (("back", states[-2::-1]), ("forward", states[1:])):
        for wanted in order:
            lab.page.evaluate(f"history.{way}()")
            expect(lab.at("method").get_by_role("combobox")).to_have_value(str(wanted[1]))
            expect(lab.at("choose_c").get_by_role("slider")).to_have_value(str(wanted[3]))
            lab.wait()
            assert state(lab) == wanted, way
