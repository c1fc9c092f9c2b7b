"""The handle for C on the Fit page: there once the path is known, and where the reader lets go is the choice.

The Fit page shows how a method that drops features came to those it keeps, and for other methods nothing of it.
"""

from __future__ import annotations

from functools import partial

import pytest
from streamlit.runtime.scriptrunner import RerunData
from streamlit.testing.v1 import AppTest, local_script_runner

from core.analysis.path_run import PathRun
from core.figures.fit.elimination import elimination_sentence, stages
from core.names.numbers import short
from pages.shared import following
from pages.shared.work.board import board
from pages.shared.work.jobs import Job
from pages.shared.work.paths import path_key
from pages.views.fit import fit_view, race
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, chosen, fit, headline_of, press, sent, until

pytestmark = pytest.mark.usefixtures("all_unfolded")


def path_of(app: AppTest) -> Job[PathRun]:
    """The path of the chosen method, worked out to its end."""
    key = path_key(chosen(app), chosen(app).method_id)
    job = next(job for job in board().jobs if job.key == key)
    until(lambda: not job.active)
    return job


def test_the_path_is_worked_out_while_the_model_rests_and_then_there_is_a_handle(open_app: Open) -> None:
    app = open_app("fit", dataset="planted", y="certificate")
    assert path_of(app).state == "finished"
    app.run()
    assert_fine(app)
    moves = sent(app, "weights")["drag"]
    assert len(moves["label"]["at"]) > 50
    assert moves["readings"]["kept"]["now"].endswith("of 60")
    assert sent(app, "convergence")["drag"]["link"] == moves["link"]


def test_letting_go_asks_for_the_picture_alone_and_the_whole_page_follows(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_app("fit", dataset="planted", ratio="0.03162")
    c = path_of(app).run.points[10].fit.c
    monkeypatch.setattr(following, "released", lambda _: {"frame": 3, "c": c})
    monkeypatch.setattr(race, "_open", fit_view._take_released)  # a button stands in for the handle
    app.run()
    headline_before = headline_of(app)
    fragments = list(app._fragment_storage._fragments)
    with monkeypatch.context() as browser:
        browser.setattr(local_script_runner, "RerunData", partial(RerunData, fragment_id_queue=fragments))
        press(app, "race_open")
    assert_fine(app)
    assert chosen(app).training.c_of(chosen(app).lam) == pytest.approx(c)
    assert headline_of(app) != headline_before
    assert sent(app, "weights")["drag"]["label"]["now"].startswith(f"C {short(c)} ")
    assert app.query_params["ratio"] not in ("0.03162", ["0.03162"])


def test_the_path_waits_while_a_fit_runs(open_app: Open) -> None:
    app = open_app("fit", dataset="planted", solver="subgradient", tol="1e-10")
    press(app, "fit")
    path = next(job for job in board().jobs if job.key.startswith("path-"))
    until(lambda: not path.active)
    running = app.session_state["job"]
    until(lambda: running.run is not None and len(running.run.steps.trace) > 0)
    press(app, "stop")
    until(lambda: not app.session_state["job"].active)
    app.run()
    assert path_of(app).state == "finished"


def test_an_elimination_is_told_stage_by_stage(open_app: Open) -> None:
    app = open_app("fit", dataset="planted", method="rwfs-l0", ratio="0.01")
    found = stages(fit(app).run.fit().result.trace)
    tables = [frame.value for frame in app.dataframe if "features left" in frame.value.columns]
    assert list(tables[0]["features left"]) == [stage.features for stage in found]
    assert elimination_sentence(found) in "".join(html.proto.body for html in app.get("html"))
