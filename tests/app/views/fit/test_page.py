"""The Fit page before, during and after a fit.

The handle for C: there once the path is known, and where the reader lets go is the choice.
"""

import threading
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
import streamlit as st
from streamlit.runtime.scriptrunner import RerunData
from streamlit.testing.v1 import AppTest, local_script_runner

from core.analysis.path_run import PathRun
from core.names.numbers import short
from pages.shared import following, headline
from pages.shared.work.board import board
from pages.shared.work.jobs import Job, Task
from pages.shared.work.paths import path_key
from pages.views.fit import page as fit_page
from pages.views.fit import picture, race
from tests.app.conftest import Open
from tests.app.fitting import (
    charts,
    chosen,
    command,
    control,
    ended,
    fit,
    headline_of,
    html_of,
    press,
    sent,
    status,
    until,
)
from tests.app.shared.work.house import walk
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")


@pytest.fixture
def busy_workers() -> Iterator[threading.Semaphore]:
    """Both workers are at it until they are let through."""
    gate = threading.Semaphore(0)
    jobs = [board().submit(Job(Task(str(k), lambda: walk(1, gate)), "somebody")) for k in range(2)]
    until(lambda: all(job.state == "running" for job in jobs))
    yield gate
    gate.release(2)


def endless(open_app: Open) -> AppTest:
    """The subgradient method under way towards a gap that it does not reach."""
    app = press(open_app("fit", dataset="planted", solver="subgradient", tol="1e-10"), "fit")
    until(lambda: app.session_state["job"].run is not None and len(app.session_state["job"].run.steps.trace) > 5)
    return app


def test_before_a_fit_the_page_says_what_is_minimised_and_shows_the_model_of_the_strip(open_app: Open) -> None:
    app = open_app("fit", dataset="planted", solver="subgradient")
    choice = chosen(app)
    said = "".join(text.value for text in app.main.markdown)
    assert_says(said, f"{choice.fold.train.n_pairs:,} preference pairs", "minimises")
    assert app.latex
    assert [app.button(key=key).disabled for key in ("fit", "stop", "continue")] == [False, True, True]
    result = choice.method.fit(choice.training, choice.lam, stop=choice.stop).result
    assert_says(headline_of(app), "Yes, by proximal Newton. ℓ1", f"{result.nonzero} of 60 features", "test NDCG@10")
    assert_says(status(app), "fit of proximal Newton", "not of subgradient descent")
    assert_says(status(app), "Converged", f"{result.steps:,} steps", "Fit", "subgradient descent", "zero")
    assert f'<b data-reading="kept">{result.nonzero} of 60</b>' in html_of(app)
    assert len(charts(app)) == 2
    assert "--solver proximal-newton" in command(app)


def test_data_that_takes_long_says_that_it_is_fitted_on_request(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(headline, "QUICK_ENTRIES", 0)
    app = open_app("fit", dataset="planted")
    assert_says(status(app), "on request", "Fit")
    assert not charts(app)
    fit(app)
    assert "Converged" in status(app)
    assert charts(app)
    assert not any(job.key.startswith("path-") for job in board().jobs), "nor is a path computed unasked"
    assert sent(app, "weights")["drag"] is None
    app = endless(open_app).run()
    assert "No model yet for this choice: its fit is under way." in [one.value for one in app.caption]
    press(app, "stop")


def test_a_finished_fit_is_shown_when_its_choice_comes_back_and_one_that_fails_says_why_and_what_to_do(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_app("fit", dataset="planted")
    job = fit(app)
    assert_says(status(app), "Converged", f"{job.run.fit().result.steps:,} steps")
    app.toggle(key="refit").set_value(False).run()
    control(app.selectbox, "method").set_value("l2").run()
    assert "Press **Fit**" in status(app)
    control(app.selectbox, "method").set_value("l1").run()
    assert "Converged" in status(app)
    assert "Press **Fit**" not in status(app)
    assert app.session_state["job"] is job

    def fail(*_: object) -> None:
        msg = "the matrix is full of holes."
        raise ArithmeticError(msg)

    path_of(app)  # a page that is still working out its path would fail, too
    with monkeypatch.context() as patch:
        patch.setattr("core.solvers.run.SolverRun.advance", fail)
        fit(app)
    assert_says(status(app), "fit failed", "the matrix is full of holes", "sidebar", "Fit", "again")
    assert status(app).count("failed") == 1
    fit(app)
    assert "Converged" in status(app)


def test_stop_and_continue_are_offered_when_they_make_sense_and_the_path_waits_while_a_fit_runs(open_app: Open) -> None:
    app = endless(open_app)
    job = app.session_state["job"]
    path = next(job for job in board().jobs if job.key.startswith("path-"))
    until(lambda: not path.active)
    assert [app.button(key=key).disabled for key in ("fit", "stop", "continue")] == [True, False, True]
    ended(press(app, "stop"))
    assert [app.button(key=key).disabled for key in ("fit", "stop", "continue")] == [False, True, False]
    assert status(app).startswith("Stopped")
    assert_says(status(app), "steps", "Continue")
    reached = len(job.run.steps.trace)
    press(app, "continue")
    until(lambda: len(job.run.steps.trace) > reached)
    ended(press(app, "stop"))
    assert path_of(app).state == "finished"
    press(app, "fit")
    again = app.session_state["job"]
    until(lambda: again.run is not None)
    assert again.run is not job.run, "Fit begins again from zero"
    for fold in (2, 1):
        app.selectbox(key="fold").set_value(fold).run()
        assert app.session_state["job"].active, "a new choice is fitted at once, and what was left goes on"
    assert app.session_state["job"] is again
    assert headline_of(app).endswith("Still running. The numbers above are of an earlier fit, by proximal Newton")


def test_a_papers_rule_is_called_so_and_continue_goes_on_to_the_certificate(open_app: Open) -> None:
    app = open_app("fit", dataset="planted", method="fsmrank", ratio="0.1")
    job = fit(app)
    papers = job.run.fit().result
    assert papers.certificate.relative > 1e-6
    assert_says(status(app), "paper", "rule", f"{papers.steps:,} steps", "duality gap", "Continue", "certificate")
    assert [app.button(key=key).disabled for key in ("fit", "stop", "continue")] == [False, True, False]
    ended(press(app, "continue"))
    certified = job.run.fit().result
    assert "Converged" in status(app)
    assert certified.certificate.relative <= 1e-6
    assert certified.steps > papers.steps
    assert app.button(key="continue").disabled


def test_a_fit_that_ends_while_the_page_is_drawn_is_noticed_by_all_of_it(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = fit_page._more
    drawn_meanwhile = []

    def slowly(*told: Any) -> object:
        job = st.session_state["job"]
        drawn_meanwhile.append(job.active)
        until(lambda: not job.active)
        return more(*told)

    app = open_app("fit", dataset="planted")
    monkeypatch.setattr(fit_page, "_more", slowly)
    monkeypatch.setitem(fit_page.PACES, "full speed", 0.05)
    press(app, "fit")
    assert drawn_meanwhile[0], "it had ended before: this shows nothing"
    assert "Converged" in status(app)
    assert headline_of(app).startswith("Has it converged? Yes. ℓ1 keeps")
    assert not app.button(key="fit").disabled


def test_a_fit_that_waits_says_its_place_and_can_be_stopped_and_continued(
    open_app: Open, busy_workers: threading.Semaphore
) -> None:
    app = press(open_app("fit", dataset="planted"), "fit")
    assert_says(status(app), "Waiting", "number 1", "by itself")
    press(app, "stop")
    assert_says(status(app), "Stopped", "before")
    press(app, "continue")
    assert status(app).startswith("Waiting")
    busy_workers.release(2)
    ended(app)
    assert "Converged" in status(app)


def path_of(app: AppTest) -> Job[PathRun]:
    """The path of the chosen method, worked out to its end."""
    key = path_key(chosen(app), chosen(app).method_id)
    job = next(job for job in board().jobs if job.key == key)
    until(lambda: not job.active)
    return job


def test_once_the_path_is_worked_out_there_is_a_handle_and_letting_it_go_asks_for_the_picture_alone(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the whole page follows."""
    app = open_app("fit", dataset="planted", ratio="0.03162", y="certificate")
    c = path_of(app).run.points[3].fit.c
    app.run()
    moves = sent(app, "weights")["drag"]
    assert len(moves["label"]["at"]) >= 5
    assert moves["readings"]["kept"]["now"].endswith("of 60")
    assert sent(app, "convergence")["drag"]["link"] == moves["link"]
    monkeypatch.setattr(following, "released", lambda _: {"frame": 3, "c": c})
    monkeypatch.setattr(race, "_open", picture._take_released)  # a button stands in for the handle
    app.run()
    headline_before = headline_of(app)
    fragments = list(app._fragment_storage._fragments)
    with monkeypatch.context() as browser:
        browser.setattr(local_script_runner, "RerunData", partial(RerunData, fragment_id_queue=fragments))
        press(app, "race_open")
    assert chosen(app).training.c_of(chosen(app).lam) == pytest.approx(c)
    assert headline_of(app) != headline_before
    assert sent(app, "weights")["drag"]["label"]["now"].startswith(f"C {short(c)} ")
    assert app.query_params["ratio"] not in ("0.03162", ["0.03162"])
