"""Results as JSON-ready records, for the command line and for downloads from the app."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.endings import STOP_WORDS
from core.analysis.evaluation import Judgement
from core.analysis.path import PathPoint
from core.analysis.path_over_k import K, bound_of
from core.data import DataError, Fold, RankingData
from core.data.dataset import AppliedScaling
from core.data.matching import matched
from core.data.scaling import ranges_within_queries, scaled
from core.methods import EmptyOptimumError, Fit
from core.names.plain import visible
from core.program import PROGRAM
from core.solvers import Certificate
from core.solvers.problem import pair_scores


def fit_record(fit: Fit, judgement: Judgement, convention: str, *, trace: bool = True) -> dict[str, Any]:
    """Return a fit as the record that ``fit --json`` prints.

    ``features`` lists the non-zero ones, largest absolute weight first, ``index`` counting from 1. ``metrics`` are in
    expectation over the orders of tied documents, under LETOR's conventions as their scripts count, in the order of the
    file; ``expected_over_ties`` then has the values in expectation that differ. A refitted model also has
    ``first_stage``: ``stop`` and
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
        "features": _features(fit),
        "metrics": judgement.official,
        "expected_over_ties": judgement.expected_over_ties,
        "convention": convention,
    }
    first = result.first_stage
    if first is not None:
        record["first_stage"] = {"stop": STOP_WORDS[first.stop], "certificate": certificate_record(first.certificate)}
    if trace:
        record["trace"] = [
            vars(point) | {"certificate": certificate_record(point.certificate)} for point in result.trace
        ]
    return record


def _features(fit: Fit) -> list[dict[str, Any]]:
    return [{"index": int(j) + 1, "name": fit.feature_names[j], "weight": float(fit.weights[j])} for j in fit.selected]


def training_record(fold: Fold, fit: Fit) -> dict[str, Any]:
    """Return what else a model needs on its way out; see `training_records`."""
    [record] = training_records(fold, [fit])
    return record


def training_records(fold: Fold, fits: Sequence[Fit]) -> list[dict[str, Any]]:
    """Return what else models need on their way out: names, scaling and ranges of features, and their training part.

    ``digest`` is that of weights, scaling and names, by which `altered` tells a model that somebody has changed.

    ``scaling`` has a row for every feature that `fit_record` lists, in the same order: the scaled value is (value −
    ``subtract``) / ``divide``, where ``divide`` is not 0, and ``lowest`` and ``highest`` are the ends of the feature's
    range in the training part before scaling. Within each query there are no such constants, hence no rows.
    ``within_queries`` says whether the file itself has features that were scaled within each query.
    """
    data, applied = fold.train, fold.scaling
    lowest, highest = (applied.undone(end) for end in (data.features.min(axis=0), data.features.max(axis=0)))
    within_queries = applied.id != "query-minmax" and ranges_within_queries(data)
    training = {"documents": data.n_documents, "queries": data.n_queries, "fingerprint": data.fingerprint}
    records = []
    for fit in fits:
        rows = [
            {
                "index": int(j) + 1,
                "subtract": 0.0 if applied.origin is None else float(applied.origin[j]),
                "divide": 1.0 if applied.span is None else float(applied.span[j]),
                "lowest": float(lowest[j]),
                "highest": float(highest[j]),
            }
            for j in fit.selected
        ]
        constants = {"features": [] if applied.id == "query-minmax" else rows}
        scaling = {"id": applied.id, "within_queries": within_queries} | constants
        model = {"features": _features(fit), "scaling": scaling, "feature_names": list(fit.feature_names)}
        records.append(model | {"digest": _digest(model), "training": training})
    return records


def scores_by_record(
    record: Any, data: RankingData, file: str, *, zeros_left_out: bool = True
) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    """Score documents by the model of a record, shape (n_documents,), with what a person has to know of it.

    Raises a `DataError` if it is no such record, or the documents lack a feature that the model uses.

    Parameters
    ----------
    record : mapping
        What ``fit --json`` prints: `fit_record` with `training_record`.
    data : RankingData
        With features as they were before the scaling of the record.
    file : str
        Name of the data in messages.
    zeros_left_out : bool
        Whether the data may be text that leaves zeros out; see `matched`.
    """
    try:
        names, how = tuple(map(str, record["feature_names"])), str(record["scaling"]["id"])
        kept = {int(feature["index"]) - 1: float(feature["weight"]) for feature in record["features"]}
        constants = {int(row["index"]) - 1: row for row in record["scaling"]["features"]}
        without = how in ("none", "query-minmax")
        used = [j for j in kept if without or float(constants[j]["divide"]) != 0.0]
        origin, span = (np.array([float(constants[j][key]) for j in used]) if not without else None
                        for key in ("subtract", "divide"))  # fmt: skip
        _ = [names[j] for j in used]
    except (KeyError, TypeError, ValueError, IndexError):
        msg = f"this is not the result of a fit with scaling and names; fit again with {PROGRAM} fit … --json"
        raise DataError(msg) from None
    try:
        match = matched(names, data.feature_names, used, zeros_left_out=zeros_left_out)
    except DataError as error:
        msg = f"does not fit {visible(file)}: {error.reason}"
        raise DataError(msg) from None
    notes = (*match.notes, *altered(record))
    if not used:
        return np.zeros(data.n_documents), notes
    chosen = data.with_features(match.values(data.features, used), [names[j] for j in used])
    applied = AppliedScaling(how, origin, span)
    return np.asarray(pair_scores(scaled(chosen, applied), np.array([kept[j] for j in used]))), notes


def altered(record: Any) -> tuple[str, ...]:
    """Say that a record's model is not the one that the fit wrote, whose numbers the record has; nothing if it is."""
    if "digest" not in record or record["digest"] == _digest(record):
        return ()
    return (
        "The weights, names or scaling are not those that the fit wrote: its metrics, objective and certificate do not "
        "hold for this model.",
    )


def _digest(record: Mapping[str, Any]) -> str:
    """The sha256 of a record's model: weights, scaling and names."""
    model = [record.get(key) for key in ("features", "scaling", "feature_names")]
    alike = json.loads(json.dumps(model), object_hook=_with_fractions)
    return hashlib.sha256(json.dumps(alike, sort_keys=True).encode()).hexdigest()


def _with_fractions(row: dict[str, Any]) -> dict[str, Any]:
    """Numbers as they were written: other programs make 0 of 0.0."""
    return {key: float(value) if type(value) is int and key != "index" else value for key, value in row.items()}


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


def over_k_record(record: dict[str, Any], points: Sequence[PathPoint]) -> dict[str, Any]:
    """Return the record of a path over k: each point has its ``k``, and its ``bound``, or null without one.

    No model with at most k features (and as the certificate's ``among`` says) has an objective below the bound.
    """
    more = [{"k": int(point.fit.parameters[K]), "bound": bound_of(point.fit)} for point in points]
    return record | {"over": K, "points": [row | known for row, known in zip(record["points"], more, strict=True)]}


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
