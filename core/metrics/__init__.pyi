from .conventions import describe_convention
from .evaluation import evaluate_ranking, sparsity_ratio, usable_features
from .measures import Measure
from .ranked_lists import JudgedLists, RankedLists

__all__ = [
    "JudgedLists",
    "Measure",
    "RankedLists",
    "describe_convention",
    "evaluate_ranking",
    "sparsity_ratio",
    "usable_features",
]
