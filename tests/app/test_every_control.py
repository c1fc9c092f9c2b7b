"""Every control of every page is used: nothing old is shown afterwards, and no page breaks."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared import cache
from pages.shared.bounded_cache import Cache
from pages.shared.live_chart import Numbers, SentChart
from tests.app.conftest import Open, few_models
from tests.app.fitting import assert_fine, settled
from tests.app.visits import controls, options_by_label, taken
from tests.cases import sweep
from tests.program_pages import PAGES

KEEPING = ("data", "features", "fit", "path", "tradeoff")
"""Pages whose pictures are kept, and asked for again by one of their controls."""
BUILT_AGAIN: list[object] = []


class DoubtingCache(Cache):
    """Builds pictures and tables again that it has, and compares: a key that forgets something would show old ones."""

    def find(self, key: bytes, build: Any, **options: Any) -> Any:
        known = self.peek(key)
        found = super().find(key, build, **options)
        if known is not None and isinstance(found, SentChart | Numbers):
            assert same(found, build()), f"what was kept is not what would be built now: {found!r:.300}"
            BUILT_AGAIN.append(found)
        return found


def same(one: Any, other: Any) -> bool:
    """Whether two things that were built are the same."""
    if isinstance(one, SentChart):
        return (one.heading, one.sent) == (other.heading, other.sent)
    if isinstance(one, Numbers):
        return bool(one.frame.equals(other.frame))
    return bool(one == other)


@pytest.fixture
def doubting_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a server that builds everything again that it has."""
    options_by_label(monkeypatch)
    few_models(monkeypatch, 4)
    monkeypatch.setitem(cache.ROOMS, "results", DoubtingCache(cache.MOST_BYTES))
    BUILT_AGAIN.clear()


@pytest.mark.usefixtures("doubting_server", "all_unfolded")
@pytest.mark.parametrize("page", sweep([*KEEPING, *(page for page in PAGES if page not in KEEPING)], always=4))
def test_what_was_kept_is_what_would_be_built_now(page: str, open_app: Open) -> None:
    app = at_its_end(open_app(page, dataset="planted", method="l1", beside="log"))
    for key in [one.key for one in [*app.main.toggle, *app.main.checkbox] if one.key]:
        for _ in range(2):
            switches = [one for one in [*app.main.toggle, *app.main.checkbox] if one.key == key and not one.disabled]
            for switch in switches:
                app = at_its_end(switch.set_value(not switch.value).run())
    for key, options in [(str(one.key), one.options) for one in controls(app)]:
        for option in [*options[1:2], *options[:1]]:  # another one, and back
            if any(one.key == key for one in controls(app)):
                app = at_its_end(taken(app, key, option).run())
    assert BUILT_AGAIN or page not in KEEPING, "no picture was asked for twice"


def at_its_end(app: AppTest) -> AppTest:
    """The page when nothing of it is being worked out any more; drawn in vain meanwhile, it would only take longer."""
    assert_fine(app)
    return settled(app) if app.get("progress") else app
