"""One notice names every value of a link that cannot be used; what can be used is, by its label or its value."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.names.numbers import short
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, chosen, control
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
    assert_fine(app)
    notices = [warning.value for warning in app.main.warning if "cannot be used" in warning.value]
    assert len(notices) == 1
    assert all(f"{key} “" in notices[0] for key in OF_ALL), notices[0]
    assert "\\!\\[p\\]" in notices[0] or "!\\[p\\]" in notices[0]


@pytest.mark.parametrize(("link", "used"), USED)
def test_what_can_be_used_is_used_and_nothing_is_said(
    open_app: Open, link: dict[str, str], used: dict[str, object]
) -> None:
    app = open_app("numbers", dataset="planted", **link)
    assert not app.main.warning
    assert {key: app.session_state[key] for key in used} == used


@pytest.mark.parametrize("text", ["abc", "-3", "nan"])
def test_of_a_c_that_is_no_number_the_notice_names_the_one_that_is_used(open_app: Open, text: str) -> None:
    app = open_app("numbers", dataset="planted", C=text)
    used = chosen(app)
    (notice,) = app.main.warning
    assert_says(notice.value, "C", f"“{text}”", short(used.training.c_of(used.lam)))


def test_of_a_method_and_a_fold_that_are_not_there_the_notice_has_the_words_of_the_controls(open_app: Open) -> None:
    app = open_app("numbers", dataset="planted", method="nope", fold="9")
    (notice,) = app.main.warning
    assert_says(notice.value, "“nope”", "“9”", "method RankSVM ℓ1", "fold Fold1")


VALUES = st.one_of(st.sampled_from(NASTY), st.sampled_from(["", "0", "-1", "1e999", "nan", "4", "Fold2", "log", "off"]))


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from(OF_ALL), VALUES, min_size=1, max_size=6))
def test_no_link_breaks_a_page(open_app: Open, query: dict[str, str]) -> None:
    app: Any = open_app("numbers", dataset="planted", **query)
    assert_fine(app)
    assert sum("cannot be used" in warning.value for warning in app.main.warning) <= 1
    taken = control(app.selectbox, "method").value
    named = "".join(warning.value for warning in app.main.warning)
    assert query.get("method", taken) == taken or "method “" in named
