"""Measures of a ranking under a named convention, and of a model's sparsity."""

from core.metrics.conventions import describe_convention
from core.metrics.evaluation import evaluate_ranking, per_query, top_rate
from core.metrics.lists import JudgedLists
from core.metrics.measures import Measure
from core.metrics.ranked_lists import RankedLists
from core.metrics.sparsity import sparsity_ratio, usable_features

__all__ = [
    "JudgedLists",
    "Measure",
    "RankedLists",
    "describe_convention",
    "evaluate_ranking",
    "per_query",
    "sparsity_ratio",
    "top_rate",
    "usable_features",
]
