"""Lessons: all of them, and how far this visitor has come."""

import pytest

from core.lessons import lesson, lessons
from pages.shared.lesson.progress import Progress
from tests.app.conftest import Open
from tests.app.fitting import html_of, press

pytestmark = pytest.mark.usefixtures("all_unfolded")


def test_every_lesson_is_listed_with_its_minutes_and_goes_on_where_one_was(open_app: Open) -> None:
    app = open_app("lessons", dataset="planted")
    body = html_of(app)
    for one in lessons():
        assert f"lesson={one.name}&amp;step=1" in body
        assert any(str(one.minutes) in caption.value for caption in app.caption)
    app.session_state["lesson_progress"] = {"zeros": Progress({1: 0}, (1, 2))}
    app.run()
    assert "lesson=zeros&amp;step=3" in html_of(app)
    press(app, "again_zeros")
    assert app.session_state["lesson_progress"]["zeros"] == Progress()
    assert lesson("zeros").any_data
    assert "lesson_on=chosen" in html_of(app), "a lesson of any data is offered on the chosen one"
