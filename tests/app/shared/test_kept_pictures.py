"""What one visitor has seen is not built again for the next: a key that is never found again only fills the memory."""

from __future__ import annotations

import pytest

from pages.shared import cache
from pages.shared.bounded_cache import Cache
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, at_rest, until

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")

PAGES = ("start", "path", "tradeoff", "features", "data")


@pytest.mark.parametrize("page", PAGES)
def test_the_second_visitor_sees_what_was_built_for_the_first(
    open_app: Open, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    link = {"dataset": "python-docs", "method": "l1", "tradeoff_methods": "l1"}
    app = open_app(page, **link)
    until(lambda: at_rest() and not app.run().get("progress"))
    assert_fine(app)
    built: list[object] = []
    put = Cache.put

    def counted(room: Cache, key: bytes, thing: object, uploads: frozenset[str]) -> None:
        built.append(thing)
        put(room, key, thing, uploads=uploads)

    monkeypatch.setattr(Cache, "put", counted)
    assert_fine(open_app(page, **link))
    assert len(cache.ROOMS["results"]) > 0
    assert not built
