"""Names of features, queries, documents, files and datasets are text on every page.

Class data is spoken of as rows of two classes, and judged by Top, wherever documents of queries are not meant.
"""

import re
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared import frame, keys
from pages.views.start.page import PURPOSE
from tests.app.conftest import Open
from tests.app.fitting import at_rest, give, headline_of, sent, settled, until
from tests.app.shown_names import fields_of, interpreted, nasty_csv, sent_fields
from tests.cases import sweep
from tests.names.nasty import NASTY
from tests.program_pages import EXPECTED, PAGES, ROWS
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")

SHORT = len("100%")
"""Letters of a name that a style sheet may have, too."""
FILE = "a*b*c <b>x<b> ![p](http:evil.example) $x$.csv"


def with_nasty_names(open_app: Open) -> AppTest:
    app = open_app("data")
    give(app, (FILE, nasty_csv()))
    return app


def test_every_page_is_drawn_its_tab_names_page_and_data_and_it_interprets_no_name(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = with_nasty_names(open_app)
    wrong: set[str] = set()
    tabs: list[str] = []
    monkeypatch.setattr(frame.st, "set_page_config", lambda *, page_title, **_: tabs.append(page_title))
    for page in PAGES:
        app.switch_page(f"pages/{page}.py").run()
        until(at_rest)
        app.run()
        assert app.session_state["choice"] is not None, app.error
        assert headline_of(app), page
        title, about_nothing = ROWS[page].title, EXPECTED[page].hidden == {"data", "fold", "method", "c"}
        assert tabs[-1].startswith(title if about_nothing else f"{title} · {FILE[:-4]}")
        assert tabs[-1].endswith("Sparse Ranking Lab")
        seen = list(sent_fields(app))
        wrong |= {f"{page}, {field}: {found!r}" for field, text in seen if (found := interpreted(field, text))}
        wrong |= {
            f"{page}, {field}: {text[:100]}" for field, text in seen if FILE[:-4] in text and interpreted_file(field)
        }
        if EXPECTED[page].names:
            assert any(name.strip() in text for name in NASTY if len(name) > SHORT for _, text in seen), page
    assert not wrong, "\n".join(sorted(wrong))


@pytest.mark.more
@pytest.mark.parametrize("page", [page for page in PAGES if len(EXPECTED[page].of_class) > 2])
def test_no_section_interprets_a_name(open_app: Open, page: str) -> None:
    app = with_nasty_names(open_app)
    app.switch_page(f"pages/{page}.py").run()
    for section in EXPECTED[page].of_class:
        for key, value in section.items():
            app.session_state[key] = value
        settled(app.run())
        wrong = [
            f"{section}, {field}: {found!r}" for field, text in sent_fields(app) if (found := interpreted(field, text))
        ]
        assert not wrong, "\n".join(wrong)


def interpreted_file(field: str) -> bool:
    """Whether the field reads Markdown, in which the file's name would be something else."""
    return field.rpartition(".")[2] in ("label", "help", "body", "content", "text") and field != "Html.body"


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
        assert keys.LINK_NOTE not in app.session_state, app.session_state[keys.LINK_NOTE]
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
