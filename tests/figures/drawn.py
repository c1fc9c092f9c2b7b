"""What tests of pictures ask of a figure, and a path of a small dataset along which C is dragged."""

from __future__ import annotations

from functools import cache
from typing import Any

import plotly.graph_objects as go

import core
from core.analysis.evaluation import FoldJudge
from core.analysis.path_frames import fitted_frame, frames_of
from core.figures.drag.hand import Hand
from tests.figures.samples.sample import fold


def named(figure: go.Figure, name: str) -> Any:
    """The only trace of that name."""
    (trace,) = [trace for trace in figure.data if trace.name == name]
    return trace


@cache
def short_path() -> core.ModelPath:
    return core.fit_path(fold(), "l1", points=8, smallest_ratio=0.01)


@cache
def hand() -> Hand:
    """C along that path, held between its ends."""
    points = short_path().points
    frames = list(frames_of(points, FoldJudge(fold(), "standard")))
    return Hand(frames, fitted_frame(points[4]), "#123456", "a path", best=0.1, readings=lambda at: {"kept": at.size})
