"""Losses: convex (or nearly convex) functions of the documents' scores, computed without building pairs."""

from core.losses.base import Loss, LossAt, LossEvaluation, OnePassLoss, SmoothLoss
from core.losses.importance_weighted import HeldImportances, ImportanceWeightedHuber
from core.losses.infinite_push import TOP_SHARE, InfinitePush
from core.losses.squared_hinge import SquaredHinge

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
