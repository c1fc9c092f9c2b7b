"""The four small pictures of the Lab, for its page and for a saved one, with what is said over each.

They have narrow margins, small letters and no title: the page says what is seen.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.analysis.features.single_feature import SingleFeatureScore, best_alone
from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame, counts_among
from core.analysis.path_views import ratio_of, weights_along
from core.analysis.tradeoff.tradeoff import TradeoffRow, tradeoff_points
from core.data import Convention
from core.figures.fit.convergence import LEAST, Curve, convergence_drawing
from core.figures.fit.convergence import Axes as CurveAxes
from core.figures.lab.lab_drag import ALONE_ON, LabDrags
from core.figures.look.colours import feature_colours
from core.figures.look.drawing import Drawing, Part
from core.figures.look.labels import name_labels, of_features
from core.figures.look.style import DECADES, MUTED, STAR_MARK, certificate_name, layout, method_style, seconds, silent
from core.figures.path.axes import Axes, horizontal_range, weight_range
from core.figures.path.lines import PART_TITLES, entered, weight_lines
from core.figures.path.path import weight_labels
from core.figures.picture import said
from core.figures.tradeoff.axes import Across, View, tradeoff_drawing
from core.methods import get_method
from core.metrics.measures import MeasureName
from core.names.counted import FEWER_MORE, counted, features
from core.names.numbers import short
from core.solvers import FitResult

HEIGHT = 250
LETTERS = 11  # pixels, along the axes
WORDS = 12
HANDLE = 26  # pixels above the picture: room for the handle of C
PEAK = 0.06  # of the height of the path: above the numbers of the axis
CHOSEN, THIN = 1.6, 1.1  # pixels: widths of lines
TRADEOFF_LABEL = 0.11  # height of a label, of that of the picture
NAMED = 180  # pixels of the path beside which names stand
BESIDE_NAMES = 1.4  # of the last step, where two curves have their names beside them
FEW = 6  # steps that are counted one by one along the axis
SMALL = {"duality gap": "relative gap", "stationarity": "relative residual"}
BEST = 10  # features with a row that are the best alone
ROWS = 14
TOGETHER = "all kept, together"
STAR, MODEL, RING = "★", "●", "○"
"""Marks as words name them: the best on validation, the chosen model, that of the method beside."""


@dataclass(frozen=True, eq=False)
class LabPictures:
    """The four pictures with what is said of each, and what they are drawn from."""

    drags: LabDrags
    """What moves in them; its hand shows the chosen model, and decides part and measure."""
    points: Sequence[PathPoint]
    """The path of the chosen method; at least one."""
    titles: Mapping[str, str]
    """Names of the methods drawn, by id: the chosen one first, then the one beside it, if there is one."""
    ratio: float | None
    """lambda / lambda_max of the chosen C, where a line is drawn there."""
    usable: NDArray[np.bool_]
    """Shape (n_features,): features that are not zero everywhere in training."""
    convention: Convention
    best: PathPoint | None = None
    """Best on the validation part."""
    beside: Sequence[PathPoint] = ()
    """The path of another method; empty where none is shown."""

    @property
    def part(self) -> str:
        return self.drags.part

    @property
    def measure(self) -> MeasureName:
        return self.drags.measure

    @property
    def curves(self) -> dict[str, tuple[TradeoffRow, ...]]:
        """The models of the trade-off by method."""
        drawn = [self.points, *([self.beside] if self.beside else [])]
        return {points[0].fit.method: tradeoff_points(points, self.usable) for points in drawn}

    def path(self, revision: str = "") -> go.Figure:
        """Draw how the weights grow as lambda falls."""
        coloured = self.drags.coloured
        span = weight_range([self.points], coloured)
        reach = horizontal_range([self.points], "lambda", self.ratio)
        lines = [] if self.ratio is None else [_line(self.ratio, CHOSEN)]
        lines += [] if self.best is None else [_line(ratio_of(self.best), THIN)]
        traces = [*_thin_lines(self.beside, coloured), *weight_lines(self.points, coloured, "lambda", Axes(1))]
        traces += [] if self.best is None else [_peak(self.best, span)]
        figure = Drawing()
        for trace in traces:
            figure.add_trace(trace)
        figure.update_xaxes(DECADES, range=reach, title=" · ".join(FEWER_MORE), showticklabels=False)
        figure.update_yaxes(title="weight", nticks=5, range=span)
        names = weight_labels(Axes(1), self.points, coloured, span, NAMED)
        drawn = layout(figure, uirevision=revision, annotations=names, shapes=lines)
        return compact(drawn, left=48, right=134, top=HANDLE).figure()

    def tradeoff(self, pinned: PathPoint | None = None, revision: str = "") -> go.Figure:
        """Draw what the models reach by the features that they keep."""
        across = Across("features kept", len(self.usable), log=True)
        view = View(self.part, self.measure, across, self.convention)
        figure = tradeoff_drawing(self.curves, view, self.titles, gap=TRADEOFF_LABEL)
        for point, name in ((pinned, "pinned"), (self.best, "best on validation")):
            at = None if point is None else next(iter(tradeoff_points([point], self.usable)), None)
            if at is None:
                continue
            colour = method_style(at.method).colour
            ring = {"symbol": "circle-open", "size": 15, "color": colour, "line": {"width": 2}}
            figure.add_scatter(
                x=[view.across.of(at)],
                y=[at.value(view.part, view.measure)],
                mode="markers",
                marker=ring if name == "pinned" else STAR_MARK,
                name=name,
                hovertemplate=f"{name}: {at.kept} features, {view.measure} %{{y:.4f}}<extra></extra>",
                customdata=[[at.method, at.c]],
            )
        figure.update_yaxes(title_text=f"{PART_TITLES[view.part]} {view.measure}", nticks=5)
        figure.update_annotations(font_size=WORDS)
        return compact(figure, left=56, right=76, top=HANDLE).update_layout(uirevision=revision).figure()

    def rows(self, scores: Sequence[SingleFeatureScore], most: int = ROWS) -> list[int]:
        """Columns (from 0) of the features with a row, the best alone on top.

        They are the `BEST` best alone, then those that matter most on the path, ``most`` in all: the same at every C.
        """
        ranked = best_alone(scores, self.measure)
        best = ranked[:BEST]
        rows = {*best, *[j for j in self.drags.coloured if j not in best][: most - len(best)]}
        return [j for j in ranked if j in rows]

    def features(self, scores: Sequence[SingleFeatureScore], rows: Sequence[int], revision: str = "") -> go.Figure:
        """Draw what each feature does alone."""
        together = [point.metrics[ALONE_ON][self.measure] for point in self.points]
        measure = self.measure
        values = [scores[j].value(measure) for j in rows]
        figure = Drawing().add_scatter(
            x=values,
            y=list(range(1, len(rows) + 1)),
            mode="markers",
            marker={"symbol": "circle-open", "size": 8, "color": MUTED, "line": {"width": 1.2}},
            **of_features([score.name for score in scores], rows, f"{measure} alone %{{x:.4f}}"),
        )
        low, high = min(values), max([*values, *together])
        air = 0.05 * (high - low) or 0.05
        labels = [TOGETHER, *name_labels([score.name for score in scores], rows)]
        drawn = layout(figure)
        drawn.update_xaxes(title=f"{PART_TITLES[ALONE_ON]} {measure} alone", range=[low - air, high + air], nticks=6)
        drawn.update_yaxes(
            tickvals=list(range(len(labels))), ticktext=labels, range=[len(labels) - 0.4, -0.6], showgrid=True
        )
        drawn.add_hline(y=0.5, line={"color": MUTED, "width": 1, "dash": "dot"})
        longest = max(len(label) for label in labels)
        small = compact(drawn, left=12 + round(0.55 * LETTERS * longest), right=16, top=10)
        return small.update_layout(uirevision=revision).figure()

    def convergence(self, result: FitResult, beside: Curve | None = None, revision: str = "") -> go.Figure:
        """Draw how a fit of the chosen model came to its certificate."""
        drawn = Curve(self.title, self.points[0].fit.method, result.trace)
        also = [shown.certificate.relative for shown in self.drags.hand.frames]
        curves = [*([] if beside is None else [beside]), drawn]
        figure = convergence_drawing(curves, CurveAxes("certificate", log_y=True))
        shown = [point.certificate.relative for curve in curves for point in curve.trace]
        logs = [math.log10(max(value, LEAST)) for value in (*shown, *also) if math.isfinite(value)]
        high = max(logs, default=0.0)
        low = min([*logs, high - 1.0])
        air = 0.06 * (high - low)
        last = max(curve.trace[-1].step for curve in curves)
        end = (1.05 if len(curves) == 1 else BESIDE_NAMES) * max(last, 1)
        figure.update_xaxes(title_text="steps", range=[-0.02 * max(last, 1), end], nticks=6)
        if last <= FEW:
            figure.update_xaxes(dtick=1)
        kinds = {curve.trace[-1].certificate.kind for curve in curves}
        words = SMALL[kinds.pop()] if len(kinds) == 1 else "gap or residual"
        figure.update_yaxes(title_text=words, range=[low - air, high + air], exponentformat="e", nticks=5)
        # Curves fall from the left, and the axis goes on beyond them: the names have room at the upper right.
        legend = {"x": 1, "xanchor": "right", "y": 1, "yanchor": "top", "yref": "paper", "orientation": "v"}
        figure.update_layout(legend=legend | {"font": {"size": WORDS}, "bgcolor": "rgba(0,0,0,0)"})
        return compact(figure, left=62, right=20, top=10).update_layout(uirevision=revision).figure()

    @property
    def title(self) -> str:
        return self.titles[self.points[0].fit.method]

    def without_choice(self) -> LabPictures:
        """The pictures without the line of the chosen C, for a page on which only the handle shows it."""
        return replace(self, ratio=None)

    @property
    def alts(self) -> dict[str, str]:
        """What screen readers say of path, trade-off, features and convergence, by their names."""
        where = f"{PART_TITLES[self.part]} {self.measure} against features kept"
        alone = f"{PART_TITLES[ALONE_ON]} {self.measure} of single features"
        return {
            "path": f"Regularization path of {self.title}; the line is the chosen C, the star the best on validation.",
            "tradeoff": f"{where}, of {', '.join(self.titles.values())}.",
            "features": f"{alone}; those that {self.title} keeps are filled.",
            "convergence": f"The certificate of the fit of {self.title} against its steps.",
        }

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
        return said(
            f"{reading('lab-kept', texts)} kept under the line",
            "" if self.best is None else f"{STAR} best on validation",
            f"thin: {self.other}" if self.other else "",
        )

    def tradeoff_words(self, texts: Mapping[str, str]) -> str:
        """What is seen in the trade-off, as HTML, with a key."""
        return said(
            f"{MODEL} {reading('lab-value', texts)} with {reading('lab-kept', texts)}",
            "" if self.best is None else f"line: validation's picks · {STAR} of all",
            f"{RING} {self.other}" if self.other else "",
        )

    def features_words(self, texts: Mapping[str, str]) -> str:
        """What is seen of the features, as HTML, with a key."""
        return said(reading("lab-filled", texts), f"large ring: {self.other}" if self.other else "")

    @property
    def other(self) -> str:
        """The name of the method beside as HTML; empty where there is none."""
        return html.escape(get_method(self.beside[0].fit.method).title) if self.beside else ""


def filled_words(filled: str, kept: str) -> str:
    """Say how many of the kept features have a row, where they are filled; numbers may be ranges."""
    if kept == "0":
        return "no feature is kept"
    if filled == kept:
        return "the one kept is filled" if kept == "1" else f"all {kept} kept are filled"
    return f"{filled} of {kept} kept {'has' if filled == '1' else 'have'} a row here, filled"


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


def compact(figure: Drawing, *, left: int, right: int, top: int) -> Drawing:
    """Make a figure small, with margins in pixels, and return it; a page may give it another height."""
    axis: dict[str, Any] = {"tickfont": {"size": LETTERS}, "title": {"font": {"size": WORDS}, "standoff": 6}}
    figure.update_xaxes(axis | {"automargin": False})
    figure.update_yaxes(axis | {"automargin": False})
    return figure.update_layout(
        height=HEIGHT, margin={"l": left, "r": right, "t": top, "b": 38, "pad": 2}, hoverdistance=12
    )


def _line(x: float, width: float) -> dict[str, Any]:
    line = {"color": MUTED, "width": width}
    return {"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "y domain", "line": line}


def _thin_lines(points: Sequence[PathPoint], coloured: Sequence[int]) -> list[Part]:
    """Another method's weights of the coloured features, in their colours; not to be clicked."""
    if not points:
        return []
    weights = weights_along(points)
    places, colours = [ratio_of(point) for point in points], feature_colours(coloured)
    return [
        silent(places, entered(weights[:, j]), THIN, colours[j], opacity=0.75, type="scatter")
        | {"name": f"{points[0].fit.method}, feature {j + 1}"}
        for j in coloured
        if weights[:, j].any()
    ]


def _peak(best: PathPoint, span: Sequence[float]) -> Part:
    """A star on the thin line, which a click takes."""
    words = f"<b>best on validation</b><br>C = {short(best.fit.c)}, {features(best.fit.result.nonzero)}"
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [ratio_of(best)],
        "y": [span[0] + PEAK * (span[1] - span[0])],
        "marker": STAR_MARK,
        "text": [words],
        "hovertemplate": "%{text}<br>click to use this C<extra></extra>",
        "customdata": [best.fit.c],
        "name": "best on validation",
        "cliponaxis": False,
    }
