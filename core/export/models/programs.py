"""Linear models for programs: JSON, a Python module without dependencies, and a scikit-learn estimator."""

from __future__ import annotations

import json

import numpy as np

from core.data import DataError
from core.export.models.linear_model import LinearModel

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
        "features": [
            {
                "index": f.index,
                "name": f.name,
                "weight": f.weight,
                "subtract": f.subtract,
                "divide": f.divide,
                "folded_weight": f.folded,
                "lowest": f.lowest,
                "highest": f.highest,
            }
            for f in model.features
        ],
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

    Raises
    ------
    DataError
        If skops is not installed.
    """
    try:
        from skops.io import dumps
    except ImportError:
        msg = "the format sklearn needs the package skops: pip install skops"
        raise DataError(msg) from None
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
