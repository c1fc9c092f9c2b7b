"""What follows the hand in the four views of the Lab: one handle for C, in the path; all move by its frames."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.analysis.features.single_feature import SingleFeatureScore
from core.analysis.path_frames import Frame
from core.figures.lab.convergence import LEAST
from core.figures.look.feature_styles import FEATURE_STYLES
from core.figures.look.style import MUTED
from core.figures.path.handle import HandlePanel, Spec, at_frames, link_of, packed, path_handle

MODEL = 6.5  # radius of a whole model's dot, in pixels


@dataclass(frozen=True, eq=False)
class LabHandle:
    """What the views have in common.

    Attributes
    ----------
    panel : HandlePanel
        The frames of the chosen method's path, its model at the chosen C, and its colour; without frames the views
        show that model and nothing moves.
    coloured : sequence of int
        Columns (from 0) with colours of their own, in the order of their styles.
    part, measure : str
        How models are judged.
    identity : str
        The same as long as the path is the same.
    """

    panel: HandlePanel
    coloured: Sequence[int]
    part: str
    measure: str
    identity: str

    def in_path(self, readings: Callable[[Frame], Mapping[str, str]], best: float | None) -> Spec | None:
        """The handle itself; None where there are no frames.

        Parameters
        ----------
        readings : callable
            From a frame to the texts on the page that follow the hand, by name.
        best : float or None
            lambda / lambda_max that is best on the validation part.
        """
        if not self.panel.frames:
            return None
        spec = path_handle(
            [self.panel], self.coloured, self.measure, "lambda", readings, self.identity, best=best
        )  # with the curves of the measure, which this view has not
        return spec | {kind: [drawn for drawn in spec[kind] if drawn["y"] == "yaxis"] for kind in ("marks", "dots")}

    def in_tradeoff(self) -> Spec:
        """A dot where the model stands among the others."""
        return self._following(
            "tradeoff",
            [self._dot(lambda frame: frame.kept, lambda frame: frame.judgement.shown(self.part, self.measure))],
        )

    def in_features(self, scores: Sequence[SingleFeatureScore], rows: Sequence[int]) -> Spec:
        """A dot on every feature that is kept, in its colour, and one for the whole model in the row above them."""
        styles = dict(zip(self.coloured, (style.colour for style in FEATURE_STYLES), strict=False))
        dots = [self._dot(lambda frame: frame.judgement.metrics[self.part]["NDCG@10"], lambda _: 0.0)]
        for row, j in enumerate(rows, start=1):
            kept = self._values(lambda frame, j=j: float(frame.weights[j] != 0.0))  # type: ignore[misc]
            place = {"across": {"now": scores[j].ndcg_at_10}, "now": float(row)}
            dots.append({"x": "xaxis", "y": "yaxis", "colour": styles.get(j, MUTED), "seen": kept} | place)
        return self._following("features", dots)

    def in_convergence(self, steps: float) -> Spec:
        """While the hand moves, a dot at the certificate of the model under it, above the last step of the fit."""
        dot = self._dot(lambda _: steps, lambda frame: max(frame.certificate.relative, LEAST))
        moving = at_frames([1.0] * len(self.panel.frames), 0.0)
        return self._following("convergence", [dot | {"seen": moving}])

    def _dot(self, across: Callable[[Frame], float], up: Callable[[Frame], float]) -> Spec:
        on = {"x": "xaxis", "y": "yaxis", "across": self._values(across), "colour": self.panel.colour, "size": MODEL}
        return on | self._values(up)

    def _values(self, of: Callable[[Frame], float]) -> Spec:
        return at_frames([of(frame) for frame in self.panel.frames], of(self.panel.now))

    def _following(self, view: str, dots: Sequence[Spec]) -> Spec:
        """What moves in a view that has no handle of its own."""
        frames = self.panel.frames
        return {
            "id": f"{view} {self.identity} {len(frames)} {len(dots)}",
            "link": link_of(self.identity, len(frames)),
            "c": packed([frame.c for frame in frames], "<f8"),
            "nearest": 0,
            "pauses": [],
            "marks": [],
            "dots": list(dots),
            "bars": [],
            "readings": {},
        }
