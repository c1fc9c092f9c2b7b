"""Work that takes long shows how far it is, stops when told to, and goes on from there."""

from __future__ import annotations

import time

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.work import stepwise


@pytest.fixture(autouse=True)
def impatient(nothing_left_over: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """As people have it: what takes longer than this shows its progress."""
    monkeypatch.setattr(stepwise, "PATIENCE", 0.6)


def page(key: str, n_steps: int, pause: float) -> None:
    import time as clock

    import streamlit as st

    from core.work import Steps
    from pages.shared.work.stepwise import finished

    def counting():  # type: ignore[no-untyped-def]
        for k in range(n_steps):
            clock.sleep(pause)
            yield k

    run = finished(key, lambda: Steps(counting(), n_steps), "Counting")
    if run is not None:
        st.markdown(f"All of {run.found}")


def open_page(key: str, n_steps: int, pause: float) -> AppTest:
    app = AppTest.from_function(page, kwargs={"key": key, "n_steps": n_steps, "pause": pause}, default_timeout=300)
    return app.run()


def test_what_is_quick_is_there_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patient:
        patient.setattr(stepwise, "PATIENCE", 60.0)
        open_page("warm", 1, 0.0)  # the first job of a server waits for its kernels
    app = open_page("quick", 3, 0.0)
    assert app.markdown[0].value == "All of [0, 1, 2]"
    assert not app.button


def test_what_is_slow_can_be_stopped_and_goes_on_where_it_was() -> None:
    app = open_page("slow", 30, 0.05)
    assert not app.markdown
    app.button(key="steps_stop").click().run()
    deadline = time.monotonic() + 120
    while not [button for button in app.button if button.key == "steps_continue"]:
        assert time.monotonic() < deadline
        app.run()
    assert not app.markdown
    app.button(key="steps_continue").click().run()
    while not app.markdown:
        assert time.monotonic() < deadline
        time.sleep(0.05)
        app.run()
    assert app.markdown[0].value == f"All of {list(range(30))}"
