"""The experiments of the Top of the list page: Start, Stop, Continue, and the numbers of the study itself."""

from __future__ import annotations

import threading
from collections.abc import Mapping

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.experiments.infinite_push import top_table, toy_study
from core.experiments.infinite_push.push_timing import EXACT, RANK
from core.experiments.infinite_push.toy_study import TITLES, ToyCell, ToyOutcome, ToyStudy, toy_outcome, toy_points
from core.experiments.run.cell_run import CellRun
from pages.shared import cache
from pages.views.top import toy
from tests.app.fitting import assert_fine, press, until
from tests.experiments.small import make_small
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded")

TINY = ToyStudy((30,), (2,), 2)


def part() -> None:
    from types import SimpleNamespace

    import streamlit as st

    from pages.shared.choice.source import Source
    from pages.views.top import experiments as toplist_experiments

    name = st.session_state.get("wanted", "planted")
    toplist_experiments.experiments(SimpleNamespace(source=Source(name)))  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def small_studies(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    make_small(monkeypatch)


def opened(**state: str) -> AppTest:
    app = AppTest.from_function(part, default_timeout=300)
    for key, value in state.items():
        app.session_state[key] = value
    app.run()
    assert_fine(app)
    return app


def worked_out(app: AppTest, name: str) -> AppTest:
    """Press Start and wait for the end."""
    press(app, f"{name}_start")
    job = app.session_state[f"{name}_job"]
    until(lambda: not job.active)
    assert job.state == "finished", job.problem
    app.run()
    assert_fine(app)
    return app


def table(app: AppTest, column: str) -> pd.DataFrame:
    return next(found.value for found in app.dataframe if column in found.value.columns)


def test_the_table_drawn_is_that_of_the_study() -> None:
    app = worked_out(opened(), "toy")
    expected = toy_points(CellRun(TINY.cells, toy_outcome, {}).finish())
    shown = table(app, "F-measure")
    assert shown["top"].tolist() == [p.top.mean for p in expected]
    assert shown["method"].tolist() == [TITLES[p.method] for p in expected]
    assert not any(button.key == "toy_start" for button in app.button)
    told = next(m.value for m in app.markdown if "smallest p-value" in m.value)
    assert_says(told, "cannot tell", "smallest p-value", "0.5")


def test_the_papers_order_is_told_of_sizes_with_every_method_only() -> None:
    points = toy_points(CellRun(TINY.cells, toy_outcome, {}).finish())
    assert "of 1** sizes" in toy._order_words(points)
    assert toy._order_words([p for p in points if p.method != "infinite-push-rfe"]) == ""


def test_a_stopped_study_keeps_what_it_has_and_continues_to_the_same_table(monkeypatch: pytest.MonkeyPatch) -> None:
    gate, first = threading.Event(), threading.Event()

    def gated(cell: ToyCell, known: Mapping[ToyCell, ToyOutcome]) -> ToyOutcome:
        if len(known) == 4:
            first.set()
            gate.wait(30)
        return toy_outcome(cell, known)

    monkeypatch.setattr(toy_study, "toy_outcome", gated)
    app = opened()
    press(app, "toy_start")
    assert first.wait(30)
    press(app, "toy_stop")
    gate.set()
    job = app.session_state["toy_job"]
    until(lambda: not job.active)
    app.run()
    assert_fine(app)
    assert job.state == "paused"
    assert set(table(app, "F-measure")["trials"]) == {1}
    press(app, "toy_continue")
    until(lambda: job.state == "finished")
    app.run()
    expected = toy_points(CellRun(TINY.cells, toy_outcome, {}).finish())
    assert table(app, "F-measure")["top"].tolist() == [p.top.mean for p in expected]


@pytest.mark.parametrize("which", ["Top against noise", "Features found"])
def test_every_figure_of_the_toy_problem_is_drawn(which: str) -> None:
    app = worked_out(opened(experiment=which), "toy")
    assert set(table(app, "F-measure")["noisy features"]) == {2, 4}


def test_running_times_are_of_every_solver() -> None:
    app = worked_out(opened(experiment="Running time"), "push_times")
    times = table(app, "seconds")
    assert set(times["pairs"]) == {100, 225}
    assert {EXACT.title, RANK.title} < set(times["system"])


def test_real_data_stands_beside_what_is_published_and_the_chosen_set_is_among_it() -> None:
    app = opened(experiment="Real data", wanted="breast-cancer")
    assert "breast-cancer" in app.multiselect(key="top_sets").value
    app.multiselect(key="top_sets").set_value(["breast-cancer"]).run()
    rows = table(worked_out(app, "top_table"), "published top")
    assert rows["method"].tolist() == [TITLES[method] for method in top_table.METHODS]
    assert rows["published top"].isna().all()
    assert (rows["splits"] == 2).all()


def test_without_a_set_there_is_a_hint() -> None:
    app = opened(experiment="Real data")
    app.multiselect(key="top_sets").set_value([]).run()
    assert any("at least one set" in info.value for info in app.info)
