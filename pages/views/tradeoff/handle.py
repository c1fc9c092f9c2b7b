"""C under the hand on the Trade-off page: it runs along the curve of the chosen method."""

from __future__ import annotations

from collections.abc import Container, Hashable, Sequence
from dataclasses import dataclass

from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame, fitted_frame
from core.analysis.path_views import nearest_point, ratio_of
from core.analysis.tuning.tuning import best_on_validation
from core.figures.look.style import method_style
from core.figures.path.handle import HandlePanel, Spec
from core.figures.tradeoff.handle import tradeoff_handle
from core.figures.tradeoff.tradeoff import View
from pages.shared import following, frame, headline
from pages.shared.choice.choice import Loaded
from pages.shared.choice.use_model import use_model
from pages.shared.live_chart import taken
from pages.shared.work.paths import complete, known_points, path_frames, path_key


@dataclass(frozen=True, eq=False)
class CHandle:
    """The curve of the chosen method, its model at the chosen C, and the frames between."""

    points: Sequence[PathPoint]
    now: PathPoint
    frames: Sequence[Frame]

    @property
    def identity(self) -> tuple[Hashable, ...]:
        """All that moves."""
        return (self.now.fit, *self.points, *self.frames)


def c_handle(choice: Loaded, drawn: Container[str]) -> CHandle | None:
    """What moves on the curve of the chosen method; None where that is not among those ``drawn``, or not complete."""
    points = known_points(choice, choice.method_id)
    if not points or choice.method_id not in drawn or not complete(choice, [choice.method_id]):
        return None
    shown = headline.shown(choice)
    now = nearest_point(points, choice.lam) if shown is None else shown.point
    return CHandle(points, now, path_frames(choice, points))


def handle_spec(choice: Loaded, handle: CHandle, view: View) -> Spec:
    """The handle as the browser reads it."""
    points = handle.points
    panel = HandlePanel(handle.frames, fitted_frame(handle.now), method_style(choice.method_id).colour)

    def readings(at: Frame) -> dict[str, str]:
        return following.readings(choice, at)

    return tradeoff_handle(
        panel,
        view,
        readings,
        f"{path_key(choice, choice.method_id)} {len(points)}",
        best=ratio_of(best_on_validation(points, view.measure)) if "vali" in handle.now.metrics else None,
    )


def take_let_go() -> None:
    """The model at which the hand let go of the line gives C everywhere."""
    place, choice = taken("tradeoff"), frame.choice()
    if choice is not None and place is not None:
        use_model(c=float(place["c"]), ratio=choice.training.lam_of(place["c"]) / choice.training.lam_max)
