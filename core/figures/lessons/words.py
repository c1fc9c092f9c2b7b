"""Guesses and results of lessons in plain text."""

from __future__ import annotations

from typing import Any

from core.lessons.lesson import Curve, Prediction
from core.lessons.placeholders import said, written


def spoken(predict: Prediction, value: Any) -> str:
    """Say a guess, or the value of an answer, as `core.lessons.lesson` describes both; of a curve, its two ends."""
    if not isinstance(predict, Curve):
        return said(predict, value)
    heights = [y if isinstance(y, int | float) else y[1] for y in value]
    return f"{predict.y_label} from {written(heights[0])} to {written(heights[-1])}"
