"""Models of a path as plain records for files: every digit, and the same record for the same model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from core.analysis.evaluation import Judgement
from core.analysis.path import PathPoint
from core.methods import Fit
from core.solvers import Certificate, FirstStage, FitResult, TracePoint


def point_record(point: PathPoint) -> dict[str, Any]:
    """Return a model as numbers, texts, lists and dictionaries; names of features are left out."""
    fit, result = point.fit, point.fit.result
    settings = {"method": fit.method, "solver": fit.solver, "parameters": dict(fit.parameters)}
    place = {"lam": fit.lam, "c": fit.c, "lam_max": fit.lam_max}
    first = {} if result.first_stage is None else {"first_stage": asdict(result.first_stage)}
    rules = {"under_rules": True} if fit.under_rules else {}
    return settings | place | {
        "weights": result.weights.tolist(),
        "objective": result.objective,
        "certificate": dict(vars(result.certificate)),
        "stop": result.stop,
        "seconds": result.seconds,
        "passes": result.passes,
        "trace": [vars(each) | {"certificate": dict(vars(each.certificate))} for each in result.trace],
        "judgement": asdict(point.judgement),
    } | first | rules  # fmt: skip


def point_of(record: Mapping[str, Any], names: Sequence[str]) -> PathPoint:
    """Return the model of a record.

    Parameters
    ----------
    record : mapping
        From `point_record`.
    names : sequence of str
        Of the features.

    Raises
    ------
    KeyError, TypeError
        If it is no such record.
    """
    first = record.get("first_stage")
    result = FitResult(
        weights=np.array(record["weights"], dtype=np.float64),
        objective=record["objective"],
        certificate=Certificate(**record["certificate"]),
        stop=record["stop"],
        seconds=record["seconds"],
        passes=record["passes"],
        trace=tuple(
            TracePoint(**(each | {"certificate": Certificate(**each["certificate"])})) for each in record["trace"]
        ),
        first_stage=None if first is None else FirstStage(first["stop"], Certificate(**first["certificate"])),
    )
    settings = {name: record[name] for name in ("method", "solver", "parameters", "lam", "c", "lam_max")}
    fit = Fit(**settings, feature_names=tuple(names), result=result, under_rules=record.get("under_rules", False))
    return PathPoint.of(fit, Judgement(**record["judgement"]))
