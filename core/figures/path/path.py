"""Parts of the figure of regularization paths: panels, their lines, marks and words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.analysis.path import PathPoint
from core.analysis.path_views import weights_along
from core.figures.look.colours import feature_colours
from core.figures.look.drawing import Part, note, upright
from core.figures.look.labels import end_notes, name_labels
from core.figures.look.style import MUTED, method_style
from core.figures.path.axes import ABOVE_NUMBERS, Across, Axes, across, on_axis
from core.figures.path.lines import PART_TITLES
from core.methods import get_method
from core.methods.registry import model_title
from core.names.counted import features
from core.names.plain import in_plotly

LABEL_HEIGHT = 18  # pixels, of which a low window takes a quarter
PLOT = 500  # pixels across all panels on a tablet
ROOM_BELOW = 0.2  # of a measure's range: what words beneath a line take

LETTER, ASIDE = 5.2, 3  # pixels: the mean width of a letter, and from a line to its words


@dataclass(frozen=True)
class PathPanel:
    """The path of one penalty."""

    title: str
    points: Sequence[PathPoint]
    """At least one point, in descending order of lambda, with metrics."""
    best: PathPoint | None = None
    """The best model on the validation part, drawn as the dashed line."""
    chosen: PathPoint | None = None
    """The model at, or nearest to, the chosen C; its size stands beside the solid line."""

    @property
    def colour(self) -> str:
        return method_style(self.points[0].fit.method).colour

    def heading(self, axes: Axes) -> Part:
        """Write the method over its panel."""
        on = {"xref": f"{axes.x} domain", "yref": f"{axes.y} domain", "yshift": ABOVE_NUMBERS}
        return note(f"<b>{self.title}</b>", 0.0, 1.0, "left bottom", 16, self.colour, **on)

    def places(self, view: Across, chosen_ratio: float | None) -> dict[str, float]:
        """Where lines stand, by dash: at the best validation value, which the title tells, then at the chosen C."""
        at = {} if self.best is None else {"dash": across(self.best, view)}
        if self.chosen is not None and chosen_ratio is not None:
            at["solid"] = chosen_ratio if view == "lambda" else across(self.chosen, view)
        return at

    def line_words(self, dash: str) -> str:
        """What stands beside such a line; lines of words are parted by ``<br>``."""
        kept = "" if self.chosen is None else features(self.chosen.fit.result.nonzero)
        return f"chosen:<br>{kept}" if dash == "solid" else ""

    def lines(self, axes: Axes, places: Mapping[str, float]) -> list[Part]:
        """Draw each line through the weights and through the measure."""
        pairs = ((axes.x, axes.y), (axes.x_metric, axes.y_metric))
        return [
            upright(x, {"dash": dash, "color": MUTED, "width": 1.8}, *pair, name=self.line_words(dash))
            for dash, x in places.items()
            for pair in pairs
        ]

    def label(
        self, axes: Axes, view: Across, reach: Sequence[float], width: float, places: Mapping[str, float]
    ) -> Part:
        """Write beside the solid line where the words meet no other line; empty words where there is no such side.

        ``reach`` are both ends of the axis, and ``width`` the pixels of the plot on a tablet.
        """
        left, right = reach
        x, *others = (on_axis(place, view) for place in [*places.values()][::-1])
        at, *lines = ((place - left) / (right - left) for place in (x, *others))
        words = self.line_words("solid")
        needed = (LETTER * max(map(len, words.split("<br>"))) + ASIDE) / width
        free = {
            "left": min([at, *(at - line for line in lines if line <= at)]),
            "right": min([1.0 - at, *(line - at for line in lines if line >= at)]),
        }
        side = max(free, key=lambda name: free[name])
        text, inner = words if free[side] >= needed else "", "right" if side == "left" else "left"
        shift = -ASIDE if side == "left" else ASIDE
        on = {"xref": axes.x, "yref": f"{axes.y} domain"}
        return note(text, x, 1.0, f"{inner} top", 12, xshift=shift, align=inner, **on)


@dataclass(frozen=True)
class Reference:
    """A horizontal line behind the curves of the measure."""

    words: str
    value: float

    @property
    def text(self) -> str:
        """Its words as plotly has them, in two lines: there is not much room in a panel on a tablet or on paper."""
        return in_plotly(self.words).replace(", ", ",<br>", 1)

    def line(self, axes: Axes) -> Part:
        y = self.value
        where = {"xref": f"{axes.x_metric} domain", "yref": axes.y_metric, "x0": 0, "x1": 1, "y0": y, "y1": y}
        return {"type": "line", "line": {"color": MUTED, "dash": "solid", "width": 1.2}, **where}

    def label(self, axes: Axes, span: Sequence[float]) -> Part:
        """Write what it is, where it leaves room."""
        low, high = span
        side = "top" if self.value > low + ROOM_BELOW * (high - low) else "bottom"
        on = {"xref": f"{axes.x_metric} domain", "yref": axes.y_metric, "align": "right"}
        return note(self.text, 0.99, self.value, f"right {side}", 12, MUTED, **on)


def weight_labels(
    axes: Axes, points: Sequence[PathPoint], coloured: Sequence[int], span: Sequence[float], pixels: int
) -> list[Part]:
    """Place names at the right end, in the colours of their lines."""
    weights = weights_along(points)
    ends = {j: float(weights[-1, j]) for j in coloured if weights[:, j].any()}
    labels = name_labels(points[0].fit.feature_names, ends)
    colours = feature_colours(coloured)
    words = [(label, end, colours[j]) for (j, end), label in zip(ends.items(), labels, strict=True)]
    drawn = _end_labels(axes.x, axes.y, words, span, pixels)
    return [label | {"name": f"feature {j}"} for j, label in zip(ends, drawn, strict=True)]


def part_labels(
    axes: Axes, points: Sequence[PathPoint], measure: str, span: Sequence[float], colour: str, pixels: int
) -> list[Part]:
    """Name the parts at the right ends of their lines; no values: the headline has those of the line."""
    last = points[-1].judgement
    ends = [(PART_TITLES[part], last.metrics[part][measure], colour) for part in last.metrics]
    return _end_labels(axes.x_metric, axes.y_metric, ends, span, pixels)


def _end_labels(
    x_axis: str, y_axis: str, ends: Sequence[tuple[str, float, str]], span: Sequence[float], pixels: int
) -> list[Part]:
    low, high = span
    gap = LABEL_HEIGHT * (high - low) / pixels
    return end_notes(ends, gap, low, high, 12, xref=f"{x_axis} domain", xshift=4, yref=y_axis)


UNFINISHED = "Not complete yet: what is best on validation is not known"


def best_words(panels: Sequence[PathPanel], measure: str) -> str:
    """Say where each penalty is best on the validation part, for the picture's title."""
    bests = [panel.best for panel in panels if panel.best is not None]
    if not bests and any("vali" in panel.points[0].metrics for panel in panels):
        return f"Validation cannot tell which C is best: its {measure} is the same at every one"
    if not bests:
        return "There is no validation part to choose C on"
    sizes = listed([f"{features(best.fit.result.nonzero)} ({point_title(best)})" for best in bests])
    return f"Validation {measure} is best with {sizes}"


def point_title(point: PathPoint) -> str:
    """The title of a model's method, with what its parameters make of it."""
    return model_title(get_method(point.fit.method), point.fit.parameters)


def listed(words: Sequence[str]) -> str:
    """Join words with commas, the last two with "and"."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
