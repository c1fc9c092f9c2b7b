"""Words of pictures are whole and apart, on a wide screen and on a phone."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.lab import Lab

PHONE = {"width": 400, "height": 800}

# For every heading of a chart: its own left, right and bottom, and where the chart's uppermost letters and axes begin.
_HEADINGS = """() => [...document.querySelectorAll("[class^=heading-]")].map(heading => {
  const chart = document.querySelector(`.st-key-chart_${heading.className.replace("heading-", "")} .js-plotly-plot`);
  const letters = [...chart.querySelectorAll("text")].filter(text => text.textContent && text.checkVisibility());
  const tops = letters.map(text => text.getBoundingClientRect().top);
  const {left, right, bottom} = heading.getBoundingClientRect();
  const cut = heading.scrollWidth > heading.clientWidth;
  return {title: heading.firstChild.textContent, left, right, bottom, cut, drawn: Math.min(...tops)};
})"""


def assert_titles_are_whole_wide_and_narrow(lab: Lab) -> None:
    for width in (1280, 400):
        lab.page.set_viewport_size({"width": width, "height": 900})
        lab.wait()
        assert_titles_are_whole(lab, width)


def with_its_handle(lab: Lab, chart: str = "path") -> Locator:
    """A picture once its paths are complete."""
    picture = lab.at(f"chart_{chart}")
    expect(picture.locator(".handle-knob")).to_be_visible(timeout=150_000)
    lab.wait()
    return picture


def test_words_of_a_path_are_whole_and_apart_on_a_laptop_and_on_a_phone(lab: Lab) -> None:
    """One visit to each of two pictures."""
    lab.page.set_viewport_size({"width": 1366, "height": 768})
    lab.open("path", dataset="python-docs", method="l1", ratio="0.012")
    assert_words_cross_no_line(lab)
    assert_titles_are_whole_wide_and_narrow(lab)
    lab.page.set_viewport_size(PHONE)
    lab.wait()
    assert_names_lie_over_no_curve(lab)
    lab.open("path", dataset="python-docs", method="l1", ratio="0.01", beside="log")
    assert_words_neither_meet_nor_leave(lab)
    box = lab.at("picture").bounding_box()
    assert box is not None
    assert box["y"] < 420
    assert 0 <= box["x"] < box["x"] + box["width"] <= PHONE["width"]


@pytest.mark.more
@pytest.mark.parametrize(("page", "chart"), [("tradeoff", "tradeoff"), ("top", "shares")])
def test_on_a_phone_the_words_of_a_picture_neither_meet_nor_leave_it(lab: Lab, page: str, chart: str) -> None:
    lab.page.set_viewport_size(PHONE)
    lab.open(page, dataset="python-docs", method="l1", ratio="0.01")
    assert_words_neither_meet_nor_leave(lab, chart)
    if page == "tradeoff":
        assert_names_lie_over_no_curve(lab, chart, "alone", "all features")


# Left, top, right, bottom and text of every word inside a chart, and where its axes' titles and its handle stand.
_WORDS = """chart => {
  const box = part => ({text: part.textContent, ...part.getBoundingClientRect().toJSON()});
  const seen = part => part.textContent && part.checkVisibility();
  const of = query => [...chart.querySelectorAll(query)].filter(seen).map(box);
  return [of(".annotation-text"), of(".g-xtitle text, .g-x2title text"), of(".handle-grip")];
}"""


def assert_words_neither_meet_nor_leave(lab: Lab, chart: str = "path") -> None:
    picture = with_its_handle(lab, chart)
    words, titles, handle = picture.locator(".live-chart").evaluate(_WORDS)
    assert len(words) > 2
    assert handle
    for word in words + titles:
        assert word["left"] >= 0, word
        assert word["right"] <= PHONE["width"], word
    for k, word in enumerate(words):
        assert not any(meet(word, other) for other in words[:k]), word
    assert not any(meet(title, handle[0]) for title in titles)


# Where words stand, and where the plots beside them end.
_NAMED = """chart => {
  const box = part => ({text: part.textContent, ...part.getBoundingClientRect().toJSON()});
  const words = [...chart.querySelectorAll(".annotation-text")].filter(part => part.textContent).map(box);
  const {xaxis} = chart._fullLayout;
  return [words, chart.getBoundingClientRect().left + xaxis._offset + xaxis._length];
}"""


def assert_names_lie_over_no_curve(lab: Lab, chart: str = "path", *lines: str) -> None:
    picture = with_its_handle(lab, chart)
    words, end = picture.locator(".live-chart").evaluate(_NAMED)
    names = [word for word in words if any(line in word["text"] for line in lines or ("alone",))]
    assert len(names) == len(lines or ("alone",))
    assert all(name["left"] >= end for name in names)


def assert_words_cross_no_line(lab: Lab) -> None:
    picture = with_its_handle(lab)
    words, _ = picture.locator(".live-chart").evaluate(_NAMED)
    lines = picture.locator(".live-chart").evaluate(
        """chart => chart._fullLayout.shapes.filter(({x0, x1}) => x0 === x1).map(({x0}) => {
          const {xaxis} = chart._fullLayout;
          return chart.getBoundingClientRect().left + xaxis._offset + xaxis.l2p(xaxis.d2l(x0));
        })"""
    )
    marked = [word for word in words if word["text"].startswith("chosen")]
    assert marked
    assert len(lines) == 4, "two lines through both plots"
    for word in marked:
        assert not any(word["left"] < line < word["right"] for line in lines), word


def meet(one: dict[str, float], other: dict[str, float]) -> bool:
    """Whether two boxes share more than the room above and below letters."""
    across = min(one["right"], other["right"]) - max(one["left"], other["left"])
    down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    return across > 1 and down > 4


def assert_titles_are_whole(lab: Lab, width: int) -> None:
    headings = lab.page.evaluate(_HEADINGS)
    strips = lab.at("chart_along_c").count()  # the low strip for C has no title
    assert len(headings) == lab.page.locator(".js-plotly-plot").count() - strips > 0
    for heading in headings:
        assert heading["title"]
        assert not heading["cut"], heading
        assert 0 <= heading["left"] < heading["right"] <= width, heading
        assert heading["bottom"] <= heading["drawn"], heading
