"""The formats that a linear model can leave in."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from core.data.errors import refuse
from core.export.models.linear_model import LinearModel
from core.export.models.search_engines import elasticsearch_model, solr_model

JSON_FORMAT = "sparse-ranking-lab/linear-model/1"


def json_model(model: LinearModel, name: str) -> str:
    """Write the model with its scaling, both apart and folded into the weights, and where it comes from."""
    body = {
        "format": JSON_FORMAT,
        "name": name,
        "description": model.description,
        "score": "sum of weight * (value - subtract) / divide, or constant + sum of folded_weight * value",
        "scaling": model.scaling,
        "constant": model.constant,
        "features": [asdict(f) | {"folded_weight": f.folded} for f in model.features],
        "origin": dict(model.origin),
    }
    return json.dumps(body, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


_MODULE = '''"""A linear ranking model: score(features) scores a document; the highest score of a query ranks first."""

NAME = {name!r}
DESCRIPTION = {description!r}

# name of the feature: (weight, subtract, divide)
FEATURES = {{
{rows}
}}


def score(features):
    """Score one document.

    Parameters
    ----------
    features : mapping
        The document's value of every name in FEATURES; others are ignored.

    Raises
    ------
    KeyError
        If a feature is missing.
    """
    return sum(
        weight * (features[name] - subtract) / divide for name, (weight, subtract, divide) in FEATURES.items()
    )
'''


def python_module(model: LinearModel, name: str) -> str:
    """Write a module of its own that imports nothing and has ``score(features)``, a mapping by name."""
    rows = "\n".join(f"    {f.name!r}: ({f.weight!r}, {f.subtract!r}, {f.divide!r})," for f in model.features)
    return _MODULE.format(name=name, description=model.description, rows=rows)


def sklearn_model(model: LinearModel) -> bytes:
    """Write a scikit-learn ``LinearRegression`` as ``skops.io.load`` reads it; ``predict`` takes all features.

    The file holds no pickle. Columns are those of the data that the model was fitted on, in the same order.

    Raises a `DataError` if skops is not installed.
    """
    try:
        from skops.io import dumps
    except ImportError:
        refuse("the format sklearn needs the package skops: pip install skops")
    from sklearn.linear_model import LinearRegression

    estimator = LinearRegression()
    estimator.coef_ = np.zeros(len(model.feature_names))
    for feature in model.features:
        estimator.coef_[feature.index - 1] = feature.folded
    estimator.intercept_ = model.constant
    estimator.n_features_in_ = len(model.feature_names)
    if len(set(model.feature_names)) == len(model.feature_names):
        estimator.feature_names_in_ = np.array(model.feature_names, dtype=object)
    packed: bytes = dumps(estimator)
    return packed


def ranklib_model(model: LinearModel) -> str:
    """Write the model as RankLib's Coordinate Ascent, a linear model that its reader recognises by the first line."""
    return f"## Coordinate Ascent\n{_terms(model)}\n"


def svmrank_model(model: LinearModel) -> str:
    """Write the model as one support vector of a linear kernel, as SVM-light keeps linear models."""
    documents = model.origin.get("training", {}).get("documents", 0)
    return (
        "SVM-light Version V6.02\n"
        "0 # kernel type\n"
        "3 # kernel parameter -d \n"
        "1 # kernel parameter -g \n"
        "1 # kernel parameter -s \n"
        "1 # kernel parameter -r \n"
        "empty# kernel parameter -u \n"
        f"{len(model.feature_names)} # highest feature index \n"
        f"{documents} # number of training documents \n"
        "2 # number of support vectors plus 1 \n"
        "0 # threshold b, each following line is a SV (starting with alpha*y)\n"
        f"1 {_terms(model)} #\n"
    )


def _terms(model: LinearModel) -> str:
    return " ".join(f"{f.index}:{f.folded!r}" for f in model.features)


MEASURES = ("MAP", "NDCG@1", "NDCG@5", "NDCG@10", "P@10", "Top")


def model_page(model: LinearModel, name: str) -> str:
    """Write one HTML file that asks no other machine for anything."""
    from core.experiments.results.printed_table import plain_table
    from core.export.html_report import Section, html_report

    constants = "" if model.scaling == "none" else "A term of the score is weight · (value − subtract) / divide."
    features = plain_table("features", "Features, by absolute weight.", constants, _feature_rows(model))
    sections = [Section("Features", tables=(features,))]
    measured = [
        {"part": part} | {measure: values[measure] for measure in MEASURES if measure in values}
        for part, values in model.origin.get("metrics", {}).items()
    ]
    if measured:
        convention, expected = model.origin.get("convention", ""), model.origin.get("expected_over_ties", {})
        note = f"{convention} convention; documents with the same score count in expectation over their orders."
        if convention != "standard":
            note = f"{convention} convention; documents with the same score keep the order of the file."
            told = [
                f"{part} {m} {v:.4f}" for part, values in expected.items() for m, v in values.items() if m in MEASURES
            ]
            note += f" Over their orders: {', '.join(told)}." if told else ""
        sections.append(Section("Measures", tables=(plain_table("measures", "Mean over queries.", note, measured),)))
    origin = [{"what": key, "value": str(value)} for key, value in model.origin.items() if not isinstance(value, dict)]
    origin += [{"what": key, "value": str(value)} for key, value in model.origin.get("training", {}).items()]
    if origin:
        sections.append(Section("Origin", tables=(plain_table("origin", "How it was fitted.", "", origin),)))
    return html_report(name, (model.description,), sections)


def _feature_rows(model: LinearModel) -> list[dict[str, Any]]:
    largest_first = sorted(model.features, key=lambda feature: -abs(feature.weight))
    rows: list[dict[str, Any]] = []
    for f in largest_first:
        row: dict[str, Any] = {"feature": f.name, "index": f.index, "weight": f"{f.weight:.4g}"}
        if model.scaling != "none":
            row |= {"subtract": f"{f.subtract:.4g}", "divide": f"{f.divide:.4g}"}
        rows.append(row | {"lowest": f"{f.lowest:.4g}", "highest": f"{f.highest:.4g}"})
    return rows


@dataclass(frozen=True)
class ModelFormat:
    """A format: how a model is written in it, and what follows for a person.

    ``write`` takes a model and its name in the other program, and returns the content of a file, which usually ends in
    ``extension``; ``next_step`` says what to do with ``{file}`` and ``{name}``. The other program finds features
    ``by_name``, which must then differ, else by their index; a ``named`` file keeps the model's name. Where the scaling
    is ``folded`` into the weights the constant is left out, so that scores differ by it. An engine with
    ``feature_sets``, which can be pruned, takes no negative scores, so that they are raised above 0.
    """

    id: str
    title: str
    extension: str
    write: Callable[[LinearModel, str], str | bytes]
    next_step: str
    by_name: bool = True
    named: bool = True
    folded: bool = False
    feature_sets: bool = False


_TO_PLUGIN = (
    "Send {file} with POST _ltr/_featureset/FEATURE_SET/_createmodel; FEATURE_SET must have all features of the model."
)

MODEL_FORMATS: tuple[ModelFormat, ...] = (
    ModelFormat(
        "solr",
        "Solr",
        "json",
        solr_model,
        "Replace _DEFAULT_ by the name of your feature store if it has another, and send {file} with PUT "
        "/solr/COLLECTION/schema/model-store.",
    ),
    ModelFormat(
        "elasticsearch",
        "Elasticsearch with the learning-to-rank plugin",
        "json",
        elasticsearch_model,
        f"{_TO_PLUGIN} Elasticsearch's own learning to rank, without the plugin, accepts tree models only.",
        feature_sets=True,
    ),
    ModelFormat(
        "opensearch",
        "OpenSearch with the learning-to-rank plugin",
        "json",
        elasticsearch_model,
        _TO_PLUGIN,
        feature_sets=True,
    ),
    ModelFormat(
        "ranklib",
        "RankLib",
        "txt",
        lambda model, _: ranklib_model(model),
        "Rank with java -jar RankLib.jar -load {file} -rank FILE -score SCORES; features are found by their index.",
        by_name=False,
        named=False,
        folded=True,
    ),
    ModelFormat(
        "svmrank",
        "SVM-rank and SVM-light",
        "dat",
        lambda model, _: svmrank_model(model),
        "Rank with svm_classify FILE {file} SCORES. svm_rank_classify may need the version V6.20 in the first line.",
        by_name=False,
        named=False,
        folded=True,
    ),
    ModelFormat("json", "JSON", "json", json_model, "The key score of {file} says how to compute scores."),
    ModelFormat(
        "python",
        "Python module",
        "py",
        python_module,
        "Import {file} and call score with a mapping from feature names to values.",
    ),
    ModelFormat(
        "sklearn",
        "scikit-learn",
        "skops",
        lambda model, _: sklearn_model(model),
        "Open it with skops.io.load({file!r}); predict takes all columns of the data, in their order.",
        by_name=False,
        named=False,
    ),
    ModelFormat("html", "a page to read", "html", model_page, "Open {file} in a browser.", by_name=False),
)


def get_format(format_id: str) -> ModelFormat:
    """Return the format with this id.

    Raises a `ValueError` if there is none.
    """
    for known in MODEL_FORMATS:
        if known.id == format_id:
            return known
    msg = f"there is no format {format_id!r}; there are {', '.join(known.id for known in MODEL_FORMATS)}"
    raise ValueError(msg)
