"""Sparse learning to rank without a user interface.

What a notebook needs has its name here; every name is loaded when it is first used. `sparse_ranking_lab` has the same
names wherever the program is installed::

    from sparse_ranking_lab import fit, open_dataset
    model = fit(open_dataset("python-docs").fold(1), "l1", tune="map")
    model.features

`SparseRanker` is the same as a scikit-learn estimator, and `DaskSparseRanker` one for a Dask DataFrame.
"""

_HOMES = {
    "DaskSparseRanker": "core.api.dask_ranker",
    "DataError": "core.data",
    "FeatureRules": "core.analysis.features.feature_rules",
    "Fold": "core.data",
    "Model": "core.api.model",
    "ModelPath": "core.api.path",
    "RankingData": "core.data",
    "Reading": "core.data.reading",
    "SparseRanker": "core.api.estimator",
    "evaluate": "core.api.data",
    "fit": "core.api.model",
    "fit_path": "core.api.path",
    "get_method": "core.methods",
    "list_datasets": "core.api.data",
    "list_methods": "core.api.data",
    "open_dataset": "core.data.reading",
    "pictures": "core.api.pictures",
    "ranking_data": "core.api.data",
    "ranking_score": "core.api.data",
    "run_protocol": "core.api.protocol",
    "single_features": "core.api.data",
}
__all__ = sorted(_HOMES)  # the stub beside this file spells them out


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        message = f"module 'core' has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module

    home = import_module(_HOMES[name])
    value = home if home.__name__.endswith(f".{name}") else getattr(home, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
