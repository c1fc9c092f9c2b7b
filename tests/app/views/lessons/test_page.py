"""The page of lessons: all of them, and how far this visitor has come."""

from __future__ import annotations

from core.lessons import lesson, lessons
from pages.shared.lesson.progress import Progress
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, press


def test_every_lesson_is_listed_with_its_minutes_and_goes_on_where_one_was(open_app: Open) -> None:
    app = open_app("lessons", dataset="planted")
    assert_fine(app)
    body = " ".join(block.proto.body for block in app.get("html"))
    for one in lessons():
        assert f"lesson={one.name}&amp;step=1" in body
        assert any(str(one.minutes) in caption.value for caption in app.caption)
    app.session_state["lesson_progress"] = {"zeros": Progress({1: 0}, (1, 2))}
    app.run()
    assert "lesson=zeros&amp;step=3" in " ".join(block.proto.body for block in app.get("html"))
    press(app, "again_zeros")
    assert app.session_state["lesson_progress"]["zeros"] == Progress()


def test_a_lesson_of_any_data_is_offered_on_the_chosen_one(open_app: Open) -> None:
    assert lesson("zeros").any_data
    app = open_app("lessons", dataset="python-docs")
    assert "lesson_on=chosen" in " ".join(block.proto.body for block in app.get("html"))
