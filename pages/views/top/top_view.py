"""What the pictures of the Top page have in common: the model at the chosen C, and the path along which it moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from core.analysis.fold_models import FoldModel, FoldPath
from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame, extremes_along, range_words
from core.analysis.top_strips import top_of_each_list
from core.content import Series
from core.data import RankingData
from core.data.ranking_data import FloatArray
from core.experiments.results.difference import Difference
from core.figures.drag.hand import Hand
from core.figures.top.words import TOP, percent, top_words
from pages.shared import following
from pages.shared.cache import cached
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import menu_title
from pages.shared.following import take_c
from pages.shared.work.paths import told_best


@dataclass(frozen=True, eq=False)
class TopView:
    """The models that are drawn.

    Attributes
    ----------
    choice : Loaded
    now : PathPoint
        The model at the chosen C.
    path : sequence of PathPoint
        Of the chosen method; empty until it and those it is compared with are complete.
    others : mapping
        The paths of the methods that it is compared with, by method; as complete.
    best : PathPoint or None
        Best on the validation part of the complete path.
    hand : Hand
        The chosen method's path; without frames until it is complete.
    """

    choice: Loaded
    now: PathPoint
    path: Series[PathPoint]
    others: Mapping[str, Series[PathPoint]]
    best: PathPoint | None
    hand: Hand

    @classmethod
    def of(cls, choice: Loaded, now: PathPoint, known: Mapping[str, Series[PathPoint]], *, ready: bool) -> TopView:
        """The view of these paths; of such as are not ``ready`` nothing is drawn."""
        path = known[choice.method_id] if ready else Series()
        others = {m: points for m, points in known.items() if ready and points and m != choice.method_id}
        best = told_best(path, TOP) if path else None
        return cls(choice, now, path, others, best, following.hand_of(choice, path, now, best=best))

    @property
    def model(self) -> FoldModel:
        """The model at the chosen C, as pictures take it."""
        now, choice = self.now, self.choice
        return FoldModel(now.fit, choice.fold, now.judgement, choice.convention)

    @property
    def drawn_path(self) -> FoldPath:
        """The path as pictures take it; without points until it is complete."""
        return FoldPath(self.path, self.choice.fold, self.choice.convention)

    @property
    def hint(self) -> str:
        """What can be done with the line beneath a picture."""
        return "drag the line to use its C" if self.path else ""

    def hand_telling(self, part: str) -> Hand:
        """The path, with the texts of the strip and of the page's title, which quotes a part."""
        title, data = menu_title(self.choice.method_id), self.choice.fold.parts()[part]
        between = _tops_along(self.hand.frames, data)

        def readings(shown: Frame) -> dict[str, str]:
            top = between[shown.c] if shown.fewest is not None else percent(shown.judgement.metrics[part][TOP])
            words = top_words(title, shown.size, top, part, one_list=data.n_queries == 1)
            return following.readings(self.choice, shown, words)

        return self.hand.telling(readings)


@cached()
def how_sure(data: RankingData, weights: FloatArray) -> str:
    """The interval of the mean share on top, if lists are drawn again; nothing of too few or of equal ones."""
    shares = top_of_each_list(data, weights)
    ends = Difference.of(shares, np.zeros_like(shares)).interval
    return "" if ends is None or ends[0] == ends[1] else f" (95 % interval {' to '.join(map(percent, ends))} %)"


@cached()
def _tops_along(frames: Sequence[Frame], data: RankingData) -> dict[float, str]:
    """The percentage of positives on top at every frame, by its C; between two fitted models a range."""
    if not frames:
        return {}
    low, high = extremes_along(frames, np.array([top_of_each_list(data, shown.weights) for shown in frames]))
    ends = zip(low.mean(axis=1), high.mean(axis=1), strict=True)
    return {
        shown.c: range_words(percent(least), percent(most)) for shown, (least, most) in zip(frames, ends, strict=True)
    }


def best_button(view: TopView) -> None:
    """The C that ranks most positives of the validation part on top, for every page."""
    best = view.best
    told = "Use the C of the dashed line, where most positives of the validation part are on top"
    if view.path and best is None:
        told = f"Validation cannot tell: {TOP} is the same there at every C, or there is no validation part"
    st.button(
        "Best on validation", key="top_best", icon=":material/target:", on_click=take_c,
        args=(best.fit.c if best else 0.0,), disabled=best is None, help=told,
    )  # fmt: skip
