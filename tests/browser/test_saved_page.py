"""A page that the command line has saved, opened from the disk with the network off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from core.cli import main
from tests.browser.lab import Lab


def test_it_is_dragged_by_keys_and_pointer_and_tells_the_numbers_of_the_models(
    browser: Browser, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "path.html"
    assert main(["path", "planted", "--method", "log", "--points", "12", "--json", "--html", str(file)]) == 0
    models = json.loads(capsys.readouterr().out)["points"]
    context = browser.new_context(viewport={"width": 1366, "height": 768}, offline=True)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(file.as_uri())
    handle = page.get_by_role("slider", name="C")
    expect(handle).to_be_visible()

    def reading(name: str) -> str:
        return page.locator(f'[data-reading="{name}"]').inner_text()

    handle.focus()
    handle.press("End")
    expect(handle).to_have_attribute("aria-valuenow", "11")
    for back in range(3):
        model = models[11 - back]
        expect(page.locator('[data-reading="features"]')).to_have_text(f"{model['nonzero']} of 60")
        assert reading("NDCG@10, test") == f"{model['metrics']['test']['NDCG@10']:.4f}"
        assert reading("MAP, validation") == f"{model['metrics']['vali']['MAP']:.4f}"
        handle.press("ArrowLeft")
    page.wait_for_timeout(600)  # longer than until the keys count as let go
    assert reading("features") == f"{models[8]['nonzero']} of 60", "it stays where it was let go"

    box = handle.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 30, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(0, box["y"] + 10, steps=6)
    page.mouse.up()
    expect(handle).to_have_attribute("aria-valuenow", "0")
    assert reading("features") == "0 of 60"
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()

    page.set_viewport_size({"width": 400, "height": 800})
    expect(handle).to_be_visible()
    expect(page.locator("html")).to_have_js_property("scrollWidth", 400)
    assert faults == []
    context.close()


def test_the_app_saves_the_picture_with_the_handle(lab: Lab, tmp_path: Path) -> None:
    lab.open("tradeoff", dataset="planted", method="l1")
    lab.at("keep_tradeoff").get_by_role("button").first.click()
    with lab.page.expect_download() as saved:
        lab.page.get_by_role("button", name="Save as a page").click()
    saved.value.save_as(tmp_path / "saved.html")
    browser = lab.page.context.browser
    assert browser is not None
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto((tmp_path / "saved.html").as_uri())
    handle = page.get_by_role("slider", name="C")
    expect(handle).to_be_visible()
    handle.press("Home")
    expect(page.locator('[data-reading="features"]')).to_have_text("0 of 60")
    assert "fit_path" in page.locator("pre").inner_text()
    context.close()
