"""A person's own file: what works, and one sentence where it does not.

What is worked on beside the page ends while a dialog is open: the dialog stays, and the page is drawn afterwards.
"""

import re
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Error, Route, expect

from core.data import RankingData, open_dataset
from tests.browser.lab import Lab, Line
from tests.oracles import ranking_problem
from tests.ranking_files import letor_text

DATA = ranking_problem(3, n_queries=12, n_documents=5, n_features=3)


def table(data: RankingData, grades: tuple[str, ...] = ("0", "1", "2")) -> str:
    lines = [",".join(["relevance", "qid", *(f"field_{j}" for j in range(data.n_features))])]
    for grade, query, row in zip(data.relevance, data.query_of_document, data.features.round(3).tolist(), strict=True):
        lines.append(f"{grades[grade]},{query},{','.join(map(str, row))}")
    return "\n".join([*lines, ""])


GOOD = {"mine.txt": letor_text(DATA), "shop.csv": table(DATA)}
BAD = {
    "nothing.txt": (b"", r"nothing\.txt: .*\bempty\b"),
    "words.csv": (table(DATA, ("bad", "good", "best")).encode(), r"words\.csv, line 2, column relevance: "),
}

_AS_FOLDER = "on => { DataTransferItem.prototype.webkitGetAsEntry = () => ({isDirectory: on}); }"


@pytest.mark.more
@pytest.mark.first
def test_files_are_read_or_explained_in_one_sentence_by_dialog_keyboard_and_pointer(lab: Lab) -> None:
    """The first is fitted by the button, the others at once: a new file is a new choice."""
    lab.page.set_viewport_size({"width": 1366, "height": 768})
    lab.open("fit")
    expect(lab.button("own_data")).to_be_in_viewport(ratio=1)
    before = lab.value("dataset")
    lab.button("own_data").press("Enter")
    dialog = lab.page.get_by_role("dialog")
    expect(lab.page.locator('[role="dialog"]:focus, [role="dialog"] :focus')).to_have_count(1)
    for number, (name, (bad, facts)) in enumerate(BAD.items()):
        lab.offer(name, bad)
        sentence = dialog.get_by_test_id("stAlert").nth(number)
        expect(sentence).to_contain_text(re.compile(facts))
        assert lab.value("dataset") == before
    lab.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(lab.button("own_data")).to_be_focused()
    lab.press("own_data")
    expect(lab.at("upload")).to_be_visible()
    expect(dialog.get_by_test_id("stAlert")).to_have_count(0)  # what was refused is over
    lab.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    lab.page.evaluate(_AS_FOLDER, True)
    lab.drop_on_page("MQ2008", b"")
    expect(lab.page.locator("#drop-sign")).to_contain_text("zip")
    lab.page.keyboard.press("Shift")
    expect(lab.page.locator("#drop-sign")).to_be_hidden()
    lab.page.evaluate(_AS_FOLDER, False)
    expect(dialog).to_have_count(0)
    for number, (name, content) in enumerate(GOOD.items()):
        stem = name.split(".")[0]
        if number == 1:
            lab.drop_on_page(name, content.encode())
            expect(lab.at("dataset").get_by_role("combobox")).to_have_value(re.compile(f"^{stem}"))
        else:
            lab.drop(name, content.encode())
        if number == 0:
            lab.press("fit")
        expect(lab.title("convergence")).to_contain_text(stem)
        lab.says("Converged")
        lab.wait()
        expect(lab.page.locator("h1, h2").first).to_contain_text(re.compile(r"of 3 features\b.*\btest NDCG@10\b"))


@pytest.mark.first
def test_a_file_that_is_given_before_the_page_is_there_or_during_a_fit_is_not_lost(lab: Lab) -> None:
    """The page is drawn again and again meanwhile; a visitor with a link to a file gives it to the empty page."""
    lab.page.goto(f"{lab.address}/fit?method=l1&solver=subgradient&tol=1e-10", wait_until="commit")
    lab.page.wait_for_function("() => document.getElementById('root')")
    lab.drop_on_page("early.txt", GOOD["mine.txt"].encode())
    chosen = lab.at("dataset").get_by_role("combobox")
    expect(chosen).to_have_value(re.compile("^early"), timeout=60_000)
    lab.choose("dataset", "python-docs")
    lab.press("fit")
    expect(lab.button("stop")).to_be_visible()
    lab.drop_on_page("during.csv", GOOD["shop.csv"].encode())
    expect(chosen).to_have_value(re.compile("^during"), timeout=60_000)
    lab.page.evaluate("document.querySelector('.st-key-stop button:not([disabled])')?.click()")  # its fit takes long


def test_a_file_that_is_still_being_sent_when_the_answer_to_another_closes_the_dialog_is_not_lost(lab: Lab) -> None:
    line = Line(lab)
    lab.open("fit", dataset="planted")
    lab.press("own_data")
    lab.wait()
    held: list[Route] = []
    sends = iter([Route.continue_, held.append])  # quick, slow; what is given once more after them goes on
    lab.page.route("**/upload_file/**", lambda route: next(sends, Route.continue_)(route))
    line.slow = True  # the dialog is still open when the second file falls
    with lab.page.expect_response("**/upload_file/**"):
        lab.drop_on_page("quick.txt", GOOD["mine.txt"].encode())
    expect(lab.page.get_by_test_id("stFileChipIconSpinner")).to_have_count(0)  # Streamlit has told the server
    with lab.page.expect_request("**/upload_file/**"):
        lab.drop_on_page("slow.csv", GOOD["shop.csv"].encode())
    expect(lab.page.get_by_test_id("stFileChipIconSpinner")).to_have_count(1)
    line.catch_up()
    chosen = lab.at("dataset").get_by_role("combobox")
    expect(chosen).to_have_value(re.compile("^quick"))
    with suppress(Error):  # of a box that has been closed: its file is given once more
        held[0].continue_()
    expect(chosen).to_have_value(re.compile("^slow"))
    expect(lab.page.get_by_role("dialog")).to_have_count(0)
    lab.page.unroute("**/upload_file/**")


def test_a_file_that_is_too_large_is_refused_in_a_sentence_that_is_in_sight(lab: Lab, tmp_path: Path) -> None:
    large = tmp_path / "large.zip"
    with large.open("wb") as file:
        file.truncate(450_000_000)
    lab.page.set_viewport_size({"width": 1366, "height": 768})
    lab.open("fit", dataset="planted")
    lab.press("own_data")
    lab.wait()
    lab.at("upload").locator("input[type=file]").set_input_files(large)
    sentence = lab.at("upload").locator("span", has_text="File must be 400.0MB or smaller")
    expect(sentence).to_be_in_viewport(ratio=1)
    box = sentence.bounding_box()
    assert box is not None
    assert box["height"] > 20
    assert box["width"] > 200
    lab.at("upload").get_by_test_id("stFileChipDeleteBtn").get_by_role("button").click()
    expect(sentence).to_have_count(0)


@pytest.mark.more
def test_costs_that_are_being_sent_when_their_box_is_closed_are_not_lost_without_a_word(lab: Lab) -> None:
    names = open_dataset("planted").fold(1).train.feature_names
    costs = "feature,cost\n" + "".join(f"{name},{1 + j % 7}\n" for j, name in enumerate(names))
    file = {"name": "costs.csv", "mimeType": "text/csv", "buffer": costs.encode()}
    uploader = lab.page.locator('[class*="st-key-costs_file"] input[type=file]')
    lab.open("features", dataset="planted", features_section="what if")
    lab.press("costs")
    lab.page.route("**/upload_file/**", lambda route: None)
    lab.wait()
    uploader.set_input_files([file])
    lab.page.keyboard.press("Escape")
    expect(lab.page.locator("#drop-sign")).to_contain_text("costs.csv")
    lab.page.unroute("**/upload_file/**")
    lab.press("costs")
    lab.wait()
    uploader.set_input_files([file])
    expect(lab.page.get_by_test_id("stSidebar")).to_contain_text("costs", timeout=150_000)


@pytest.mark.first
def test_a_file_is_opened_though_work_has_ended_while_it_was_looked_for(lab: Lab) -> None:
    """The window in which the machine's files are chosen belongs to the input that has opened it."""
    lab.open("ten")
    takes_a_while = ranking_problem(17, n_queries=40, n_documents=6, n_features=20)
    lab.give("first.csv", table(takes_a_while).encode())
    under_way = lab.page.get_by_test_id("stProgress")
    expect(under_way).to_have_count(1)
    lab.press("own_data")
    with lab.page.expect_file_chooser() as opened:
        lab.click(lab.at("upload").get_by_test_id("stBaseButton-secondary"))
    expect(under_way).to_have_count(0)
    opened.value.set_files([{"name": "second.csv", "mimeType": "text/csv", "buffer": GOOD["shop.csv"].encode()}])
    expect(lab.at("dataset").get_by_role("combobox")).to_have_value(re.compile("^second.csv"))
    expect(lab.at("picture")).to_contain_text(re.compile(r"\bpaths of (all )?7 methods\b"))
