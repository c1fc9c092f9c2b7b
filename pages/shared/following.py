"""What a page gives to pictures in which C is dragged: the path, and texts that tell of the model under the handle.

Where the reader lets go of the handle, or clicks on a model, its C becomes that of every page.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame, fitted_frame
from core.analysis.path_views import ratio_of
from core.data.sample import SampledFold
from core.figures.drag.drag import Hand, no_readings
from core.figures.look.style import method_style
from pages.shared import headline
from pages.shared.choice.choice import Loaded
from pages.shared.choice.use_model import use_model
from pages.shared.live_chart import clicked, released
from pages.shared.wording import PART_WORDS, size_words
from pages.shared.work.paths import is_whole, path_frames, path_key

_TITLE = "title"


def hand_of(
    choice: Loaded,
    points: Sequence[PathPoint],
    now: PathPoint,
    *,
    best: PathPoint | None = None,
    readings: Callable[[Frame], Mapping[str, str]] = no_readings,
) -> Hand:
    """Return a method's path as pictures take it; without frames while it is not complete.

    ``points`` are the path as far as it is known, and ``now`` is the method's model at the chosen C. Play pauses at the
    ``best`` one on the validation part. ``readings`` takes a frame and returns the texts of the page that tell of the
    model under the handle, by name.
    """
    method_id = now.fit.method
    return Hand(
        path_frames(choice, points) if is_whole(choice, method_id, points) else [],
        fitted_frame(now),
        method_style(method_id).colour,
        path=f"{path_key(choice, method_id)} {len(points)}",
        best=None if best is None else ratio_of(best),
        readings=readings,
    )


def model_words(choice: Loaded, shown: Frame, part: str, measure: str, *, where: str = "") -> str:
    """Say what a model keeps of all features, and what it reaches; of a sample, that too.

    The sentence quotes ``part`` and ``measure``, and ``where`` the data are, if that is given.
    """
    reached = f"{PART_WORDS[part]} {measure} {shown.judgement.metrics[part][measure]:.4f}"
    sampled = f", {choice.fold.words}" if isinstance(choice.fold, SampledFold) else ""
    on = f" on {where}" if where else ""
    return f"{size_words(choice.title, shown.size, choice.fold.train.n_features)}{on}: {reached}{sampled}"


def following_header(words: str, told: str = "") -> None:
    """Draw the title of the page, which changes with C where `readings` has one; ``told`` is shown on hover."""
    hover = f' title="{html.escape(told)}"' if told else ""
    st.html(f'<h2 data-reading="{_TITLE}"{hover}>{html.escape(words)}</h2>')


def readings(choice: Loaded, shown: Frame, words: str | None = None) -> dict[str, str]:
    """Return the texts that change with C, by name: those of the strip, and the title where ``words`` is given."""
    strip = headline.readings(shown.size, shown.judgement, choice)
    return {**strip, **({} if words is None else {_TITLE: words})}


def best_button(
    best: PathPoint | None, key: str, help: str, label: str = "Best on validation", *, used: bool = False
) -> None:
    """Draw the button that makes the C of the model that is best on the validation part that of every page."""
    c, off = (0.0, True) if best is None else (best.fit.c, used)
    st.button(label, key=key, icon=":material/target:", on_click=use_model, kwargs={"c": c}, disabled=off, help=help)


def take_released(chart: str) -> None:
    """Make the C at which the reader let go of a chart's handle that of every page."""
    place = released(chart)
    if place is not None:
        use_model(c=float(place["c"]))


def take_clicked(chart: str) -> None:
    """Make the C of the model that was clicked that of every page; a point without a C changes nothing."""
    c = clicked(chart)
    if isinstance(c, int | float):
        use_model(c=float(c))
