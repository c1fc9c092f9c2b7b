"""The pictures of the Features page as parts of a saved page: the strip with the handle, features alone, weights."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import replace

from core.analysis.path import PathPoint
from core.export.saved.page import COLUMNS, SavedPart, titled_words
from core.figures.drag.hand import Hand
from core.figures.features.along_c import along_c_figure
from core.figures.features.features_drag import SelectionDrags, rowless_words
from core.figures.features.kept_features import FeaturesPicture, KeptFeatures
from core.figures.features.weights_matrix import weights_words
from core.names.plain import in_plotly

ALONE = 7
"""Columns of the features alone; the weights have the rest."""


def features_parts(
    picture: FeaturesPicture, found: KeptFeatures, rows: Sequence[int], points: Sequence[PathPoint], hand: Hand
) -> list[SavedPart]:
    """Return the strip, the features alone, and the weights.

    Parameters
    ----------
    picture : FeaturesPicture
    found : KeptFeatures
    rows : sequence of int
        Columns (from 0) of the features drawn, from the top down.
    points : sequence of PathPoint
        The path of the first model's method.
    hand : Hand
        Its frames; it tells what stands above the pictures.
    """
    picture = replace(picture, drawn=rows, beside_weights=True)
    words, measure, missing = picture.words(found), picture.shown_measure, rowless_words(hand, rows)
    drags = SelectionDrags(hand.telling(lambda frame: {"rowless": missing(frame)}), rows, picture.part, measure)
    title, over_weights = found.columns[0].title, weights_words(found.columns)
    weights = picture.weights_figure(found, drags.reach)
    if len(found.columns) > 1:  # how many it keeps is another number at another C
        weights.layout.xaxis.ticktext = [f"<b>{in_plotly(title)}</b>"]
    along = f'{measure} along the path of {title} <span data-reading="rowless">{html.escape(missing(hand.now))}</span>'
    return [
        SavedPart(
            "along_c",
            along_c_figure(points, measure, title=f"{measure} along the path of {title}"),
            drags.in_strip(),
            f"{measure} of every part along the path of {title}, on which C can be dragged.",
            along,
            small=True,
        ),
        SavedPart(
            picture.chart,
            picture.drawing(found, words),
            drags.in_single_features(found.scores),
            words.alt,
            titled_words(hand, words.title, words.subtitle),
            ALONE,
            clickable=False,
        ),
        SavedPart(
            "matrix",
            weights,
            drags.in_weights(),
            over_weights.title,
            titled_words(hand, over_weights.title, over_weights.subtitle),
            COLUMNS - ALONE,
            clickable=False,
        ),
    ]
