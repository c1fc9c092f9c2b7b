"""A linear model for export, as a plain value made from what ``fit --json`` prints."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.analysis.fit_records import altered
from core.data import DataError
from core.data.errors import refuse
from core.data.files.file_content import read_json_file
from core.names.numbers import short
from core.program import PROGRAM

FIT_AGAIN = f"fit the model again with {PROGRAM} fit … --json"
_ORIGIN = (
    "dataset", "fold", "method", "solver", "parameters", "C", "lambda", "stop", "certificate", "tuned", "metrics",
    "expected_over_ties", "convention", "training",
)  # fmt: skip


@dataclass(frozen=True)
class ModelFeature:
    """A feature of the model: its term in the score is weight · (value − subtract) / divide.

    ``index`` counts from 1; ``lowest`` and ``highest`` are the ends of its range in the training part.
    """

    index: int
    name: str
    weight: float
    subtract: float
    divide: float
    lowest: float
    highest: float

    @property
    def folded(self) -> float:
        """The weight of the value as it stands: weight / divide."""
        return self.weight / self.divide

    def term(self, value: float) -> float:
        """Return the feature's part of the score at a value."""
        return self.weight * ((value - self.subtract) / self.divide)


@dataclass(frozen=True)
class LinearModel:
    """A linear model with everything that another program needs to rank as it does.

    ``features`` are those with a weight that is not 0, by index; ``feature_names`` are all that the model chose from.
    The constants come from ``scaling``: "none", "minmax" or "standard". ``within_queries``
    says that the data's own file has features that were scaled within each query. ``description`` is data and method in
    one line; ``origin`` has what ``fit --json`` printed; ``altered`` says that the record's model is not the one that
    the fit wrote, and is empty if it is.
    """

    features: tuple[ModelFeature, ...]
    scaling: str
    feature_names: tuple[str, ...]
    description: str
    origin: Mapping[str, Any]
    within_queries: bool = False
    altered: tuple[str, ...] = ()

    @property
    def constant(self) -> float:
        """What the score has beside the folded weights: − Σ folded weight · subtract."""
        return -math.fsum(feature.folded * feature.subtract for feature in self.features)


def read_result(path: Path) -> LinearModel:
    """Read a file that ``fit --json`` has written.

    Raises a `DataError` if the file cannot be read, or as `model_of_record`.
    """
    return read_json_file(path, model_of_record, needed=f"that {PROGRAM} fit … --json has written")


def model_of_record(record: Any) -> LinearModel:
    """Make a model of what ``fit --json`` prints: `fit_record` with `training_record` of `core.analysis.fit_records`.

    Raises a `DataError` if it is no such record, the model has no features, or its features were scaled within each
    query.
    """
    if not isinstance(record, Mapping):
        refuse(f"this is not the result of a fit; {FIT_AGAIN}")
    if "points" in record:
        msg = f"this is a path of many models; fit a single one with {PROGRAM} fit … --C X --json"
        raise DataError(msg)
    missing = [key for key in ("features", "scaling", "feature_names") if key not in record]
    if missing:
        refuse(f"this result of a fit lacks {' and '.join(repr(key) for key in missing)}; {FIT_AGAIN}")
    try:
        how, within = str(record["scaling"]["id"]), bool(record["scaling"].get("within_queries"))
        if how == "query-minmax":
            raise DataError(_WITHIN_QUERIES)
        found = _features(record["features"], record["scaling"]["features"])
        names = tuple(str(name) for name in record["feature_names"])
    except DataError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError):
        msg = f"its features, names or scaling are not as fit --json prints them; {FIT_AGAIN}"
        raise DataError(msg) from None
    if not found:
        refuse("the model keeps no feature, so there is nothing to export; fit it with a larger C")
    if any(not 1 <= feature.index <= len(names) for feature in found):
        refuse(f"a feature's index is not between 1 and {len(names)}, the number of names; {FIT_AGAIN}")
    origin = {key: record[key] for key in _ORIGIN if key in record}
    description = _description(record, len(found), len(names))
    return LinearModel(found, how, names, description, origin, within, altered(record))


_WITHIN_QUERIES = (
    "the features were scaled within each query, so a document's score depends on the other documents of its query, "
    "which no format supports; fit the model again with --scale minmax or --scale standard, or without --scale, and "
    "compare its metrics with those here"
)


def _features(weights: Any, constants: Any) -> tuple[ModelFeature, ...]:
    """Join weights and constants by index, without features that were constant in training and so scaled to 0."""
    of = {int(row["index"]): row for row in constants}
    features = []
    for given in weights:
        row = of[int(given["index"])]
        numbers = [float(row[key]) for key in ("subtract", "divide", "lowest", "highest")]
        feature = ModelFeature(int(given["index"]), str(given["name"]), float(given["weight"]), *numbers)
        if feature.weight == 0.0 or feature.divide == 0.0:
            continue
        if not all(map(math.isfinite, (feature.weight, *numbers, feature.folded))):
            refuse(f"the weight or scaling of the feature {feature.name!r} is not a finite number")
        features.append(feature)
    return tuple(sorted(features, key=lambda feature: feature.index))


def _description(record: Mapping[str, Any], kept: int, of: int) -> str:
    """Say in one line what was fitted on what, and who chose C."""
    c, tuned = record.get("C"), record.get("tuned")
    parts = [str(record.get("method", "linear model"))]
    if "dataset" in record:
        parts.append(f"on {record['dataset']} fold {record.get('fold', 1)}")
    settings = "" if not isinstance(c, int | float) else f", C = {short(c)}"
    if settings and isinstance(tuned, Mapping):
        settings += f" chosen by validation {tuned.get('measure')}"
    return " ".join(f"{' '.join(parts)}{settings}, {kept} of {of} features".split())
