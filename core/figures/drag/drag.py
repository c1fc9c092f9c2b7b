"""What moves in a picture while the reader drags C along a path, and what lights up of a feature, over a Plotly figure.

The browser draws lines, dots, bars and texts over the figure and moves them without asking the server
(``core/figures/browser/handle.js``), and what lights up when a feature is pointed at: its curves, its place among the
others, the models that keep it (``lights.js``). Places are in the data units of the figure's axes, which are named as
in Plotly's layout (``xaxis``, ``yaxis2``); sizes are in pixels. A number is an `Along`: its values at all frames, and
at the chosen C. Columns count from 0.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.analysis.path_frames import Frame
from core.figures.look.style import CERTIFICATES
from core.names.counted import features
from core.names.numbers import short

FloatArray = NDArray[np.float64]


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
    at: FloatArray | None = None
    """Shape (n_frames,): at every frame; None where it is ``now`` at all of them."""

    def __post_init__(self) -> None:
        if not math.isfinite(self.now) or (self.at is not None and not np.isfinite(self.at).all()):
            msg = "what moves with the handle of C has finite numbers only"
            raise ValueError(msg)


@dataclass(frozen=True)
class TextAlong:
    """A text that may change as the reader drags the handle of C."""

    now: str
    """At the chosen C."""
    at: tuple[str, ...]
    """Length n_frames: at every frame."""


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

    def weight(self, column: int) -> Along:
        """The weight of a feature."""
        return self.along(lambda frame: float(frame.weights[column]))

    def keeps(self, column: int) -> Along:
        """1 where the model keeps a feature, else 0."""
        return self.along(lambda frame: float(frame.weights[column] != 0.0))

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
        return replace(other, frames=[other.frames[other.nearest(frame.ratio)] for frame in self.frames])

    @property
    def link(self) -> str:
        """The same for all pictures of a page that move together."""
        return hashlib.sha256(repr((self.path, len(self.frames))).encode()).hexdigest()

    @cached_property
    def _places(self) -> FloatArray:
        """Of the frames on a log axis; shares of lambda_max are positive, as far apart as floats may be."""
        return np.log([frame.ratio for frame in self.frames])

    def nearest(self, ratio: float) -> int:
        """The frame (from 0) nearest to a share of lambda_max on a log axis; 0 where there is none."""
        return int(np.abs(self._places - math.log(ratio)).argmin()) if self.frames else 0


MOST_CURVES = 68
"""Features whose curves can light up, in one panel: as many as are drawn."""


@dataclass(frozen=True, eq=False)
class LitCurves(OnAxes):
    """The curve of every feature that enters a path."""

    across: FloatArray
    """Shape (n_frames,): where the models stand on the x axis."""
    curves: Mapping[int, FloatArray]
    """Shape (n_frames,): weights by column."""
    entries: Mapping[int, str]
    """Where the feature enters, by column."""


@dataclass(frozen=True, eq=False)
class LitRows(OnAxes):
    """Features in a picture with a row each."""

    rows: Mapping[int, tuple[float, float]]
    """Place on the x axis and row, by column; of those that are drawn."""
    said: Mapping[int, str]
    """What is said of a feature, by column; of all."""


@dataclass(frozen=True, eq=False)
class LitModels(OnAxes):
    """Models in a picture, each with the features that it keeps."""

    across: FloatArray
    up: FloatArray
    """Shape (n_models,): where each stands."""
    kept: Sequence[Sequence[int]]
    """Length n_models: columns with a weight."""
    colours: Sequence[str]
    """Length n_models."""


@dataclass(frozen=True, eq=False)
class Lights:
    """What a picture lights up."""

    names: Sequence[str]
    """Length n_features."""
    order: Sequence[int] = ()
    """Columns that arrow keys go through; empty where another picture of the page has the keys."""
    panels: Sequence[LitCurves] = ()
    places: Sequence[LitRows] = ()
    models: Sequence[LitModels] = ()


def lit_curves(frames: Sequence[Frame], across: Along, x: str = "xaxis", y: str = "yaxis") -> LitCurves:
    """The curves of a path, largest weights first, with words for entries; ``across`` places frames on the x axis."""
    weights = np.array([frame.weights for frame in frames])
    sizes = np.abs(weights).max(axis=0)
    order = np.argsort(-sizes, kind="stable")[:MOST_CURVES]
    columns = [int(j) for j in order if sizes[j] > 0.0]
    first = {j: frames[int(np.flatnonzero(weights[:, j])[0])] for j in columns}
    places = np.full(len(frames), across.now) if across.at is None else across.at
    entries = {j: f"enters at C {short(frame.c)}" for j, frame in first.items()}
    return LitCurves(places, {j: weights[:, j] for j in columns}, entries, x=x, y=y)


DOT, TEXT = 4.5, 14.0  # pixels: the usual radius of a dot and size of letters
MODEL = 6.5  # radius of a dot that stands for a whole model

Visibility = Along | Literal["always", "dragged", "nonzero"]
"""When a dot is seen: always; only while the reader drags, as Plotly draws it otherwise; where its ``up`` is not 0; or
where this number is not 0."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Mark(OnAxes):
    """A vertical line over a plot, at the model under the handle; the reader can drag it."""

    across: Along
    """Where it stands on the x axis."""
    up: Along | None = None
    """Where several models stand at one place across: the height of each, on the y axis. The pointer's height then
    decides among them."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Dot(OnAxes):
    """A round mark that runs along a curve, or stands in a row."""

    across: Along
    up: Along
    """Its place on the x and on the y axis; outside of the plot it is hidden."""
    colour: str
    """As CSS writes it."""
    size: float = DOT
    """Its radius in pixels, above 0."""
    shown: Visibility = "always"
    outline: bool = False
    """Whether it is a ring."""
    filled_beyond: float | None = None
    """A place on the x axis: right of it the dot is filled, elsewhere a thin ring. None: filled anywhere."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Bar(OnAxes):
    """A horizontal bar from 0."""

    length: Along
    """Where it ends on the x axis; below 0 it runs to the left."""
    row: float
    """Its middle on the y axis."""
    half: float
    """Half its height in units of the y axis, above 0."""
    colour: str
    """As CSS writes it."""


def weight_bars(hand: Hand, columns: Sequence[int], half: float) -> list[Bar]:
    """A bar from 0 to the weight of each of these features (columns from 0), in rows from 0 on."""
    return [Bar(length=hand.weight(j), row=float(row), half=half, colour=hand.colour) for row, j in enumerate(columns)]


@dataclass(frozen=True, eq=False, kw_only=True)
class Text(OnAxes):
    """Words within a plot."""

    text: TextAlong
    across: Along
    up: Along
    """Its place on the x and on the y axis."""
    anchor: Literal["start", "middle", "end"] = "start"
    """Which of its ends stands at that place."""
    dx: float = 0.0
    dy: float = 0.0
    """Pixels from there, to the right and downwards."""
    colour: str | None = None
    """As CSS writes it; by default that of the page's letters."""
    weight: int = 400
    """Of the letters, 100 to 900."""
    size: float = TEXT
    """Of the letters in pixels, above 0."""
    shown: Literal["always", "dragged"] = "always"
    """Whether it is seen before the reader drags."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Drag:
    """All that moves in a picture with C.

    With `marks` the picture has the handle itself, over the first of them. Without, it follows the handle of another
    picture of the page that has the same path.

    Raises
    ------
    ValueError
        If a number or text has not one value for each frame of the path.
    """

    hand: Hand
    """The path, and what the page says of its models."""
    picture: str
    """What is drawn, apart from the path and from what C changes: where it differs, the browser begins anew."""
    marks: Sequence[Mark] = ()
    dots: Sequence[Dot] = ()
    """Later ones are drawn over earlier ones."""
    bars: Sequence[Bar] = ()
    texts: Sequence[Text] = ()
    measure: str = ""
    """The measure that a screen reader is told, on every part; needed with marks."""
    lights: Lights | None = None
    """What lights up of a feature that is pointed at."""

    def __post_init__(self) -> None:
        parts = (*self.marks, *self.dots, *self.bars, *self.texts)
        numbers = [one for part in parts for one in vars(part).values() if isinstance(one, Along | TextAlong)]
        wrong = {len(one.at) for one in numbers if one.at is not None} - {len(self.hand.frames)}
        if wrong:
            msg = f"{self.picture}: numbers for {sorted(wrong)} frames, of {len(self.hand.frames)}"
            raise ValueError(msg)

    @property
    def identity(self) -> str:
        """The same as long as only what C changes differs: the browser then moves what it has drawn."""
        looks = [
            *((mark.x, mark.y) for mark in self.marks),
            *((dot.x, dot.y, dot.colour, dot.outline, dot.filled_beyond) for dot in self.dots),
            *((bar.x, bar.y, bar.row, bar.half, bar.colour) for bar in self.bars),
            *((text.x, text.y, text.anchor, text.dx, text.dy) for text in self.texts),
        ]
        return hashlib.sha256(repr((self.hand.link, self.picture, looks)).encode()).hexdigest()

    @property
    def label(self) -> TextAlong:
        """What stands on the handle: C and the size of the model."""
        return self.hand.text(lambda frame: f"C {short(frame.c)} · {features(frame.size)}")

    @property
    def spoken(self) -> TextAlong:
        """What a screen reader says of the model under the handle."""

        def words(frame: Frame) -> str:
            judged, certificate = frame.judgement.metrics, frame.certificate
            parts = [f"{part} {self.measure} {judged[part][self.measure]:.4f}" for part in judged]
            exact = f"{CERTIFICATES[certificate.kind]} {short(certificate.relative)}"
            size = f"{frame.size} of {len(frame.weights)} features"
            return ", ".join([f"C {short(frame.c)}", size, *parts, exact])

        return self.hand.text(words)

    @property
    def pauses(self) -> list[int]:
        """Frames (from 0) at which Play pauses."""
        return [] if self.hand.best is None else [self.hand.nearest(self.hand.best)]
