"""What the declared pictures of penalties say and refuse; tests/figures/test_picture.py has what follows for all."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.penalties.reweighting import reweighting_rounds
from core.analysis.penalties.two_features import RATIOS, redundant_pair, two_feature_training
from core.api import pictures
from core.data import DataError
from core.penalties import Log
from tests.says import assert_says


def test_a_notebooks_titles_are_computed_from_the_numbers() -> None:
    """Those of the curves named what is drawn, those of two features method and lambda."""
    for picture, facts in (
        (pictures.penalty_curves("log"), ("log", "small weights", "10", "0.91 at 1")),
        (pictures.penalty_curves("log", look="pull", parameters={"log": {"epsilon": 0.5}}), ("log", "2", "0.67 at 1")),
        (pictures.penalty_curves("l1", look="prox", step=0.7), ("ℓ1", "up to |v| = 0.7", "v = 3", "2.3")),
        (pictures.two_features("log", ratio=0.05), ("log", "2 minima", "lowest", "copy A only")),
        (pictures.reweighting("log", ratio=0.05, number=4), ("Round 4", "copy B", "becomes 0")),
        (pictures.starts("l1", ratio=0.1, n=4), ("ℓ1", "all 4 starts", "same minimum")),
        (pictures.starts("log", ratio=0.1, n=20), ("log", "20 starts", "3 different minima", "7, 4, 9")),
    ):
        assert_says(picture.words(picture.found).title, *facts)
    said = pictures.starts("log", ratio=0.1, n=2)
    assert_says(said.words(said.found).subtitle, "two redundant features", "preference pairs", "λ = 0.1 λ_max")


def test_tangents_touch_the_penalty_at_the_weights_before_the_round() -> None:
    training = two_feature_training(redundant_pair(), (0, 1))
    before = reweighting_rounds(training, Log(), training.lam_at(0.05))[2].before
    figure = pictures.reweighting("log", ratio=0.05, number=3, look="tangents").figure
    drawn = {trace.name: trace for trace in figure.data}
    for k, weight in enumerate(np.abs(before), 1):
        assert drawn[f"touches at w{k}"].x[0] == pytest.approx(weight)
        assert f"tangent at w{k}" in drawn


def test_the_objective_is_that_of_the_lambda_whose_minima_are_drawn() -> None:
    """Of the nearest that is followed: it was of the one asked for."""
    asked, followed = (
        pictures.two_features("log", ratio=ratio, ground="objective").figure.data[0].z for ratio in (0.055, 0.05)
    )
    assert 0.055 not in RATIOS
    np.testing.assert_array_equal(asked, followed)


def test_what_cannot_be_drawn_is_refused_at_the_call() -> None:
    for call, why in (
        (lambda: pictures.penalty_curves("fenchelrank"), "no penalty of one weight"),
        (lambda: pictures.penalty_curves(parameters={"soup": {}}), "soup"),
        (lambda: pictures.penalty_curves(parameters={"log": {"knee": 1.0}}), "knee"),
        (lambda: pictures.penalty_curves(step=0.0), "step"),
        (lambda: pictures.two_features("l1", ratio=2.0), "ratio"),
        (lambda: pictures.two_features("fs-rank", ratio=0.1), "no penalty of one weight"),
        (lambda: pictures.two_features("l1", ratio=0.1, pair=pictures.FeaturePair(features=(1, 3))), "no feature 3"),
        (lambda: pictures.reweighting("l1", ratio=0.1), "convex"),
        (lambda: pictures.reweighting("log", ratio=0.1, number=99), "rounds 1 to"),
        (lambda: pictures.starts("log", ratio=0.1, n=0), "at least one start"),
    ):
        with pytest.raises(ValueError, match=why):
            call()
    with pytest.raises(DataError, match="two different features"):
        pictures.starts("log", ratio=0.1, pair=pictures.FeaturePair(features=(2, 2)))
