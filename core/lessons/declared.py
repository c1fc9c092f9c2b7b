"""The data and the options of a declared result, as core takes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.analysis.fit_keywords import FitKeywords, at_lambda, fitting_of
from core.analysis.fitting import Fitting
from core.data import Convention, Fold
from core.lessons.lesson import Result
from core.methods import Method, get_method

Fact = int | float | str | tuple[Any, ...] | Mapping[str, float]
Facts = Mapping[str, Fact]
STEPS_A_DECADE = 20
"""Of the app's slider of C."""


@dataclass(frozen=True)
class LessonData:
    """The data that results are computed from: a fold, and the convention of its measures."""

    fold: Fold
    convention: Convention


def fitting(declared: Result, source: LessonData) -> Fitting:
    """Prepare the fit of a model or a path."""
    return fitting_of(source.fold, method_of(declared), keywords(declared, source))


def keywords(declared: Result, source: LessonData) -> FitKeywords:
    """How the method is fitted, as keywords of core."""
    given = declared.options
    found: FitKeywords = {"convention": source.convention, "parameters": parameters_of(declared)}
    if "solver" in given:
        found["solver"] = str(given["solver"])
    if "tol" in given:
        found["tol"] = number(given["tol"])
    return found


def method_of(declared: Result) -> Method:
    """The method; ℓ1 if none is given."""
    return get_method(str(declared.options.get("method", "l1")))


def parameters_of(declared: Result) -> dict[str, float]:
    """The parameters that are given."""
    given = declared.options.get("parameters", {})
    assert isinstance(given, Mapping)
    return dict(given)


def place_of(given: Mapping[str, object]) -> Any:
    """Where a model is: at C, or at a ratio of the slider."""
    ratio = number(given.get("ratio"))
    return at_lambda(number(given.get("C")), None if ratio is None else slider_ratio(ratio))


def slider_ratio(ratio: float) -> float:
    """Return the ratio at which the app's slider stands for an address with this one: the page then has this model."""
    return float(10.0 ** (-round(-STEPS_A_DECADE * np.log10(ratio)) / STEPS_A_DECADE))


def points_of(declared: Result) -> int:
    """Models of a path."""
    return int(number(declared.options.get("points")) or len(method_of(declared).ratios))


def samples_of(declared: Result) -> int:
    """Halves of the training queries."""
    return int(number(declared.options.get("samples")) or 20)


def number(given: object) -> float | None:
    """A number, or None where it is not given."""
    assert given is None or isinstance(given, int | float)
    return None if given is None else float(given)


def numbers(given: object) -> Sequence[float]:
    """A list of numbers."""
    assert isinstance(given, tuple)
    return [float(one) for one in given]
