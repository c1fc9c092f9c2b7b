"""What the four views of the Lab have in common: what they show, and the line over each."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import streamlit as st

from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame, fitted_frame
from core.content import Series, content_key
from core.figures.lab.lab_drag import LabDrags
from core.figures.lab.pictures import LabPictures
from core.metrics.measures import MeasureName
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import menu_title
from pages.shared.differences import best_single, difference
from pages.shared.following import model_words
from pages.shared.wording import features
from pages.shared.work.board import board


@dataclass(frozen=True, eq=False)
class LabView:
    """What the four views have in common.

    Attributes
    ----------
    choice : Loaded
    points : sequence of PathPoint
        The path of the chosen method, as far as it is known; at least one.
    now : PathPoint
        The model at the chosen C, or the nearest one of the path where it has not been fitted.
    best : PathPoint or None
        Best on the validation part.
    part, measure : str
        How models are judged.
    drags : LabDrags
    beside : sequence of PathPoint
        The path of another method; empty where none is shown.
    """

    choice: Loaded
    points: Series[PathPoint]
    now: PathPoint
    best: PathPoint | None
    part: str
    measure: MeasureName
    drags: LabDrags
    beside: Series[PathPoint]

    def words(self, shown: Frame) -> str:
        """What a model keeps and reaches, and on which data: the title of the page."""
        return model_words(self.choice, shown, self.part, self.measure, where=self.choice.where)

    def answer(self, shown: Frame) -> str:
        """What has chosen C, and the best single feature; a fitted model's difference to it, with its interval."""
        single = best_single(self.choice, self.measure)
        alone = f"best single feature, chosen on training: {single.values[self.part]:.4f}"
        weights = np.zeros_like(shown.weights)
        weights[single.index - 1] = -1.0 if single.reverse else 1.0
        if np.array_equal(np.sign(shown.weights), weights):
            alone = "the same ranking as that of the best single feature, chosen on training"
        elif shown is fitted_frame(self.now) and not board().preparing:
            found = difference(self.choice, shown.weights, weights, self.part, self.measure)
            alone = f"{alone} ({found.words})"
        return " · ".join(filter(None, [self._chosen_by(shown), alone]))

    def is_best(self, c: float) -> bool:
        """Whether validation picks this C; lambda in between may have changed its last digit."""
        return self.best is not None and math.isclose(c, self.best.fit.c, rel_tol=1e-9)

    def _chosen_by(self, shown: Frame) -> str:
        if self.best is None:
            return ""
        if self.is_best(shown.c):
            return "C chosen on validation"
        return f"C as set (validation chooses {features(self.best.fit.result.nonzero)})"

    @cached_property
    def pictures(self) -> LabPictures:
        """What the views draw."""
        methods = [self.choice.method_id, *([self.beside[0].fit.method] if self.beside else [])]
        return LabPictures(
            self.drags,
            self.points,
            {method_id: menu_title(method_id) for method_id in methods},
            self.choice.ratio,
            self.choice.judge.usable_features,
            self.choice.convention,
            self.best,
            self.beside,
        )

    @cached_property
    def identity(self) -> bytes:
        """The digest of all that the views are drawn from, but for what only one of them shows."""
        other = self.drags.other
        frames = (self.drags.hand.frames, None if other is None else other.frames)
        best = None if self.best is None else self.best.fit
        return content_key(self.choice.key, self.choice.where, self.now.fit, best, self.points, self.beside, *frames)


def view_title(name: str, view: str, words: str, beside: Callable[[], None] | None = None) -> None:
    """What is seen, in one line.

    Parameters
    ----------
    name : str
        Of the view, among keys.
    view, words : str
        HTML.
    beside : callable, optional
        Draws what else stands in the line.
    """
    with st.container(key=f"lab_view_{name}", horizontal=True, vertical_alignment="center"):
        st.html(f'<div class="lab-title"><b>{view}</b>: {words}</div>', width="stretch")
        if beside is not None:
            beside()
