"""A page neither makes nor sends what is folded; what a reader unfolds shows the present numbers.

A fragment within another is a part of it.
"""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Element

from core.figures.path.picture import PathsPicture
from pages.shared import lazy, live_chart, show
from pages.shared.choice import use_model
from tests.app.conftest import Open
from tests.app.fitting import nodes, sent, settled, slider_of_c


def test_a_fragment_within_another_is_a_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit drops what a fragment has not yet sent when it runs again, but not what fragments within it have."""
    queue = ForwardMsgQueue()
    for place, fragment_id in enumerate(("outer", "inner")):
        message = ForwardMsg()
        message.metadata.delta_path[:] = [0, place]
        message.delta.fragment_id = fragment_id
        queue.enqueue(message)
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=["outer"])
    assert [message.delta.fragment_id for message in queue.flush()] == ["inner"], "is Streamlit mended?"

    drawn: list[str] = []

    def declared(draw: Callable[[], None], run_every: float | None) -> Callable[[], None]:
        return lambda: (drawn.append(f"fragment {run_every}"), draw())[1]

    monkeypatch.setattr(st, "fragment", declared)
    monkeypatch.setattr(lazy, "begin_run", lambda: drawn.append("run"))
    monkeypatch.setattr(time, "sleep", lambda seconds: drawn.append("pause"))
    inner = lazy.fragment(lambda: drawn.append("inner"))
    clock = lazy.fragment(lambda: drawn.append("clock"), run_every=1.0)

    def outer() -> None:
        inner()
        clock()

    lazy.fragment(outer)()
    assert drawn == ["fragment None", "run", "inner", "fragment 1.0", "run", "clock", "pause"], "all is sent first"
    drawn.clear()
    with lazy.whole_page():
        lazy.fragment(inner, parted=True)()
    assert drawn == ["fragment None", "run", "fragment None", "run", "inner"]
    drawn.clear()
    lazy.fragment(inner, run_every=1.0, parted=True)()
    assert drawn == ["fragment 1.0", "run", "fragment None", "run", "inner", "pause"]
    drawn.clear()
    with lazy.whole_page():
        clock()
        drawn.append("more")
    assert drawn[-3:] == ["clock", "more", "pause"], "a tick drops nothing of the page"
    drawn.clear()
    inner()
    assert drawn == ["fragment None", "run", "inner"]


def test_all_fragments_are_made_here() -> None:
    pages = Path(lazy.__file__).parents[1]
    elsewhere = [path for path in pages.rglob("*.py") if "st.fragment" in path.read_text(encoding="utf-8")]
    assert elsewhere == [Path(lazy.__file__)]


def unfold(app: AppTest, key: str) -> None:
    app.session_state[key] = True
    app.run()


def elements(app: AppTest, key: str) -> list[str]:
    """The kinds of what has been sent of the popover of this key, all the way down."""
    box = next(node for node in nodes(app.main) if str(getattr(node.proto, "id", "")).endswith(f"-{key}"))
    return [node.type for node in nodes(box) if isinstance(node, Element)]


@pytest.mark.usefixtures("coarse_paths")
def test_folded_numbers_are_neither_made_nor_sent_and_unfolded_ones_are_those_of_now(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(PathsPicture, "rows", lambda *_: made.append("table"))
        patch.setattr(show, "picture_script", lambda *_: made.append("script"))
        patch.setattr(live_chart, "kept_numbers", lambda *_: made.append("kept"))
        app = settled(open_app("path", dataset="planted", method="l1", beside="l1", ratio="0.1"))
    assert elements(app, "keep_path") == []
    assert not app.main.dataframe
    assert not app.main.code
    assert not app.main.get("download_button")
    assert made == []

    before = dict(app.query_params)
    unfold(app, "keep_path")
    assert dict(app.query_params) == before, "unfolding is no choice"
    assert "keep_path" not in use_model.DEFAULTS

    the_format_of_the_camera_outlives_its_box(app)

    kinds = elements(app, "keep_path")
    assert kinds.count("download_button") == 3
    assert "dataframe" in kinds
    script = app.main.code[0].value
    slider_of_c(app).set_value(23).run()
    assert "dataframe" in elements(app, "keep_path"), "a step of C leaves the box open"
    assert app.main.code[0].value != script


def the_format_of_the_camera_outlives_its_box(app: AppTest) -> None:
    assert sent(app, "path")["picture"]["format"] == "png"
    app.segmented_control(key="format_path").set_value("svg").run()
    app.session_state["keep_path"] = False
    for _ in range(2):  # what is dropped is dropped after a run
        app.run()
        assert elements(app, "keep_path") == []
        assert sent(app, "path")["picture"]["format"] == "svg"
    unfold(app, "keep_path")
    assert app.segmented_control(key="format_path").value == "svg"
