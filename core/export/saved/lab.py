"""The four linked pictures of the Lab as parts of a saved page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.analysis.features.single_feature import SingleFeatureScore
from core.export.saved.page import SavedPart, at_c
from core.figures.fit.convergence import Curve
from core.figures.lab.pictures import LabPictures, convergence_words
from core.solvers import FitResult

HALF = 6
"""Columns of a picture: two stand side by side."""


def lab_parts(
    pictures: LabPictures, scores: Sequence[SingleFeatureScore], result: FitResult, beside: Curve | None = None
) -> list[SavedPart]:
    """Return path, trade-off, features and convergence.

    Parameters
    ----------
    pictures : LabPictures
        Its hand tells what stands above the pictures.
    scores : sequence of SingleFeatureScore, length n_features
    result : FitResult
        Of the chosen model, with its trace.
    beside : Curve, optional
        The fit of the method beside.
    """
    drags = pictures.drags
    rows = pictures.rows(scores)
    tell = pictures.readings(rows)
    texts = tell(drags.hand.now)
    in_path = replace(drags, hand=drags.hand.telling(tell)).in_path()
    still = f"{at_c(drags.hand)} from zero: {convergence_words(result, ended=True)}"
    path, tradeoff, features, convergence = (
        SavedPart(name, figure, drag, alt, f"<b>{title}</b>{words}", span=HALF, small=True)
        for name, title, figure, drag, alt, words in (
            ("lab_path", "Path", pictures.without_choice().path(), in_path, pictures.path_alt,
                pictures.path_words(texts)),
            ("lab_tradeoff", "Trade-off", pictures.tradeoff(), drags.in_tradeoff(pictures.curves),
                pictures.tradeoff_alt, pictures.tradeoff_words(texts)),
            ("lab_features", "Features", pictures.features(scores, rows), drags.in_features(scores, rows),
                pictures.features_alt, pictures.features_words(texts)),
            ("lab_convergence", "Convergence", pictures.convergence(result, beside),
                drags.in_convergence(float(result.trace[-1].step)), pictures.convergence_alt, still),
        )
    )  # fmt: skip
    return [path, tradeoff, replace(features, clickable=False), replace(convergence, clickable=False)]
