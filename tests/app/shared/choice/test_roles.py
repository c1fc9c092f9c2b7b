"""A table with queries in another language: asked about before anything is drawn, then read as was said."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import Open
from tests.app.fitting import assert_fine, chosen, status, step_to
from tests.app.shared.choice.test_columns import drop
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")

RANDOM = np.random.default_rng(6)
LEVELS = [int(level) for _ in range(20) for level in RANDOM.permutation([0, 0, 0, 1, 2])]
ROWS = [f"chaussures n° {row // 5};{level};{RANDOM.normal():.3f};{row % 11}\n" for row, level in enumerate(LEVELS)]
TABLE = "".join(["requête;pertinence;prix;avis\n", *ROWS]).replace(".", ",").encode()


def line(app: AppTest) -> str:
    """What stands over the page about how the file has been read."""
    return " ".join(m.value for m in app.main.markdown if ":material/description:" in m.value)


def test_the_question_stands_in_place_of_the_page_and_its_answer_is_said_until_it_is_confirmed(open_app: Open) -> None:
    app = drop(open_app("data"), TABLE)
    assert app.session_state["choice"].source.name == "python-docs", "nothing changes before the answer"
    assert app.selectbox(key="roles_query_given").value == "requête"
    app.selectbox(key="dataset").set_value(next(o for o in app.selectbox(key="dataset").options if "mine" in o)).run()
    assert_says(app.main.header[0].value, "query", "relevance")
    assert app.session_state["choice"] is None
    assert app.selectbox(key="roles_query_ask").value == "requête"
    assert "pertinence: 0, 1, 2" in app.selectbox(key="roles_relevance_ask").options
    app.button(key="roles_take_ask").click().run()
    assert_fine(app)
    fold = chosen(app).fold
    assert fold.train.feature_names == ("prix", "avis")
    assert sum(part.n_queries for part in fold.parts().values()) == 20
    assert_says(line(app), "requête", "20", "pertinence", "0, 1, 2")
    app.button(key="reading_confirm").click().run()
    assert line(app) == ""


def test_the_reading_can_be_changed_and_undone(open_app: Open) -> None:
    app = drop(open_app("data"), TABLE)
    app.button(key="roles_take_given").click().run()
    before = dict(app.query_params)
    app.segmented_control(key="roles_kind_change").set_value("an item with a class").run()
    app.selectbox(key="roles_class_change").set_value("pertinence").run()
    app.button(key="roles_take_change").click().run()
    app.button(key="roles_take_change").click().run()  # the positive class is asked for
    assert "requête" in status(app), "texts are no feature: what to do with them is said"
    step_to(app, before)
    assert chosen(app).fold.train.feature_names == ("prix", "avis")


def test_a_link_says_the_columns_and_another_file_forgets_them(open_app: Open) -> None:
    app = drop(open_app("data", query_column="requête", relevance_column="pertinence"), TABLE)
    assert_fine(app)
    assert app.session_state["choice"].source.name == "python-docs", "the columns of a link are of its own file"
    app.button(key="roles_take_given").click().run()
    assert chosen(app).source.reading.query_column == "requête"
    english = TABLE.replace("requête;pertinence".encode(), b"query;relevance")
    drop(app, english, "next.csv")
    assert chosen(app).source.reading.query_column is None
    assert line(app) == ""
