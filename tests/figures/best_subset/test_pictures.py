"""The pictures of the best possible sets, alike in a notebook and on the page."""

from __future__ import annotations

import numpy as np
import pytest

import core
from core.api import pictures
from core.data import RankingData
from tests.says import assert_says


@pytest.fixture(scope="module")
def fold() -> core.Fold:
    return core.open_dataset("planted").fold(1)


def test_near_optimal_sets_say_their_range_and_what_they_have_in_common(fold: core.Fold) -> None:
    picture = pictures.near_optimal_sets(fold, ridge=0.5, k=2, within=0.05)
    table, words = picture.table, picture.words(picture.found)
    values = table["NDCG@10 test"]
    assert len(table) > 1
    assert_says(words.title, f"{values[0]:.4f}", f"{values.min():.4f}", f"{values.max():.4f}")
    assert_says(words.subtitle, "Fold1", "2 features", "5 %", "test")
    shares = pictures.near_optimal_sets(fold, ridge=0.5, k=2, within=0.05, view="shares")
    common = set.intersection(*(set(names.split(", ")) for names in table["names"]))
    title = shares.words(shares.found).title
    assert all(name in title for name in common)
    assert ("No feature" in title) == (not common)
    (bars,) = (one for one in shares.figure.data if one.type == "bar")
    assert {row[0] for row, share in zip(bars.customdata, bars.x, strict=True) if share == 1.0} == common


def test_the_best_subsets_explain_band_and_faint_marks(fold: core.Fold) -> None:
    picture = pictures.best_subsets(fold, ridge=0.5, most=1)
    assert_says(picture.words(picture.found).subtitle, "Fold1", "band: not yet excluded", "every set")
    far = pictures.best_subsets(fold, ridge=0.5, most=1, view="how far")
    assert "features in common" in far.words(far.found).title


def test_what_has_no_best_set_is_refused_at_the_call(fold: core.Fold) -> None:
    wide = core.Fold("wide", RankingData.build(np.eye(201), np.arange(201) % 2, [0, 201]))
    with pytest.raises(ValueError, match="at most 200 features"):
        pictures.best_subsets(wide, ridge=0.1)
    with pytest.raises(ValueError, match="at most 200 features"):
        pictures.near_optimal_sets(wide, ridge=0.1, k=1, part="train")
    with pytest.raises(ValueError, match="no part 'test'"):
        pictures.near_optimal_sets(core.Fold("alone", fold.train), ridge=0.1, k=1)
    with pytest.raises(ValueError, match="k 1 or more"):
        pictures.near_optimal_sets(fold, ridge=0.1, k=0)
    other = core.fit_path(core.open_dataset("planted").fold(2), "l1", points=2)
    with pytest.raises(ValueError, match="paths of the fold"):
        pictures.best_subsets(fold, ridge=0.1, paths=[other])
