"""The notebook's picture of all queries says what the page's says."""

from __future__ import annotations

import numpy as np
import pytest

import core
from core.api import pictures
from tests.says import assert_says


@pytest.fixture(scope="module")
def path() -> core.ModelPath:
    return core.fit_path(core.open_dataset("planted").fold(1), "l1", points=20)


def test_both_models_and_the_range_of_the_changes_are_named(path) -> None:
    picture = pictures.queries(path.with_as_many_features(9), path.with_as_many_features(5))
    words, delta = picture.words(picture.found), picture.table["ΔAP"]
    assert_says(words.title, f"{path.fold.test.n_queries} queries", f"{delta.max():+.3f}")
    assert_says(words.subtitle, "Fold1", "A: ℓ1", "B: ℓ1, C =")
    losing, gaining = np.count_nonzero(delta < 0), np.count_nonzero(delta > 0)
    assert_says(words.alt, f"{losing} queries lose AP", f"{gaining} gain", picture.found.differences["MAP"].verdict)


def test_a_feature_ranks_in_its_better_direction_and_says_so(path) -> None:
    fold, model = path.fold, path.with_as_many_features(9)
    worst = core.single_features(fold)["MAP"].idxmin()
    picture = pictures.queries(model, worst)
    said = picture.words(picture.found).subtitle
    column = list(fold.train.feature_names).index(worst)
    alone = core.single_features(fold).loc[worst]
    assert ("smallest value first" in said) is bool(alone["MAP reversed"] > alone["MAP"])
    assert f"B: {worst} alone" in said
    assert pictures.queries(model, column + 1).table.equals(picture.table)


def test_what_cannot_be_compared_is_refused_at_the_call(path) -> None:
    model = path.with_as_many_features(9)
    other = core.fit(core.open_dataset("planted").fold(2), "l1", lambda_ratio=0.1)
    for b, how, match in ((other, {}, "all of one fold"), ("no such", {}, "no such"), (1, {"measure": "P@5"}, "P@5")):
        with pytest.raises(ValueError, match=match):
            pictures.queries(model, b, **how)
