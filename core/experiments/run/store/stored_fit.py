"""A cell's model as the fit that it was: for pages that draw it, and open it without fitting anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from core.analysis.endings import REASON_OF
from core.data import DataError
from core.experiments.run.learners.trace_columns import trace_points
from core.experiments.run.protocol import CellResult
from core.methods import Fit
from core.solvers import Certificate, FirstStage, FitResult, StopReason, TracePoint


def stored_fit(result: CellResult, feature_names: Sequence[str]) -> Fit:
    """The chosen model of a linear learner with all of its trace.

    Fitted anew at the same C it would be the same to the digits shown where it converged; where it ended at a limit it
    would not, as a path's models start from one another.

    Parameters
    ----------
    result : CellResult
    feature_names : sequence of str
        Of the data, all of them.

    Raises
    ------
    DataError
        If the model is not linear, has no lambda, or comes from a store of before there were traces.
    """
    record, trace = result.record, trace_points(result.trace)
    if not result.linear or not record["lambda"] or not trace or "among" not in record["certificate"]:
        msg = (
            "this cell has no fit to open: it is no linear model, empty at every λ, or from before traces and what "
            "certificates hold among were kept"
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
    """None of a model that is not refitted, and of one from before it was kept."""
    if kept is None:
        return None
    found = kept["certificate"]
    plain = Certificate(found["kind"], found["value"], found["relative"], among=found["among"] or "")
    special = found["unit"] != plain.share_of
    return FirstStage(_reason(kept["stop"]), replace(plain, unit=found["unit"]) if special else plain)


def _certificate(kept: Mapping[str, Any], last: TracePoint) -> Certificate:
    """The trace's last; inside a round of reweighting that is the round's, and the record has the fit's own."""
    if last.provisional:
        return Certificate(kept["kind"], kept["value"], kept["relative"], among=kept["among"] or "")
    return last.certificate
