"""The four pictures of the Lab with what is said over each, for its page and for a saved one."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.analysis.features.single_feature import SingleFeatureScore
from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame, counts_among
from core.analysis.tradeoff.tradeoff import TradeoffPoint, tradeoff_points
from core.data import Convention
from core.figures.fit.convergence import Curve
from core.figures.lab.compact import HANDLE, WORDS, compact
from core.figures.lab.convergence import lab_convergence_figure
from core.figures.lab.features import ROWS, lab_features_figure, lab_rows
from core.figures.lab.lab_drag import ALONE_ON, LabDrags
from core.figures.lab.path import lab_path_figure
from core.figures.look.style import STAR_MARK, certificate_name, method_style, seconds
from core.figures.path.tuning import PART_TITLES
from core.figures.tradeoff.axes import Across
from core.figures.tradeoff.tradeoff import View, tradeoff_drawing
from core.metrics.measures import MeasureName
from core.names.counted import counted, features
from core.names.numbers import short
from core.solvers import FitResult

LABEL_SHARE = 0.11  # of the height of the plot: a line of text
RIGHT = 76  # pixels for the methods' names


def lab_tradeoff_figure(
    curves: Mapping[str, Sequence[TradeoffPoint]],
    view: View,
    titles: Mapping[str, str],
    *,
    pinned: TradeoffPoint | None = None,
    best: TradeoffPoint | None = None,
    revision: str = "",
) -> go.Figure:
    """Draw the trade-off of `tradeoff_figure` small, with a pinned run as a ring and the best one as a star.

    Parameters
    ----------
    curves : mapping
        Points by method, in the order of their paths.
    view : View
    titles : mapping
        A method's name for people.
    pinned : TradeoffPoint, optional
    best : TradeoffPoint, optional
        The chosen method's best model on the validation part, drawn as a star.
    revision : str
        A zoom is kept as long as this is the same.
    """
    figure = tradeoff_drawing(curves, view, titles, gap=LABEL_SHARE)
    if pinned is not None:
        colour = method_style(pinned.method).colour
        figure.add_scatter(
            x=[view.across.of(pinned)],
            y=[pinned.value(view.part, view.measure)],
            mode="markers",
            marker={"symbol": "circle-open", "size": 15, "color": colour, "line": {"width": 2}},
            name="pinned",
            hovertemplate=f"pinned: {pinned.kept} features, {view.measure} %{{y:.4f}}<extra></extra>",
            customdata=[[pinned.method, pinned.c]],
        )
    if best is not None:
        figure.add_scatter(
            x=[view.across.of(best)],
            y=[best.value(view.part, view.measure)],
            mode="markers",
            marker=STAR_MARK,
            name="best on validation",
            hovertemplate=f"best on validation: {best.kept} features, {view.measure} %{{y:.4f}}<extra></extra>",
            customdata=[[best.method, best.c]],
        )
    figure.update_yaxes(title_text=f"{PART_TITLES[view.part]} {view.measure}", nticks=5)
    figure.update_annotations(font_size=WORDS)
    return compact(figure, left=56, right=RIGHT, top=HANDLE).update_layout(uirevision=revision).figure()


STAR, MODEL, RING = "★", "●", "○"
"""Marks as words name them: the best on validation, the chosen model, that of the method beside."""


@dataclass(frozen=True, eq=False)
class LabPictures:
    """What the four pictures are drawn from.

    Attributes
    ----------
    drags : LabDrags
        What moves in them; its hand shows the chosen model, and decides part and measure.
    points : sequence of PathPoint
        The path of the chosen method; at least one.
    titles : mapping
        Names of the methods drawn, by id: the chosen one first, then the one beside it, if there is one.
    ratio : float or None
        lambda / lambda_max of the chosen C, where a line is drawn there.
    usable : ndarray of bool, shape (n_features,)
        Features that are not zero everywhere in training.
    convention : {"standard", "letor3", "letor4"}
    best : PathPoint or None
        Best on the validation part.
    beside : sequence of PathPoint
        The path of another method; empty where none is shown.
    """

    drags: LabDrags
    points: Sequence[PathPoint]
    titles: Mapping[str, str]
    ratio: float | None
    usable: NDArray[np.bool_]
    convention: Convention
    best: PathPoint | None = None
    beside: Sequence[PathPoint] = ()

    def without_choice(self) -> LabPictures:
        """The pictures without the line of the chosen C, for a page on which only the handle shows it."""
        return replace(self, ratio=None)

    @property
    def part(self) -> str:
        """On which models are measured."""
        return self.drags.part

    @property
    def measure(self) -> MeasureName:
        """How models are measured."""
        return self.drags.measure

    @property
    def curves(self) -> dict[str, tuple[TradeoffPoint, ...]]:
        """The models of the trade-off by method."""
        drawn = [self.points, *([self.beside] if self.beside else [])]
        return {points[0].fit.method: tradeoff_points(points, self.usable) for points in drawn}

    def path(self, revision: str = "") -> go.Figure:
        """Draw how the weights grow as lambda falls."""
        return lab_path_figure(
            self.points,
            self.drags.coloured,
            chosen_ratio=self.ratio,
            best=self.best,
            beside=self.beside,
            revision=revision,
        )

    def tradeoff(self, pinned: PathPoint | None = None, revision: str = "") -> go.Figure:
        """Draw what the models reach by the features that they keep."""

        def placed(point: PathPoint | None) -> TradeoffPoint | None:
            return None if point is None else next(iter(tradeoff_points([point], self.usable)), None)

        across = Across("features kept", len(self.usable), log=True)
        return lab_tradeoff_figure(
            self.curves,
            View(self.part, self.measure, across, self.convention),
            self.titles,
            pinned=placed(pinned),
            best=placed(self.best),
            revision=revision,
        )

    def rows(self, scores: Sequence[SingleFeatureScore], most: int = ROWS) -> list[int]:
        """Columns (from 0) of the features with a row."""
        return lab_rows(scores, self.measure, self.drags.coloured, most)

    def features(self, scores: Sequence[SingleFeatureScore], rows: Sequence[int], revision: str = "") -> go.Figure:
        """Draw what each feature does alone."""
        together = [point.metrics[ALONE_ON][self.measure] for point in self.points]
        return lab_features_figure(scores, self.measure, rows, together, part=ALONE_ON, revision=revision)

    def convergence(self, result: FitResult, beside: Curve | None = None, revision: str = "") -> go.Figure:
        """Draw how a fit of the chosen model came to its certificate."""
        return lab_convergence_figure(
            self.points[0].fit.method,
            result.trace,
            name=self.title,
            also=[shown.certificate.relative for shown in self.drags.hand.frames],
            beside=beside,
            revision=revision,
        )

    @property
    def title(self) -> str:
        """The chosen method's."""
        return self.titles[self.points[0].fit.method]

    @property
    def path_alt(self) -> str:
        """Of the path, for screen readers."""
        return f"Regularization path of {self.title}; the line is the chosen C, the star the best on validation."

    @property
    def tradeoff_alt(self) -> str:
        """Of the trade-off, for screen readers."""
        return f"{PART_TITLES[self.part]} {self.measure} against features kept, of {', '.join(self.titles.values())}."

    @property
    def features_alt(self) -> str:
        """Of the features, for screen readers."""
        return f"{PART_TITLES[ALONE_ON]} {self.measure} of single features; those that {self.title} keeps are filled."

    @property
    def convergence_alt(self) -> str:
        """Of the convergence, for screen readers."""
        return f"The certificate of the fit of {self.title} against its steps."

    def readings(self, rows: Sequence[int] = ()) -> Callable[[Frame], dict[str, str]]:
        """Return the function from a frame to the texts in `path_words`, `tradeoff_words` and `features_words`.

        ``rows`` are the columns of the features with a row, where they are known.
        """
        between: dict[float, str] = {}

        def texts(shown: Frame) -> dict[str, str]:
            told = {
                "lab-kept": features(shown.size),
                "lab-value": f"{shown.judgement.metrics[self.part][self.measure]:.4f}",
            }
            if rows:
                filled = str(sum(bool(shown.weights[j]) for j in rows))
                if shown.fewest is not None and not between:
                    between.update(counts_among(self.drags.hand.frames, rows))
                told["lab-filled"] = filled_words(filled if shown.fewest is None else between[shown.c], shown.size)
            return told

        return texts

    def path_words(self, texts: Mapping[str, str]) -> str:
        """What is seen in the path, as HTML, with a key; ``texts`` are the `readings` of the chosen model."""
        return _with_key(
            f"{reading('lab-kept', texts)} kept under the line",
            "" if self.best is None else f"{STAR} best on validation",
            f"thin: {self.other}" if self.other else "",
        )

    def tradeoff_words(self, texts: Mapping[str, str]) -> str:
        """What is seen in the trade-off, as HTML, with a key."""
        return _with_key(
            f"{MODEL} {reading('lab-value', texts)} with {reading('lab-kept', texts)}",
            "" if self.best is None else f"line: validation's picks · {STAR} of all",
            f"{RING} {self.other}" if self.other else "",
        )

    def features_words(self, texts: Mapping[str, str]) -> str:
        """What is seen of the features, as HTML, with a key."""
        return _with_key(reading("lab-filled", texts), f"large ring: {self.other}" if self.other else "")

    @property
    def other(self) -> str:
        """The title of the method beside as HTML; empty where there is none."""
        return html.escape(self.titles[self.beside[0].fit.method]) if self.beside else ""


def filled_words(filled: str, kept: str) -> str:
    """Say how many of the kept features have a row, where they are filled; numbers may be ranges."""
    if kept == "0":
        return "no feature is kept"
    if filled == kept:
        return "the one kept is filled" if kept == "1" else f"all {kept} kept are filled"
    return f"{filled} of {kept} kept {'has' if filled == '1' else 'have'} a row here, filled"


def _with_key(*words: str) -> str:
    return " · ".join(filter(None, words))


def convergence_words(result: FitResult, *, ended: bool) -> str:
    """What a fit has reached, as HTML."""
    found = result.certificate
    label = html.escape(certificate_name(found.kind, found.among))
    steps = counted(result.steps, "step")
    reached = f"{label} {short(found.relative)}"
    first = next((point.step for point in result.trace if not point.provisional), 0)
    late = f" · known from step {first} on" if first > 0 else ""
    return f"{reached} in {steps}, {seconds(result.seconds)}{late}" if ended else f"{reached} after {steps}"


def reading(name: str, texts: Mapping[str, str]) -> str:
    """A text that changes as the reader drags C, as HTML."""
    return f'<b data-reading="{name}">{html.escape(texts[name])}</b>'
