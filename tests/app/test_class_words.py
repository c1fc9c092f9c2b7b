"""Class data is spoken of as rows of two classes, and judged by Top, wherever documents of queries are not meant."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from pages.views.start.page import PURPOSE
from tests.app.conftest import Open
from tests.app.fitting import sent, settled
from tests.app.shown_names import fields_of
from tests.cases import sweep
from tests.program_pages import EXPECTED
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")

WORDS = re.compile(r"\b(?:quer(?:y|ies)|documents?)\b(?!\":)", re.IGNORECASE)  # and no key of a picture
CODE = ("js_content", "css_content", "html_content", "url", "id", "key", "code_text", "query_string")


def spoken(app: AppTest) -> Iterator[tuple[str, str]]:
    """What the page's own part says, with the field that says it."""
    for field, text in fields_of(app.main):
        if field.rpartition(".")[2] not in CODE and "page-name" not in text:
            yield field, text.replace(PURPOSE, "")


@pytest.mark.parametrize("page", sweep([page for page in EXPECTED if EXPECTED[page].of_class], always=2))
def test_class_data_has_rows_and_classes_on_every_page(open_app: Open, page: str) -> None:
    wrong = set()
    for query in EXPECTED[page].of_class:
        app = open_app(page, dataset="breast-cancer", method="l1", ratio="0.05", **query)
        settled(app)
        for field, text in spoken(app):
            wrong |= {f"{query}, {field}: {text[max(f.start() - 60, 0) : f.end() + 60]}" for f in WORDS.finditer(text)}
    assert not wrong, "\n".join(sorted(wrong))


def test_the_lab_and_the_single_features_of_class_data_are_judged_by_top(open_app: Open) -> None:
    """What stands on the Lab is about these rows, but for the welcome behind its buttons."""
    app = settled(open_app("start", dataset="breast-cancer", method="l1", ratio="0.05"))
    drawn = sent(app, "lab_features")
    assert drawn["figure"]["layout"]["xaxis"]["title"]["text"] == "train Top alone"
    assert "NDCG" not in str(drawn)
    assert not WORDS.search(str([sent(app, view) for view in ("lab_path", "lab_tradeoff", "lab_convergence")]))
    settled(app.switch_page("pages/features.py").run())
    assert_says(sent(app, "selection")["figure"]["layout"]["xaxis"]["title"]["text"], "Top", "alone")
    assert "NDCG" not in str(sent(app, "selection"))
