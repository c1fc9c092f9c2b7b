"""What follows the hand on a path picture: where the line of C stands at every frame, and all that moves with it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.path_frames import Frame
from core.figures.look.feature_styles import feature_style
from core.figures.look.style import CERTIFICATES, short
from core.figures.path.axes import Across, Axes, long_name
from core.figures.path.lights import lights, lit_curves
from core.figures.path.numbers import packed as packed

Spec = dict[str, Any]
"""As ``handle.js`` reads it."""


@dataclass(frozen=True, eq=False)
class HandlePanel:
    """One penalty's part of a handle.

    Attributes
    ----------
    frames : sequence of Frame
        Of its path, falling in lambda.
    now : Frame
        Its model at the chosen C.
    colour : str
        Of the curves of the measure.
    """

    frames: Sequence[Frame]
    now: Frame
    colour: str


def path_handle(
    panels: Sequence[HandlePanel],
    coloured: Sequence[int],
    measure: str,
    view: Across,
    readings: Callable[[Frame], Mapping[str, str]],
    identity: str,
    *,
    lead: int = 0,
    best: float | None = None,
    names: Sequence[str] = (),
) -> Spec:
    """The handle of a path picture.

    Its frames are those of one panel; the others show their model nearest in lambda / lambda_max.

    Parameters
    ----------
    panels : sequence of HandlePanel
        In the order of the picture's.
    coloured : sequence of int
        Columns (from 0) with lines of their own.
    measure : str
        As the metrics name it.
    view : {"lambda", "features"}
    readings : callable
        From a frame of that panel to texts on the page that follow the hand, by name.
    identity : str
        The same as long as the handle is that of the same paths.
    lead : int
        Which panel, from 0.
    best : float, optional
        lambda / lambda_max that is best on the validation part: there Play pauses.
    names : sequence of str, length n_features
        Of the features, each of which lights up when it is pointed at; by default none does.
    """
    leader = panels[lead]
    ratios = np.array([frame.ratio for frame in leader.frames])
    marks: list[Spec] = []
    dots: list[Spec] = []
    lit: list[Spec] = []
    # The words stand over the first mark: that of the method whose model they name.
    for k in sorted(range(len(panels)), key=lambda k: k != lead):
        panel, axes = panels[k], Axes(k + 1)
        shown = nearest_frames(panel.frames, ratios)
        places = [_across(frame, view) for frame in shown]
        across = at_frames(places, _across(panel.now, view))
        lit.append(lit_curves(shown, places, long_name(axes.x), long_name(axes.y)))
        marks += [
            {"x": long_name(axes.x), "y": long_name(axes.y), **across},
            {"x": long_name(axes.x_metric), "y": long_name(axes.y_metric), **across},
        ]
        for j in coloured:
            values = at_frames([frame.weights[j] for frame in shown], panel.now.weights[j])
            on = {"x": long_name(axes.x), "y": long_name(axes.y), "across": across, "colour": feature_style(j).colour}
            dots.append(on | values | {"hides": True})
        for part in panel.now.judgement.metrics:
            values = at_frames(
                [f.judgement.shown(part, measure) for f in shown], panel.now.judgement.shown(part, measure)
            )
            on = {"x": long_name(axes.x_metric), "y": long_name(axes.y_metric), "across": across}
            dots.append(on | {"colour": panel.colour} | values | {"hides": False})
    return {
        "id": hashlib.sha256(repr((identity, view, measure, len(ratios))).encode()).hexdigest(),
        "link": link_of(identity, len(ratios)),
        "c": packed([frame.c for frame in leader.frames], "<f8"),
        "nearest": nearest_frame(ratios, leader.now.ratio),
        "pauses": [] if best is None else [nearest_frame(ratios, best)],
        "marks": marks,
        "dots": dots,
        "bars": [],
        "words": _texts(leader, handle_words),
        "told": _texts(leader, lambda frame: told_words(frame, measure)),
        "readings": _readings(leader, readings),
        "lights": lights(names, coloured, panels=lit) if names else None,
    }


def handle_words(frame: Frame) -> str:
    """What stands on the handle: C and the size of the model."""
    return f"C {short(frame.c)} · {frame.size} feature{'' if frame.size == '1' else 's'}"


def told_words(frame: Frame, measure: str) -> str:
    """What a screen reader says of a frame."""
    size = f"{frame.size} of {len(frame.weights)} features"
    parts = [f"{part} {measure} {frame.judgement.shown(part, measure):.4f}" for part in frame.judgement.metrics]
    certificate = frame.certificate
    return ", ".join(
        [f"C {short(frame.c)}", size, *parts, f"{CERTIFICATES[certificate.kind]} {short(certificate.relative)}"]
    )


def nearest_frame(values: NDArray[np.float64], value: float) -> int:
    """The place of the value nearest to another on a log axis; all are positive, as far apart as floats may be."""
    return int(np.abs(np.log(values) - np.log(value)).argmin())


def nearest_frames(frames: Sequence[Frame], ratios: Sequence[float] | NDArray[np.float64]) -> list[Frame]:
    """Of a path the frame nearest to each of these shares of lambda_max."""
    own = np.array([frame.ratio for frame in frames])
    return [frames[nearest_frame(own, ratio)] for ratio in ratios]


def _across(frame: Frame, view: Across) -> float:
    return frame.ratio if view == "lambda" else float(frame.kept)


def link_of(identity: str, count: int) -> str:
    """What pictures of a page have in common that move together: the same path, and as many frames of it."""
    return hashlib.sha256(repr((identity, count)).encode()).hexdigest()


def at_frames(at: Sequence[float], now: float) -> Spec:
    """A number at every frame, and at the chosen C."""
    return {"at": packed(at, "<f4"), "now": float(now)}


def _texts(lead: HandlePanel, words: Callable[[Frame], str]) -> Spec:
    return {"at": [words(frame) for frame in lead.frames], "now": words(lead.now)}


def _readings(lead: HandlePanel, readings: Callable[[Frame], Mapping[str, str]]) -> dict[str, Spec]:
    told = [readings(frame) for frame in lead.frames]
    return {name: {"at": [texts[name] for texts in told], "now": text} for name, text in readings(lead.now).items()}


def following(
    identity: str, name: str, panel: HandlePanel, *, dots: Sequence[Spec] = (), bars: Sequence[Spec] = ()
) -> Spec:
    """What moves in a picture that has no handle of its own, but is linked to one.

    Parameters
    ----------
    identity : str
        That of the handle.
    name : str
        Tells the picture, with all that is drawn in it, from the others that are linked.
    panel : HandlePanel
    dots, bars : sequence of dict
        With the values of every frame of the panel.
    """
    frames = panel.frames
    return {
        "id": f"{name} {identity} {len(frames)}",
        "link": link_of(identity, len(frames)),
        "c": packed([frame.c for frame in frames], "<f8"),
        "nearest": 0,
        "pauses": [],
        "marks": [],
        "dots": list(dots),
        "bars": list(bars),
        "readings": {},
    }
