"""The estimator keeps scikit-learn's conventions, and fits what the core fits."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from core import SparseRanker, fit, ranking_score
from core.metrics import evaluate_ranking
from tests.oracles import ranking_problem

DATA = ranking_problem(3, n_queries=12, n_documents=120, n_features=6)
QUERIES = DATA.query_of_document


BY_NAME = {"check_dataframe_column_names_consistency": "columns are matched by name, in any order"}


@parametrize_with_checks([SparseRanker(), SparseRanker("log", C=0.1)], expected_failed_checks=lambda _: BY_NAME)
def test_it_keeps_the_conventions_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("method", ["l1", "log", "fenchelrank", "infinite-push-l1"])
def test_it_fits_what_the_core_fits(method: str) -> None:
    c = fit(DATA, method, lambda_ratio=0.1).fit.c
    ranker = SparseRanker(method, C=c).fit(DATA.features, DATA.relevance, qid=QUERIES)
    np.testing.assert_array_equal(ranker.coef_, fit(DATA, method, C=c).fit.weights)
    assert pytest.approx(c) == ranker.C_
    np.testing.assert_array_equal(ranker.get_support(), ranker.coef_ != 0.0)
    assert ranker.transform(DATA.features).shape[1] == np.count_nonzero(ranker.coef_)


def test_the_order_of_the_documents_does_not_matter() -> None:
    """Queries may be scattered over the file, and called by names."""
    shuffled = np.random.default_rng(0).permutation(DATA.n_documents)
    names = np.array([f"query {q}" for q in QUERIES])
    here = SparseRanker(C=1e-3).fit(DATA.features, DATA.relevance, qid=QUERIES)
    there = SparseRanker(C=1e-3).fit(DATA.features[shuffled], DATA.relevance[shuffled], qid=names[shuffled])
    np.testing.assert_allclose(there.coef_, here.coef_, atol=1e-5)


def test_its_score_is_the_mean_of_the_measure_over_queries() -> None:
    ranker = SparseRanker(C=1e-3, measure="MAP").fit(DATA.features, DATA.relevance, qid=QUERIES)
    scores = ranker.predict(DATA.features)
    assert len(np.unique(scores)) == len(scores)  # no ties, so there is one way to count
    wanted = evaluate_ranking(DATA, scores, "standard")["MAP"]
    assert ranker.score(DATA.features, DATA.relevance, qid=QUERIES) == pytest.approx(wanted)


def test_a_constant_ranking_gets_no_credit_for_the_order_of_the_documents() -> None:
    """The labels stand in their best order: read as a ranking that would be perfect."""
    relevance = np.tile([2, 1, 0, 0], 3)
    queries = np.repeat([0, 1, 2], 4)
    x = np.random.default_rng(0).normal(size=(12, 2))
    ranker = SparseRanker("l1", C=1e-12).fit(x, relevance, qid=queries)
    assert not ranker.coef_.any()
    assert ranker.score(x, relevance, qid=queries) < 0.9


def test_whole_queries_are_held_out_for_tuning_and_all_are_fitted() -> None:
    ranker = SparseRanker("l1", tune="map", random_state=1).fit(DATA.features, DATA.relevance, qid=QUERIES)
    assert ranker.model_.fold.train.n_queries == DATA.n_queries
    same = SparseRanker("l1", C=ranker.C_).fit(DATA.features, DATA.relevance, qid=QUERIES)
    np.testing.assert_allclose(same.coef_, ranker.coef_, atol=1e-6)
    with pytest.raises(ValueError, match="only one of"):
        SparseRanker(C=1.0, tune="map").fit(DATA.features, DATA.relevance, qid=QUERIES)
    with pytest.raises(ValueError, match="two queries"):
        SparseRanker(tune="map").fit(DATA.features, DATA.relevance)


def test_it_is_cross_validated_by_query_in_a_pipeline_and_searched_over() -> None:
    with sklearn.config_context(enable_metadata_routing=True):
        ranker = SparseRanker().set_fit_request(qid=True).set_score_request(qid=True)
        pipeline = make_pipeline(StandardScaler(), ranker)
        cv = GroupKFold(3)
        found = cross_validate(
            pipeline, DATA.features, DATA.relevance, cv=cv, params={"qid": QUERIES, "groups": QUERIES},
            scoring=make_scorer(ranking_score).set_score_request(qid=True), error_score="raise",
        )  # fmt: skip
        assert len(found["test_score"]) == 3
        assert np.all((found["test_score"] > 0.0) & (found["test_score"] <= 1.0))
        search = GridSearchCV(clone(ranker), {"C": [1e-6, 1e-3]}, cv=cv, error_score="raise")
        search.fit(DATA.features, DATA.relevance, qid=QUERIES, groups=QUERIES)
        assert search.best_params_ == {"C": 1e-3}


def test_names_of_a_frame_are_the_features_and_rules_use_them() -> None:
    frame = pd.DataFrame(DATA.features, columns=list("abcdef"))
    free = SparseRanker(C=1e-2).fit(frame, DATA.relevance, qid=QUERIES)
    kept = list(free.model_.features.index)
    assert list(free.get_feature_names_out()) == [name for name in "abcdef" if name in kept]
    negative = [name for name in kept if free.model_.weights[name] < 0.0]
    assert negative
    ruled = SparseRanker(C=1e-2, helps=list("abcdef"), off=[kept[0]]).fit(frame, DATA.relevance, qid=QUERIES)
    assert (ruled.model_.weights >= 0.0).all()
    assert ruled.model_.weights[kept[0]] == 0.0
    with pytest.raises(ValueError, match="no feature 'g'"):
        SparseRanker(helps=["g"]).fit(frame, DATA.relevance, qid=QUERIES)
    with pytest.raises(ValueError, match="can either help or hurt"):
        SparseRanker(helps=["a"], hurts=["a"]).fit(frame, DATA.relevance, qid=QUERIES)
    with pytest.raises(ValueError, match="does not support rules"):
        SparseRanker("l2", off=["a"]).fit(frame, DATA.relevance, qid=QUERIES)


@pytest.mark.parametrize(
    ("relevance", "queries", "words"),
    [
        ([0.5, 1.0, 0.0], None, "whole number"),
        ([-1, 1, 0], None, "0 or more"),
        ([1, 0, 1], [1, 1], "as many queries"),
        ([1, 0, 1], [1.0, 2.0, np.nan], "document 3 has no query"),
        ([1, 1, 1], None, "no preference pairs"),
    ],
)
def test_data_that_cannot_be_learned_from_gets_one_sentence(relevance, queries, words) -> None:
    with pytest.raises(ValueError, match=words):
        SparseRanker().fit(np.eye(3), relevance, qid=queries)


def test_a_notebook_shows_the_model() -> None:
    ranker = SparseRanker(C=1e-2).fit(DATA.features, DATA.relevance, qid=QUERIES)
    shown = ranker._repr_mimebundle_()["text/html"]
    assert "feature" in shown
    assert "MAP" in shown
