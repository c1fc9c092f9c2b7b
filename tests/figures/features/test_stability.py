"""The picture of stability selection, alike in a notebook and on the page."""

from __future__ import annotations

import pytest

import core
from core.api import pictures
from tests.says import assert_says


def test_the_title_names_the_method_and_the_subtitle_where_features_are_counted() -> None:
    fold = core.open_dataset("planted").fold(1)
    model = core.fit(fold, "log", lambda_ratio=0.2)
    picture = pictures.stability(fold, "log", lambda_ratio=0.2, samples=3)
    words, table = picture.words(picture.found), picture.table
    stable = ((table["weight"] != 0.0) & (table["share of resamples"] >= 0.8)).sum()
    assert_says(words.title, f"{len(model.features)}", "log", f"{stable}")
    assert_says(words.subtitle, "80%", "3", "bootstrap", "0.2 λ_max", "one standard error")
    along = pictures.stability(fold, "log", lambda_ratio=0.2, samples=3, points=4)
    assert "down to the chosen C" in along.words(along.found).subtitle


def test_what_cannot_be_counted_is_refused_at_the_call() -> None:
    fold = core.open_dataset("planted").fold(1)
    with pytest.raises(ValueError, match="keeps every feature"):
        pictures.stability(fold, "l2")
    with pytest.raises(ValueError, match="only one of C"):
        pictures.stability(fold, "l1", C=0.1, lambda_ratio=0.1)
    with pytest.raises(ValueError, match="threshold"):
        pictures.stability(fold, "l1", threshold=1.5)
    with pytest.raises(ValueError, match="samples"):
        pictures.stability(fold, "l1", samples=0)


def test_a_session_finds_the_samples_of_another_by_what_they_are_drawn_from() -> None:
    one, other = (pictures.stability(core.open_dataset("planted").fold(1), "l1", seed=3) for _ in range(2))
    assert one.counts["samples"].key == other.counts["samples"].key
    others = [{"seed": 4}, {"sampling": "halves"}, {"points": 2}, {"off": [1]}, {"C": 0.1}, {"tol": 1e-2}]
    keys = {pictures.stability(one.fold, "l1", **({"seed": 3} | change)).counts["samples"].key for change in others}
    assert len(keys | {one.counts["samples"].key}) == len(others) + 1
