"""A choice at the end of its grid is told, wherever it is made.

Grids widen until the choice lies inside, or a limit is reached, and say so.
"""

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

import core
from core.analysis.evaluation import FoldJudge
from core.analysis.fit_keywords import fitting_of
from core.analysis.fitting import OnValidation
from core.analysis.path import PathPoint
from core.analysis.path_run import Tried, TriedModels
from core.analysis.tradeoff.tradeoff import path_end, tradeoff_points
from core.analysis.tuning.grid_end import MOST_DECADES, GridEnd, Widening, WideningFits, beyond, widening_words
from core.analysis.tuning.tuning import Tuned, tuning_grid
from core.cli.fit import fit_text
from core.data import Fold
from core.figures.path.tuning_picture import TuningPicture
from core.figures.tradeoff.picture import TradeoffPicture
from core.figures.tradeoff.words import path_end_words
from core.methods import METHODS, Fit
from tests.oracles import ranking_problem
from tests.says import assert_says

TRAIN, VALI = ranking_problem(0), ranking_problem(0).take_queries(range(5))
FOLD = Fold("1", TRAIN, VALI)
FIT = METHODS[0].fit(METHODS[0].training(TRAIN), 0.1)
LAMS = (0.3, 0.2, 0.1)


def fits(best: int) -> list[Fit]:
    """Three models of which the one at this place ranks the validation part best: the others rank it in reverse."""
    return [
        replace(FIT, lam=lam, c=1.0 / lam, result=replace(FIT.result, weights=FIT.weights * (1 if k == best else -1)))
        for k, lam in enumerate(LAMS)
    ]


@pytest.mark.parametrize(("best", "end"), [(0, "largest"), (1, None), (2, "smallest")])
def test_a_tuned_model_tells_at_which_end_of_its_grid_it_lies(best: int, end: str | None) -> None:
    tuned = Tuned.of(fits(best), FoldJudge(FOLD, "standard"), "MAP", "best", {})
    assert tuned.chosen == best
    assert tuned.record()["grid"] == {"largest": 0.3, "smallest": 0.1, "end": end}


def test_other_parameters_have_grids_of_their_own() -> None:
    """The choice is the smallest lambda with its setting, though another setting was tried with smaller ones."""
    others = [replace(fit, lam=fit.lam / 10.0, parameters={"k": 1.0}) for fit in fits(9)]
    tuned = Tuned.of([*fits(2), *others], FoldJudge(FOLD, "standard"), "MAP", "best", {})
    assert (tuned.chosen, tuned.grid_end) == (2, "smallest")


def test_an_empty_model_at_the_largest_lambda_misses_nothing() -> None:
    empty = replace(FIT.result, weights=np.zeros_like(FIT.weights))
    worse = [replace(fit, result=replace(fit.result, weights=-FIT.weights)) for fit in fits(0)]
    tuned = Tuned.of([replace(worse[0], result=empty), *worse[1:]], FoldJudge(FOLD, "standard"), "MAP", "best", {})
    assert (tuned.chosen, tuned.grid_end) == (0, None)


def test_the_terminal_and_the_picture_of_tuning_say_it() -> None:
    model = core.fit(FOLD, "l2", tune="map")
    record = model.record() | {"dataset": "planted", "fold": 1}
    record["tuned"]["grid"]["end"] = None
    inside = fit_text(record)
    record["tuned"]["grid"]["end"] = "smallest"
    assert_says(fit_text(record), "smallest of its grid")
    assert "of its grid" not in inside


def points(best: int) -> list[PathPoint]:
    judge = FoldJudge(FOLD, "standard")
    return [PathPoint(fit, judge.judgement(fit.weights)) for fit in fits(best)]


@pytest.mark.parametrize(("best", "end"), [(0, "largest"), (1, None), (2, "smallest")])
def test_the_picture_of_a_choice_says_it_once_all_models_are_there(best: int, end: str | None) -> None:
    picture = TuningPicture(FOLD, "l1")
    for complete in (True, False):
        found = picture.result({"tried": Tried(points(best), complete)})
        said = end is not None and complete
        assert ("of its grid" in picture.words(found).subtitle) is said
        assert found.end == (end if complete else None)


@pytest.mark.parametrize(("best", "end"), [(0, "largest"), (1, None), (2, "smallest")])
def test_the_trade_off_says_it_of_the_model_that_it_picks(best: int, end: str | None) -> None:
    path = points(best)
    usable = FoldJudge(FOLD, "standard").usable_features
    chosen = tradeoff_points(path, usable)[best]
    assert path_end({"l1": path}, chosen) == end
    assert path_end({}, chosen) is None, "what is on no path lies at no end"
    assert (f"{end} λ" in path_end_words(path_end({"l1": path}, chosen), "ℓ1")) is (end is not None)
    picture = TradeoffPicture([core.models.ModelPath(tuple(path), FOLD, "standard")])
    found = picture.result({name: need.made() for name, need in picture.needs().items()})
    assert ("λ of its path" in picture.words(found).subtitle) is (end is not None)


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


WHOLE_FOLD = core.Fold("1", TRAIN, ranking_problem(1), ranking_problem(2))


def test_a_tuned_model_is_the_best_of_the_wide_grid_and_of_the_narrow_one() -> None:
    """With two values, lambda_max and its ten-thousandth, the choice is at the end."""
    how = fitting_of(WHOLE_FOLD, "l1", {})
    plain, wide = (how.tune(OnValidation("MAP", points=2, widen=widen)) for widen in (False, True))
    assert plain.grid_end == "smallest"
    assert plain.widening is None
    assert wide.widening is not None
    assert wide.widening.smaller > 0
    assert wide.values[wide.chosen] >= plain.values[plain.chosen]
    assert wide.record()["grid"]["widened"]["smaller"] == wide.widening.smaller
    assert "widened" not in plain.record()["grid"]
    assert (wide.grid_end is None) is not wide.record()["grid"]["widened"]["limit"]


def test_the_models_of_the_page_widen_as_those_of_the_command_line() -> None:
    how = fitting_of(WHOLE_FOLD, "l1", {"tol": 1e-2})
    tried = TriedModels(WHOLE_FOLD, "l1", {"tol": 1e-2}, ("MAP", "best"))
    run = tried.work()
    counts = []
    while not run.done:
        run.advance()
        counts.append(run.total)
    lams = [point.fit.lam for point in run.points]
    command = how.tune(OnValidation("MAP", widen=True))
    assert lams == [fit.lam for fit in command.fits]
    assert counts[-1] == len(lams)
    assert len(tuning_grid(how.method, how.training)) <= len(lams)
    assert pickle.loads(pickle.dumps(run)).points, "what a page is shown needs no fits under way"


def test_while_its_grid_widens_the_work_of_a_page_grows() -> None:
    judge_end = iter(["smallest", "smallest", None])
    run = TriedModels(WHOLE_FOLD, "l1", {"tol": 1e-2}, ("MAP", "best")).work()
    run._grid.end = lambda _: next(judge_end)  # type: ignore[attr-defined, assignment]
    totals = set()
    while not run.done:
        run.advance()
        totals.add(run.total)
    assert len(totals) == 3
    lams = [point.fit.lam for point in run.points]
    assert lams == sorted(lams, reverse=True)
    assert lams[-1] < 0.011 * tuning_grid(METHODS[0], METHODS[0].training(TRAIN))[-1]
