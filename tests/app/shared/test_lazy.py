from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from pages.shared import lazy


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
    inner = lazy.fragment(lambda: drawn.append("inner"))
    clock = lazy.fragment(lambda: drawn.append("clock"), run_every=1.0)

    def outer() -> None:
        inner()
        clock()

    lazy.fragment(outer)()
    assert drawn == ["fragment None", "run", "inner", "fragment 1.0", "run", "clock"]
    drawn.clear()
    lazy.fragment(inner, parted=True)()
    assert drawn == ["fragment None", "run", "fragment None", "run", "inner"]
    drawn.clear()
    inner()
    assert drawn == ["fragment None", "run", "inner"]


def test_all_fragments_are_made_here() -> None:
    pages = Path(lazy.__file__).parents[1]
    elsewhere = [path for path in pages.rglob("*.py") if "st.fragment" in path.read_text(encoding="utf-8")]
    assert elsewhere == [Path(lazy.__file__)]
