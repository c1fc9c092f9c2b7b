"""Radii of the l1 ball and their lambdas: two parameters of the same models."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.analysis.ingredient import Ingredient
from core.methods import Training
from core.methods.ball import SMALLEST_SHARE, lam_of_radius, radius_of
from core.methods.fenchelrank import PAPER_RADII
from core.work import Steps

RATIOS = np.geomspace(1.0, 1e-5, 31)[1:]  # at lambda_max itself the ball is a point
STEPS = len(RATIOS) + len(PAPER_RADII)


@dataclass(frozen=True)
class RadiusPoint:
    """A model of the l1 penalty and of the l1 ball, with both of its parameters.

    Attributes
    ----------
    radius : float
        r = ||w||_1.
    lam, ratio, c : float
        lambda, its share of lambda_max, and C.
    published : bool
        Whether the paper lists this radius.
    holds : bool
        Whether the ball constrains the model; if not, lambda is only a name for it, see `lam_of_radius`.
    """

    radius: float
    lam: float
    ratio: float
    c: float
    published: bool
    holds: bool = True


def radii(training: Training) -> Iterator[RadiusPoint]:
    """Yield the radii of a descending grid of lambdas, then the lambdas of the paper's radii: ``STEPS`` points.

    Parameters
    ----------
    training : Training
        Its loss must be smooth.
    """
    for ratio in RATIOS:
        lam = training.lam_at(float(ratio))
        yield _point(training, radius_of(training, lam), lam, published=False)
    for radius in PAPER_RADII:
        yield _point(training, radius, lam_of_radius(training, radius), published=True)


def _point(training: Training, radius: float, lam: float, *, published: bool) -> RadiusPoint:
    ratio = lam / training.lam_at(1.0)
    return RadiusPoint(radius, lam, ratio, training.c_of(lam), published, lam > training.lam_at(SMALLEST_SHARE))


@dataclass(frozen=True)
class BallRadii(Ingredient[tuple[RadiusPoint, ...]]):
    """`radii` of a training set."""

    training: Training

    what = "Radii and their λ"

    def work(self) -> Steps[RadiusPoint]:
        """Prepare the fits."""
        return Steps(radii(self.training), STEPS)

    def result(self, run: Steps[RadiusPoint]) -> tuple[RadiusPoint, ...]:
        """All points."""
        return tuple(run.found)
