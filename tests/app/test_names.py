"""Names of features, queries, documents, files and datasets are text on every page."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import Open
from tests.app.fitting import assert_fine, at_rest, give, settled, until
from tests.app.shown_names import interpreted, nasty_csv, sent_fields
from tests.names.nasty import NASTY
from tests.program_pages import EXPECTED, PAGES

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")

SHORT = len("100%")
"""Letters of a name that a style sheet may have, too."""
FILE = "a*b*c <b>x<b> ![p](http:evil.example) $x$.csv"


def with_nasty_names(open_app: Open) -> AppTest:
    app = open_app("data")
    give(app, (FILE, nasty_csv()))
    return app


def test_no_page_interprets_a_name(open_app: Open) -> None:
    app = with_nasty_names(open_app)
    wrong: set[str] = set()
    for page in PAGES:
        app.switch_page(f"pages/{page}.py").run()
        until(at_rest)
        assert_fine(app.run())
        assert app.session_state["choice"] is not None, app.error
        seen = list(sent_fields(app))
        wrong |= {f"{page}, {field}: {found!r}" for field, text in seen if (found := interpreted(field, text))}
        wrong |= {
            f"{page}, {field}: {text[:100]}" for field, text in seen if FILE[:-4] in text and interpreted_file(field)
        }
        if EXPECTED[page].names:
            assert any(name.strip() in text for name in NASTY if len(name) > SHORT for _, text in seen), page
    assert not wrong, "\n".join(sorted(wrong))


@pytest.mark.more
@pytest.mark.parametrize("page", ["data", "features", "ten"])
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
