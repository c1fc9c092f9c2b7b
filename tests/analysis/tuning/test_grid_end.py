"""A choice at the end of its grid is told, wherever it is made."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import core
from core.analysis.evaluation import FoldJudge
from core.analysis.path import PathPoint
from core.analysis.tradeoff.tradeoff import path_end, tradeoff_points
from core.analysis.tuning.tried_models import Tried
from core.analysis.tuning.tuned import Tuned
from core.data import Fold
from core.figures.path.tuning_picture import TuningPicture
from core.figures.tradeoff.picture import TradeoffPicture
from core.figures.tradeoff.words import path_end_words
from core.methods import METHODS, Fit
from core.terminal import fit_text
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
    return [PathPoint.of(fit, judge.judgement(fit.weights)) for fit in fits(best)]


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
    picture = TradeoffPicture([core.analysis.fold_models.FoldPath(tuple(path), FOLD, "standard")])
    found = picture.result({name: need.made() for name, need in picture.needs().items()})
    assert ("λ of its path" in picture.words(found).subtitle) is (end is not None)
