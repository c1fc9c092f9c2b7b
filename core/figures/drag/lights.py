"""What lights up when a feature is pointed at: its curves, its place among the others, the models that keep it.

The browser draws it over the pictures (``core/figures/browser/lights.js``). Columns count from 0; axes are named as in
Plotly's layout.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.path_frames import Frame
from core.figures.drag.hand import Along, OnAxes
from core.names.numbers import short

FloatArray = NDArray[np.float64]

MOST_CURVES = 68
"""Features whose curves can light up, in one panel: as many as are drawn."""


@dataclass(frozen=True, eq=False)
class LitCurves(OnAxes):
    """The curve of every feature that enters a path."""

    across: FloatArray
    """Shape (n_frames,): where the models stand on the x axis."""
    curves: Mapping[int, FloatArray]
    """Shape (n_frames,): weights by column."""
    entries: Mapping[int, str]
    """Where the feature enters, by column."""


@dataclass(frozen=True, eq=False)
class LitRows(OnAxes):
    """Features in a picture with a row each."""

    rows: Mapping[int, tuple[float, float]]
    """Place on the x axis and row, by column; of those that are drawn."""
    said: Mapping[int, str]
    """What is said of a feature, by column; of all."""


@dataclass(frozen=True, eq=False)
class LitModels(OnAxes):
    """Models in a picture, each with the features that it keeps."""

    across: FloatArray
    up: FloatArray
    """Shape (n_models,): where each stands."""
    kept: Sequence[Sequence[int]]
    """Length n_models: columns with a weight."""
    colours: Sequence[str]
    """Length n_models."""


@dataclass(frozen=True, eq=False)
class Lights:
    """What a picture lights up."""

    names: Sequence[str]
    """Length n_features."""
    order: Sequence[int] = ()
    """Columns that arrow keys go through; empty where another picture of the page has the keys."""
    panels: Sequence[LitCurves] = ()
    places: Sequence[LitRows] = ()
    models: Sequence[LitModels] = ()


def lit_curves(frames: Sequence[Frame], across: Along, x: str = "xaxis", y: str = "yaxis") -> LitCurves:
    """The curves of a path, largest weights first, with the words for their entries.

    Parameters
    ----------
    frames : sequence of Frame
        As a panel shows them.
    across : Along
        Where they stand on the x axis.
    x, y : str
    """
    weights = np.array([frame.weights for frame in frames])
    sizes = np.abs(weights).max(axis=0)
    order = np.argsort(-sizes, kind="stable")[:MOST_CURVES]
    columns = [int(j) for j in order if sizes[j] > 0.0]
    first = {j: frames[int(np.flatnonzero(weights[:, j])[0])] for j in columns}
    return LitCurves(
        np.full(len(frames), across.now) if across.at is None else across.at,
        {j: weights[:, j] for j in columns},
        {j: f"enters at C {short(frame.c)}" for j, frame in first.items()},
        x=x,
        y=y,
    )
