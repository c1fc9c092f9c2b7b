"""What a visitor predicts: the control for each kind of prediction, and guesses as they are kept."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from core.lessons import Choice, Curve, Number, Order, Prediction

_HERE = Path(__file__).parent
_MOST_PLACES = 2000  # of a scale
_GUESS = st.components.v2.component(
    "lesson_guess",
    js=(_HERE / "guess.js").read_text(encoding="utf-8"),
    css=(_HERE / "guess.css").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def ask(predict: Prediction, key: str) -> Any:
    """Draw the control for a prediction, with no answer set; the guess as it is kept, or None while there is none.

    Parameters
    ----------
    predict : Choice, Number, Order or Curve
    key : str
        Of the control: one for each step of each lesson.
    """
    if isinstance(predict, Choice):
        places = range(len(predict.options))
        return st.radio(predict.question, places, index=None, format_func=predict.options.__getitem__, key=key)
    st.markdown(predict.question)
    told = _GUESS(key=key, data=_sent(predict), on_guess_change=_ignore)
    return valid(predict, told.guess)


def _sent(predict: Prediction) -> dict[str, Any]:
    match predict:
        case Number():
            return {"kind": "number", "question": predict.question, "unit": predict.unit, "values": scale(predict)}
        case Order():
            ends = {"first": predict.first, "last": predict.last}
            return {"kind": "order", "question": predict.question, "items": list(predict.items), **ends}
        case Curve():
            return {
                "kind": "curve", "question": predict.question, "xLabel": predict.x_label, "yLabel": predict.y_label,
                "x": list(predict.x), "low": predict.low, "high": predict.high, "xLog": predict.x_log,
                "yLog": predict.y_log,
            }  # fmt: skip
    msg = f"{type(predict).__name__} has a control of Streamlit's own"
    raise TypeError(msg)


def scale(predict: Number) -> list[float]:
    """The numbers that can be chosen, from low to high."""
    low, high, step = predict.low, predict.high, predict.step
    span = math.log(high / low) / math.log(step) if predict.log else (high - low) / step
    count = min(int(span + 1e-9), _MOST_PLACES)
    values = [low * step**k if predict.log else low + k * step for k in range(count + 1)]
    rounded = [float(f"{value:.6g}") for value in values]
    return rounded if math.isclose(rounded[-1], high, rel_tol=1e-6) else [*rounded, high]


def valid(predict: Prediction | None, guess: Any) -> Any:
    """A guess as `core.lessons` describes it, from what a browser has sent; None where it is none."""
    try:
        match predict:
            case Choice(options=options):
                return int(guess) if not isinstance(guess, bool) and int(guess) in range(len(options)) else None
            case Number(low=low, high=high):
                return float(guess) if low <= float(guess) <= high else None
            case Order(items=items):
                found = tuple(int(place) for place in _listed(guess))
                return found if sorted(found) == list(range(len(items))) else None
            case Curve(x=x, low=low, high=high):
                heights = tuple(float(height) for height in _listed(guess))
                return heights if len(heights) == len(x) and all(low <= one <= high for one in heights) else None
    except (TypeError, ValueError, OverflowError):
        return None
    return None


def _listed(guess: Any) -> Sequence[Any]:
    if not isinstance(guess, list | tuple):
        raise TypeError
    return guess


def _ignore() -> None:
    """The guess is read where it is asked for."""
