"""The app's pictures for a notebook: each function draws one, with the table that the app offers beneath it.

::

    from core import fit_path, open_dataset
    from core.api import pictures

    dataset = open_dataset("python-docs")
    l1, log = (fit_path(dataset.fold(1), method, points=50) for method in ("l1", "log"))
    picture = pictures.tradeoff([l1, log])
    picture.table
    picture.save("tradeoff")  # tradeoff.csv and tradeoff.html
"""

from core.api.pictures.best_subset import best_subsets, near_optimal_sets
from core.api.pictures.data import feature_values, relevance_levels, similarity, single_features
from core.api.pictures.features import entry_order, features, stability
from core.api.pictures.queries import queries
from core.api.pictures.solving import convergence, paths
from core.api.pictures.top import top_along, top_of_lists, top_of_one_list
from core.api.pictures.tradeoff import tradeoff

__all__ = [
    "best_subsets",
    "convergence",
    "entry_order",
    "feature_values",
    "features",
    "near_optimal_sets",
    "paths",
    "queries",
    "relevance_levels",
    "similarity",
    "single_features",
    "stability",
    "top_along",
    "top_of_lists",
    "top_of_one_list",
    "tradeoff",
]
