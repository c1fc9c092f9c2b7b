"""The tables of pictures have the numbers of their paths, and count what they say they count."""

from dataclasses import replace

import numpy as np
import pytest

import core
from core.api import pictures
from tests.says import assert_says

POINTS = 12


@pytest.fixture(scope="module")
def fold() -> core.Fold:
    return core.open_dataset("planted").fold(1)


@pytest.fixture(scope="module")
def l1(fold: core.Fold) -> core.ModelPath:
    return core.fit_path(fold, "l1", points=POINTS)


def test_a_tradeoff_has_the_models_of_its_path_and_its_references(fold, l1):
    theirs = l1.table[l1.table["features"] > 0]
    dense = core.fit_path(fold, "l2", points=POINTS)
    table = pictures.tradeoff([l1], measure="NDCG@10", dense=dense, limit=3).table
    models, references = table.iloc[:-2], table.iloc[-2:]
    assert models["features kept"].tolist() == theirs["features"].tolist()
    for ours, name in (("C", "C"), ("NDCG@10 test", "test NDCG@10")):
        np.testing.assert_allclose(models[ours], theirs[name])
    assert references["method"].tolist() == ["all features (ℓ2, C by validation)", "best single feature, by training"]
    whole, alone = (row for _, row in references.iterrows())
    assert whole["C"] == pytest.approx(dense.best("NDCG@10").fit.c)
    assert whole["features kept"] == fold.train.n_features
    single = core.single_features(fold.train)
    best = np.maximum(single["NDCG@10"], single["NDCG@10 reversed"]).idxmax()
    assert alone["features"] == best


def test_pictures_of_data_show_the_training_part_of_a_fold(fold):
    for draw in (pictures.relevance_levels, pictures.single_features, lambda data: pictures.feature_values(data, 3)):
        assert draw(fold).table.equals(draw(fold.train).table)


def test_the_top_of_lists_counts_every_list_once(fold, l1):
    models = [l1.with_as_many_features(5), core.fit(fold, "l2")]
    for part, data in fold.parts().items():
        counts = pictures.top_of_lists(models, part=part).table.drop(columns="positives on top")
        positive = [data.relevance[a:b] > 0 for a, b in zip(data.query_offsets, data.query_offsets[1:], strict=False)]
        with_both = sum(list_.any() and not list_.all() for list_ in positive)
        assert counts.sum().tolist() == [with_both] * 2
    strips = pictures.top_of_one_list(models[0], part="train").table
    top = strips.loc[~strips["positive"], "above the top negative"].max()
    assert top == 0.0
    assert len(strips) == np.diff(fold.train.query_offsets)[0]


def test_stability_of_one_fold_counts_its_own_model(fold):
    only = core.Fold("alone", fold.train)
    table = pictures.stability(only, "l1", lambda_ratio=0.1, samples=6, off=[1], seed=3).table
    assert table["share of resamples"].is_monotonic_decreasing
    assert set(np.round(table["share of resamples"] * 6, 9)) <= set(range(7))
    assert table.set_index("feature").loc[1, ["share of resamples", "weight"]].tolist() == [0.0, 0.0]
    again = pictures.stability(only, "l1", lambda_ratio=0.1, samples=6, off=[1], seed=3).table
    assert again.equals(table)


def test_paths_of_several_folds_or_of_none_are_refused(l1):
    other = core.fit_path(core.open_dataset("planted").fold(2), "l1", points=3)
    with pytest.raises(ValueError, match="all of one fold"):
        pictures.paths([l1, other])
    with pytest.raises(ValueError, match="one path or more"):
        pictures.tradeoff([])
    with pytest.raises(ValueError, match="measure is one of 'MAP', 'NDCG@10', 'Top', not 'P@5'"):
        pictures.tradeoff([l1], measure="P@5")
    with pytest.raises(ValueError, match=r"no query 'x'.*\btest\b"):
        pictures.top_of_one_list(l1.best(), "x")


def test_a_path_marks_no_best_model_where_validation_cannot_tell(fold):
    """The notebook drew the dashed line at the first of equals, where the page says that nothing can be told."""
    idle = core.ranking_data(fold.vali.features, np.zeros(fold.vali.n_documents), fold.vali.query_of_document)
    picture = pictures.paths([core.fit_path(replace(fold, vali=idle), "l1", points=4)])
    assert_says(picture.words(picture.found).title, "cannot tell")
    assert all(panel.best is None for panel in picture.found.panels)
    assert "dashed" not in picture.words(picture.found).subtitle
