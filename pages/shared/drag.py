"""C in pictures: the path along which the reader drags it, and what becomes of the C where they let go or click."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame, fitted_frame
from core.analysis.path_views import ratio_of
from core.figures.drag.hand import Hand, no_readings
from core.figures.look.style import method_style
from pages.shared import frame
from pages.shared.choice.choice import Loaded
from pages.shared.choice.use_model import use_model
from pages.shared.live_chart import clicked, released
from pages.shared.work.paths import complete, path_frames, path_key


def hand_of(
    choice: Loaded,
    points: Sequence[PathPoint],
    now: PathPoint,
    *,
    best: PathPoint | None = None,
    readings: Callable[[Frame], Mapping[str, str]] = no_readings,
) -> Hand:
    """Return a method's path as pictures take it; without frames while it is not complete.

    Parameters
    ----------
    choice : Loaded
    points : sequence of PathPoint
        The path as far as it is known.
    now : PathPoint
        The method's model at the chosen C.
    best : PathPoint, optional
        Best on the validation part: there Play pauses.
    readings : callable
        From a frame to the texts of the page that tell of the model under the handle, by name (`following.readings`).
    """
    method_id = now.fit.method
    whole = len(points) > 0 and complete(choice, [method_id])
    return Hand(
        path_frames(choice, points) if whole else [],
        fitted_frame(now),
        method_style(method_id).colour,
        path=f"{path_key(choice, method_id)} {len(points)}",
        best=None if best is None else ratio_of(best),
        readings=readings,
    )


def take_c(c: float) -> None:
    """Make this the C of every page; for callbacks."""
    choice = frame.choice()
    if choice is not None:
        use_model(c=c, ratio=choice.training.lam_of(c) / choice.training.lam_max)


def take_released(chart: str) -> None:
    """Make the C at which the reader let go of a chart's handle that of every page."""
    place = released(chart)
    if place is not None:
        take_c(float(place["c"]))


def take_clicked(chart: str) -> None:
    """Make the C of the model that was clicked that of every page; a point without a C changes nothing."""
    point = clicked(chart)
    c = None if point is None else point.get("customdata")
    if isinstance(c, int | float):
        take_c(float(c))
