"""Pages of text.

Documentation: every document is drawn, by its name in the address, and its links stay within the app.
How numbers are made: its calculator against the definitions.
Lessons: all of them, and how far this visitor has come.
"""

import re

import pytest

from core.lessons import lesson, lessons
from pages.shared.documents import documents, linked, read
from pages.shared.lesson.progress import Progress
from tests.app.conftest import Open
from tests.app.fitting import html_of, press, table_of
from tests.program_pages import PAGES
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded")


def shown(app: object) -> str:
    return "\n".join(part.value for part in app.main.markdown)  # type: ignore[attr-defined]


def test_a_document_is_drawn_by_its_name_in_the_address(open_app: Open) -> None:
    app = open_app("docs", document="explanation/certificates")
    assert "What a duality gap promises" in shown(app)
    app.selectbox(key="document").set_value("gallery").run()
    assert [header.value for header in app.main.header][1:] == ["Gallery"]
    app.selectbox(key="document").set_value("reference/methods").run()
    assert "`proximal-newton`" in shown(app)
    assert "<!--" not in shown(app)


def test_links_lead_to_documents_and_pages_and_to_no_file_and_what_only_the_sources_have_has_none() -> None:
    for name in documents():
        for target in re.findall(r"(?<!!)\[[^\]]+\]\(([^)\s]+)\)", linked(read(name), name)):
            if not target.startswith(("http", "#")):
                page, _, query = target.partition("#")[0].partition("?")
                assert page in ("", *PAGES), (name, target)
                assert page != "docs" or query.removeprefix("document=") in documents(), (name, target)
    text = "[the code](../../CONTRIBUTING.md) [why](../explanation/choosing.md#ties) [open](http://localhost:8501/fit?race=1)"
    assert linked(text, "how_to/export") == (
        "the code [why](docs?document=explanation/choosing#ties) [open](fit?race=1)"
    )


NO_LISTS = [
    ("0 1 x", "1 2 3", ("Relevance", "3", "'x'", "not a whole number")),
    ("0 1 1", "1 nan 3", ("Score", "2", "'nan'", "not a number")),
    ("0 1", "1 2 3", ("2 documents", "2 scores", "3")),
    ("٣ 1", "1 2", ("Relevance", "1")),
    (" ", "1", ("1", "1,000 numbers")),
]
"""Relevance and scores that cannot be a list, and what is said of them."""


def test_the_calculator_gives_the_official_value_and_the_mean_over_the_orders_of_ties(open_app: Open) -> None:
    """And says in a sentence what cannot be a list; the measures are held to their definitions in tests/metrics."""
    app = open_app("numbers", numbers_relevance="0 1 0", numbers_scores="1, 1, 0.5")
    found = table_of(app, "MeanNDCG")
    assert found["MAP"].to_dict() == pytest.approx(
        dict.fromkeys(("standard", "letor3", "letor4"), 0.75) | dict.fromkeys(("letor3, file", "letor4, file"), 0.5)
    )
    assert found.loc["standard", "NDCG@3"] < found.loc["letor4", "NDCG@3"], "their discounts at rank 2 differ"
    assert "2 orders" in " ".join(caption.value for caption in app.caption)
    for relevance, scores, facts in NO_LISTS:
        app.text_input(key="numbers_relevance").set_value(relevance)
        app.text_input(key="numbers_scores").set_value(scores).run()
        assert_says(" ".join(info.value for info in app.info), *facts)


def test_every_lesson_is_listed_with_its_minutes_and_goes_on_where_one_was(open_app: Open) -> None:
    app = open_app("lessons", dataset="planted")
    body = html_of(app)
    for one in lessons():
        assert f"lesson={one.name}&amp;step=1" in body
        assert any(str(one.minutes) in caption.value for caption in app.caption)
    app.session_state["lesson_progress"] = {"zeros": Progress({1: 0}, (1, 2))}
    app.run()
    assert "lesson=zeros&amp;step=3" in html_of(app)
    press(app, "again_zeros")
    assert app.session_state["lesson_progress"]["zeros"] == Progress()
    assert lesson("zeros").any_data
    assert "lesson_on=chosen" in html_of(app), "a lesson of any data is offered on the chosen one"
