"""What paths show, in sentences computed from their models."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.analysis.path import PathPoint
from core.experiments.results.difference import ONE_LIST, Difference
from core.figures.path.words import listed, point_title
from pages.shared.wording import PART_WORDS, telling_part

Differ = Callable[[PathPoint, PathPoint], Difference]
"""The first model's mean minus the second one's, on the part that is quoted."""


def comparison(models: Sequence[PathPoint], measure: str, n_features: int, differ: Differ) -> str:
    """Say what each penalty keeps and reaches, the first one compared with the others where queries tell them apart."""
    first, *others = models
    part = telling_part(first)
    values = [f"{model.metrics[part][measure]:.4f}" for model in models]
    sizes = [model.fit.result.nonzero for model in models]
    name = f"{PART_WORDS[part]} {measure}"
    if not others:
        return f"{point_title(first)} keeps {sizes[0]} of {n_features} features: {name} {values[0]}"
    if len(set(sizes)) == 1:
        kept = f"{listed([point_title(model) for model in models])} keep {sizes[0]} of {n_features} features each"
    else:
        beside = [
            f"{point_title(model)}{' keeps' * (model is others[0])} {model.fit.result.nonzero}" for model in others
        ]
        kept = f"{point_title(first)} keeps {sizes[0]} of {n_features} features where {listed(beside)}"
    verdicts = {differ(first, other).verdict for other in others}
    against = f"{values[0]} against {listed(values[1:])}"
    if len(verdicts) > 1 or ONE_LIST in verdicts:
        return f"{kept}; {name} {against}"
    (verdict,) = verdicts
    return f"{kept}; {name} {against}: {verdict}"
