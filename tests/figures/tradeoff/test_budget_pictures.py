"""The pictures of a budget, alike in a notebook and on the page."""

from __future__ import annotations

import numpy as np
import pytest

import core
from core.api import pictures
from core.data import RankingData
from tests.figures.samples.sample import path
from tests.says import assert_says


def test_the_title_compares_with_all_features_and_the_subtitle_says_who_chose() -> None:
    picture = pictures.budget([path("l1"), path("log")], dense=path("l2"), limit=5)
    found, words = picture.found, picture.words(picture.found)
    assert found.best is not None
    assert found.whole is not None
    assert found.differs is not None
    values = (f"{point.value('test', 'NDCG@10'):.4f}" for point in (found.best.chosen, found.whole))
    assert_says(words.title, *values, f"{found.differs.value:+.4f}")
    assert_says(words.subtitle, "Fold1", "at most 5 features", "2 methods", "validation NDCG@10", "ties in expectation")


def test_a_budget_below_every_model_says_so() -> None:
    picture = pictures.budget([path("l1")], limit=0)
    assert "No model" in picture.words(picture.found).title


def test_what_has_no_budget_is_refused_at_the_call() -> None:
    with pytest.raises(ValueError, match="no model is within"):
        pictures.budget_queries([path("l1")], path("l2"), limit=0)
    with pytest.raises(ValueError, match="a cost for each of 60"):
        pictures.budget([path("l1")], against="cost of features", costs=[1.0])
    with pytest.raises(ValueError, match="against is one of"):
        pictures.budget([path("l1")], against="sparsity ratio")


def test_one_list_has_no_other_that_could_lose() -> None:
    rng = np.random.default_rng(0)
    rows = RankingData.build(rng.normal(size=(30, 3)), np.arange(30) % 2, [0, 30], query_ids=["g-against-b"])
    l1, l2 = (core.fit_path(core.Fold("one", rows), method, points=3) for method in ("l1", "l2"))
    with pytest.raises(ValueError, match="one list"):
        pictures.budget_queries([l1], l2)
