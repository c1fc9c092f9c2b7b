from .base import Loss, LossAt, LossEvaluation, OnePassLoss, SmoothLoss
from .importance_weighted import HeldImportances, ImportanceWeightedHuber
from .infinite_push import TOP_SHARE, InfinitePush
from .squared_hinge import SquaredHinge

__all__ = [
    "TOP_SHARE",
    "HeldImportances",
    "ImportanceWeightedHuber",
    "InfinitePush",
    "Loss",
    "LossAt",
    "LossEvaluation",
    "OnePassLoss",
    "SmoothLoss",
    "SquaredHinge",
]
