"""Single figures and tables on the Reproduce page: the numbers of the experiment itself, stopped and gone on with."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.experiments.papers.experiment import Request
from core.experiments.papers.fsmrank_convergence import FSMRANK_CONVERGENCE
from core.experiments.run.plan import DatasetSource
from core.figures.papers.registry import PICTURES
from pages.shared import cache
from pages.views.reproduce import experiments as reproduce_experiments
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, charts, press, until
from tests.cli.conftest import strict_json

pytestmark = pytest.mark.usefixtures("all_unfolded")

ONE = {"dataset": "planted", "reproduce_what": "single figures and tables"}
NAME = "fsmrank-fig5"
KEY = "paper_fsmrank_fig5"


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARSE_RANK_HOME", str(tmp_path / "home"))
    cache.clear()


def opened(open_app: Open, **query: str) -> AppTest:
    """The page once the folds have been read."""
    app = open_app("reproduce", **ONE, reproduce_experiment=NAME, **query)
    until(lambda: "steps_stop" not in [button.key for button in app.run().button])
    assert_fine(app)
    return app


def test_the_table_is_the_experiments_and_the_command_makes_the_same(
    open_app: Open, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = opened(open_app)
    command = app.code[0].value
    press(app, f"{KEY}_start")
    job = app.session_state[f"{KEY}_job"]
    until(lambda: not job.active)
    app.run()
    assert_fine(app)
    assert charts(app)
    shown = next(frame.value for frame in app.dataframe if "above the optimum" in frame.value.columns)
    (cell,) = FSMRANK_CONVERGENCE.cells(Request((DatasetSource("planted"),), quick=True))
    by_hand = FSMRANK_CONVERGENCE.tables([FSMRANK_CONVERGENCE.work(cell, {})])[0].rows
    for name in ("dataset", "solver", "steps", "objective", "features", "lambda1", "lambda2", "optimum"):
        assert shown[name].tolist() == [row[name] for row in by_hand]

    from core.cli import main

    *words, _ = shlex.split(command)
    capsys.readouterr()
    assert main([*words[3:], str(tmp_path / "out"), "--json"]) == 0
    printed = strict_json(capsys.readouterr().out)["tables"]["summary"]
    assert [row["objective"] for row in printed] == shown["objective"].tolist()


def test_stopped_it_keeps_what_is_finished_and_goes_on(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()
    worked: list[str] = []

    def work(cell: Any, known: Mapping[Any, Any]) -> Any:
        if cell.fold.dataset == "python-docs":
            begun.set()
            assert go_on.wait(30.0)
        worked.append(cell.fold.dataset)
        return FSMRANK_CONVERGENCE.work(cell, known)

    slow = replace(FSMRANK_CONVERGENCE, work=work)
    monkeypatch.setitem(reproduce_experiments.BY_NAME, NAME, slow)
    app = opened(open_app, reproduce_data="planted,python-docs")
    press(app, f"{KEY}_start")
    assert begun.wait(60.0)
    app.run()
    press(app, f"{KEY}_stop")
    go_on.set()
    job = app.session_state[f"{KEY}_job"]
    until(lambda: not job.active)
    app.run()
    assert_fine(app)
    if job.state == "paused":
        press(app, f"{KEY}_continue")
        until(lambda: not job.active)
        app.run()
    shown = next(frame.value for frame in app.dataframe if "above the optimum" in frame.value.columns)
    assert shown["dataset"].drop_duplicates().tolist() == worked == ["planted", "python-docs"]


def test_every_experiment_can_be_opened_and_drawn(open_app: Open) -> None:
    app = opened(open_app)
    for name, experiment in reproduce_experiments.BY_NAME.items():
        app.selectbox(key="reproduce_experiment").set_value(name).run()
        assert_fine(app)
        assert any(experiment.help.split(".")[0] in caption.value for caption in app.caption)
        assert PICTURES[name]
        settings = [control for control in app.get("button_group") if control.key == "reproduce_setting"]
        assert bool(settings) == experiment.has_quick


def test_data_without_what_it_needs_is_said(open_app: Open) -> None:
    app = opened(open_app)
    app.multiselect(key="reproduce_data").set_value([]).run()
    assert_fine(app)
    assert any("at least one dataset" in info.value for info in app.info)
