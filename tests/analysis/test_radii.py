"""Radius and lambda are told for the same models, the paper's radii among them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from core.analysis.radii import RATIOS, STEPS, RadiusPoint, radii
from core.methods import Training, get_method
from core.methods.fenchelrank import PAPER_RADII
from core.solvers import Stop
from tests.oracles import ranking_problem

DATA = ranking_problem(1)


@pytest.fixture(scope="module")
def training() -> Training:
    return get_method("fenchelrank").training(DATA)


@pytest.fixture(scope="module")
def points(training: Training) -> list[RadiusPoint]:
    return list(radii(training))


def test_there_are_as_many_as_announced_and_they_grow_as_lambda_falls(points: list[RadiusPoint]) -> None:
    curve = [point for point in points if not point.published]
    assert len(points) == STEPS
    assert [point.ratio for point in curve] == pytest.approx(RATIOS.tolist())
    assert all(before.radius < after.radius for before, after in pairwise(curve) if after.ratio > 1e-3)


@pytest.mark.parametrize("number", [3, 10, 15])
def test_the_radius_is_the_l1_norm_of_the_l1_model_there(
    number: int, points: list[RadiusPoint], training: Training
) -> None:
    point = points[number]
    fit = get_method("l1").fit(training, point.lam, stop=Stop(tol=1e-11))
    assert point.radius == pytest.approx(float(np.abs(fit.weights).sum()), rel=1e-5)
    assert point.c == pytest.approx(fit.c)


def test_the_papers_radii_are_there_and_those_that_hold_nothing_back_say_so(
    points: list[RadiusPoint], training: Training
) -> None:
    published = [point for point in points if point.published]
    assert tuple(point.radius for point in published) == PAPER_RADII
    dense = get_method("l2").fit(training, 1e-9 * training.lam_max, stop=Stop(tol=1e-9))
    norm = float(np.abs(dense.weights).sum())
    assert [point.holds for point in published] == [radius < norm for radius in PAPER_RADII]
    assert {True, False} == {point.holds for point in published}
