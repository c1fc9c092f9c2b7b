"""The texts of a page that tell of the model under the handle of C: they change while the reader drags it."""

from __future__ import annotations

import html

import streamlit as st

from core.analysis.path_frames import Frame
from core.methods import get_method
from core.methods.families import model_title
from pages.shared import headline
from pages.shared.choice.choice import Loaded
from pages.shared.wording import PART_WORDS, size_words

_TITLE = "title"


def model_words(choice: Loaded, shown: Frame, part: str, measure: str) -> str:
    """Say what a model keeps of the features that are not zero everywhere, and what it reaches.

    Parameters
    ----------
    choice : Loaded
        Its method and data.
    shown : Frame
    part, measure : str
        What is quoted.
    """
    return f"{kept_words(choice, shown)}: {PART_WORDS[part]} {measure} {shown.judgement.metrics[part][measure]:.4f}"


def kept_words(choice: Loaded, shown: Frame) -> str:
    """Say how many features a model keeps; between two fitted models it is a range."""
    title = model_title(get_method(choice.method_id), dict(choice.parameters))
    return size_words(title, shown.size, int(choice.judge.usable_features.sum()))


def following_header(words: str, told: str = "") -> None:
    """Draw the title of the page, which changes with C where `readings` has one; ``told`` is shown on hover."""
    hover = f' title="{html.escape(told)}"' if told else ""
    st.html(f'<h2 data-reading="{_TITLE}"{hover}>{html.escape(words)}</h2>')


def readings(choice: Loaded, shown: Frame, words: str | None = None) -> dict[str, str]:
    """Return the texts that change with C, by name: those of the strip, and the title where ``words`` is given."""
    usable = int(choice.judge.usable_features.sum())
    strip = headline.readings(shown.size, shown.judgement, usable, choice)
    return {**strip, **({} if words is None else {_TITLE: words})}
