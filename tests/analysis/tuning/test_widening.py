"""Grids widen until the choice lies inside, or a limit is reached, and say so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

import core
from core.analysis.evaluation import FoldJudge
from core.analysis.fit_keywords import fitting_of
from core.analysis.fitting import OnValidation, tune
from core.analysis.tuning.grid_end import MOST_DECADES, GridEnd, widening_words
from core.analysis.tuning.tried_models import TriedModels
from core.analysis.tuning.tuning import tuning_grid
from core.analysis.tuning.widening import Widening, WideningFits, beyond
from core.methods import METHODS, Fit
from tests.oracles import ranking_problem
from tests.says import assert_says

TRAIN = ranking_problem(0)
FIT = METHODS[0].fit(METHODS[0].training(TRAIN), 0.1)
GRID = np.geomspace(1.0, 1e-2, 5)  # two points a decade


def widening_to(best: float, settings: Sequence[float] = (0.0,)) -> WideningFits:
    """A grid whose choice is the model nearest to this lambda, without any fit."""

    def fits(lams: np.ndarray) -> Iterator[Fit]:
        return (replace(FIT, lam=float(lam), parameters={"k": k}) for k in settings for lam in lams)

    def end(made: Sequence[Fit]) -> GridEnd | None:
        lams = sorted({fit.lam for fit in made})
        nearest = min(lams, key=lambda lam: abs(np.log(lam / best)))
        return "smallest" if nearest == lams[0] else "largest" if nearest == lams[-1] else None

    return WideningFits(GRID, fits, end)


def test_a_decade_more_is_spaced_as_the_grid_and_falls() -> None:
    np.testing.assert_allclose(beyond(GRID, "smallest"), [10**-2.5, 1e-3])
    np.testing.assert_allclose(beyond(GRID, "largest"), [10.0, 10**0.5])
    np.testing.assert_allclose(beyond(np.array([1.0, 1e-3]), "smallest"), [1e-4]), "at least one"


@pytest.mark.parametrize(
    ("best", "larger", "smaller"), [(0.1, 0, 0), (2e-3, 0, 1), (2e-5, 0, 3), (30.0, 2, 0), (1e-9, 0, MOST_DECADES)]
)
def test_a_grid_widens_until_the_choice_lies_inside_or_the_limit_is_reached(
    best: float, larger: int, smaller: int
) -> None:
    grid = widening_to(best, (1.0, 2.0))
    made = list(grid)
    assert grid.widening == Widening(larger, smaller)
    lams = [fit.lam for fit in grid.fits if fit.parameters == {"k": 2.0}]
    assert lams == sorted(lams, reverse=True)
    np.testing.assert_allclose([lams[0], lams[-1]], [10.0**larger, 10.0 ** (-2 - smaller)])
    assert [fit.parameters["k"] for fit in grid.fits] == [1.0] * len(lams) + [2.0] * len(lams), "setting by setting"
    assert {id(fit) for fit in made} == {id(fit) for fit in grid.fits}
    assert (grid.end(grid.fits) is not None) is (smaller == MOST_DECADES)


def test_one_value_is_no_grid_to_widen() -> None:
    grid = widening_to(1e-9)
    grid.lams = np.array([0.1])
    assert len(list(grid)) == 1


def test_its_words_say_how_far_and_whether_the_limit_is_reached() -> None:
    assert_says(widening_words(Widening(0, 0).record(None)), "inside", "not widened")
    assert_says(widening_words(Widening(0, 2).record(None)), "2 decades", "smaller", "inside")
    assert_says(widening_words(Widening(1, MOST_DECADES).record("smallest")), "1 decade ", "limit of 4", "at the end")


FOLD = core.Fold("1", TRAIN, ranking_problem(1), ranking_problem(2))


def test_a_tuned_model_is_the_best_of_the_wide_grid_and_of_the_narrow_one() -> None:
    """With two values, lambda_max and its ten-thousandth, the choice is at the end."""
    how = fitting_of(FOLD, "l1", {})
    plain, wide = (tune(how, OnValidation("MAP", points=2, widen=widen)) for widen in (False, True))
    assert plain.grid_end == "smallest"
    assert plain.widening is None
    assert wide.widening is not None
    assert wide.widening.smaller > 0
    assert wide.values[wide.chosen] >= plain.values[plain.chosen]
    assert wide.record()["grid"]["widened"]["smaller"] == wide.widening.smaller
    assert "widened" not in plain.record()["grid"]
    assert (wide.grid_end is None) is not wide.record()["grid"]["widened"]["limit"]


def test_a_choice_inside_its_grid_is_the_same_with_the_option() -> None:
    how = fitting_of(FOLD, "l1", {"tol": 1e-2})
    plain, wide = (tune(how, OnValidation("MAP", points=20, widen=widen)) for widen in (False, True))
    assert plain.grid_end is None
    assert wide.fit.lam == plain.fit.lam
    assert len(wide.fits) == len(plain.fits)


def test_the_models_of_the_page_widen_as_those_of_the_command_line() -> None:
    how = fitting_of(FOLD, "l1", {"tol": 1e-2})
    tried = TriedModels(FOLD, "l1", {"tol": 1e-2}, ("MAP", "best"))
    run = tried.work()
    counts = []
    while not run.done:
        run.advance()
        counts.append(run.total)
    lams = [point.fit.lam for point in run.points]
    command = tune(how, OnValidation("MAP", widen=True))
    assert lams == [fit.lam for fit in command.fits]
    assert counts[-1] == len(lams)
    assert len(tuning_grid(how.method, how.training)) <= len(lams)
    assert run.snapshot().points, "what a page is shown needs no fits under way"


def test_while_its_grid_widens_the_work_of_a_page_grows() -> None:
    judge_end = iter(["smallest", "smallest", None])
    run = TriedModels(FOLD, "l1", {"tol": 1e-2}, ("MAP", "best")).work()
    run._grid.end = lambda _: next(judge_end)  # type: ignore[attr-defined, assignment]
    totals = set()
    while not run.done:
        run.advance()
        totals.add(run.total)
    assert len(totals) == 3
    lams = [point.fit.lam for point in run.points]
    assert lams == sorted(lams, reverse=True)
    assert lams[-1] < 0.011 * tuning_grid(METHODS[0], METHODS[0].training(TRAIN))[-1]


def test_the_api_widens_too() -> None:
    model = core.fit(FOLD, "l1", tune="map", widen=True, tol=1e-2)
    assert "widened" in model.record()["tuned"]["grid"]
    assert FoldJudge(FOLD, "standard").judgement(model.fit.weights).metrics["vali"]["MAP"] > 0.0
