"""What the examples of pictures and their tests share: the form of an example, models of a small dataset, and a path
along which C is dragged."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import plotly.graph_objects as go

import core
from core.analysis.evaluation import FoldJudge
from core.analysis.path_frames import fitted_frame, frames_of
from core.analysis.tradeoff.tradeoff import MEASURES, TradeoffRow
from core.export.scripts.description import DataDescription, MethodDescription, ModelDescription
from core.export.scripts.picture import Described, Fitted, Opened
from core.figures.drag.drag import Hand
from core.figures.picture import Picture

PLANTED = DataDescription("planted", 1, "planted, Fold1", core.Reading())


@dataclass(frozen=True, eq=False)
class Sample:
    """How an example is made, other values of its fields, and how a script fits the models among them.

    A field that is chosen, switched or a number has another value by itself (`another`).
    """

    picture: Callable[[], Picture[Any]]
    others: Callable[[], Mapping[str, Any]]
    described: Mapping[str, Described | Sequence[Fitted]] = field(default_factory=dict)
    data: Opened = PLANTED
    timed: bool = False
    """Whether its words tell seconds of this machine."""

    @cached_property
    def made(self) -> Picture[Any]:
        """The example, made once for all tests of a process."""
        return self.picture()


def another(value: Any, choices: Mapping[Any, str]) -> Any:
    """Another value of an option that is chosen, switched or a number; None of any other."""
    if choices:
        return next(one for one in choices if one != value)
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else (value / 2 or 0.05) if isinstance(value, float) else None


@cache
def fold() -> core.Fold:
    return core.open_dataset("planted").fold(1)


@cache
def path(method: str, number: int = 1) -> core.ModelPath:
    return core.fit_path(core.open_dataset("planted").fold(number), method, points=50, smallest_ratio=1e-4)


@cache
def model(method: str, ratio: float = 0.1) -> core.Model:
    return core.fit(fold(), method, lambda_ratio=ratio)


def at(fitted: core.Model) -> ModelDescription:
    return ModelDescription(MethodDescription(fitted.fit.method, {}), fitted.fit.c, fitted.fit.solver)


FITTING: dict[str, Any] = {
    "fold": core.open_dataset("planted").fold(2),
    "method": "log",
    "tol": 1e-3,
    "parameters": {"refit": 1},
    "rules": core.FeatureRules(off=[1]),
    "off": [1],
    "must": [2],
    "helps": [3],
    "hurts": [4],
    "costs": {5: 2.0},
    "convention": "letor4",
}
"""Other ways to fit ℓ1."""


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


def sized(method: str, kept: int, vali: float, test: float | None = None, c: float = 1.0) -> TradeoffRow:
    """A model that keeps the first of 20 features, by its values on validation and test; else the same on both."""
    parts = {"train": 0.9, "vali": vali, "test": vali if test is None else test}
    values = {part: dict.fromkeys(MEASURES, value) for part, value in parts.items()}
    return TradeoffRow(method, kept, kept / 20, values, 0.01 * kept, c, 0.1, tuple(range(kept)))
