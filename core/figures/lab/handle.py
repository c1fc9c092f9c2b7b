"""What follows the hand in the four views of the Lab: one handle for C, in the path; all move by its frames."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.analysis.features.single_feature import SingleFeatureScore, best_alone
from core.analysis.path_frames import Frame
from core.analysis.tradeoff.tradeoff import TradeoffPoint
from core.figures.lab.convergence import LEAST
from core.figures.look.feature_styles import feature_style
from core.figures.look.style import MUTED, method_style
from core.figures.path.handle import HandlePanel, Spec, at_frames, following, nearest_frames, path_handle
from core.figures.path.lights import lights, lit_models, lit_places
from core.metrics.measures import MeasureName

MODEL = 6.5  # radius of a whole model's dot, in pixels
OUTLINE = 7.5  # of the ring around a feature that the method beside keeps


@dataclass(frozen=True, eq=False)
class LabHandle:
    """What the views have in common.

    Attributes
    ----------
    panel : HandlePanel
        The frames of the chosen method's path, its model at the chosen C, and its colour; without frames the views
        show that model and nothing moves.
    coloured : sequence of int
        Columns (from 0) with colours of their own.
    part, measure : str
        How models and single features are judged.
    identity : str
        The same as long as the path is the same.
    names : sequence of str, length n_features
        Of the features.
    beside : HandlePanel or None
        The path of another method, which shows its model at the same share of lambda_max.
    """

    panel: HandlePanel
    coloured: Sequence[int]
    part: str
    measure: MeasureName
    identity: str
    names: Sequence[str]
    beside: HandlePanel | None = None

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
            [self.panel], self.coloured, self.measure, "lambda", readings, self.identity, best=best, names=self.names
        )  # with the curves of the measure, which this view has not
        return spec | {kind: [drawn for drawn in spec[kind] if drawn["y"] == "yaxis"] for kind in ("marks", "dots")}

    def in_tradeoff(self, curves: Mapping[str, Sequence[TradeoffPoint]]) -> Spec:
        """A dot where the model stands among the others, and which of them keep a feature that is pointed at.

        Parameters
        ----------
        curves : mapping
            The models drawn, by method.
        """
        models = [point for points in curves.values() for point in points]
        lit = lit_models(
            [(point.kept, point.value(self.part, self.measure)) for point in models],
            [point.selected for point in models],
            [method_style(point.method).colour for point in models],
            "xaxis",
            "yaxis",
        )
        shown = self._dots(lambda frame: frame.kept, lambda frame: frame.judgement.shown(self.part, self.measure))
        return self._following("tradeoff", shown) | {"lights": lights(self.names, (), models=[lit])}

    def in_features(self, scores: Sequence[SingleFeatureScore], rows: Sequence[int]) -> Spec:
        """A dot on every feature that is kept, in its colour, and one for the whole model in the row above them.

        A feature that the method beside keeps has a ring in that method's colour.
        """
        dots = self._dots(lambda frame: frame.judgement.metrics[self.part][self.measure], lambda _: 0.0)
        beside = self._beside
        for row, j in enumerate(rows, start=1):
            on = {"x": "xaxis", "y": "yaxis", "across": {"now": scores[j].value(self.measure)}, "now": float(row)}
            colour = feature_style(j).colour if j in self.coloured else MUTED
            if beside is not None:
                ring = _values(beside, lambda frame, j=j: float(frame.weights[j] != 0.0))  # type: ignore[misc]
                dots.append(on | {"colour": beside.colour, "seen": ring, "outline": True, "size": OUTLINE})
            kept = _values(self.panel, lambda frame, j=j: float(frame.weights[j] != 0.0))  # type: ignore[misc]
            dots.append(on | {"colour": colour, "seen": kept})
        ranks = {j: rank for rank, j in enumerate(best_alone(scores, self.measure).columns, start=1)}
        lit = lit_places(
            {j: (scores[j].value(self.measure), row) for row, j in enumerate(rows, start=1)},
            {
                j: f"{self.measure} {score.value(self.measure):.4f} alone, rank {ranks[j]}"
                for j, score in enumerate(scores)
            },
            "xaxis",
            "yaxis",
        )
        return self._following("features", dots) | {"lights": lights(self.names, (), places=[lit])}

    def in_convergence(self, steps: float) -> Spec:
        """While the hand moves, a dot at the certificate of the model under it, above the last step of the fit."""
        on = {"x": "xaxis", "y": "yaxis", "across": {"now": steps}, "colour": self.panel.colour, "size": MODEL}
        up = _values(self.panel, lambda frame: max(frame.certificate.relative, LEAST))
        moving = at_frames([1.0] * len(self.panel.frames), 0.0)
        return self._following("convergence", [on | up | {"seen": moving}])

    @property
    def _beside(self) -> HandlePanel | None:
        """The method beside with a frame for each of the chosen method's, nearest in lambda / lambda_max."""
        if self.beside is None or not self.beside.frames:
            return None
        frames = nearest_frames(self.beside.frames, [frame.ratio for frame in self.panel.frames])
        (now,) = nearest_frames(self.beside.frames, [self.panel.now.ratio])
        return HandlePanel(frames, now, self.beside.colour)

    def _dots(self, across: Callable[[Frame], float], up: Callable[[Frame], float]) -> list[Spec]:
        """A dot for the model, and a ring for that of the method beside."""
        beside = self._beside
        on = {"x": "xaxis", "y": "yaxis", "size": MODEL}
        dots = [on | {"colour": self.panel.colour, "across": _values(self.panel, across)} | _values(self.panel, up)]
        if beside is not None:
            ring = {"colour": beside.colour, "across": _values(beside, across), "outline": True}
            dots.append(on | ring | _values(beside, up))
        return dots

    def _following(self, view: str, dots: Sequence[Spec]) -> Spec:
        return following(self.identity, f"{view} {len(dots)}", self.panel, dots=dots)


def _values(panel: HandlePanel, of: Callable[[Frame], float]) -> Spec:
    return at_frames([of(frame) for frame in panel.frames], of(panel.now))
