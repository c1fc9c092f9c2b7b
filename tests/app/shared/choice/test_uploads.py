"""Files of one's own come in by a dialog: what can be read is opened, parts are joined, the rest is refused."""

from typing import Any

import pytest
import streamlit as st
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest

from core.export.files import zip_of
from pages.shared.choice import access, data
from pages.shared.choice import own_data as own_data_dialog
from tests.app.conftest import Open
from tests.app.fitting import chosen, dialog, give, own_data, press
from tests.data.imports.joining import JUDGMENTS, PAIRS, solr_log
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded")


def said(app: AppTest) -> str:
    return "\n".join(text.value for text in app.main.markdown)


def drop(app: AppTest, *files: tuple[str, str]) -> None:
    give(app, *((name, text.encode()) for name, text in files))


def close(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dismiss the dialog, which a test without a browser cannot: the button does it instead."""
    with monkeypatch.context() as patch:
        patch.setattr(own_data_dialog, "open_dialog", own_data_dialog._close)
        app.run()
        press(app, "own_data")
    app.run()
    assert not app.file_uploader


def test_judgments_and_a_log_dropped_together_are_joined_and_reported(open_app: Open) -> None:
    app = open_app("data")
    drop(app, ("judgments.csv", JUDGMENTS), ("solr.json", solr_log()))
    assert app.selectbox(key="dataset").value.startswith("solr joined.txt · ")
    report = next(expander for expander in app.main.expander if expander.label.startswith("Joined: "))
    assert_says(report.label, "60 documents", "12 queries", "2 features")
    assert_says(report.markdown[0].value, "12 of 72 judgments", "no", "features", "left out", "query 0: d5")
    assert_says(said(app), "12 of 72 judgments", "0 of 60 logged documents", "match nothing")
    app.segmented_control(key="data_section").set_value("query").run()
    assert "query" in app.subheader[0].value  # the text of the query, not its number
    app.switch_page("pages/start.py").run()
    assert_says(said(app), "12 of 72 judgments", "0 of 60 logged documents", "match nothing")
    assert_says(said(app), "12 of 72 judgments", "no", "features", "left out", "query 0: d5")


def test_a_file_is_chosen_though_the_run_that_took_it_was_broken_off(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser's next message still has the dataset of before."""
    app = open_app("data")
    before = app.selectbox(key="dataset").value
    drawn = st.selectbox

    def break_off(label: str, *args: Any, **options: Any) -> Any:
        if label == "Dataset" and data.keys.OPENED in st.session_state:
            monkeypatch.setattr(data.st, "selectbox", drawn)
            raise StopException
        return drawn(label, *args, **options)

    monkeypatch.setattr(data.st, "selectbox", break_off)
    drop(app, ("mine.txt", "".join(f"{q % 3} qid:{q // 4} 1:{q} 2:{q % 5}\n" for q in range(60))))
    app.session_state["dataset"] = before
    app.run()
    assert app.selectbox(key="dataset").value.startswith("mine.txt · ")


def test_judgments_say_what_they_need_or_what_is_wrong_with_their_log_and_change_nothing(open_app: Open) -> None:
    app = open_app("data")
    before = app.selectbox(key="dataset").value
    drop(app, ("judgments.csv", JUDGMENTS))
    assert app.selectbox(key="dataset").value == before
    assert_says(dialog(app).info[0].value, "judgments without features", "add", "feature log")
    drop(app, ("judgments.csv", JUDGMENTS), ("solr.json", solr_log()[:-30]))
    assert app.selectbox(key="dataset").value == before
    assert_says(dialog(app).error[0].value.lower(), "solr.json", "line 12", "not valid json", "cut off")


def test_a_zip_of_folds_is_opened_with_its_folds_and_is_not_divided_again(open_app: Open) -> None:
    rows = "".join(f"{grade} qid:PART{q} 1:{grade + 0.1 * d} 2:{d}\n" for q, d, grade in PAIRS)
    places = [(fold, part) for fold in (1, 2, 3) for part in ("train", "vali", "test")]
    files = {f"mine/Fold{k}/{part}.txt": rows.replace("PART", f"{k}{part}").encode() for k, part in places}
    app = open_app("fit")
    drop(app, ("broken.zip", "PK\3\4 and no more"))
    assert_says(dialog(app).error[0].value, "broken.zip", "zip archive", "damaged")
    give(app, ("mine.zip", zip_of(files)))
    assert app.selectbox(key="dataset").value.startswith("mine.zip")
    assert app.selectbox(key="fold").options == ["Fold1", "Fold2", "Fold3"]
    assert not {"parts", "holdout", "group"} & {str(one.key) for one in (*app.selectbox, *app.toggle)}
    app.selectbox(key="fold").set_value(2).run()
    assert chosen(app).fold.test.query_ids[0] == "2test0"


def test_parts_that_wait_for_others_are_still_there_when_the_dialog_is_opened_again_and_can_be_forgotten(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_app("data")
    for forget in (True, False):
        drop(app, ("judgments.csv", JUDGMENTS))
        close(app, monkeypatch)
        if forget:
            press(own_data(app), "forget_parts")
            assert not dialog(app).info
            close(app, monkeypatch)
    drop(app, ("solr.json", solr_log()))
    assert app.selectbox(key="dataset").value.startswith("solr joined.txt · ")


BAD = {
    "packed.zip": (zip_of({"data.csv": b"a,b\n1,2\n"}), ["packed.zip", "zip archive", "no folds", "unpack"]),
    "shop.xlsx": (b"PK\x03\x04[Content_Types].xml xl/workbook.xml", ["shop.xlsx", "Excel workbook", "CSV"]),
    "nothing.txt": (b"", ["nothing.txt", "empty"]),
    "cut.txt": (b"1 qid:1 1:0.5 2:1\n0 qid:1 1:0.5 2:", ["cut.txt, line 2", "feature 2"]),
    "[a](b) <b>&*`.csv": (b"relevance,qid,price\ngood,1,2\n", ["line 2", "relevance", "good"]),
}


def test_what_cannot_be_read_is_said_in_the_dialog_and_changes_nothing(open_app: Open) -> None:
    """One sentence for each file, as long as it lies there; the present data stays, and nothing of the file."""
    app = open_app("data", dataset="planted")
    before = app.selectbox(key="dataset").options
    give(app, *((name, content) for name, (content, _) in BAD.items()))
    for _ in range(2):
        said = [error.value for error in dialog(app).error]
        assert len(said) == len(BAD)
        for sentence, (_, facts) in zip(said, BAD.values(), strict=True):
            assert_says(sentence, *facts)
        assert app.selectbox(key="dataset").value == "planted"
        assert app.selectbox(key="dataset").options == before
        assert not access.uploads()._digests
        app.run()
    assert "\\[a\\]" in said[-1], "a name is no Markdown"


def test_what_can_be_read_is_opened_beside_what_cannot_and_the_dialog_stays(open_app: Open) -> None:
    app = open_app("data")
    rows = "".join(f"{grade} qid:{q} 1:{grade + 0.1 * d}\n" for q, d, grade in PAIRS)
    drop(app, ("one.txt", rows), ("two.txt", rows.replace("1:", "3:")), ("cut.txt", rows + "1 qid:"))
    assert app.selectbox(key="dataset").value.startswith("two.txt")
    assert any(option.startswith("one.txt") for option in app.selectbox(key="dataset").options), "data stays apart"
    assert_says(dialog(app).error[0].value, "cut.txt")
    close_when_mended = give(app, ("mended.txt", rows.replace("1:", "2:").encode()))
    assert close_when_mended.selectbox(key="dataset").value.startswith("mended.txt")
    assert not app.file_uploader, "the dialog is closed once all that was given is open"
