from .conventions import describe_convention
from .evaluation import evaluate_ranking, per_query, top_rate
from .measures import Measure
from .ranked_lists import JudgedLists, RankedLists
from .sparsity import sparsity_ratio, usable_features

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
