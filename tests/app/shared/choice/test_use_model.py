"""One function makes a model the model of every page: session and address say it, and what is not named stays."""

from __future__ import annotations

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from core.data import Reading
from pages.shared.choice.choice import Choice, Source
from tests.app.fitting import assert_fine, chosen


def sidebar_alone() -> None:
    import streamlit as st

    from pages.shared.choice import sidebar
    from pages.shared.choice.use_model import use_model

    # As a callback would, before the sidebar is drawn.
    if wanted := st.session_state.pop("wanted", None):
        use_model(**wanted)
    st.session_state["choice"] = sidebar.choose().alone


def opened(**query: str) -> AppTest:
    app = AppTest.from_function(sidebar_alone, default_timeout=300)
    app.query_params.update({"dataset": "planted"} | query)
    app.run()
    assert_fine(app)
    return app


def use(app: AppTest, **wanted: object) -> Choice:
    app.session_state["wanted"] = wanted
    app.run()
    assert_fine(app)
    choice: Choice = app.session_state["choice"]
    return choice


def test_what_is_not_named_stays() -> None:
    app = opened(method="log", fold="Fold3", **{"log.epsilon": "0.2"})
    before = chosen(app)
    c = before.training.c_of(0.3 * before.training.lam_max)
    after = use(app, c=c)
    assert after.lam == pytest.approx(0.3 * before.training.lam_max, rel=1e-12)
    assert after == replace(before.alone, regularization=after.regularization)


def test_every_part_of_a_model_is_taken() -> None:
    app = opened()
    after = use(
        app, c=0.02, method_id="log", parameters={"epsilon": 0.3, "refit": 1.0}, solver_id="reweighted-l1",
        tol=1e-4, source=Source("planted", reading=Reading(scale="standard")), fold_number=2,
    )  # fmt: skip
    assert (after.method_id, after.solver_id, after.fold_number, after.tol) == ("log", "reweighted-l1", 2, 1e-4)
    assert dict(after.parameters) == dict(after.parameters) | {"epsilon": 0.3, "refit": 1.0}
    assert after.source == Source("planted", reading=Reading(scale="standard"))
    assert chosen(app).training.c_of(after.lam) == pytest.approx(0.02)


def test_a_set_with_classes_is_read_as_the_model_was() -> None:
    reading = Reading(scale="minmax", repeats=10, positive="benign")
    after = use(opened(), source=Source("breast-cancer", reading=reading), fold_number=4, method_id="l1")
    assert (after.source, after.fold_number) == (Source("breast-cancer", reading=reading), 4)


def test_the_address_follows() -> None:
    """As far as the server writes it: what is bound to a widget, the browser writes; see the browser's tests."""
    app = opened()
    after = use(app, c=0.02, method_id="mcp", parameters={"gamma": 3.0}, solver_id="reweighted-l1")
    link = {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}
    assert (link["method"], link["solver"], link["C"]) == ("mcp", "reweighted-l1", "0.02")
    assert float(link["ratio"]) == pytest.approx(after.ratio, rel=0.06), "the slider stands beside it"
