"""Runs of one visitor take turns at the session state; those of others do not wait for them."""

from __future__ import annotations

import gc
from threading import Event, Thread

import pytest
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState

from pages.shared.server import streamlit_private


@pytest.fixture
def locks_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SafeSessionState, "__init__", SafeSessionState.__init__)  # put back afterwards
    streamlit_private.share_locks()
    once = SafeSessionState.__init__
    streamlit_private.share_locks()
    assert SafeSessionState.__init__ is once


def run_of(state: SessionState) -> SafeSessionState:
    return SafeSessionState(state, lambda: None)


@pytest.mark.usefixtures("locks_shared")
def test_a_run_that_ends_waits_until_the_next_has_taken_over_the_state() -> None:
    state = SessionState()
    ending, beginning = run_of(state), run_of(state)
    written = Event()

    def write() -> None:
        ending["late"] = 1
        written.set()

    with beginning.query_params():  # holds the lock, as taking over the state does
        thread = Thread(target=write)
        thread.start()
        assert not written.wait(0.2)
    thread.join(10)
    assert written.is_set()
    assert beginning["late"] == 1


@pytest.mark.usefixtures("locks_shared")
def test_two_runs_of_a_state_that_grows_do_not_break_each_other_off() -> None:
    state = SessionState()
    writing, reading = run_of(state), run_of(state)
    problems: list[RuntimeError] = []
    done = Event()

    def write() -> None:
        for key in range(20_000):
            writing[f"key {key}"] = key
        done.set()

    thread = Thread(target=write)
    thread.start()
    while not done.is_set():
        try:
            reading.filtered_state  # noqa: B018 looks at every key
        except RuntimeError as problem:
            problems.append(problem)
            break
    thread.join(60)
    assert not problems


@pytest.mark.usefixtures("locks_shared")
def test_visitors_do_not_wait_for_each_other() -> None:
    mine, another = run_of(SessionState()), run_of(SessionState())
    written = Event()

    def write() -> None:
        another["key"] = 1
        written.set()

    with mine.query_params():
        thread = Thread(target=write)
        thread.start()
        assert written.wait(10)
    thread.join(10)


@pytest.mark.usefixtures("locks_shared")
def test_no_lock_outlives_its_visitor() -> None:
    state = SessionState()
    run, known = run_of(state), id(state)
    assert known in streamlit_private._locks
    del run, state
    gc.collect()
    assert known not in streamlit_private._locks
