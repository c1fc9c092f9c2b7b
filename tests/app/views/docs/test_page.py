"""Documentation: every document is drawn, by its name in the address, and its links stay within the app."""

import re

import pytest

from pages.shared.documents import documents, linked, read
from tests.app.conftest import Open
from tests.program_pages import PAGES

pytestmark = pytest.mark.usefixtures("all_unfolded")


def test_a_document_is_drawn_by_its_name_in_the_address(open_app: Open) -> None:
    app = open_app("docs", document="explanation/certificates")
    assert any("What a duality gap promises" in part.value for part in app.main.markdown)
    app.selectbox(key="document").set_value("gallery").run()
    assert [header.value for header in app.main.header][1:] == ["Gallery"]
    app.selectbox(key="document").set_value("reference/methods").run()
    shown = "\n".join(part.value for part in app.main.markdown)
    assert "`proximal-newton`" in shown
    assert "<!--" not in shown


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
