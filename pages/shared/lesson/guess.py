"""What a visitor predicts: the control for each kind of prediction, and guesses as they are kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.figures.browser.drawing_code import browser_file
from core.figures.lessons.guess import sent_prediction
from core.lessons import Choice, Curve, Number, Order, Prediction

_GUESS = st.components.v2.component(
    "lesson_guess", js=browser_file("guess.js"), css=browser_file("guess.css"), isolate_styles=False
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
    told = _GUESS(key=key, data=sent_prediction(predict), on_guess_change=_ignore)
    return valid(predict, told.guess)


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
