"""Linear models as files of RankLib and of SVM-rank: features by index, the scaling folded into the weights."""

from __future__ import annotations

from core.export.models.linear_model import LinearModel


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
