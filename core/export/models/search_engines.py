"""Linear models for Solr and for the learning-to-rank plugins of Elasticsearch and OpenSearch: the JSON that one sends.

The engines compute in float32 and know no intercept. Constants of a scaling go into their normalizers.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from core.data import DataError
from core.export.models.linear_model import LinearModel, ModelFeature

SOLR_STORE = "_DEFAULT_"
"""Solr's own name of the feature store that it uses where none is named."""
ROUNDING = 1e-5
"""Share of the largest possible score by which the lowest one is kept above 0: float32 rounds far less than this."""


def solr_model(model: LinearModel, name: str) -> str:
    """Write the model for Solr's model store, with a normalizer for every scaled feature.

    Raises
    ------
    DataError
        If a feature's range is too narrow for float32.
    """
    features = [{"name": f.name} | _solr_norm(f, model.scaling) for f in model.features]
    body = {
        "store": SOLR_STORE,
        "class": "org.apache.solr.ltr.model.LinearModel",
        "name": name,
        "features": features,
        "params": {"weights": {f.name: f.weight for f in model.features}},
    }
    return _text(body)


def _solr_norm(feature: ModelFeature, scaling: str) -> dict[str, Any]:
    if scaling == "none":
        return {}
    _check_range(feature)
    if scaling == "minmax":
        params = {"min": repr(feature.subtract), "max": repr(feature.subtract + feature.divide)}
        return {"norm": {"class": "org.apache.solr.ltr.norm.MinMaxNormalizer", "params": params}}
    params = {"avg": repr(feature.subtract), "std": repr(feature.divide)}
    return {"norm": {"class": "org.apache.solr.ltr.norm.StandardNormalizer", "params": params}}


def elasticsearch_model(model: LinearModel, name: str) -> str:
    """Write the body of ``POST _ltr/_featureset/FEATURE_SET/_createmodel``; OpenSearch takes the same.

    Scores are raised by `least_shift`, through the mean of one feature, because the engines take no negative ones.

    Raises
    ------
    DataError
        If a feature's range is too narrow for float32.
    """
    normalizers = {f.name: _normalizer(f, model.scaling) for f in model.features if model.scaling != "none"}
    shift = least_shift(model.features)
    if shift:
        carrier = max(model.features, key=lambda f: abs(f.weight))
        mean = carrier.subtract - shift * carrier.divide / carrier.weight
        normalizers[carrier.name] = {"standard": {"mean": mean, "standard_deviation": carrier.divide}}
    inner: dict[str, Any] = {"type": "model/linear"}
    inner |= {"feature_normalizers": normalizers} if normalizers else {}
    inner["definition"] = json.dumps({f.name: f.weight for f in model.features}, ensure_ascii=False)
    return _text({"model": {"name": name, "model": inner}})


def _normalizer(feature: ModelFeature, scaling: str) -> dict[str, Any]:
    _check_range(feature)
    if scaling == "minmax":
        return {"min_max": {"minimum": feature.subtract, "maximum": feature.subtract + feature.divide}}
    return {"standard": {"mean": feature.subtract, "standard_deviation": feature.divide}}


def least_shift(features: Sequence[ModelFeature]) -> float:
    """Return a constant that keeps all scores above 0 if added to them; 0 if none is needed.

    It covers every document with values in the ranges of the training part, and values of 0, which the engines give a
    feature whose query does not match.
    """
    terms = [[f.term(value) for value in (f.lowest, f.highest, 0.0)] for f in features]
    least = sum(map(min, terms))
    if least >= 0.0:
        return 0.0
    return -least + ROUNDING * sum(max(map(abs, each)) for each in terms)


def _check_range(feature: ModelFeature) -> None:
    low, high = np.float32(feature.subtract), np.float32(feature.subtract + feature.divide)
    if not (np.isfinite(high) and low < high and np.float32(feature.divide) > 0):
        msg = (
            f"the feature {feature.name!r} varies by {feature.divide:.3g} around {feature.subtract:.3g}, which the "
            "engine's float32 cannot tell apart; subtract a constant before logging it"
        )
        raise DataError(msg)


def _text(body: dict[str, Any]) -> str:
    return json.dumps(body, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
