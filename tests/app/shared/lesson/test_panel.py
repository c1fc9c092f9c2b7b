"""A lesson on the app's own pages: it asks, locks, shows the result, and stays while one looks around."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from core.figures.lessons.guess import scale
from core.lessons import LessonResults, answer, lesson, lessons
from core.lessons.lesson import Curve, Lesson, Number, Order, Step
from pages.shared import keys
from pages.shared.choice import access
from pages.shared.choice.choice import step_at
from pages.shared.lesson import panel, progress
from pages.shared.work.board import board
from tests.app.conftest import Open
from tests.app.fitting import press, until
from tests.cases import sweep
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("coarse_paths")


def opened(of: Lesson, step: Step) -> tuple[str, dict[str, str]]:
    """The page of a step of a lesson, and its address."""
    page, _, query = step.show.partition("?")
    return page or "start", dict(parse_qsl(query)) | {"lesson": of.name, "step": str(step.number)}


FIRST_PAGE, FIRST = opened(lesson("zeros"), lesson("zeros").step(1))


def words(app: AppTest) -> str:
    return " ".join([*(one.value for one in app.markdown), *(one.proto.body for one in app.get("html"))])


def test_a_prediction_is_locked_and_then_shown_beside_the_result_computed_meanwhile(open_app: Open) -> None:
    step = lesson("zeros").step(1)
    app = open_app(FIRST_PAGE, **FIRST)
    (job,) = [job for job in board().jobs if job.key.startswith("LessonResults")]
    until(lambda: job.state == "finished")
    assert app.button(key="lesson_lock").disabled, "nothing is chosen for the reader"
    assert "reveal=1" not in words(app)
    app.radio(key="guess_zeros_1").set_value(1).run()
    press(app, "lesson_lock")
    assert "reveal=1" in words(app)
    kept = app.session_state["lesson_progress"]
    assert kept["zeros"].guesses == {1: 1}
    found = answer(step, LessonResults.of(lesson("zeros"), step).made())
    revealed = open_app(FIRST_PAGE, **FIRST, reveal="1")
    assert_says(words(revealed), step.predict.options[found.value])
    assert step.predict.options[1] not in words(revealed), "another visitor has guessed nothing"
    assert all(each.run is job.run for each in board().jobs if each.key == job.key), "it is not computed twice"
    press(app, "lesson_unlock")
    assert app.session_state["lesson_progress"]["zeros"].guesses == {}
    no_way_back_leads_to_another_prediction_once_the_result_is_seen(app, open_app)
    app.query_params["step"] = "5"  # as a link does, whose run another run has overtaken
    app.run()
    assert "step 5" in words(app), "the address stands above the session"
    press(app, "lesson_end")
    assert "lesson" not in app.query_params
    assert "step 5" not in words(app)


def no_way_back_leads_to_another_prediction_once_the_result_is_seen(app: AppTest, open_app: Open) -> None:
    app.radio(key="guess_zeros_1").set_value(0).run()
    press(app, "lesson_lock")
    app.query_params["reveal"] = "1"
    app.run()
    assert app.session_state["lesson_progress"]["zeros"].seen == (1,)
    del app.query_params["reveal"]  # Back, or the link of the step
    app.run()
    assert "your prediction stays" in words(app)
    assert not [one for one in app.button if one.key in ("lesson_unlock", "lesson_lock")]
    reloaded = open_app(FIRST_PAGE, **FIRST)  # a session that has not heard yet what the browser has kept
    reloaded.radio(key="guess_zeros_1").set_value(1).run()
    press(reloaded, "lesson_lock")
    reloaded.session_state["lesson_kept"] = {"kept": json.dumps({"zeros": {"guesses": {"1": 0}, "seen": [1]}})}
    with heard_in(reloaded) as state:
        progress._hear()
        assert state["lesson_progress"]["zeros"] == progress.Progress({1: 0}, (1,))
        assert not progress.lock("zeros", 1, 1)
        state["lesson_kept"] = {"kept": json.dumps({"zeros": {"guesses": {}, "seen": []}})}
        progress._hear()
        assert state["lesson_progress"]["zeros"] == progress.Progress(), "another tab has started it again"


@contextmanager
def heard_in(app: AppTest) -> Iterator[dict[str, Any]]:
    """The session of an app in the place of the test's own."""
    state = {key: app.session_state[key] for key in ("lesson_progress", "lesson_kept")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress.st, "session_state", state)
        yield state


def test_a_step_hides_until_its_result_is_shown_and_the_way_back_is_its_address(open_app: Open) -> None:
    of, step = next((one, step) for one in lessons() for step in one.steps if "table" in step.hide and step.predict)
    page, given = opened(of, step)
    asked = open_app(page, **given)
    assert "st-key-keep_" in words(asked)
    asked.switch_page(f"pages/{'data' if page != 'data' else 'fit'}.py").run()
    assert asked.query_params["lesson"] in (of.name, [of.name])
    assert f"./{page}?" in words(asked)
    assert f"step={step.number}" in words(asked)
    press(asked, "lesson_end")
    assert "lesson" not in asked.query_params
    assert "st-key-keep_" not in words(open_app(page, **given, reveal="1"))


def test_a_lesson_is_taken_on_the_chosen_data(open_app: Open) -> None:
    app = open_app("features", dataset="python-docs", method="l2", ratio="0.05", lesson="zeros", step="2",
                   lesson_on="chosen", reveal="1")  # fmt: skip
    taken = lesson("zeros").on("python-docs", 1)
    facts = LessonResults.of(taken, taken.step(2)).made()
    assert_says(words(app), str(facts["data"]["features"]))
    assert "dataset=python-docs" in words(app), "the way on stays on this data"
    other = panel._opener(access.usual_source("python-docs"))("planted", 1)
    assert other.fold.train.n_features == 60, "data that a lesson names beside its own stay what they are"


@pytest.mark.parametrize(
    ("query", "named"), [({"lesson": "<b>nobody"}, "nobody"), ({"lesson": "zeros", "step": "77"}, "77")]
)
def test_a_lesson_or_step_that_there_is_not_is_one_sentence_with_the_lessons(
    open_app: Open, query: dict[str, str], named: str
) -> None:
    app = open_app("data", dataset="planted", **query)
    assert_says(app.warning[0].value, named)
    assert "lesson=zeros" in words(app)


def test_what_a_browser_has_kept_is_taken_as_far_as_it_is_of_the_lesson() -> None:
    of = lesson("zeros")
    kept = {"guesses": {"1": 2, "2": 9, "3": "7", "99": 1, "x": 1}, "seen": [1, 2, 99, "3"]}
    read = progress.Progress.read(of, json.loads(json.dumps(kept)))
    assert read.guesses == {1: 2, 3: 7.0}
    assert read.seen == (1, 2)
    assert progress.Progress.read(of, read.as_json()) == read
    for broken in (None, [], "x", {"guesses": [1], "seen": 3}, {"guesses": {"1": {"a": 1}}}):
        assert progress.Progress.read(of, broken) == progress.Progress()


def test_a_guess_is_one_of_what_was_asked() -> None:
    order, curve = Order("?", ("a", "b", "c"), ("a", "b", "c"), "", ""), Curve("?", "x", (1.0, 2.0), "y", 0.0, 5.0)
    number = Number("?", 0.0, 10.0, 1.0)
    assert progress.valid(order, [2, 0, 1]) == (2, 0, 1)
    assert progress.valid(curve, [0, 5]) == (0.0, 5.0)
    assert progress.valid(number, 10) == 10.0
    bad = [
        (order, [0, 0, 1]), (order, [0, 1]), (order, "012"), (curve, [1, 6]), (curve, [1, float("nan")]), (number, 11),
        (number, None),
    ]  # fmt: skip
    assert [progress.valid(asked, told) for asked, told in bad] == [None] * len(bad)


def test_a_scale_has_both_ends_and_equal_steps() -> None:
    assert scale(Number("?", 0.0, 20.0, 5.0)) == [0.0, 5.0, 10.0, 15.0, 20.0]
    assert scale(Number("?", 1.0, 1000.0, 10.0, log=True)) == pytest.approx([1.0, 10.0, 100.0, 1000.0])
    assert scale(Number("?", 0.0, 1.0, 0.3))[-1] == 1.0


EVERY = sorted({one for lesson in lessons() for step in lesson.steps for one in (step.show, step.reveal)})
ADDRESSES = list({re.sub(r"(dataset|fold|ratio|numbers_\w+)=[^&]*", r"\1", one): one for one in EVERY}.values())
"""One of those that differ in data, place of C or numbers only."""


@pytest.mark.parametrize("address", sweep(ADDRESSES))
def test_an_address_of_a_lesson_opens_its_page_with_every_value(address: str, open_app: Open) -> None:
    page, _, query = address.partition("?")
    given = dict(parse_qsl(query, keep_blank_values=True))
    app = open_app(page or "start", **given)
    assert keys.LINK_NOTE not in app.session_state, app.session_state[keys.LINK_NOTE]
    if keys.RATIO in given and keys.RATIO_STEP in app.session_state:
        assert app.session_state[keys.RATIO_STEP] == step_at(float(given[keys.RATIO]))
