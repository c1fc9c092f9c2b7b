"""What moves with C on a picture of paths: a line in every panel, and dots on the curves."""

from __future__ import annotations

from collections.abc import Sequence

from core.analysis.path_frames import count_features
from core.figures.drag.along import Along
from core.figures.drag.drag import Dot, Drag, Mark
from core.figures.drag.hand import Hand
from core.figures.drag.lights import Lights, lit_curves
from core.figures.look.colours import feature_colours
from core.figures.path.axes import Across, Axes, long_name


def path_drag(
    hands: Sequence[Hand],
    coloured: Sequence[int],
    measure: str,
    view: Across,
    picture: str,
    *,
    lead: int = 0,
    names: Sequence[str] = (),
) -> Drag:
    """Return what moves in the picture of paths.

    The frames are those of one panel; the others show their model nearest in lambda / lambda_max.

    Parameters
    ----------
    hands : sequence of Hand
        A path for each panel, in their order.
    coloured : sequence of int
        Columns (from 0) with lines of their own.
    measure : str
        As the metrics name it.
    view : {"lambda", "features"}
    picture : str
        The same as long as the same paths are drawn.
    lead : int
        The panel (from 0) whose path the handle moves through.
    names : sequence of str, length n_features
        Of the features, each of which lights up when it is pointed at; by default none does.
    """
    marks: list[Mark] = []
    dots: list[Dot] = []
    lit = []
    # The handle stands over the first mark: that of the method whose model its words name.
    for k in sorted(range(len(hands)), key=lambda k: k != lead):
        hand, axes = hands[lead].beside(hands[k]), Axes(k + 1)
        x, y, below_x, below_y = map(long_name, (axes.x, axes.y, axes.x_metric, axes.y_metric))
        across = along_axis(hand, view)
        marks += [Mark(across=across, x=x, y=y), Mark(across=across, x=below_x, y=below_y)]
        dots += weight_dots(hand, across, coloured, x, y) + measure_dots(hand, across, measure, below_x, below_y)
        lit.append(lit_curves(hand.frames, across, x, y))
    return Drag(
        hand=hands[lead],
        picture=f"path {view} {measure} {picture}",
        marks=marks,
        dots=dots,
        measure=measure,
        lights=Lights(names, coloured, panels=lit) if names else None,
    )


def along_axis(hand: Hand, view: Across) -> Along:
    """Where the models stand on the x axis: by lambda / lambda_max, or by the number of features.

    A model between two fitted ones stands between their numbers of features; see `Frame.placed`.
    """
    if view == "lambda":
        return hand.along(lambda frame: frame.ratio)
    return hand.along(lambda frame: frame.placed(count_features))


def weight_dots(hand: Hand, across: Along, columns: Sequence[int], x: str = "xaxis", y: str = "yaxis") -> list[Dot]:
    """A dot on the curve of each of these features (columns from 0), where the model has it."""
    colours = feature_colours(columns)
    return [
        Dot(
            across=across,
            up=hand.along(lambda frame, j=j: float(frame.weights[j])),  # type: ignore[misc]
            colour=colours[j],
            shown="nonzero",
            x=x,
            y=y,
        )
        for j in columns
    ]


def measure_dots(hand: Hand, across: Along, measure: str, x: str = "xaxis", y: str = "yaxis") -> list[Dot]:
    """A dot on the curve of the measure on each part."""
    return [
        Dot(across=across, up=measured(hand, part, measure), colour=hand.colour, x=x, y=y)
        for part in hand.now.judgement.metrics
    ]


def measured(hand: Hand, part: str, measure: str) -> Along:
    """A measure on a part, as curves show it."""
    return hand.along(lambda frame: frame.judgement.metrics[part][measure])
