"""Losses: functions of scores, never of pairs."""

from core.losses.base import Loss, LossEvaluation, SmoothLoss
from core.losses.squared_hinge import SquaredHinge

__all__ = ["Loss", "LossEvaluation", "SmoothLoss", "SquaredHinge"]
