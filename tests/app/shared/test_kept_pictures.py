"""What one visitor has seen is not built again for the next: a key that is never found again only fills the memory."""

from __future__ import annotations

import pytest

from pages.shared import kept
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, until

PAGES = ("start", "path", "tradeoff", "features", "data")


@pytest.mark.parametrize("page", PAGES)
def test_the_second_visitor_sees_what_was_built_for_the_first(
    open_app: Open, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    app = open_app(page, dataset="python-docs", method="l1")
    until(lambda: not app.run().get("progress"))
    assert_fine(app)
    built: list[object] = []
    keep = kept.Shelf._keep

    def counted(shelf: kept.Shelf, key: object, thing: object) -> None:
        if shelf is kept._SHELF:
            built.append(key)
        keep(shelf, key, thing)

    monkeypatch.setattr(kept.Shelf, "_keep", counted)
    assert_fine(open_app(page, dataset="python-docs", method="l1"))
    assert len(kept._SHELF) > 0
    assert not built
