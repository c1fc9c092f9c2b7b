"""Models and feature sets in the JSON of Solr, and of Elasticsearch's and OpenSearch's plugin.

The engines compute in float32 and know no intercept: constants of a scaling go into their normalizers. They compute
every feature of a set for every document, whatever its weight in the model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.data.errors import refuse
from core.data.files.file_content import read_json_file
from core.export.models.linear_model import LinearModel, ModelFeature

SOLR_STORE = "_DEFAULT_"
"""Solr's own name of the feature store that it uses where none is named."""
ROUNDING = 1e-5
"""Share of the largest possible score by which the lowest one is kept above 0: float32 rounds far less than this."""


def solr_model(model: LinearModel, name: str) -> str:
    """Write the model for Solr's model store, with a normalizer for every scaled feature.

    Raises a `DataError` if a feature's range is too narrow for float32.
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

    Raises a `DataError` if a feature's range is too narrow for float32.
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
        refuse(
            f"the feature {feature.name!r} varies by {feature.divide:.3g} around {feature.subtract:.3g}, which the "
            "engine's float32 cannot tell apart; subtract a constant before logging it"
        )


def _text(body: dict[str, Any]) -> str:
    return json.dumps(body, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


PLAIN_QUERY = "mustache"
"""The template language of features that are queries; it is the default, and such a feature names no other."""
_VECTOR = re.compile(r"\bfeature_vector\b")
_VECTOR_BY_NAME = re.compile(r"""\bfeature_vector\s*(?:\.\s*\w+\s*\(|\[)\s*(?:'[^']*'|"[^"]*")""")


@dataclass(frozen=True)
class FeatureSet:
    """A feature set: its features as the file has them, in order, and everything else that the file says."""

    features: tuple[Mapping[str, Any], ...]
    around: Mapping[str, Any]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the features, in order."""
        return tuple(feature["name"] for feature in self.features)

    def text(self) -> str:
        """Write the body of ``POST _ltr/_featureset/NAME``."""
        inner = {**self.around["featureset"], "features": list(self.features)}
        return json.dumps({**self.around, "featureset": inner}, indent=2, ensure_ascii=False) + "\n"


@dataclass(frozen=True)
class PrunedSet:
    """What a model needs of a feature set.

    ``for_others`` are features without a weight that are kept because others are computed from them. The ``unseen``
    read the values of others in a way that does not show which; every feature before them is kept.
    """

    whole: FeatureSet
    pruned: FeatureSet
    for_others: tuple[str, ...]
    unseen: tuple[str, ...]

    @property
    def saved(self) -> int:
        """Number of feature queries that are no longer run for every document."""
        return len(self.whole.features) - len(self.pruned.features)


def read_feature_set(path: Path) -> FeatureSet:
    """Read a feature set: the body that creates one, or the answer to ``GET _ltr/_featureset/NAME``.

    Raises a `DataError` if the file cannot be read or holds no feature set, or a feature has no name, no template or
    another's name.
    """
    return read_json_file(path, feature_set_of)


def feature_set_of(body: Any) -> FeatureSet:
    """Make a feature set of a parsed body; see `read_feature_set`.

    Raises a `DataError` if it is none.
    """
    body = body.get("_source", body) if isinstance(body, Mapping) else {}
    inner = body.get("featureset", body)
    listed = inner.get("features") if isinstance(inner, Mapping) else None
    if not isinstance(listed, list) or not listed:
        refuse('a feature set is needed, {"featureset": {"features": [{"name": …, "template": …}]}}')
    seen: set[str] = set()
    for number, feature in enumerate(listed, 1):
        name = feature.get("name") if isinstance(feature, Mapping) else None
        if not isinstance(name, str) or not name or "template" not in feature:
            refuse(f"feature {number} of the set needs a name and a template")
        if name in seen:
            refuse(f"the feature {name!r} is in the set twice")
        seen.add(name)
    around = {"validation": body["validation"]} if "validation" in body else {}
    rest = {key: value for key, value in inner.items() if key in ("name",)}
    return FeatureSet(tuple(listed), around | {"featureset": rest})


def prune(whole: FeatureSet, model: LinearModel) -> PrunedSet:
    """Keep the model's features and all that those are computed from, in the order of the set.

    Raises a `DataError` if the set lacks a feature of the model: the engine would refuse the model.
    """
    position = {name: place for place, name in enumerate(whole.names)}
    wanted = [feature.name for feature in model.features]
    absent = [name for name in wanted if name not in position]
    if absent:
        shown = ", ".join(repr(name) for name in absent[:5]) + (f" and {len(absent) - 5} more" if absent[5:] else "")
        refuse(
            f"the set has no feature {shown}, which the model needs; both must use the same names, so rename the "
            "features of the set or of the data"
        )
    kept: set[str] = set()
    unseen: list[str] = []
    waiting = list(dict.fromkeys(wanted))
    while waiting:
        name = waiting.pop()
        if name in kept:
            continue
        kept.add(name)
        feature = whole.features[position[name]]
        if reads_unseen(feature):
            unseen.append(name)
            waiting += whole.names[: position[name]]
        waiting += named_by(feature, whole.names)
    features = tuple(feature for feature in whole.features if feature["name"] in kept)
    others = tuple(feature["name"] for feature in features if feature["name"] not in wanted)
    return PrunedSet(whole, FeatureSet(features, whole.around), others, tuple(sorted(unseen, key=position.__getitem__)))


def named_by(feature: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """List the other features whose names a derived feature's expression or script holds.

    A word that happens to be the name of a feature counts, too: it is better to keep a feature than to break another.
    """
    if feature.get("template_language", PLAIN_QUERY) == PLAIN_QUERY:
        return []
    text = "\n".join(_strings(feature["template"]))
    others = (name for name in names if name != feature["name"])
    return [name for name in others if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)]


def reads_unseen(feature: Mapping[str, Any]) -> bool:
    """Whether a script reads the feature vector other than by names in quotes, or is stored elsewhere."""
    if feature.get("template_language", PLAIN_QUERY) != "script_feature":
        return False
    template = feature["template"]
    if isinstance(template, Mapping) and "source" not in template and "inline" not in template:
        return True
    text = "\n".join(_strings(template))
    return len(_VECTOR.findall(text)) > len(_VECTOR_BY_NAME.findall(text))


def _strings(value: Any) -> Iterator[str]:
    """Every string in a parsed JSON value. A template may also be JSON in a string."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)
