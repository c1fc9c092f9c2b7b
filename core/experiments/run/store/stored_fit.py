"""Conversion of a stored cell to the `Fit` it was, so that pages can draw and open it without fitting again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from core.analysis.endings import REASON_OF
from core.data import DataError
from core.experiments.run.learners.learner import trace_points
from core.experiments.run.protocol import CellResult
from core.methods import Fit
from core.solvers import Certificate, FirstStage, FitResult, StopReason, TracePoint


def stored_fit(result: CellResult, feature_names: Sequence[str]) -> Fit:
    """Return the chosen model of a linear learner with its whole trace.

    A new fit at the same C would agree in the digits shown if it converged. If it ended at a limit it would not,
    because the models of a path start from one another.

    Parameters
    ----------
    result : CellResult
    feature_names : sequence of str
        Names of all features of the data.

    Raises
    ------
    DataError
        If the model is not linear, has no lambda, or comes from a store of before there were traces.
    """
    record, trace = result.record, trace_points(result.trace)
    if not result.linear or not record["lambda"] or not trace or "among" not in record["certificate"]:
        msg = (
            "this cell has no fit to open: it is not a linear model, is empty at every λ, or was saved before fits "
            "stored their traces and certificates in full"
        )
        raise DataError(msg)
    return Fit(
        method=record["method"],
        solver=record["solver"],
        parameters=record["parameters"],
        lam=record["lambda"],
        c=record["C"],
        lam_max=record["lambda_max"],
        feature_names=tuple(feature_names),
        result=FitResult(
            weights=result.weights,
            objective=record["objective"],
            certificate=_certificate(record["certificate"], trace[-1]),
            stop=_reason(record["stop"]),
            seconds=record["seconds"],
            passes=record["passes"],
            trace=trace,
            first_stage=_first_stage(record.get("first_stage")),
        ),
    )


def _reason(words: str) -> StopReason:
    return cast(StopReason, REASON_OF[words])


def _first_stage(kept: Mapping[str, Any] | None) -> FirstStage | None:
    """Return the first stage of a refit; None for other models and in older stores."""
    if kept is None:
        return None
    found = kept["certificate"]
    plain = Certificate(found["kind"], found["value"], found["relative"], among=found["among"] or "")
    special = found["unit"] != plain.share_of
    return FirstStage(_reason(kept["stop"]), replace(plain, unit=found["unit"]) if special else plain)


def _certificate(kept: Mapping[str, Any], last: TracePoint) -> Certificate:
    """Return the certificate of the fit: the trace's last one, or the record's if the last step was provisional."""
    if last.provisional:
        return Certificate(kept["kind"], kept["value"], kept["relative"], among=kept["among"] or "")
    return last.certificate
