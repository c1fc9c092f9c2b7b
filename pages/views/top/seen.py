"""What the pictures of the Top page have in common: the model at the chosen C, its path, and the handle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame, fitted_frame
from core.analysis.path_views import ratio_of
from core.analysis.tuning.tuning import told_by_validation
from core.figures.look.style import METHOD_STYLES
from core.figures.path.handle import HandlePanel
from core.figures.top.along import TOP
from core.figures.top.handle import top_handle
from pages.shared import following, frame
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import menu_title
from pages.shared.choice.use_model import use_model
from pages.shared.live_chart import clicked, taken
from pages.shared.work.paths import path_frames, path_key
from pages.views.top.words import top_words


@dataclass(frozen=True, eq=False)
class Seen:
    """The models that are looked at.

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
    frames : sequence of Frame
        Of the path.
    identity : str
        The same as long as the paths are the same.
    """

    choice: Loaded
    now: PathPoint
    path: Sequence[PathPoint]
    others: Mapping[str, Sequence[PathPoint]]
    best: PathPoint | None
    frames: Sequence[Frame]
    identity: str

    @classmethod
    def of(cls, choice: Loaded, now: PathPoint, known: Mapping[str, Sequence[PathPoint]], *, ready: bool) -> Seen:
        """What is to be seen; of paths that are not ``ready`` nothing is."""
        path = known[choice.method_id] if ready else []
        others = {m: points for m, points in known.items() if ready and points and m != choice.method_id}
        best = told_by_validation(path, TOP) if path else None
        frames = path_frames(choice, path) if path else []
        identity = f"top {[path_key(choice, method_id) for method_id in known]} {len(path)}"
        return cls(choice, now, path, others, best, frames, identity)

    @property
    def panel(self) -> HandlePanel:
        """The frames as a handle has them."""
        return HandlePanel(self.frames, fitted_frame(self.now), METHOD_STYLES[self.choice.method_id].colour)

    @property
    def line_words(self) -> str:
        """What the lines beneath the picture are, and what can be done with them."""
        c = "solid: the chosen C"
        if not self.path:
            return c
        return f"{c}{' · dashed: best on validation' if self.best else ''} · drag the line to use its C"

    def handle(
        self, picture: str, part: str, moves: dict[str, Any], also: Callable[[Frame], Mapping[str, str]]
    ) -> dict[str, Any]:
        """The handle of a picture in which ``moves`` happens; ``also`` gives further texts that follow the hand.

        ``part`` is the part that the title quotes.
        """
        title, one_list = menu_title(self.choice.method_id), self.choice.fold.parts()[part].n_queries == 1

        def readings(shown: Frame) -> dict[str, str]:
            top = shown.judgement.metrics[part][TOP]
            words = top_words(title, shown.size, top, part, one_list=one_list)
            return following.readings(self.choice, shown, words) | dict(also(shown))

        best = None if self.best is None else ratio_of(self.best)
        return top_handle(self.panel, TOP, readings, self.identity, moves, picture, best)


def best_button(seen: Seen) -> None:
    """The C that ranks most positives of the validation part on top, for every page."""
    best = seen.best
    told = "Use the C of the dashed line, where most positives of the validation part are on top"
    if seen.path and best is None:
        told = f"Validation cannot tell: {TOP} is the same there at every C, or there is no validation part"
    st.button(
        "Best on validation", key="top_best", icon=":material/target:", on_click=take,
        args=(best.fit.c if best else 0.0,), disabled=best is None, help=told,
    )  # fmt: skip


def take_let_go(name: str) -> None:
    """Where the hand has let go of the line gives C everywhere; for callbacks."""
    place = taken(name)
    if place is not None:
        take(float(place["c"]))


def take_clicked(name: str) -> None:
    """So does a model of the path that is clicked; a document or a bar has no C."""
    point = clicked(name)
    if point is not None and isinstance(point["customdata"], int | float):
        take(float(point["customdata"]))


def take(c: float) -> None:
    """Make this the C of every page; for callbacks."""
    choice = frame.choice()
    if choice is not None:
        use_model(c=c, ratio=choice.training.lam_of(c) / choice.training.lam_max)
