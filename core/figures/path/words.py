"""What paths show, in sentences computed from their models."""

from __future__ import annotations

from collections.abc import Sequence

from core.analysis.path import PathPoint
from core.figures.path.path import PathPanel
from core.methods import get_method
from core.methods.families import model_title
from core.names.counted import features

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
