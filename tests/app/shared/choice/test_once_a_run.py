"""A step of C loads the choice once, and finds its model once, on every page that shows a model."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from core.analysis.evaluation import FoldJudge
from core.methods import MethodRun
from core.names.numbers import short
from pages.shared import headline
from pages.shared.choice import access, ready
from pages.shared.choice.use_model import use_model
from pages.shared.work import paths
from pages.shared.work.board import board
from pages.shared.work.paths import path_key
from tests.app.conftest import Open, few_models
from tests.app.fitting import at_rest, chosen, press, until
from tests.cases import sweep
from tests.program_pages import EXPECTED

PAGES = [page for page, one in EXPECTED.items() if one.model]
SHOW_A_TRACE = ("start", "fit")
"""They show how the fit has converged; models of a path have no trace."""

Count = Counter[str]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Count:
    """What is done: "runs", "loads", "strips"; models by the key of their choice, fits by method and lambda."""
    count: Count = Counter()
    begun: list[MethodRun] = []

    def count_calls(owner: Any, name: str, what: Callable[..., str]) -> None:
        real = getattr(owner, name)

        def counting(*asked: Any) -> Any:
            count[what(*asked)] += 1
            return real(*asked)

        monkeypatch.setattr(owner, name, counting)

    def fit_begun(run: MethodRun) -> str:
        if run in begun:
            return "later steps"
        begun.append(run)
        return _fit_of(run._method, run.steps.problem.lam)

    count_calls(ready, "begin_run", lambda: "runs")
    count_calls(access, "load_data", lambda *_: "loads")
    count_calls(headline, "_numbers", lambda *_: "strips")
    count_calls(headline, "shown", lambda choice, *_: choice.key)
    count_calls(FoldJudge, "judgement", lambda _, weights: f"judgements of {weights.tobytes().hex()}")
    count_calls(MethodRun, "advance", fit_begun)
    few_models(monkeypatch, 25)
    # It judges models beside the page, at whatever moment it is at.
    monkeypatch.setattr(paths, "filled", lambda _, points, *__: points)
    return count


def _fit_of(method_id: str, lam: float) -> str:
    return f"fits of {method_id} at {lam:.9g}"


CASES = [*((page, "l1", True) for page in PAGES), ("path", "log", True), ("fit", "l1", False)]


@pytest.mark.parametrize(("page", "method", "of_path"), sweep(CASES, always=4))
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
    monkeypatch.setattr(headline, "_pin", lambda _: use_model(c=taken))
    app.run()
    counted.clear()
    press(app, "pin")
    done = counted.copy()
    now = chosen(app)
    assert now.key != before.key
    runs = done["runs"]  # more than one where work that the page waits for comes to its end
    assert (done["loads"], done["strips"], done[now.key]) == (runs, runs, runs)
    assert all(n == 1 for what, n in done.items() if what.startswith("judgements"))
    known = bool(points) and of_path and page not in SHOW_A_TRACE
    assert done[_fit_of(method, now.lam)] == (0 if known else 1)
    (strip,) = (each.proto.body for each in app.get("html") if 'class="strip"' in each.proto.body)
    assert f'title="C {short(now.training.c_of(now.lam))},' in strip
