"""Every address of every lesson is one of the app: its page opens, and its controls take every value of it."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from core.lessons import lessons
from core.lessons.addresses import PARTS_OF_A_PAGE, check_address, check_hidden, pages
from core.lessons.declared import slider_ratio
from pages.shared import keys
from pages.shared.choice.regularization import ratio_at, step_at
from tests.app.conftest import Open, coarse_paths, components_of_this_app_alone, no_fault, nothing_left_over, open_app
from tests.cases import sweep

__all__ = ["coarse_paths", "components_of_this_app_alone", "no_fault", "nothing_left_over", "open_app"]
EVERY = sorted({one for lesson in lessons() for step in lesson.steps for one in (step.show, step.reveal)})
ADDRESSES = list({re.sub(r"(dataset|fold|ratio|numbers_\w+)=[^&]*", r"\1", one): one for one in EVERY}.values())
"""One of those that differ in data, place of C or numbers only."""


@pytest.mark.usefixtures("coarse_paths")
@pytest.mark.parametrize("address", sweep(ADDRESSES))
def test_an_address_of_a_lesson_opens_its_page_with_every_value(address: str, open_app: Open) -> None:
    page, _, query = address.partition("?")
    given = dict(parse_qsl(query, keep_blank_values=True))
    app = open_app(page or "start", **given)
    assert_taken(app, given)


def assert_taken(app: AppTest, given: dict[str, str]) -> None:
    assert not app.exception
    assert keys.LINK_NOTE not in app.session_state, app.session_state[keys.LINK_NOTE]
    if keys.RATIO in given and keys.RATIO_STEP in app.session_state:
        assert app.session_state[keys.RATIO_STEP] == step_at(float(given[keys.RATIO]))


@pytest.mark.parametrize("address", ["features?features_section=rival", "path?path_over=C", "fit?method=l1&tol=0.2"])
def test_a_value_that_no_control_takes_is_seen(address: str, open_app: Open) -> None:
    page, _, query = address.partition("?")
    given = {"dataset": "planted"} | dict(parse_qsl(query))
    with pytest.raises(AssertionError, match="cannot be used"):
        assert_taken(open_app(page, **given), given)


@pytest.mark.parametrize("ratio", [1.0, 0.05, 0.002, 0.0317, 1e-5])
def test_a_result_has_the_ratio_of_the_page(ratio: float) -> None:
    assert slider_ratio(ratio) == ratio_at(step_at(ratio))


def test_the_reference_of_addresses_is_read() -> None:
    assert {"", "path", "fit", "features", "lessons"} <= pages().keys()
    assert "tradeoff_measure" in pages()["tradeoff"]
    for name in (*PARTS_OF_A_PAGE, "beside", "method", "log", "fista"):
        check_hidden(name, "path?method=l1")
    for address in ("?dataset=planted", "path", "fit?log.epsilon=0.2&log.tol=0.1&C=1"):
        check_address(address)
    with pytest.raises(ValueError, match="twice"):
        check_address("path?method=l1&method=log")
