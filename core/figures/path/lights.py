"""What lights up when a feature is pointed at: its curves, its place among the others, the models that keep it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.path_frames import Frame
from core.figures.look.feature_styles import feature_style
from core.figures.look.style import short
from core.figures.path.numbers import packed

FloatArray = NDArray[np.float64]
Spec = dict[str, Any]

MOST_CURVES = 68
"""Features whose curves can light up, in one panel: as many as are drawn."""


def lit_curves(frames: Sequence[Frame], across: Sequence[float], x: str, y: str) -> Spec:
    """The curve of every feature that enters a path, and the words for its entry.

    Parameters
    ----------
    frames : sequence of Frame
        As a panel shows them.
    across : sequence of float, length n_frames
        Where they stand on the horizontal axis.
    x, y : str
        The axes, as plotly's layout names them.
    """
    weights = np.array([frame.weights for frame in frames])
    sizes = np.abs(weights).max(axis=0)
    order = np.argsort(-sizes, kind="stable")[:MOST_CURVES]
    columns = [int(j) for j in order if sizes[j] > 0.0]
    first = {j: frames[int(np.flatnonzero(weights[:, j])[0])] for j in columns}
    return {
        "x": x,
        "y": y,
        "across": packed(across, "<f4"),
        "curves": {str(j): packed(weights[:, j], "<f4") for j in columns},
        "entries": {str(j): f"enters at C {short(frame.c)}" for j, frame in first.items()},
    }


def lit_places(places: Mapping[int, tuple[float, float]], said: Mapping[int, str], x: str, y: str) -> Spec:
    """Where features stand in a picture with a row each.

    Parameters
    ----------
    places : mapping
        Horizontal place and row, by column (from 0).
    said : mapping
        What is said of a feature, by column.
    x, y : str
    """
    return {
        "x": x,
        "y": y,
        "rows": {str(j): [float(across), float(row)] for j, (across, row) in places.items()},
        "said": {str(j): words for j, words in said.items()},
    }


def lit_models(
    places: Sequence[tuple[float, float]], kept: Sequence[Sequence[int]], colours: Sequence[str], x: str, y: str
) -> Spec:
    """Models in a picture, each with the features that it keeps.

    Parameters
    ----------
    places : sequence of tuple of float, length n_models
        Where each stands.
    kept : sequence of sequence of int, length n_models
        Columns (from 0).
    colours : sequence of str, length n_models
    x, y : str
    """
    return {
        "x": x,
        "y": y,
        "across": packed([place[0] for place in places], "<f8"),
        "up": packed([place[1] for place in places], "<f8"),
        "kept": [[int(j) for j in columns] for columns in kept],
        "colours": list(colours),
    }


def lights(names: Sequence[str], order: Sequence[int], **parts: list[Spec]) -> Spec:
    """All of a picture's.

    Parameters
    ----------
    names : sequence of str, length n_features
    order : sequence of int
        Columns (from 0) that arrow keys go through; empty where another picture of the page has the keys.
    parts
        ``panels`` from `lit_curves`, ``places`` from `lit_places`, ``models`` from `lit_models`.
    """
    return {
        "names": list(names),
        "colours": [feature_style(j).colour for j in range(len(names))],
        "order": [int(j) for j in order],
        **({"panels": [], "places": [], "models": []} | parts),
    }
