"""The models that the handle of C moves through, and a number or a text at each of them and at the chosen C."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.analysis.path_frames import Frame


@dataclass(frozen=True, eq=False, kw_only=True)
class OnAxes:
    """What stands in a plot."""

    x: str = "xaxis"
    y: str = "yaxis"
    """The axes of the plot, as Plotly's layout names them."""


@dataclass(frozen=True, eq=False)
class Along:
    """A number that may change as the reader drags the handle of C.

    Raises
    ------
    ValueError
        If a number is not finite: JSON has none that is not.
    """

    now: float
    """At the chosen C, which may lie between two frames. It is shown until the reader drags."""
    at: NDArray[np.float64] | None = None
    """Shape (n_frames,): at every frame; None where it is ``now`` at all of them."""

    def __post_init__(self) -> None:
        if not math.isfinite(self.now) or (self.at is not None and not np.isfinite(self.at).all()):
            msg = "what moves with the handle of C has finite numbers only"
            raise ValueError(msg)

    @property
    def n_frames(self) -> int | None:
        """How many frames it has a number for; None where it stays the same."""
        return None if self.at is None else len(self.at)


@dataclass(frozen=True)
class TextAlong:
    """A text that may change as the reader drags the handle of C."""

    now: str
    """At the chosen C."""
    at: tuple[str, ...]
    """Length n_frames: at every frame."""

    @property
    def n_frames(self) -> int:
        """How many frames it has a text for."""
        return len(self.at)


def still(value: float) -> Along:
    """A number that stays the same at every C."""
    return Along(float(value))


def along(at: Iterable[float], now: float) -> Along:
    """A number with one value a frame, and one at the chosen C."""
    return Along(float(now), np.array([float(value) for value in at]))


def no_readings(_: Frame) -> Mapping[str, str]:
    """No text outside the picture changes."""
    return {}


@dataclass(frozen=True, eq=False)
class Hand:
    """The path of a method, along which the reader drags C.

    A page makes it of the chosen method; a picture only asks it for numbers and texts (`along`, `text`).
    """

    frames: Sequence[Frame]
    """Models falling in lambda. Without any, nothing moves and a picture shows ``now``."""
    now: Frame
    """The model at the chosen C, which need not be on the path."""
    colour: str
    """Of the method, as CSS writes it."""
    path: str = ""
    """Tells this path from others: the same as long as it has the same models. Pictures of the same path move
    together."""
    best: float | None = None
    """lambda / lambda_max (above 0) of the model that is best on the validation part: Play pauses there."""
    readings: Callable[[Frame], Mapping[str, str]] = no_readings
    """From a frame to the texts of the page, outside the picture, that tell of the model under the handle, by the name
    in their ``data-reading``."""

    def along(self, of: Callable[[Frame], float]) -> Along:
        """A number of the model, at every frame and at the chosen C."""
        return along(map(of, self.frames), of(self.now))

    def text(self, of: Callable[[Frame], str]) -> TextAlong:
        """A text about the model, at every frame and at the chosen C."""
        return TextAlong(of(self.now), tuple(map(of, self.frames)))

    def texts(self) -> dict[str, TextAlong]:
        """The `readings` by name, at every frame and at the chosen C."""
        told = [self.readings(frame) for frame in self.frames]
        return {
            name: TextAlong(text, tuple(texts[name] for texts in told))
            for name, text in self.readings(self.now).items()
        }

    def telling(self, more: Callable[[Frame], Mapping[str, str]]) -> Hand:
        """The same path with ``more`` `readings`."""
        return replace(self, readings=lambda frame: {**self.readings(frame), **more(frame)})

    def beside(self, other: Hand) -> Hand:
        """Another method's path with one frame for each of this one: the nearest in lambda / lambda_max."""
        return replace(other, frames=nearest_frames(other.frames, [frame.ratio for frame in self.frames]))

    @property
    def link(self) -> str:
        """The same for all pictures of a page that move together."""
        return hashlib.sha256(repr((self.path, len(self.frames))).encode()).hexdigest()

    def nearest(self, ratio: float) -> int:
        """The frame (from 0) nearest to a share of lambda_max; 0 where there is none."""
        return nearest_frame(np.array([frame.ratio for frame in self.frames]), ratio) if self.frames else 0


def nearest_frame(values: NDArray[np.float64], value: float) -> int:
    """The place of the value nearest to another on a log axis; all are positive, as far apart as floats may be."""
    return int(np.abs(np.log(values) - np.log(value)).argmin())


def nearest_frames(frames: Sequence[Frame], ratios: Sequence[float]) -> list[Frame]:
    """Of a path the frame nearest to each of these shares of lambda_max."""
    own = np.array([frame.ratio for frame in frames])
    return [frames[nearest_frame(own, ratio)] for ratio in ratios]
