"""Models between two neighbours of an l1 path, each with a proof of how near to its optimum it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.methods import Fit, Method
from core.methods.refit import is_refitted
from core.penalties import L1

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Between:
    """A model that lies on the straight line between two fitted ones.

    Attributes
    ----------
    lam : float
    weights : ndarray, shape (n_features,)
    gap, relative_gap : float
        At most so far above the optimum at ``lam``, in units of the objective and as a share of it.
    """

    lam: float
    weights: FloatArray
    gap: float
    relative_gap: float


def interpolates(method: Method, settings: Mapping[str, float]) -> bool:
    """Whether `between` holds for its models: a convex loss plus lambda times the l1 norm, and no refit after it."""
    if not method.convex or method.make_problem is not None or is_refitted(settings):
        return False
    return type(method.make_penalty(settings, 1.0)) is L1


def between(left: Fit, right: Fit, lam: float) -> Between:
    """The model at ``lam`` between two fits of an l1 path, linear in lambda.

    With t = (left.lam - lam) / (left.lam - right.lam) the weights are (1 - t) w + t w'. Its gap is bounded without
    another look at the data. Let a and a' be the dual points that certify the two fits. As the dual constraint
    ``|X^T a| <= lambda`` is convex in (a, lambda), (1 - t) a + t a' is feasible at ``lam``; as the dual is concave, its
    value is at least the mean of the two. As the loss and the norm are convex, the objective is at most
    (1 - t) L + t L' + lam ((1 - t) N + t N') for the losses L and the norms N. The difference is

        (1 - t) gap + t gap' + t (1 - t) (left.lam - right.lam) (N' - N).

    Parameters
    ----------
    left, right : Fit
        Of a method of which `interpolates` holds, on the same data, without rules for features, with duality gaps, at
        ``left.lam > right.lam``.
    lam : float
        From ``right.lam`` to ``left.lam``.

    Raises
    ------
    ValueError
        If a fit has no duality gap among all models or is under rules, or ``lam`` does not lie between theirs.
    """
    if not right.lam <= lam <= left.lam or right.lam == left.lam:
        msg = f"lambda = {lam:g} does not lie between {right.lam:g} and {left.lam:g}"
        raise ValueError(msg)
    t = (left.lam - lam) / (left.lam - right.lam)
    if t in (0.0, 1.0):
        end = right if t else left
        return Between(lam, end.weights, _gap(end), _gap(end) / end.result.objective)
    weights = (1.0 - t) * left.weights + t * right.weights
    norms = np.abs(left.weights).sum(), np.abs(right.weights).sum()
    gap = (1.0 - t) * _gap(left) + t * _gap(right) + t * (1.0 - t) * (left.lam - right.lam) * (norms[1] - norms[0])
    # The objective is at least the optimum, and that at least the mean of the two dual values.
    lowest = (1.0 - t) * _bound(left) + t * _bound(right)
    gap = max(float(gap), 0.0)
    return Between(lam, weights, gap, gap / lowest if lowest > 0.0 else np.inf)


def widest_gap(left: Fit, right: Fit) -> float:
    """The largest relative gap of any model between two neighbours; see `between`."""
    norm = np.abs(right.weights).sum() - np.abs(left.weights).sum()
    bend = max((left.lam - right.lam) * norm, 0.0) / 4.0
    lowest = min(_bound(left), _bound(right))
    return (max(_gap(left), _gap(right)) + float(bend)) / lowest if lowest > 0.0 else np.inf


def _bound(fit: Fit) -> float:
    """The dual value."""
    return fit.result.objective - _gap(fit)


def _gap(fit: Fit) -> float:
    certificate = fit.result.certificate
    if fit.under_rules:
        msg = (
            "under rules for features the penalty is not the l1 norm, of which alone the bound between two models holds"
        )
        raise ValueError(msg)
    if certificate.kind != "duality gap" or certificate.among:
        msg = "only a duality gap among all models says how good a model between two others is"
        raise ValueError(msg)
    return certificate.value
