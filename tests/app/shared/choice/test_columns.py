"""What the sidebar and the dialog ask of a table's columns, and what they make of it.

A file has its class elsewhere than last, with ids and missing cells, has queries in another language, or has every
feature and query twice: the pages say so, and leave the copies out at a press of a button.
"""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.shared import keys
from pages.shared.choice import columns
from tests.app.conftest import Open
from tests.app.fitting import chosen, dialog, give, status, step_to
from tests.cases import sweep
from tests.ranking_files import spectf_like, wpbc_like
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")

AMBIGUOUS = "class,age,income,smoker\n" + "".join(f"{k % 3 % 2},{k},{k * k % 17},{k // 2 % 2}\n" for k in range(60))

RANDOM = np.random.default_rng(6)
LEVELS = [int(level) for _ in range(20) for level in RANDOM.permutation([0, 0, 0, 1, 2])]
ROWS = [f"chaussures n° {row // 5};{level};{RANDOM.normal():.3f};{row % 11}\n" for row, level in enumerate(LEVELS)]
TABLE = "".join(["requête;pertinence;prix;avis\n", *ROWS]).replace(".", ",").encode()


def drop(app: AppTest, content: bytes, name: str = "mine.csv") -> AppTest:
    return give(app, (name, content))


def answer(app: AppTest, **answers: str) -> AppTest:
    """Answer what the dialog asks of the file."""
    for name, value in answers.items():
        app.selectbox(key=f"roles_{name}_given").set_value(value).run()
    app.button(key="roles_take_given").click().run()
    return app


def unanswered(app: AppTest, name: str) -> AppTest:
    """Choose a file in the sidebar that has been given, and about which the dialog has not been answered."""
    mine = next(option for option in app.selectbox(key="dataset").options if name in option)
    app.selectbox(key="dataset").set_value(mine).run()
    return app


def test_missing_cells_are_asked_about_the_answer_is_said_and_undone_and_is_no_word_about_the_next_file(
    open_app: Open,
) -> None:
    app = drop(open_app("data"), wpbc_like())
    assert_says(dialog(app).error[0].value, "4 cells", "missing", "4 of 60 rows")
    answer(app, missing="drop")
    assert app.selectbox(key="class_column").value == "2"
    assert app.selectbox(key="class_column").options[0] == "column 2: N, R"
    assert app.multiselect(key="drop_columns").value == ["1"]
    choice = chosen(app)
    assert choice.fold.train.n_features == 33
    assert sum(part.n_documents for part in choice.fold.parts().values()) == 56
    assert any("40 of N above 16 of R" in c.value or "16 of R above 40 of N" in c.value for c in app.sidebar.caption)
    told = next(caption.value for caption in app.sidebar.caption if "2 more" in caption.value)
    assert_says(told.lower(), "column 2", "classes")
    assert_says(next(info.value for info in app.main.info if "left out" in info.value), "4 of 60 rows", "left out")
    first = dict(app.query_params)
    app.multiselect(key="drop_columns").set_value([]).run()
    assert chosen(app).source.reading.drop_columns == ("none",)
    assert chosen(app).fold.train.n_features == 34
    app.multiselect(key="drop_columns").set_value(["1", "3"]).run()
    second = dict(app.query_params)
    app.selectbox(key="missing").set_value("median").run()
    assert sum(part.n_documents for part in chosen(app).fold.parts().values()) == 60
    step_to(app, second)
    assert (chosen(app).source.reading.missing, chosen(app).source.reading.drop_columns) == ("drop", ("none", "1", "3"))
    step_to(app, first)
    assert chosen(app).source.reading.drop_columns == ()
    step_to(app, second)
    drop(app, spectf_like(), "next.csv")
    reading = chosen(app).source.reading
    assert (reading.class_column, reading.drop_columns, reading.missing) == (None, (), None)
    assert app.selectbox(key="class_column").value == "1"
    app.selectbox(key="dataset").set_value("breast-cancer").run()
    assert "class_column" not in {widget.key for widget in app.selectbox}


def test_the_question_is_answered_where_it_is_asked(open_app: Open) -> None:
    app = unanswered(drop(open_app("data"), wpbc_like()), "mine.csv")
    assert_says(app.main.header[0].value, "missing values")
    app.button(key="say_missing_median").click().run()
    assert app.selectbox(key="missing").value == "median"
    assert sum(part.n_documents for part in chosen(app).fold.parts().values()) == 60
    unanswered(drop(app, AMBIGUOUS.encode(), "next.csv"), "next.csv")
    assert_says(app.main.header[0].value, "column", "classes")
    assert_says(status(app), "column 'class'", "'0', '1'", "column 'smoker'", "'0', '1'")
    assert app.selectbox(key="class_column").value is None
    assert app.selectbox(key="class_column").options[:2] == ["class: 0, 1", "smoker: 0, 1"]
    app.button(key="say_class_column_smoker").click().run()
    assert chosen(app).fold.train.feature_names == ("class", "age", "income")
    app.selectbox(key="class_column").set_value("class").run()
    assert chosen(app).fold.train.feature_names == ("age", "income", "smoker")


def test_an_answer_changes_only_what_was_asked(open_app: Open) -> None:
    app = drop(open_app("data"), wpbc_like(n_missing=0))
    app.selectbox(key="positive").set_value("N").run()
    assert app.selectbox(key="roles_class_change").value == "2"
    out = next(widget for widget in app.multiselect if widget.key.startswith("roles_out_change"))
    assert out.value == ["1"]
    out.set_value(["1", "3"]).run()
    app.button(key="roles_take_change").click().run()
    reading = chosen(app).source.reading
    assert (reading.positive, reading.drop_columns) == ("N", ("none", "1", "3"))
    answer(drop(app, wpbc_like(), "next.csv"), missing="drop")
    assert chosen(app).source.reading.positive == "R", "another file begins anew"


def test_numbers_that_cannot_be_read_are_not_taken_for_names_of_documents(open_app: Open) -> None:
    rows = [f"{row // 5};{level};1,{100 + row};{row % 11}\n" for row, level in enumerate(LEVELS)]
    app = drop(open_app("data"), "".join(["qid;relevance;price;stars\n", *rows]).encode())
    assert_says(dialog(app).error[0].value, "'1,100'")
    assert app.selectbox(key="roles_document_given").value is None
    assert next(one.value for one in app.multiselect if one.key.startswith("roles_out_given")) == ["price"]


def line(app: AppTest) -> str:
    """What stands over the page about how the file has been read."""
    return " ".join(m.value for m in app.main.markdown if ":material/description:" in m.value)


def test_the_question_stands_in_place_of_the_page_and_its_answer_is_said_until_it_is_confirmed_and_can_be_changed(
    open_app: Open,
) -> None:
    """And the columns of a link are of its own file."""
    app = drop(open_app("data", query_column="requête", relevance_column="pertinence"), TABLE)
    assert app.session_state["choice"].source.name == "python-docs", "nothing changes before the answer"
    assert app.selectbox(key="roles_query_given").value == "requête"
    unanswered(app, "mine")
    assert_says(app.main.header[0].value, "query", "relevance")
    assert app.session_state["choice"] is None
    assert app.selectbox(key="roles_query_ask").value == "requête"
    assert "pertinence: 0, 1, 2" in app.selectbox(key="roles_relevance_ask").options
    app.button(key="roles_take_ask").click().run()
    fold = chosen(app).fold
    assert fold.train.feature_names == ("prix", "avis")
    assert sum(part.n_queries for part in fold.parts().values()) == 20
    assert_says(line(app), "requête", "20", "pertinence", "0, 1, 2")
    before = dict(app.query_params)
    app.segmented_control(key="roles_kind_change").set_value("an item with a class").run()
    app.selectbox(key="roles_class_change").set_value("pertinence").run()
    app.button(key="roles_take_change").click().run()
    app.button(key="roles_take_change").click().run()  # the positive class is asked for
    assert "requête" in status(app), "texts are no feature: what to do with them is said"
    step_to(app, before)
    assert chosen(app).fold.train.feature_names == ("prix", "avis")
    assert chosen(app).source.reading.query_column == "requête"
    app.button(key="reading_confirm").click().run()
    assert line(app) == ""
    drop(app, TABLE.replace("requête;pertinence".encode(), b"query;relevance"), "next.csv")
    assert chosen(app).source.reading.query_column is None, "another file forgets the answer"
    assert line(app) == ""


def twice() -> bytes:
    random = np.random.default_rng(2)
    lines = []
    for query in range(10):
        for level in random.permutation([0, 0, 1, 2]):
            a, b = level + random.normal(), random.normal()
            lines.append((f"{level} qid:", query, f" 1:{a:.3f} 2:{b:.3f} 3:{a:.3f} 4:{b:.3f}\n"))
    texts = [f"{head}{query + copy}{tail}" for copy in (0, 10) for head, query, tail in lines]
    return "".join(texts).encode()


@pytest.mark.parametrize("page", sweep(["data", "features"]))
def test_copies_are_named_counted_and_left_out(open_app: Open, page: str) -> None:
    app = open_app(page)
    give(app, ("mine.txt", twice()))
    note = next(m.value for m in app.main.markdown if ":material/content_copy:" in m.value)
    assert_says(note, "2", "feature 1 = feature 3", "feature 2 = feature 4", "10 queries")
    assert sum(part.n_queries for part in chosen(app).fold.parts().values()) == 20
    app.button(key="copies_out").click().run()
    fold = chosen(app).fold
    assert sum(part.n_queries for part in fold.parts().values()) == 10
    assert not fold.train.features[:, 2:].any()
    assert not [m.value for m in app.main.markdown if ":material/content_copy:" in m.value]
    app.toggle(key="drop_copies").set_value(False).run()
    assert sum(part.n_queries for part in chosen(app).fold.parts().values()) == 20


def test_the_answer_which_column_has_the_classes_forgets_what_was_said_of_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = {keys.POSITIVE: "g", keys.DROP_COLUMNS: ["a"], keys.MISSING: "drop"}
    monkeypatch.setattr(columns.st, "session_state", state)
    monkeypatch.setattr(columns.address, "write", lambda *_: None)
    columns._say(keys.CLASS_COLUMN, "kind")
    assert state == {keys.POSITIVE: "", keys.DROP_COLUMNS: None, keys.MISSING: None, keys.CLASS_COLUMN: "kind"}
