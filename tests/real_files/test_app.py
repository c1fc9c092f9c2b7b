"""In the app, a file that cannot be read never takes the place of data that can: its dialog leads out."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import Open
from tests.app.fitting import chosen, dialog, give
from tests.real_files.test_advice import LETOR, with_cell
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")
STAYS = "python-docs"


def case(cases: Path, name: str) -> str:
    return (cases / "document-column" / name).read_text(encoding="utf-8-sig")


def on_the_page(app: AppTest) -> str:
    return str(app.session_state["choice"].source.name)


def press(app: AppTest, form: str = "given") -> AppTest:
    app.button(key=f"roles_take_{form}").click().run()
    return app


def refusals(app: AppTest) -> str:
    return " ".join(error.value for error in dialog(app).error)


def documents(app: AppTest) -> set[str]:
    return {name for part in chosen(app).fold.parts().values() for name in part.document_ids or ()}


DOCUMENTS = {f"d{k}" for k in range(600)}


def test_text_beside_the_documents_is_ticked(open_app: Open, cases: Path) -> None:
    """Whatever the documents' column is called, and with a column of words and one of dates beside it."""
    name = "品番"
    lines = case(cases, "de_utf8bom.csv").replace("Dokument", name, 1).splitlines()
    rows = [f"{line};Firma {k % 7};2024-01-{k % 28 + 1:02d}" for k, line in enumerate(lines[1:])]
    content = "\n".join([f"{lines[0]};Marke;Datum", *rows]).encode()
    app = give(open_app("data"), ("de.csv", content))
    assert app.selectbox(key="roles_document_given").value == name
    out = next(box for box in dialog(app).multiselect if box.label == "Columns left out")
    assert out.value == ["Marke"]
    press(app)
    assert on_the_page(app) == STAYS, "dates are no numbers"
    assert_says(refusals(app), "column Datum")
    out = next(box for box in dialog(app).multiselect if box.label == "Columns left out")
    assert out.value == ["Marke", "Datum"]
    press(app)
    assert on_the_page(app).startswith("de.csv · ")
    assert chosen(app).fold.train.n_features == 7
    assert chosen(app).fold.train.feature_names[0] == "Häufigkeit"
    assert documents(app) == DOCUMENTS
    assert chosen(app).source.reading.drop_columns == ("Marke", "Datum")
    assert app.query_params["document_column"] == name


def test_numbers_that_stand_for_missing_ones_are_asked_about_on_the_page(open_app: Open) -> None:
    app = give(open_app("fit"), ("mine.txt", with_cell(LETOR, "-3.4028235e38").encode()))
    assert_says(" ".join(one.value for one in app.info), "no measurements")
    app.button(key="say_missing_median").click().run()
    assert chosen(app).source.reading.missing == "median"
    assert app.selectbox(key="missing").value == "median"
    assert max(abs(data.features).max() for data in chosen(app).fold.parts().values()) <= 1.0


def test_documents_of_a_query_that_are_apart_can_be_put_together(open_app: Open, cases: Path) -> None:
    lines = case(cases, "de_utf8bom.csv").splitlines()
    app = give(open_app("data"), ("de.csv", "\n".join([lines[0], *lines[2:], lines[1]]).encode()))
    press(app)
    assert on_the_page(app) == STAYS
    app.toggle(key="roles_group_given").set_value(True).run()
    press(app)
    assert on_the_page(app).startswith("de.csv · ")
    assert sum(part.n_queries for part in chosen(app).fold.parts().values()) == 40


def test_an_answer_that_does_not_fit_changes_nothing(open_app: Open, cases: Path) -> None:
    """Neither in the dialog nor, once the file is on the page, where its reading is changed."""
    app = give(open_app("data"), ("de.csv", case(cases, "de_utf8bom.csv").encode()))
    app.selectbox(key="roles_relevance_given").set_value("PageRank").run()
    press(app)
    assert on_the_page(app) == STAYS
    assert_says(refusals(app), "line 2, column PageRank")
    app.selectbox(key="roles_relevance_given").set_value("Bewertung").run()
    press(app)
    shown = on_the_page(app)
    assert shown.startswith("de.csv · ")
    app.selectbox(key="roles_relevance_change").set_value("Klicks").run()
    press(app, "change")
    assert on_the_page(app) == shown
    assert chosen(app).source.reading.relevance_column == "Bewertung"


def test_text_in_a_table_of_classes_is_left_out_by_its_ticks(open_app: Open) -> None:
    """Ids, a column of words and one of dates beside two numbers and the class."""
    rows = [
        f"p{k},{k % 13},Firma {k % 7},2024-01-{k % 28 + 1:02d},{k * k % 17},{'yes' if k % 3 else 'no'}\n"
        for k in range(60)
    ]
    app = give(open_app("data"), ("shop.csv", "".join(["name,age,brand,day,visits,bought\n", *rows]).encode()))
    assert on_the_page(app) == STAYS
    assert_says(refusals(app), "shop.csv")
    app.segmented_control(key="roles_kind_given").set_value("an item with a class").run()
    app.selectbox(key="roles_class_given").set_value("bought").run()
    press(app)
    if on_the_page(app) == STAYS:  # dates are told when they are read
        press(app)
    assert on_the_page(app).startswith("shop.csv · ")
    assert chosen(app).fold.train.feature_names == ("age", "visits")


@pytest.mark.parametrize("columns", ["same", "reversed"])
def test_rules_of_a_link_are_never_of_other_columns(open_app: Open, cases: Path, columns: str) -> None:
    """A link has numbers of features: another file under it may have the same columns in another order."""
    rows = [line.split(",") for line in case(cases, "t_title.csv").splitlines()]
    app = give(open_app("data"), ("t.csv", "\n".join(map(",".join, rows)).encode()))
    app.session_state["off"] = "1"
    app.run()
    link = dict(app.query_params)
    order = slice(None, None, -1 if columns == "reversed" else 1)
    other = "\n".join(",".join(row[order]) for row in rows[:-1]).encode()
    app = give(open_app("data", **link | {"dataset": "t.csv · gone"}), ("t.csv", other))
    names, off = chosen(app).fold.train.feature_names, chosen(app).rules.off
    notes = [warning.value for warning in app.warning if "other columns" in warning.value]
    assert ([names[j] for j in off], len(notes)) == ((["tf"], 0) if columns == "same" else ([], 1))
