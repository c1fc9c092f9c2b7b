"""Guesses and results of lessons in plain text."""

from __future__ import annotations

from typing import Any

from core.lessons.lesson import Choice, Curve, Number, Order, Prediction
from core.names.numbers import short


def spoken(predict: Prediction, value: Any) -> str:
    """Say a guess, or the value of an answer, as `core.lessons.lesson` describes both."""
    match predict:
        case Choice(options=options):
            return f"“{options[int(value)]}”"
        case Number(unit=unit):
            return f"{plain(float(value))} {unit}".strip()
        case Order(items=items):
            return ", ".join(items[int(place)] for place in value)
        case Curve(y_label=label):
            heights = [y if isinstance(y, int | float) else y[1] for y in value]
            return f"{label} from {plain(float(heights[0]))} to {plain(float(heights[-1]))}"


def plain(value: float) -> str:
    """Write a whole number in full and any other with two digits."""
    return f"{int(value):,}" if value.is_integer() else short(value)
