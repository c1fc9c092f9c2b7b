"""The Queries page: a list that is ranked again under the hand, and a link that restores what was done."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.lab import Lab

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
