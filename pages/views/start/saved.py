"""The four views as a page that needs no server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.analysis.features.single_feature import SingleFeatureScore
from core.export.saved.lab import lab_parts
from core.export.saved.page import at_c, models_section, telling
from core.figures.fit.convergence import Curve
from pages.shared.choice.measures import measures_of
from pages.shared.saved import saved_command, saved_of
from pages.views.start.convergence import curve_beside, fit_from_zero
from pages.views.start.lab_view import LabView


def saved_lab(view: LabView, scores: Sequence[SingleFeatureScore]) -> str:
    """Return the text of the page."""
    choice, measures = view.choice, measures_of(view.choice)
    hand = telling(view.drags.hand, measures)
    pictures = replace(view.pictures, drags=replace(view.drags, hand=hand))
    beside: Curve | None = curve_beside(view)
    parts = lab_parts(pictures, scores, fit_from_zero(view).result, beside)
    others = [view.beside[0].fit.method] if view.beside else []
    return saved_of(
        choice,
        parts,
        hand,
        summary=f"{at_c(hand)}: {view.words(hand.now)}.",
        beneath=(models_section(view.points, measures), saved_command(choice, "lab", others)),
    )
