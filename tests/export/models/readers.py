"""Readers of exported models, written from what the other programs' documentation and sources do, not from our writers.

Each takes the text of a file and returns a function from values by name, or from columns by index (from 0), to scores.
Values may be numbers or arrays of all documents' values.
Models to export: fitted as ``fit --json`` does, and written out by hand.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from core.analysis.evaluation import FoldJudge
from core.analysis.fit_records import fit_record, training_record
from core.data import Fold, Reading
from core.methods import get_method

ByName = Callable[[Mapping[str, Any]], Any]
ByIndex = Callable[[Sequence[Any]], Any]


def solr(text: str) -> ByName:
    """LTRScoringModel and LinearModel of Solr: normalizers, then a float32 dot product in the order of the features."""
    body = json.loads(text)
    assert body["class"] == "org.apache.solr.ltr.model.LinearModel"
    names = [feature["name"] for feature in body["features"]]
    assert len(set(names)) == len(names), "Solr refuses a feature that is listed twice"
    weights = body["params"]["weights"]
    assert all(name in weights for name in names), "Solr refuses a feature without a weight"
    norms = [_solr_norm(feature.get("norm")) for feature in body["features"]]

    def score(values: Mapping[str, Any]) -> Any:
        total: Any = np.float32(0)
        for name, norm in zip(names, norms, strict=True):
            total = total + norm(float32(values[name])) * np.float32(weights[name])
        assert total.dtype == np.float32
        return total

    return score


def float32(value: Any) -> Any:
    return np.asarray(value, dtype=np.float32)


def _solr_norm(given: Any) -> Callable[[Any], Any]:
    if given is None:
        return lambda value: value
    params = given["params"]
    assert all(isinstance(text, str) for text in params.values())
    kind = given["class"].removeprefix("org.apache.solr.ltr.norm.")
    if kind == "MinMaxNormalizer":
        low, high = np.float32(params["min"]), np.float32(params["max"])
        assert high - low != 0
        return lambda value: (value - low) / (high - low)
    assert kind == "StandardNormalizer"
    mean, deviation = np.float32(params["avg"]), np.float32(params["std"])
    assert deviation > 0
    return lambda value: (value - mean) / deviation


def elasticsearch(text: str, feature_set: Sequence[str]) -> ByName:
    """LinearRankerParser, LinearRanker and the normalizers of the plugin: float32, in the order of the feature set."""
    model = json.loads(text)["model"]["model"]
    assert model["type"] == "model/linear"
    definition = json.loads(model["definition"])
    assert set(definition) <= set(feature_set), "the plugin refuses an unknown feature"
    normalizers = model.get("feature_normalizers", {})
    assert set(normalizers) <= set(feature_set), "the plugin refuses an unknown feature"

    def normalized(name: str, value: Any) -> Any:
        match normalizers.get(name):
            case None:
                return value
            case {"standard": {"mean": mean, "standard_deviation": deviation}}:
                assert np.float32(deviation) > 0
                return (value - np.float32(mean)) / np.float32(deviation)
            case {"min_max": {"minimum": low, "maximum": high}}:
                assert np.float32(low) < np.float32(high)
                return (value - np.float32(low)) / (np.float32(high) - np.float32(low))
            case other:
                raise AssertionError(other)

    def score(values: Mapping[str, Any]) -> Any:
        total: Any = np.float32(0)
        for name in feature_set:
            total = total + np.float32(definition.get(name, 0.0)) * normalized(name, float32(values[name]))
        assert total.dtype == np.float32
        return total

    return score


def ranklib(text: str) -> ByIndex:
    """RankerFactory and CoorAscent.load: the first line names the ranker, the first other line has all pairs."""
    lines = text.split("\n")
    assert lines[0] == "## Coordinate Ascent"
    content = next(line.strip() for line in lines if line.strip() and not line.startswith("##"))
    pairs = [(int(key), float(value)) for key, value in (pair.split(":") for pair in content.split(" "))]
    return lambda row: sum(weight * row[index - 1] for index, weight in pairs)


def svm_light(text: str) -> ByIndex:
    """read_model and classify_example of SVM-light: Σ alpha·y · (support vector · row) − b for the linear kernel."""
    lines = text.split("\n")
    assert lines[0] == "SVM-light Version V6.02"
    head = [line.partition("#")[0].strip() for line in lines[1:11]]
    assert head[0] == "0", "the kernel is linear"
    highest, n_vectors, threshold = int(head[6]), int(head[8]), float(head[9])
    total: dict[int, float] = {}
    for line in lines[11 : 11 + n_vectors - 1]:
        alpha, *pairs = line.partition("#")[0].split()
        indices = [int(pair.partition(":")[0]) for pair in pairs]
        assert indices == sorted(set(indices)), "SVM-light wants rising indices"
        assert 1 <= indices[0] <= indices[-1] <= highest
        for index, pair in zip(indices, pairs, strict=True):
            total[index] = total.get(index, 0.0) + float(alpha) * float(pair.partition(":")[2])
    assert not "".join(lines[11 + n_vectors - 1 :]).strip()
    return lambda row: sum(weight * row[index - 1] for index, weight in total.items()) - threshold


def own_json(text: str) -> ByName:
    """The sentence in the file's own key ``score``, its second half."""
    body = json.loads(text)
    assert "constant + sum of folded_weight * value" in body["score"]
    return lambda values: body["constant"] + sum(f["folded_weight"] * values[f["name"]] for f in body["features"])


def python_module(text: str) -> ByName:
    """Import the module with nothing else at hand."""
    assert not re.search(r"^\s*(import|from) ", text, re.MULTILINE)
    module: dict[str, Any] = {}
    exec(compile(text, "model.py", "exec"), module)
    score: ByName = module["score"]
    return score


def fitted(name: str, scale: str, *, method: str = "l1", ratio: float = 0.005) -> tuple[dict[str, Any], Fold]:
    """The record of a fit as it stands in a file, and the fold with scaled features."""
    dataset = Reading(scale=scale).open(name)
    fold = dataset.fold(1)
    how = get_method(method)
    training = how.training(fold.train, how.settings({}), dataset.convention)
    fit = how.fit(training, training.lam_at(ratio))
    record = {"dataset": dataset.name, "fold": 1}
    record |= fit_record(fit, FoldJudge(fold, dataset.convention).judgement(fit.weights), dataset.convention)
    return json.loads(json.dumps(record | training_record(fold, fit))), fold


def by_hand(
    *rows: tuple[str, float, float, float], scaling: str = "none", ends: tuple[float, float] = (0.0, 1.0)
) -> Any:
    """A record with features (name, weight, subtract, divide), all with the same range."""
    return {
        "method": "by hand",
        "features": [{"index": j, "name": name, "weight": w} for j, (name, w, _, _) in enumerate(rows, 1)],
        "scaling": {
            "id": scaling,
            "features": [
                {"index": j, "subtract": subtract, "divide": divide, "lowest": ends[0], "highest": ends[1]}
                for j, (_, _, subtract, divide) in enumerate(rows, 1)
            ],
        },
        "feature_names": [name for name, *_ in rows],
    }
