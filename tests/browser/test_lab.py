"""The Lab in a browser: it fills the first screen, and one handle moves all four views without a word to the server."""

from playwright.sync_api import Locator, expect

from tests.browser.lab import Lab

VIEWS = ("lab_path", "lab_tradeoff", "lab_features", "lab_convergence")
_DOTS = """() => [...document.querySelectorAll(".st-key-picture .live-chart")].map(chart =>
  [...chart.querySelectorAll(".handle circle")].filter(dot => dot.style.display !== "none")
    .map(dot => [dot.getAttribute("cx"), dot.getAttribute("cy")].join()).join(" "))"""
_ROOM = """() => {
  const box = document.querySelector(".st-key-picture").getBoundingClientRect();
  const height = Math.min(box.bottom, innerHeight) - box.top;
  return {top: box.top, right: box.right, share: (box.width * height) / (innerWidth * innerHeight)};
}"""


# What has the focus after a press of the Tab key; nothing where it has left the page.
_FOCUSED = """() => {
  const at = document.activeElement;
  if (!at || at === document.body) return null;
  at.dataset.stop ??= String((window.stops = (window.stops ?? 0) + 1));
  return [at.dataset.stop, at.tagName, at.getAttribute("aria-label") ?? at.textContent.slice(0, 30), Boolean(at.closest(
    ".st-key-lab_tools, .st-key-picture"))];
}"""
STOPS, CONTROLS = 24, 7


def open_lab(lab: Lab, **query: str) -> Locator:
    lab.open(dataset="planted", **query)
    knob = lab.handle("lab_path")
    for view in VIEWS:
        expect(lab.at(f"chart_{view}")).to_be_visible()
    return knob


def the_tab_key_stops_at_few_places_and_seven_are_of_the_lab_at_most(lab: Lab) -> None:
    stops: dict[str, list[object]] = {}
    for _ in range(2 * STOPS):
        lab.page.keyboard.press("Tab")
        focused = lab.page.evaluate(_FOCUSED)
        if focused is None or focused[0] in stops:
            break
        stops[focused[0]] = focused
    assert 10 < len(stops) <= STOPS, stops
    own = [name for _, _, name, inside in stops.values() if inside]
    assert {"Compare with", "C"} < set(own)
    assert len(own) <= CONTROLS, own


def test_the_four_views_fill_the_first_screen_and_on_a_phone_stand_one_under_the_other(lab: Lab) -> None:
    lab.page.set_viewport_size({"width": 1366, "height": 768})
    open_lab(lab)
    the_tab_key_stops_at_few_places_and_seven_are_of_the_lab_at_most(lab)
    for width, height, top, least in ((1366, 768, 210, 0.45), (1920, 1080, 230, 0.6)):
        lab.page.set_viewport_size({"width": width, "height": height})
        lab.wait()
        room = lab.page.evaluate(_ROOM)
        assert room["top"] < top
        assert room["share"] >= least
        for view in VIEWS:
            box = lab.at(f"chart_{view}").bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= height
            assert box["x"] + box["width"] <= width
    tour, more = (lab.at(key).locator("button:visible").first.bounding_box() for key in ("lab_tour", "lab_more"))
    assert tour is not None
    assert more is not None
    assert tour["y"] == more["y"]
    assert 0.0 < more["x"] - tour["x"] - tour["width"] < 30.0

    lab.page.set_viewport_size({"width": 400, "height": 800})
    lab.wait()
    room = lab.page.evaluate(_ROOM)
    assert room["top"] < 420
    assert room["right"] <= 400
    tops = [box["y"] for view in VIEWS if (box := lab.at(f"chart_{view}").bounding_box()) is not None]
    assert tops == sorted(set(tops))
    assert len(tops) == len(VIEWS)


def test_all_views_follow_one_handle_light_up_one_feature_and_the_next_page_has_its_c(lab: Lab) -> None:
    """Nothing is asked of the server until the reader lets go."""
    knob = open_lab(lab, method="l1", ratio="0.1", lab_beside="nothing")
    assert lab.page.get_by_role("slider", name="C", exact=True).and_(lab.page.locator(".handle-knob")).count() == 1
    before = lab.page.evaluate(_DOTS)
    lab.count_messages()
    box = knob.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for place in (x - 0.3 * box["width"], x, x + 0.3 * box["width"]):
        lab.page.mouse.click(place, y)
        assert lab.page.evaluate(_DOTS) == before, "a press on the knob moves nothing"
    lab.take_hold(knob)
    for step in range(1, 31):
        lab.page.mouse.move(x + 3 * step, y)
        lab.next_frame()
    lab.next_frame()
    assert lab.messages == 0
    moved = lab.page.evaluate(_DOTS)
    assert len(moved) == len(VIEWS)
    assert all(now != then for now, then in zip(moved, before, strict=True))
    kept, value = lab.reading("lab-kept"), lab.reading("lab-value")
    assert kept == f"{lab.reading('kept').split()[0]} features"
    assert value == lab.reading("NDCG@10-test")

    lab.page.mouse.up()
    lab.page.wait_for_function("() => window.messages > 0")
    lab.wait()
    fewest, _, most = kept.split()[0].partition("–")  # between two models, one number otherwise
    assert int(lab.reading("lab-kept").split()[0]) in range(int(fewest), int(most or fewest) + 1), (
        "letting go corrects nothing"
    )
    assert lab.reading("lab-value") == value
    assert lab.value("C")
    now, box = int(knob.get_attribute("aria-valuenow") or 0), knob.bounding_box()
    assert box is not None
    lab.page.mouse.click(box["x"] + box["width"] - 6, y)  # ▸
    expect(knob).to_have_attribute("aria-valuenow", str(now + 1))
    lab.wait()

    lab.count_messages()
    chip = lab.page.locator(".lights-chip")
    row = lab.at("chart_lab_features").locator(".yaxislayer-above .ytick, .ytick").nth(1)  # the best feature alone
    row.hover(force=True)
    name = row.text_content() or "no name"
    for view in ("lab_path", "lab_tradeoff", "lab_features"):
        expect(lab.at(f"chart_{view}").locator(".lights-chip")).to_contain_text(name)
        assert lab.at(f"chart_{view}").locator(".lights *").count() > 0
    lab.page.mouse.move(5, 5)
    expect(chip.first).to_have_css("opacity", "0")
    lab.at("chart_lab_path").get_by_role("slider", name="Feature").focus()
    lab.page.keyboard.press("ArrowDown")
    expect(chip.first).to_have_css("opacity", "1")
    assert lab.messages == 0

    knob.press("Home")
    lab.go_to("Path")  # right after the last key
    lab.handle("path")
    expect(lab.page.locator("[data-reading=kept]")).to_have_text("0 of 60")
    assert float(lab.query["ratio"]) == 1.0
    assert (lab.value("dataset"), lab.value("method")) == ("planted", "RankSVM ℓ1")
    a_reload_keeps_the_pinned_run_and_the_strip_names_it(lab)


def a_reload_keeps_the_pinned_run_and_the_strip_names_it(lab: Lab) -> None:
    lab.press("pin")
    lab.at("unpin").wait_for()
    lab.handle("path").press("End")
    lab.page.wait_for_function("() => new URL(location).searchParams.get('C')")
    lab.wait()
    lab.reload()
    expect(lab.page.locator(".strip")).to_contain_text("pinned ℓ1, C = ")
    expect(lab.page.locator(".strip .delta").first).to_be_visible()
    lab.wait()
    lab.press("unpin")
    expect(lab.at("unpin")).to_have_count(0)
