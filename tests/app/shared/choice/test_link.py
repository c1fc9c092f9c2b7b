"""One notice names every value of a link that cannot be used; what can be used is, by its label or its value.

Addresses of earlier versions mean what they meant; written out here, as people have kept them.
Back and Forward: what pages write to the address follows it, and an address that lags behind is not followed.
"""

from typing import Any
from urllib.parse import parse_qsl

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from core.data import Reading
from core.names.numbers import short
from pages.shared import keys
from pages.shared.choice.choice import Source
from tests.app.conftest import Open
from tests.app.fitting import Address, chosen, control, step_to
from tests.cases import sweep
from tests.names.nasty import NASTY
from tests.program_pages import PAGES
from tests.says import assert_says

USED = [
    ({"fold": "4", "scale": "Standard", "tol": "1e-04", "method": "log", "ratio": "0.01", "C": "0.02"},
     {"fold": 4, "scale": "standard", "tol": 1e-4, "method": "log", "C": "0.02"}),
    ({"fold": "Fold3", "scale": "minmax", "tol": "0.0001", "ratio": "0.0316", "C": ""},
     {"fold": 3, "scale": "minmax", "tol": 1e-4, "C": ""}),
    ({"fold": "Fold1", "scale": "none", "tol": "1e-06"}, {"fold": 1, "scale": "none", "tol": 1e-6}),
]  # fmt: skip
OF_ALL = ("fold", "scale", "tol", "method", "C", "ratio", "solver", "off", "cost")


@pytest.mark.parametrize("page", sweep(PAGES, always=3))
def test_every_page_names_all_that_cannot_be_used_in_one_notice(open_app: Open, page: str) -> None:
    app = open_app(page, dataset="planted", **dict.fromkeys(OF_ALL, "![p](http://evil.example)"))
    notices = [warning.value for warning in app.main.warning if "cannot be used" in warning.value]
    assert len(notices) == 1
    assert all(f"{key} “" in notices[0] for key in OF_ALL), notices[0]
    assert "\\!\\[p\\]" in notices[0] or "!\\[p\\]" in notices[0]
    app.button(key="reset").click().run()
    assert not [warning.value for warning in app.main.warning if "cannot be used" in warning.value]


def test_what_can_be_used_is_used_and_nothing_is_said(open_app: Open) -> None:
    for link, used in USED:
        app = open_app(dataset="planted", **link)
        assert not app.main.warning
        assert {key: app.session_state[key] for key in used} == used


def test_what_is_used_in_place_of_what_cannot_be_has_the_words_of_the_controls(open_app: Open) -> None:
    plain = open_app(dataset="planted").session_state["choice"]
    nonsense = {"method": "nope", "fold": "9", "solver": "magic", "tol": "tight", "x": "miles"}
    for text, ratio in (("abc", "soup"), ("-3", "nan"), ("nan", "-1")):
        app = open_app(dataset="planted", C=text, ratio=ratio, **nonsense)
        used = chosen(app)
        assert used.alone == plain
        (notice,) = app.main.warning
        for told in ((f"“{text}”", short(used.c)), ("“nope”", "method RankSVM ℓ1"), ("“9”", "fold Fold1")):
            assert_says(notice.value, told[0])
            assert_says(notice.value, told[1])


VALUES = st.one_of(st.sampled_from(NASTY), st.sampled_from(["", "0", "-1", "1e999", "nan", "4", "Fold2", "log", "off"]))


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from(OF_ALL), VALUES, min_size=1, max_size=6))
def test_no_link_breaks_a_page(open_app: Open, query: dict[str, str]) -> None:
    app: Any = open_app(dataset="planted", **query)
    assert sum("cannot be used" in warning.value for warning in app.main.warning) <= 1
    taken = control(app.selectbox, "method").value
    named = "".join(warning.value for warning in app.main.warning)
    assert query.get("method", taken) == taken or "method “" in named


CLASSES = (
    "dataset=wpbc&fold=split+2&method=mcp&solver=proximal-newton&class_scale=Standard&division=ten+splits&missing=drop"
    "&drop_columns=none%2C1%2C3&positive=R&mcp.gamma=3.0&C=0.02&ratio=0.1"
)
GRADED = (
    "dataset=planted&fold=Fold3&scale=Min%E2%80%93max&method=log&solver=reweighted-l1&tol=1e-04&log.epsilon=0.2"
    "&ratio=0.01"
)


@pytest.mark.usefixtures("wpbc")
def test_an_address_of_a_table_with_classes_and_one_of_a_set_with_folds(open_app: Open) -> None:
    classes, graded = (chosen(open_app("data", **dict(parse_qsl(address)))) for address in (CLASSES, GRADED))
    reading = Reading(scale="standard", repeats=10, positive="R", drop_columns=("none", "1", "3"), missing="drop")
    assert classes.source == Source("wpbc", reading=reading)
    assert (classes.fold_number, classes.method_id, classes.solver_id) == (2, "mcp", "proximal-newton")
    assert (dict(classes.parameters)["gamma"], classes.c) == (3.0, pytest.approx(0.02))
    assert graded.source == Source("planted", reading=Reading(scale="minmax"))
    assert (graded.fold_number, graded.method_id, graded.solver_id) == (3, "log", "reweighted-l1")
    assert (graded.tol, dict(graded.parameters)["epsilon"]) == (1e-4, 0.2)
    assert graded.lam == pytest.approx(0.01 * graded.training.lam_max)


@pytest.fixture
def changed(open_app: Open) -> tuple[AppTest, Address]:
    """The app after method, solver, rules and C have been chosen; the address from before."""
    app = open_app("data", dataset="planted", method="l1", ratio="0.1")
    address = dict(app.query_params)
    for key, value in {keys.METHOD: "mcp", keys.OFF: "1,2", keys.C: "0.02"}.items():  # as callbacks leave them
        app.session_state[key] = value
    app.run()
    app.session_state[keys.SOLVER] = chosen(app).method.solvers[-1].id
    app.run()
    assert chosen(app).solver_id != chosen(app).method.solvers[0].id
    assert chosen(app).rules.active
    assert chosen(app).c == pytest.approx(0.02)
    assert "off" in app.query_params
    assert app.query_params["ratio"] != address["ratio"], "the slider follows"
    return app, address


def test_back_brings_what_was_chosen_before_and_forward_what_was_chosen_then(changed: tuple[AppTest, Address]) -> None:
    """What the session keeps for itself is not forgotten for a word in an address; one without a ratio leaves it."""
    app, before = changed
    after, now, step = dict(app.query_params), chosen(app), app.session_state[keys.RATIO_STEP]
    app.session_state["quick_fits"] = {"of another choice": None}
    step_to(app, before | {"quick_fits": ["x"], keys.CHOICE: ["x"], "pins": ["x"]})
    assert "of another choice" in app.session_state["quick_fits"]
    assert (chosen(app).method_id, chosen(app).solver_id) == ("l1", "proximal-newton")
    assert chosen(app).lam == pytest.approx(0.1 * chosen(app).training.lam_max)
    assert not chosen(app).rules.active
    assert {name: app.query_params[name] for name in before} == before
    for ratio in ({}, {"ratio": ["soup"]}):
        step_to(app, after)
        assert chosen(app).key == now.key
        step_to(app, {name: value for name, value in before.items() if name != "ratio"} | ratio)
        assert (app.session_state[keys.RATIO_STEP], app.session_state[keys.C]) == (step, "")
    step_to(app, after)
    step_to(app, before)
    assert dict(app.query_params) == before, "nothing else is left in it"


def test_an_address_that_lags_behind_is_not_followed(changed: tuple[AppTest, Address]) -> None:
    app, before = changed
    step = app.session_state[keys.RATIO_STEP]
    app.session_state[keys.C] = ""
    app.query_params = before
    app.run()
    assert chosen(app).method_id == "mcp"
    assert chosen(app).rules.active
    assert chosen(app).regularization.step == step
    assert app.query_params["ratio"] != before["ratio"]
