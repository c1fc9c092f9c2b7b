"""The data and the options of a declared result, as core takes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.analysis.fit_keywords import FitKeywords, at_lambda, fitting_of
from core.analysis.fitting import AtC, AtRatio, Fitting
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
    found: FitKeywords = {"convention": source.convention, "parameters": parameters_of(declared)}
    if "solver" in declared.options:
        found["solver"] = declared.options["solver"]
    if "tol" in declared.options:
        found["tol"] = declared.options["tol"]
    return found


def method_of(declared: Result) -> Method:
    """The method; ℓ1 if none is given."""
    return get_method(declared.options.get("method", "l1"))


def parameters_of(declared: Result) -> dict[str, float]:
    """The parameters that are given."""
    return dict(declared.options.get("parameters", {}))


def place_of(declared: Result) -> AtC | AtRatio:
    """Where a model is: at C, or at a ratio of the slider."""
    ratio = declared.options.get("ratio")
    return at_lambda(declared.options.get("C"), None if ratio is None else slider_ratio(ratio))


def slider_ratio(ratio: float) -> float:
    """Return the ratio at which the app's slider stands for an address with this one: the page then has this model."""
    return float(10.0 ** (-round(-STEPS_A_DECADE * np.log10(ratio)) / STEPS_A_DECADE))
