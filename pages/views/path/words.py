"""What paths show, in sentences computed from their models."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.analysis.path import PathPoint
from core.experiments.results.difference import ONE_LIST, Difference
from core.figures.path.path import PathPanel
from core.methods import get_method
from core.methods.families import model_title
from pages.shared.wording import PART_WORDS, telling_part

UNFINISHED = "Not complete yet: what is best on validation is not known"
Differ = Callable[[PathPoint, PathPoint], Difference]
"""The first model's mean minus the second one's, on the part that is quoted."""


def comparison(models: Sequence[PathPoint], measure: str, usable: int, differ: Differ) -> str:
    """Say what each penalty keeps and reaches, the first one compared with the others where queries tell them apart."""
    first, *others = models
    part = telling_part(first)
    values = [f"{model.metrics[part][measure]:.4f}" for model in models]
    sizes = [model.fit.result.nonzero for model in models]
    name = f"{PART_WORDS[part]} {measure}"
    if not others:
        return f"{_title(first)} keeps {sizes[0]} of {usable} features: {name} {values[0]}"
    if len(set(sizes)) == 1:
        kept = f"{_listed([_title(model) for model in models])} keep {sizes[0]} of {usable} features each"
    else:
        beside = [f"{_title(model)}{' keeps' * (model is others[0])} {model.fit.result.nonzero}" for model in others]
        kept = f"{_title(first)} keeps {sizes[0]} of {usable} features where {_listed(beside)}"
    verdicts = {differ(first, other).verdict for other in others}
    against = f"{values[0]} against {_listed(values[1:])}"
    if len(verdicts) > 1 or ONE_LIST in verdicts:
        return f"{kept}; {name} {against}"
    (verdict,) = verdicts
    return f"{kept}; {name} {against}: {verdict}"


def best_words(panels: Sequence[PathPanel], measure: str) -> str:
    """Say where each penalty is best on the validation part, for the picture's title."""
    bests = [panel.best for panel in panels if panel.best is not None]
    if not bests and any("vali" in panel.points[0].metrics for panel in panels):
        return f"Validation cannot tell which C is best: its {measure} is the same at every one"
    if not bests:
        return "There is no validation part to choose C on"
    sizes = _listed([f"{_size(best)} ({_title(best)})" for best in bests])
    return f"Validation {measure} is best with {sizes}"


def _title(point: PathPoint) -> str:
    return model_title(get_method(point.fit.method), point.fit.parameters)


def _size(point: PathPoint) -> str:
    size = point.fit.result.nonzero
    return f"{size} feature" + ("" if size == 1 else "s")


def _listed(words: Sequence[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
