"""A step of C loads the choice once, and looks its model up once, on every page that shows a model."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from pages.shared import headline
from pages.shared.choice import access
from pages.shared.choice.choice import Loaded
from pages.shared.take_c import take_c
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, at_rest, chosen, press, until

PAGES = ("start", "fit", "path", "features", "tradeoff", "queries", "top")


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """What a run of a page does: "loads" of a choice, "strips" in words, and by the key of a choice its models."""
    count: Counter[str] = Counter()
    load, words, shown = access.load_data, headline._numbers, headline.shown

    def loading(*asked: Any) -> Any:
        count["loads"] += 1
        return load(*asked)

    def telling(*asked: Any) -> str:
        count["strips"] += 1
        return words(*asked)

    def showing(choice: Loaded) -> headline.Shown | None:
        count[choice.key] += 1
        return shown(choice)

    monkeypatch.setattr(access, "load_data", loading)
    monkeypatch.setattr(headline, "_numbers", telling)
    monkeypatch.setattr(headline, "shown", showing)
    return count


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("method", ["l1", "log"])
def test_a_step_of_c(
    open_app: Open, counted: Counter[str], monkeypatch: pytest.MonkeyPatch, page: str, method: str
) -> None:
    app = open_app(page, dataset="planted", method=method, ratio="0.1")
    until(at_rest)
    app.run()
    before = chosen(app)
    monkeypatch.setattr(headline, "_pin", lambda _: take_c(before.training.c_of(before.lam) * 1.1))
    app.run()
    counted.clear()
    press(app, "pin")
    assert_fine(app)
    loads = counted["loads"]
    now = chosen(app)
    assert now.key != before.key
    assert (loads, counted["strips"], counted[now.key]) == (1, 1, 1)
