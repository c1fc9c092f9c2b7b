"""A site, opened from the disk with the network off: a walk with pointer and keys, and who may be kept out."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from core.analysis.fitting import Fitting
from core.analysis.path import PathPoint
from core.data.reading import open_dataset
from core.export.files import write_files
from core.export.saved.site import site_files, site_of
from core.lessons import lesson
from core.methods import get_method
from tests.browser.offline import assert_nobody_is_kept_out, opened, reading


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of a site below a path with a space, whose names are those of no web space."""
    out = tmp_path_factory.mktemp("site") / "a class"
    folds = {"python-docs": [1], "planted": [1, 2]}
    shown = [site_of(open_dataset(name), numbers, ("l1", "log")) for name, numbers in folds.items()]
    for name, content in site_files(shown, "sparse-ranking-lab site", [lesson("zeros")]):
        write_files(out, {name: content})
    return out / "index.html"


@pytest.fixture
def page(browser: Browser, index: Path) -> Iterator[Page]:
    with opened(browser, index, policy=False) as shown:
        yield shown


def handle(page: Page) -> Any:
    return page.get_by_role("slider", name="C", exact=True)


@cache
def path_of(dataset: str, fold: int, method: str) -> list[PathPoint]:
    opened = open_dataset(dataset)
    return list(Fitting.on(opened.fold(fold), get_method(method), {}, opened.convention).path())


def tell(page: Page, dataset: str, fold: int, method: str, at: int) -> None:
    """The page tells the numbers of a model of a path, counted from the last."""
    point = path_of(dataset, fold, method)[at]
    expect(reading(page, "features")).to_have_text(f"{point.fit.result.nonzero} of {len(point.fit.weights)}")
    expect(reading(page, "MAP, test")).to_have_text(f"{point.metrics['test']['MAP']:.4f}")


def test_c_is_dragged_and_kept_while_method_fold_dataset_and_view_are_switched(page: Page, index: Path) -> None:
    handle(page).focus()
    handle(page).press("End")
    tell(page, "python-docs", 1, "l1", -1)
    expect(page).to_have_url(re.compile(r"ratio=0\.0001"))
    page.get_by_label("Method").select_option(label="log")
    tell(page, "python-docs", 1, "log", -1)
    page.get_by_label("Compare with").select_option(label="ℓ1")
    expect(page.get_by_text("thin: ℓ1")).to_be_visible()
    page.get_by_label("Data").select_option("planted")
    page.get_by_label("Fold").select_option("Fold2")
    tell(page, "planted", 2, "log", -1)
    for view in ("Path", "Features", "Trade-off", "Convergence", "Lab"):
        page.get_by_role("navigation").get_by_role("link", name=view, exact=True).click()
        expect(page).to_have_title(re.compile(f"log on planted, Fold2: {view}"))
        tell(page, "planted", 2, "log", -1)
    box = handle(page).bounding_box()
    page.mouse.move(box["x"] + 30, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(0, box["y"] + 10, steps=6)
    page.mouse.up()
    expect(reading(page, "features")).to_have_text("0 of 60")
    page.go_back()
    expect(page).to_have_title(re.compile("Convergence"))
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    (index.parent / "data/2-planted/fold2/l1~log.js").write_text("window.siteData = {};")
    page.get_by_label("Method").select_option(label="ℓ1")
    page.get_by_label("Compare with").select_option(label="log")
    expect(page.get_by_text("l1~log.js of this site cannot be read.")).to_be_visible()


def test_a_lesson_is_predicted_locked_and_revealed_and_goes_on_where_it_was(page: Page, index: Path) -> None:
    page.get_by_role("link", name="Lessons").click()
    page.get_by_role("link", name="Why ℓ1 sets weights to 0").click()
    lock = page.get_by_role("button", name="Lock my prediction")
    expect(lock).to_be_disabled()
    page.get_by_label("A small weight that is not 0").check()
    lock.click()
    expect(page.get_by_text("Locked. Your prediction: “A small weight that is not 0”.")).to_be_visible()
    page.get_by_role("button", name="Change it").click()
    page.get_by_label("Nothing: it is exactly 0").check()
    lock.click()
    page.get_by_role("button", name="Show the result").click()
    expect(page.get_by_text("The result: “Nothing: it is exactly 0”.")).to_be_visible()
    page.get_by_text("Explain the gap").click()
    expect(page.get_by_text("The pull of ℓ1 is the same for a tiny weight")).to_be_visible()
    page.goto(f"{index.as_uri()}#lesson?lesson=zeros&step=3")
    page.get_by_role("slider", name=re.compile("How many features")).press("Home")
    lock.click()
    expect(page.get_by_text("Locked. Your prediction: 0 features.")).to_be_visible()  # seen before reloading
    page.reload()
    page.get_by_role("button", name="Show the result").click()
    expect(page.get_by_text("Your prediction: 0 features. The result: 0 features.")).to_be_visible()
    expect(page.locator(".gap .live-chart")).to_be_visible()
    expect(handle(page)).to_be_visible()
    page.get_by_role("link", name="All lessons").click()
    expect(page.get_by_text("2 of 5 steps seen")).to_be_visible()
    kept = json.loads(page.evaluate("() => localStorage.getItem('sparse-ranking-lab lessons')"))
    assert kept == {"zeros": {"guesses": {"1": 0, "3": 0}, "seen": [1, 3]}}


def test_nobody_is_kept_out_and_a_phone_has_no_sideways_scroll(page: Page, index: Path) -> None:
    for address in ("lab?beside=log", "fit", "lessons", "lesson?lesson=zeros&step=4", "about"):
        page.emulate_media(media="screen")
        page.set_viewport_size({"width": 1366, "height": 768})
        page.goto(f"{index.as_uri()}#{address}")
        expect(page.locator("#shown h2").first).to_be_visible()
        assert_nobody_is_kept_out(page)
        for media, width in (("screen", 390), ("print", 718)):
            page.emulate_media(media=media)  # type: ignore[arg-type]
            page.set_viewport_size({"width": width, "height": 844})
            expect(page.locator("html")).to_have_js_property("scrollWidth", width)
