"""Pages and sites that the command line and the app have saved, opened from the disk with the network off.

The browser opens the report as a file and sends no request. Pointer and keys reach all of a site; axe finds no fault.
"""

import json
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from core.analysis.fitting import Fitting
from core.analysis.path import PathPoint
from core.cli import main
from core.data.reading import open_dataset
from core.experiments.results.run import Run
from core.export.files import write_files
from core.export.protocol_report import report_files
from core.export.saved.site import site_files, site_of
from core.lessons import lesson
from core.methods import get_method
from tests.browser.axe import violations
from tests.browser.lab import Lab
from tests.cases import sweep
from tests.experiments.made_up import four_lines, run
from tests.figures.look.contrast import colour, contrast

Scheme = Literal["light", "dark"]
VIEWS = ("path", "lab", "tradeoff", "features")
_BARS = """() => [...document.querySelectorAll(".handle rect")].filter(bar => bar.getAttribute("width") > 0.5).length"""


@contextmanager
def opened(
    browser: Browser, file: Path, *, width: int = 1366, scheme: Scheme = "light", policy: bool = True, host: str = ""
) -> Iterator[Page]:
    """The page of a file; it fails where the page reports an error, or asks for what is not beside it.

    A script of the test's own, such as axe, needs the page without its policy. What a browser keeps of a file is not
    there after one reload in fifty, beside other work; what it keeps of a ``host`` always is.
    """
    context = browser.new_context(
        viewport={"width": width, "height": 768}, color_scheme=scheme, offline=True, bypass_csp=not policy
    )
    page, faults = context.new_page(), list[str]()
    place = f"http://{host}" if host else file.parent.as_uri()
    if host:
        page.route(f"{place}/**", lambda it: it.fulfill(path=file.parent / unquote(urlsplit(it.request.url).path[1:])))
    inside = (place, "data:", "blob:")
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.on("request", lambda asked: None if asked.url.startswith(inside) else faults.append(asked.url))
    page.goto(f"{place}/{file.name}")
    yield page
    context.close()
    assert faults == []


def reading(page: Page, name: str) -> Locator:
    """What a saved page tells by this name."""
    return page.locator(f'dd[data-reading="{name}"]')


def assert_nobody_is_kept_out(page: Page) -> None:
    """By axe, in both themes."""
    schemes: tuple[Scheme, ...] = ("light", "dark")
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function("() => ![...document.querySelectorAll('.live-chart')].some(c => c.ariaBusy === 'true')")
        assert violations(page) == {}, scheme


@pytest.mark.parametrize("view", [VIEWS[0], VIEWS[1], *(pytest.param(v, marks=pytest.mark.more) for v in VIEWS[2:])])
def test_it_is_dragged_by_keys_and_pointer_and_tells_the_numbers_of_the_models(
    browser: Browser, tmp_path: Path, capsys: pytest.CaptureFixture[str], view: str
) -> None:
    file = tmp_path / "saved.html"
    words = ["path", "planted", "--method", "log", "--points", "12", "--json", "--html", str(file), "--view", view]
    assert main(words) == 0
    models = json.loads(capsys.readouterr().out)["points"]
    with opened(browser, file) as page:
        handle = page.get_by_role("slider", name="C", exact=True)
        handle.focus()
        handle.press("End")
        expect(handle).to_have_attribute("aria-valuenow", "11")
        bars = page.evaluate(_BARS)
        for back in range(3):
            model = models[11 - back]
            expect(reading(page, "features")).to_have_text(f"{model['nonzero']} of 60")
            expect(reading(page, "NDCG@10, test")).to_have_text(f"{model['metrics']['test']['NDCG@10']:.4f}")
            expect(reading(page, "MAP, validation")).to_have_text(f"{model['metrics']['vali']['MAP']:.4f}")
            handle.press("ArrowLeft")
        expect(page.locator(".pictures.moved")).to_have_count(1)  # the keys count as let go
        expect(reading(page, "features")).to_have_text(f"{models[8]['nonzero']} of 60")

        box = handle.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + 30, box["y"] + 10)
        page.mouse.down()
        page.mouse.move(0, box["y"] + 10, steps=6)
        page.mouse.up()
        # On a logarithmic axis the empty model has no place of its own.
        sizes = {0, min(m["nonzero"] for m in models if m["nonzero"])} if view == "tradeoff" else {0}
        least = re.compile(rf"^({'|'.join(map(str, sizes))}) of 60$")
        expect(reading(page, "features")).to_have_text(least)
        assert view != "features" or page.evaluate(_BARS) < bars
        if view == "lab":
            expect(page.locator('figcaption [data-reading="lab-kept"]').first).to_have_text("0 features")
        page.get_by_role("button", name="Play").click()
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
        page.set_viewport_size({"width": 400, "height": 800})
        expect(handle).to_be_visible()
        expect(page.locator("html")).to_have_js_property("scrollWidth", 400)
        page.emulate_media(media="print")
        page.set_viewport_size({"width": 718, "height": 1047})  # of A4, within its margins
        expect(page.locator("#models tbody tr")).to_have_count(12)
        expect(page.locator("html")).to_have_js_property("scrollWidth", 718)
        assert "nan" not in page.locator("main").inner_text().split()
    with opened(browser, file, policy=False) as page:
        assert_nobody_is_kept_out(page)


def test_the_app_saves_the_pictures_with_the_handle_and_a_site(lab: Lab, tmp_path: Path) -> None:
    lab.open(dataset="planted", method="l1", ratio="0.05")
    expect(lab.page.get_by_role("slider", name="C", exact=True)).to_be_visible()
    told = lab.page.get_by_role("slider", name="C", exact=True).get_attribute("aria-valuetext")
    expect(lab.page.get_by_test_id("stProgress")).to_have_count(0)  # the end of work makes a new download of each
    lab.wait()
    lab.at("lab_more").get_by_role("button").first.click()
    with lab.page.expect_download() as saved:
        lab.page.get_by_role("button", name="Save as a page").click()
    saved.value.save_as(tmp_path / "saved.html")
    browser = lab.page.context.browser
    assert browser is not None
    with opened(browser, tmp_path / "saved.html") as page:
        handle = page.get_by_role("slider", name="C", exact=True)
        expect(handle).to_have_attribute("aria-valuetext", told or "")
        handle.press("Home")
        expect(reading(page, "features")).to_have_text("0 of 60")
        assert "--view lab" in page.locator("pre").inner_text()
    with lab.page.expect_download() as saved:
        lab.page.get_by_role("button", name="Save as a site").click()
    zipfile.ZipFile(saved.value.path()).extractall(tmp_path / "site")
    with opened(browser, tmp_path / "site" / "index.html") as page:
        page.get_by_role("slider", name="C", exact=True).press("Home")
        expect(reading(page, "features")).to_have_text("0 of 60")
        expect(page.get_by_label("Data")).to_have_value("planted")


@pytest.mark.more
def test_a_model_as_a_page_keeps_nobody_out(
    browser: Browser, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fit", "planted", "--method", "l1", "--lambda-ratio", "0.05", "--json"]) == 0
    result, file = tmp_path / "result.json", tmp_path / "model.html"
    result.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["export", str(result), "--format", "html", "--out", str(file)]) == 0
    with opened(browser, file, width=400, policy=False) as page:
        expect(page.locator("html")).to_have_js_property("scrollWidth", 400)
        for model in json.loads(result.read_text(encoding="utf-8"))["features"][:3]:
            expect(page.locator("#features")).to_contain_text(f"{model['weight']:.4g}")
        assert_nobody_is_kept_out(page)


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
    files = report_files(Run(plan, results, {}, "l2"), [["python", "-m", "core"]])
    return write_files(tmp_path_factory.mktemp("report"), files)[0]


@contextmanager
def drawn(browser: Browser, report: Path, scheme: Scheme, width: int) -> Iterator[Page]:
    """The report with all of its pictures."""
    with opened(browser, report, scheme=scheme, width=width) as page:
        page.wait_for_function("() => document.querySelectorAll('.js-plotly-plot .main-svg').length >= 6")
        yield page


@pytest.mark.parametrize(("scheme", "width"), sweep([("dark", 400), ("light", 1280)]))
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


@pytest.fixture
def hosted(browser: Browser, index: Path) -> Iterator[Page]:
    with opened(browser, index, host="a.class") as shown:
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


def test_a_lesson_is_predicted_locked_and_revealed_and_goes_on_where_it_was(hosted: Page) -> None:
    page = hosted
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
    page.goto("http://a.class/index.html#lesson?lesson=zeros&step=3")
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
