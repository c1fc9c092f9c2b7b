"""A click and the slider choose C on a path, whose picture stays as it was zoomed."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.lab import Lab

# Where on the screen a point of a line is.
_PLACE = """([name, k]) => {
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
    across, down = lab.page.evaluate(_PLACE, ["test", 30])
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
