"""Words for a fit that pictures and pages share: how many features it keeps, and how exactly the optimum is known."""

from __future__ import annotations

from core.analysis.convergence import Optimum
from core.figures.look.style import CERTIFICATES
from core.methods import Fit, get_method
from core.methods.families import model_title
from core.names.counted import counted
from core.names.numbers import short
from core.names.plain import unit_words
from core.solvers import FitResult

ROUNDING = 1e-16
"""A share that is lost in double precision."""


def exact_words(relative: float) -> str:
    """How exactly the lowest objective is known, from its certificate."""
    return f"exact to {short(relative)}" if relative > ROUNDING else "exact to double precision"


def optimum_words(optimum: Optimum) -> str:
    """What the lowest objective is in a picture of a single run."""
    if optimum.certificate is None:
        return "The lowest objective is the last value of this run: no bound of the optimum is known"
    among = f" among models {optimum.certificate.among}" if optimum.certificate.among else ""
    return f"The lowest objective is {exact_words(optimum.certificate.relative)}{among}"


def ended_words(result: FitResult) -> str:
    """Where a fit has ended, after how many steps, and how exact it is."""
    found = result.certificate
    bound = f"{CERTIFICATES[found.kind]} {short(found.relative)} of {unit_words(found.share_of)} {found.among}".rstrip()
    steps = counted(result.steps, "step")
    return f"Objective {result.objective:.6g} after {steps}, {bound}"


def kept_words(fit: Fit) -> str:
    """How many of all features are kept."""
    kept = fit.result.nonzero
    return size_words(model_title(get_method(fit.method), fit.parameters), str(kept), len(fit.weights))


def size_words(title: str, size: str, n_features: int) -> str:
    """The same of a model of this title; the size is a number, or a range such as "17–21"."""
    if size == "0":
        return f"{title} keeps none of {n_features} features (the model is empty at this C)"
    return f"{title} keeps {size} of {n_features} features"
