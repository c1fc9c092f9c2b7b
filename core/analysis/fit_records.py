"""Results as JSON-ready records, for the command line and for downloads from the app."""

from __future__ import annotations

from typing import Any

from core.analysis.endings import STOP_WORDS
from core.analysis.evaluation import Judgement
from core.analysis.path import PathPoint
from core.methods import EmptyOptimumError, Fit
from core.solvers import Certificate, TracePoint


def fit_record(fit: Fit, judgement: Judgement, convention: str, *, trace: bool = True) -> dict[str, Any]:
    """Return a fit as the record that ``fit --json`` prints.

    ``features`` lists the non-zero ones, largest absolute weight first, ``index`` counting from 1. ``metrics`` count as
    the official scripts do, ties in the order of the file; ``expected_over_ties`` has the values that differ in
    expectation over the orders of tied documents. A refitted model also has ``first_stage``: ``stop`` and
    ``certificate`` of the model that selected its features.
    """
    result = fit.result
    record: dict[str, Any] = {
        "method": fit.method,
        "solver": fit.solver,
        "parameters": dict(fit.parameters),
        "lambda": fit.lam,
        "C": fit.c,
        "lambda_max": fit.lam_max,
        "lambda_ratio": fit.lam / fit.lam_max if fit.lam_max > 0 else None,
        "objective": result.objective,
        "certificate": certificate_record(result.certificate),
        "stop": STOP_WORDS[result.stop],
        "steps": result.steps,
        "seconds": result.seconds,
        "passes": result.passes,
        "nonzero": result.nonzero,
        "features": [
            {"index": int(j) + 1, "name": fit.feature_names[j], "weight": float(fit.weights[j])} for j in fit.selected
        ],
        "metrics": judgement.metrics,
        "expected_over_ties": judgement.expected,
        "convention": convention,
    }
    first = result.first_stage
    if first is not None:
        record["first_stage"] = {"stop": STOP_WORDS[first.stop], "certificate": certificate_record(first.certificate)}
    if trace:
        record["trace"] = [_trace_point(point) for point in result.trace]
    return record


def empty_optimum_record(
    fit: Fit, reason: EmptyOptimumError, judgement: Judgement, convention: str, *, trace: bool = True
) -> dict[str, Any]:
    """Return the record of a fit where lambda_max is 0: the model has no C and no share of lambda_max."""
    return fit_record(fit, judgement, convention, trace=trace) | {"lambda": 0.0, "C": None} | _why(reason)


def empty_path_record(reason: EmptyOptimumError) -> dict[str, Any]:
    """Return the record of a path without points, with the reason."""
    return {"lambda_max": 0.0, "points": [], "stop": STOP_WORDS["empty model"]} | _why(reason)


def _why(reason: EmptyOptimumError) -> dict[str, Any]:
    return {"reason": str(reason), "way_out": reason.way_out}


def path_record(points: list[PathPoint], lam_max: float, convention: str) -> dict[str, Any]:
    """Return a path as the record that ``path --json`` prints."""
    return {
        "lambda_max": lam_max,
        "points": [fit_record(point.fit, point.judgement, convention, trace=False) for point in points],
    }


def certificate_record(certificate: Certificate) -> dict[str, Any]:
    """Return kind, value, relative value with its ``unit``, and the models ``among`` which the certificate holds.

    ``among`` is empty only for a duality gap among all models. A stationarity residual compares no models: null, or the
    models towards which it considers directions.
    """
    return {
        "kind": certificate.kind,
        "value": certificate.value,
        "relative": certificate.relative,
        "unit": certificate.share_of,
        "among": certificate.holds_among,
    }


def _trace_point(point: TracePoint) -> dict[str, Any]:
    return {
        "step": point.step,
        "objective": point.objective,
        "certificate": certificate_record(point.certificate),
        "seconds": point.seconds,
        "passes": point.passes,
        "nonzero": point.nonzero,
        "provisional": point.provisional,
    }
