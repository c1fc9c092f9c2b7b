"""The handle for C on a trade-off: it runs along the curve of one method, from model to model."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.analysis.path_frames import Frame
from core.figures.path.handle import HandlePanel, Spec, at_frames, path_handle
from core.figures.tradeoff.tradeoff import View

MODEL = 6.5  # radius of the model's dot, in pixels


def tradeoff_handle(
    panel: HandlePanel,
    view: View,
    readings: Callable[[Frame], Mapping[str, str]],
    identity: str,
    *,
    best: float | None = None,
) -> Spec:
    """Return the handle of the trade-off of one fold.

    Its line stands at the number of features that the model keeps. Several models keep as many: among them the hand's
    height decides (``up`` of the mark). The empty model ranks nothing and has no dot.

    Parameters
    ----------
    panel : HandlePanel
        The frames of the method's path, its model at the chosen C, and its colour.
    view : View
        Of the picture.
    readings : callable
        From a frame to the texts on the page that follow the hand, by name.
    identity : str
        The same as long as the path is the same.
    best : float, optional
        lambda / lambda_max that is best on the validation part: there Play pauses.
    """
    seen = f"{identity} {view.part} {view.across.horizontal} {view.across.log}"
    spec = path_handle([panel], [], view.measure, "features", readings, seen, best=best)
    frames, now = panel.frames, panel.now
    across = at_frames([view.across.at(frame.weights) for frame in frames], view.across.at(now.weights))
    up = at_frames([_height(frame, view) for frame in frames], _height(now, view))
    there = at_frames([float(frame.kept > 0) for frame in frames], float(now.kept > 0))
    on = {"x": "xaxis", "y": "yaxis"}
    dot = on | up | {"across": across, "seen": there, "colour": panel.colour, "size": MODEL}
    return spec | {"marks": [on | across | {"up": up["at"]}], "dots": [dot]}


def _height(frame: Frame, view: View) -> float:
    return frame.judgement.shown(view.part, view.measure)
