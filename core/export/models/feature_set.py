"""Feature sets of the Elasticsearch and OpenSearch learning-to-rank plugins, and the part of one that a model needs.

The engines compute every feature of a set for every document, whatever its weight in the model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.data import DataError
from core.data.files.file_content import read_json_file
from core.export.models.linear_model import LinearModel

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

    Attributes
    ----------
    whole, pruned : FeatureSet
    for_others : tuple of str
        Features without a weight that are kept because others are computed from them.
    unseen : tuple of str
        Features of the model's part that read the values of others in a way that does not show which; every feature
        before them is kept.
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

    Raises
    ------
    DataError
        If the file cannot be read or holds no feature set, or a feature has no name, no template or another's name.
    """
    return read_json_file(path, feature_set_of)


def feature_set_of(body: Any) -> FeatureSet:
    """Make a feature set of a parsed body; see `read_feature_set`.

    Raises
    ------
    DataError
        If it is none.
    """
    body = body.get("_source", body) if isinstance(body, Mapping) else {}
    inner = body.get("featureset", body)
    listed = inner.get("features") if isinstance(inner, Mapping) else None
    if not isinstance(listed, list) or not listed:
        msg = 'a feature set is needed, {"featureset": {"features": [{"name": …, "template": …}]}}'
        raise DataError(msg)
    seen: set[str] = set()
    for number, feature in enumerate(listed, 1):
        name = feature.get("name") if isinstance(feature, Mapping) else None
        if not isinstance(name, str) or not name or "template" not in feature:
            msg = f"feature {number} of the set needs a name and a template"
            raise DataError(msg)
        if name in seen:
            msg = f"the feature {name!r} is in the set twice"
            raise DataError(msg)
        seen.add(name)
    around = {"validation": body["validation"]} if "validation" in body else {}
    rest = {key: value for key, value in inner.items() if key in ("name",)}
    return FeatureSet(tuple(listed), around | {"featureset": rest})


def prune(whole: FeatureSet, model: LinearModel) -> PrunedSet:
    """Keep the model's features and all that those are computed from, in the order of the set.

    Raises
    ------
    DataError
        If the set lacks a feature of the model: the engine would refuse the model.
    """
    position = {name: place for place, name in enumerate(whole.names)}
    wanted = [feature.name for feature in model.features]
    absent = [name for name in wanted if name not in position]
    if absent:
        shown = ", ".join(repr(name) for name in absent[:5]) + (f" and {len(absent) - 5} more" if absent[5:] else "")
        msg = (
            f"the set has no feature {shown}, which the model needs; both must use the same names, so rename the "
            "features of the set or of the data"
        )
        raise DataError(msg)
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
