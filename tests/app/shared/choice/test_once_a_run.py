"""A step of C loads the choice once, and finds its model once, on every page that shows a model."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from core.analysis.evaluation import FloatArray, FoldJudge, Judgement
from core.methods import MethodRun
from pages.shared import headline
from pages.shared.choice import access, ready
from pages.shared.choice.choice import Loaded
from pages.shared.following import take_c
from pages.shared.work import paths
from pages.shared.work.board import board
from pages.shared.work.paths import path_key
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, at_rest, chosen, press, until
from tests.cases import sweep

PAGES = ("start", "fit", "path", "features", "tradeoff", "queries", "top")
SHOW_A_TRACE = ("start", "fit")
"""They show how the fit has converged; models of a path have no trace."""

Count = Counter[str]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Count:
    """What is done: "runs", "loads", "strips"; models by the key of their choice, fits by method and lambda."""
    count: Count = Counter()
    run, load, words, shown = ready.begin_run, access.load_data, headline._numbers, headline.shown
    advance, judgement = MethodRun.advance, FoldJudge.judgement
    begun: list[MethodRun] = []

    def running() -> None:
        count["runs"] += 1
        run()

    def loading(*asked: Any) -> Any:
        count["loads"] += 1
        return load(*asked)

    def telling(*asked: Any) -> str:
        count["strips"] += 1
        return words(*asked)

    def showing(choice: Loaded, *asked: Any) -> headline.Shown | None:
        count[choice.key] += 1
        return shown(choice, *asked)

    def advancing(run: MethodRun) -> None:
        if run not in begun:
            begun.append(run)
            count[_fit_of(run._task.method, run.steps.problem.lam)] += 1
        advance(run)

    def judging(judge: FoldJudge, weights: FloatArray) -> Judgement:
        count[f"judgements of {weights.tobytes().hex()}"] += 1
        return judgement(judge, weights)

    monkeypatch.setattr(FoldJudge, "judgement", judging)
    monkeypatch.setattr(ready, "begin_run", running)
    monkeypatch.setattr(access, "load_data", loading)
    monkeypatch.setattr(headline, "_numbers", telling)
    monkeypatch.setattr(headline, "shown", showing)
    monkeypatch.setattr(MethodRun, "advance", advancing)
    # It judges models beside the page, at whatever moment it is at.
    monkeypatch.setattr(paths, "filled", lambda _, points, *__: points)
    return count


def _fit_of(method_id: str, lam: float) -> str:
    return f"fits of {method_id} at {lam:.9g}"


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(
    ("method", "of_path"),
    sweep([("l1", True), ("log", True), ("l1", False)], always=2),
    ids=["l1, to a model of its path", "log, to a model of its path", "l1, to another"],
)
def test_a_step_of_c(
    open_app: Open, counted: Count, monkeypatch: pytest.MonkeyPatch, page: str, method: str, *, of_path: bool
) -> None:
    app = open_app(page, dataset="planted", method=method, ratio="0.1")
    until(at_rest)
    app.run()
    before = chosen(app)
    key = path_key(before, method)
    points = next((job.run.points for job in board().jobs if job.key == key), [])
    assert bool(points) != (page == "queries"), "every other page has the path"
    taken = points[20].fit.c if points and of_path else 1.1 * before.c
    monkeypatch.setattr(headline, "_pin", lambda _: take_c(taken))
    app.run()
    counted.clear()
    press(app, "pin")
    assert_fine(app)
    done = counted.copy()
    now = chosen(app)
    assert now.key != before.key
    runs = done["runs"]  # more than one where work that the page waits for comes to its end
    assert (done["loads"], done["strips"], done[now.key]) == (runs, runs, runs)
    assert all(n == 1 for what, n in done.items() if what.startswith("judgements"))
    known = bool(points) and of_path and page not in SHOW_A_TRACE
    assert done[_fit_of(method, now.lam)] == (0 if known else 1)
