"""The page Documentation: every document is drawn, by its name in the address, and its links stay within the app."""

from __future__ import annotations

import re

import pytest

from pages.shared.documents import documents, linked, read
from tests.app.conftest import Open
from tests.app.fitting import assert_fine
from tests.program_pages import PAGES


def shown(app: object) -> str:
    return "\n".join(part.value for part in app.main.markdown)  # type: ignore[attr-defined]


def test_a_document_is_drawn_by_its_name_in_the_address(open_app: Open) -> None:
    app = open_app("docs", document="explanation/certificates")
    assert_fine(app)
    assert "What a duality gap promises" in shown(app)
    app.selectbox(key="document").set_value("gallery").run()
    assert_fine(app)
    assert [header.value for header in app.main.header][1:] == ["Gallery"]
    app.selectbox(key="document").set_value("reference/methods").run()
    assert "`proximal-newton`" in shown(app)
    assert "<!--" not in shown(app)


@pytest.mark.parametrize("name", documents())
def test_links_lead_to_documents_and_pages_and_to_no_file(name: str) -> None:
    targets = re.findall(r"(?<!!)\[[^\]]+\]\(([^)\s]+)\)", linked(read(name), name))
    inside = [target for target in targets if not target.startswith(("http", "#"))]
    for target in inside:
        page, _, query = target.partition("#")[0].partition("?")
        assert page in ("", *PAGES)
        assert page != "docs" or query.removeprefix("document=") in documents()


def test_what_only_the_sources_have_is_named_without_a_link() -> None:
    text = "[the code](../../CONTRIBUTING.md) [why](../explanation/choosing.md#ties) [open](http://localhost:8501/fit?race=1)"
    assert linked(text, "how_to/export") == (
        "the code [why](docs?document=explanation/choosing#ties) [open](fit?race=1)"
    )
