"""A number or a text at every frame of a path, and at the chosen C."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Along:
    """A number that may change as the reader drags the handle of C.

    Attributes
    ----------
    now : float
        At the chosen C, which may lie between two frames. It is shown until the reader drags.
    at : ndarray or None, shape (n_frames,)
        At every frame; None where it is ``now`` at all of them.

    Raises
    ------
    ValueError
        If a number is not finite: JSON has none that is not.
    """

    now: float
    at: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        if not math.isfinite(self.now) or (self.at is not None and not np.isfinite(self.at).all()):
            msg = "what moves with the handle of C has finite numbers only"
            raise ValueError(msg)

    @property
    def n_frames(self) -> int | None:
        """How many frames it has a number for; None where it stays the same."""
        return None if self.at is None else len(self.at)


@dataclass(frozen=True)
class TextAlong:
    """A text that may change as the reader drags the handle of C.

    Attributes
    ----------
    now : str
        At the chosen C.
    at : tuple of str, length n_frames
        At every frame.
    """

    now: str
    at: tuple[str, ...]

    @property
    def n_frames(self) -> int:
        """How many frames it has a text for."""
        return len(self.at)


def still(value: float) -> Along:
    """A number that stays the same at every C."""
    return Along(float(value))


def along(at: Iterable[float], now: float) -> Along:
    """A number with one value a frame, and one at the chosen C."""
    return Along(float(now), np.array([float(value) for value in at]))
