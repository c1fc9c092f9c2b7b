"""The strip of a new C, drawn before the sidebar: it is of the choice that the sidebar then returns."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.names.numbers import short
from pages.shared import headline, keys
from pages.shared.choice import sidebar
from pages.shared.choice.choice import Loaded
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, chosen

Drawn = list[tuple[str, str]]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Drawn:
    """In the order of the page: "strip" or "sidebar", each with the digest of its choice."""
    order: Drawn = []
    tell, choose = headline.Strip.tell, sidebar.choose

    def telling(strip: headline.Strip, now: headline.Shown) -> None:
        order.append(("strip", now.choice.key))
        tell(strip, now)

    def choosing(ahead: Loaded | None) -> Loaded:
        found = choose(ahead)
        order.append(("sidebar", found.key))
        return found

    monkeypatch.setattr(headline.Strip, "tell", telling)
    monkeypatch.setattr(sidebar, "choose", choosing)
    return order


@pytest.mark.parametrize(
    "told",
    [{keys.C: "0.02"}, {keys.C: "2,5e-2"}, {keys.C: "", keys.RATIO_STEP: 37}],
    ids=["typed or by a handle", "with a comma", "by the slider"],
)
@pytest.mark.parametrize("method", ["l1", "log", "infinite-push-l1"])
def test_a_new_c_has_its_strip_before_the_sidebar(
    open_app: Open, drawn: Drawn, told: dict[str, str | int], method: str
) -> None:
    app = open_app("queries", dataset="planted", method=method, ratio="0.1")
    before = chosen(app).key
    drawn.clear()
    for key, value in told.items():
        app.session_state[key] = value
    app.run()
    assert_fine(app)
    now = chosen(app)
    assert now.key != before
    assert drawn[:2] == [("strip", now.key), ("sidebar", now.key)]
    strips = [each.proto.body for each in app.get("html") if 'class="strip"' in each.proto.body]
    assert len(strips) == 1
    assert f'title="C {short(now.training.c_of(now.lam))},' in strips[0]


def test_so_has_the_way_back_to_a_c_that_was_drawn_before(open_app: Open, drawn: Drawn) -> None:
    app = open_app("queries", dataset="planted", method="l1", ratio="0.1")
    for step in (37, 20, 37):
        drawn.clear()
        app.session_state[keys.RATIO_STEP] = step
        app.run()
        assert drawn[:2] == [("strip", chosen(app).key), ("sidebar", chosen(app).key)]


@pytest.mark.parametrize(
    "told",
    [{}, {keys.C: "much"}, {keys.C: "0.02", keys.METHOD: "mcp"}, {keys.C: "0.02", keys.OFF: "1"}],
    ids=["nothing", "no number", "another method, too", "a rule, too"],
)
def test_what_is_not_certain_waits_for_the_sidebar(open_app: Open, drawn: Drawn, told: dict[str, str]) -> None:
    app = open_app("queries", dataset="planted", method="l1", ratio="0.1")
    drawn.clear()
    for key, value in told.items():
        app.session_state[key] = value
    app.run()
    assert [part for part, _ in drawn] == ["sidebar", "strip"]
    assert drawn[0][1] == drawn[1][1]


def test_a_strip_of_a_file_that_was_corrected_meanwhile_waits_for_the_sidebar(open_app: Open, drawn: Drawn) -> None:
    """Its fit would be kept under the key of the file before."""
    app = open_app("queries", dataset="planted", method="l1", ratio="0.1")
    app.session_state[keys.CHOICE] = replace(app.session_state[keys.CHOICE], fingerprint="the file before")
    app.session_state[keys.C] = "0.02"
    drawn.clear()
    app.run()
    assert_fine(app)
    assert [part for part, _ in drawn] == ["sidebar", "strip"]
    assert drawn[0][1] == drawn[1][1] == chosen(app).key
