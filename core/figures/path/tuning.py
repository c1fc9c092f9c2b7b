"""Names and looks of the parts, and the lines of a measure on each of them along a path."""

from __future__ import annotations

from collections.abc import Sequence

from core.analysis.evaluation import Judgement
from core.analysis.path import PathPoint
from core.figures.look.drawing import Part
from core.figures.look.style import method_style
from core.methods import get_method
from core.methods.refit import REFIT
from core.names.numbers import short

PART_WIDTHS = {"train": 1.2, "vali": 2.0, "test": 3.2}
PART_TITLES = {"train": "train", "vali": "validation", "test": "test"}
PART_WORDS = PART_TITLES | {"train": "training"}  # within a sentence
PART_DASHES = {"train": "dot", "vali": "dash", "test": "solid"}


def metric_lines(points: Sequence[PathPoint], measure: str, places: Sequence[float]) -> list[Part]:
    """Make a line of a measure for each part, at horizontal ``places``; the line's width shows the part.

    Tied documents count in expectation over their orders.
    """
    return [
        {
            "type": "scatter",
            "x": places,
            "y": [point.judgement.metrics[part][measure] for point in points],
            "mode": "lines+markers",
            "marker": {"size": 4},
            "line": {
                "color": method_style(points[0].fit.method).colour,
                "width": PART_WIDTHS[part],
                "dash": PART_DASHES[part],
            },
            "name": PART_TITLES[part],
            "text": [_hover(point, part, measure) for point in points],
            "hovertemplate": "%{text}<extra></extra>",
        }
        for part in points[0].metrics
    ]


def settings_of(point: PathPoint) -> str:
    """List the parameters that have an effect; a switch that is off is left out."""
    settings = point.fit.parameters
    known = [p for p in get_method(point.fit.method).parameters if p.name in settings]
    told = [p for p in known if p.matters(settings) and (settings[p.name] or p != REFIT)]
    return ", ".join(f"{p.name} = {p.text(settings[p.name])}" for p in told)


def _hover(point: PathPoint, part: str, measure: str) -> str:
    fit = point.fit
    words = settings_of(point)
    settings = f"<br>{words}" if words else ""
    return (
        f"{PART_TITLES[part]} {measure} {measured_words(point.judgement, part, measure)}<br>C = {short(fit.c)}, "
        f"λ/λ_max = {short(fit.lam / fit.lam_max)}<br>{fit.result.nonzero} features{settings}"
    )


def measured_words(judgement: Judgement, part: str, measure: str) -> str:
    """Write the value, and that of the official script if four digits differ."""
    value, official = f"{judgement.metrics[part][measure]:.4f}", f"{judgement.official[part][measure]:.4f}"
    return value if value == official else f"{value} ({official} in the file's order among ties, as tables print)"
