"""The estimator keeps scikit-learn's conventions, and fits what the core fits.

Functions for notebooks give what the command line gives, as tables.
The code of the reference for notebooks runs, and says what it says it does.
The tables of pictures have the numbers of their paths, and count what they say they count.
"""

import re
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

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

import core
from core import SparseRanker, fit, ranking_score
from core.api import pictures
from core.metrics import evaluate_ranking
from tests.cli.conftest import ask, run
from tests.oracles import ranking_problem
from tests.says import assert_says

DATA = ranking_problem(3, n_queries=12, n_documents=120, n_features=6)
QUERIES = DATA.query_of_document


BY_NAME = {"check_dataframe_column_names_consistency": "columns are matched by name, in any order"}


@parametrize_with_checks([SparseRanker(), SparseRanker("log", C=0.1)], expected_failed_checks=lambda _: BY_NAME)
def test_it_keeps_the_conventions_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("method", ["l1", "log", "fenchelrank", "infinite-push-l1"])
def test_it_fits_what_the_core_fits(method: str) -> None:
    c = fit(DATA, method, lambda_ratio=0.01).fit.c
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
    [([1, 0, 1], [1, 1], "as many queries"), ([1, 1, 1], None, "no preference pairs")],
)
def test_data_that_cannot_be_learned_from_gets_one_sentence(relevance, queries, words) -> None:
    with pytest.raises(ValueError, match=words):
        SparseRanker().fit(np.eye(3), relevance, qid=queries)


def test_a_notebook_shows_the_model() -> None:
    ranker = SparseRanker(C=1e-2).fit(DATA.features, DATA.relevance, qid=QUERIES)
    shown = ranker._repr_mimebundle_()["text/html"]
    assert "feature" in shown
    assert "MAP" in shown


__all__ = ["ask", "run"]


@pytest.fixture(scope="module")
def fold() -> core.Fold:
    return core.open_dataset("python-docs").fold(1)


def test_a_saved_model_is_exported_as_by_the_command_line(fold, ask, tmp_path):
    ours = core.fit(fold, "log", lambda_ratio=0.05)
    ours.save(tmp_path / "model.json")
    notes = ours.export("solr", tmp_path / "ours.json", name="mine")
    told = ask(
        "export", str(tmp_path / "model.json"), "--format", "solr", "--out", str(tmp_path / "theirs.json"),
        "--name", "mine",
    )  # fmt: skip
    assert (tmp_path / "ours.json").read_bytes() == (tmp_path / "theirs.json").read_bytes()
    assert [note.replace("ours.json", "theirs.json") for note in notes] == told["notes"]
    with pytest.raises(ValueError, match="there is no format 'pmml'"):
        ours.export("pmml", tmp_path / "m")


def test_a_path_is_that_of_the_command_line(fold, ask):
    theirs = ask("path", "python-docs", "--method", "l1", "--points", "12")
    ours = core.fit_path(fold, "l1", points=12)
    assert len(ours) == 12
    np.testing.assert_allclose(ours.table["C"], [point["C"] for point in theirs["points"]])
    assert list(ours.table["features"]) == [point["nonzero"] for point in theirs["points"]]
    for name in ("MAP", "NDCG@10"):
        assert list(ours.table[f"test {name}"]) == [point["metrics"]["test"][name] for point in theirs["points"]]
    np.testing.assert_array_equal(ours.weights.to_numpy()[-1], ours.model(-1).weights)


def test_the_best_of_a_path_is_best_on_validation_among_those_allowed(fold):
    path = core.fit_path(fold, "l1", points=25)
    table = path.table
    free = path.best("map")
    assert free.metrics.loc["MAP", "vali"] == pytest.approx(table["vali MAP"].max(), abs=1e-3)  # ties aside
    few = path.best("map", features=4)
    affordable = table[(table["features"] > 0) & (table["features"] <= 4)]
    assert 0 < len(few.features) <= 4
    assert few.metrics.loc["MAP", "vali"] == pytest.approx(affordable["vali MAP"].max(), abs=1e-3)
    with pytest.raises(ValueError, match="no model of this path"):
        core.fit_path(fold, "l1", points=1).best(features=1)  # the empty model only


def test_models_of_one_fold_are_compared_by_query(fold):
    one, other = core.fit(fold, "l1", lambda_ratio=0.01), core.fit(fold, "l1", lambda_ratio=0.5)
    found = one.compare(other, "ndcg@10")
    assert found.difference == pytest.approx(one.metrics.loc["NDCG@10", "test"] - other.metrics.loc["NDCG@10", "test"])
    assert found.interval[0] <= found.difference <= found.interval[1]
    elsewhere = core.fit(core.open_dataset("python-docs").fold(2), "l1", lambda_ratio=0.5)
    with pytest.raises(ValueError, match="one fold"):
        one.compare(elsewhere)


def test_what_is_neither_fold_nor_data_is_named():
    with pytest.raises(TypeError, match=r"Fold.*not Dataset"):
        core.single_features(core.open_dataset("python-docs"))


def test_documents_are_measured_like_a_file_of_scores(fold):
    model = core.fit(fold, "l1", lambda_ratio=0.05)
    measured = core.evaluate(fold.test, model.score(fold.test))
    assert measured["MAP"] == model.metrics.loc["MAP", "test"]


def test_lists_name_what_can_be_opened_and_fitted():
    assert core.open_dataset(core.list_datasets().index[0])
    assert core.get_method(core.list_methods().index[0])
    assert "C" not in core.list_methods().loc["l1", "parameters"]


def test_every_name_is_there_and_importing_none_of_them_is_quick():
    for name in core.__all__:
        assert getattr(core, name).__doc__, name
    words = "import core, sys; sys.exit(any(name in sys.modules for name in ('numpy', 'sklearn', 'numba')))"
    assert subprocess.run([sys.executable, "-c", words], check=False).returncode == 0
    words = "import core.solvers.run, sys; sys.exit(sum(name.startswith('core.') for name in sys.modules) > 70)"
    assert subprocess.run([sys.executable, "-c", words], check=False).returncode == 0
    with pytest.raises(AttributeError, match="attribute fitt"):
        core.fitt  # noqa: B018


NOTEBOOK = Path(__file__).resolve().parents[2] / "docs" / "reference" / "notebook.md"


def section() -> str:
    return NOTEBOOK.read_text(encoding="utf-8")


@pytest.fixture
def routing_as_it_was():
    before = sklearn.get_config()["enable_metadata_routing"]
    yield
    sklearn.set_config(enable_metadata_routing=before)


def test_the_code_for_notebooks_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, routing_as_it_was: None) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for code in re.findall(r"```python\n(.*?)```", section(), re.DOTALL):
        exec(code, names)
    model, paths, scores = names["model"], names["paths"], names["scores"]
    assert {path.name for path in tmp_path.iterdir()} == {"model.json", "tradeoff.csv", "tradeoff.html"}
    assert 0 < len(paths[0].best(features=10).features) <= 10
    assert len(model.features) < 54
    assert len(scores) == 3
    assert 0.0 < scores.min() <= scores.max() <= 1.0


def test_the_docstring_of_the_pictures_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code = textwrap.dedent(str(pictures.__doc__).split("::\n")[1]).replace("python-docs", "planted")
    exec(code, {})
    assert {path.name for path in tmp_path.iterdir()} == {"tradeoff.csv", "tradeoff.html"}


POINTS = 12


@pytest.fixture(scope="module")
def planted() -> core.Fold:
    return core.open_dataset("planted").fold(1)


@pytest.fixture(scope="module")
def l1(planted: core.Fold) -> core.ModelPath:
    return core.fit_path(planted, "l1", points=POINTS)


def test_a_tradeoff_has_the_models_of_its_path_and_its_references(planted, l1):
    theirs = l1.table[l1.table["features"] > 0]
    dense = core.fit_path(planted, "l2", points=POINTS)
    table = pictures.tradeoff([l1], measure="NDCG@10", dense=dense, limit=3).table
    models, references = table.iloc[:-2], table.iloc[-2:]
    assert models["features kept"].tolist() == theirs["features"].tolist()
    for ours, name in (("C", "C"), ("NDCG@10 test", "test NDCG@10")):
        np.testing.assert_allclose(models[ours], theirs[name])
    assert references["method"].tolist() == ["all features (ℓ2, C by validation)", "best single feature, by training"]
    whole, alone = (row for _, row in references.iterrows())
    assert whole["C"] == pytest.approx(dense.best("NDCG@10").fit.c)
    assert whole["features kept"] == planted.train.n_features
    single = core.single_features(planted.train)
    best = np.maximum(single["NDCG@10"], single["NDCG@10 reversed"]).idxmax()
    assert alone["features"] == best


def test_pictures_of_data_show_the_training_part_of_a_fold(planted):
    for draw in (pictures.relevance_levels, pictures.single_features, lambda data: pictures.feature_values(data, 3)):
        assert draw(planted).table.equals(draw(planted.train).table)


def test_the_top_of_lists_counts_every_list_once(planted, l1):
    models = [l1.with_as_many_features(5), core.fit(planted, "l2")]
    for part, data in planted.parts().items():
        counts = pictures.top_of_lists(models, part=part).table.drop(columns="positives on top")
        positive = [data.relevance[a:b] > 0 for a, b in zip(data.query_offsets, data.query_offsets[1:], strict=False)]
        with_both = sum(list_.any() and not list_.all() for list_ in positive)
        assert counts.sum().tolist() == [with_both] * 2
    strips = pictures.top_of_one_list(models[0], part="train").table
    top = strips.loc[~strips["positive"], "above the top negative"].max()
    assert top == 0.0
    assert len(strips) == np.diff(planted.train.query_offsets)[0]


def test_stability_of_one_fold_counts_its_own_model(planted):
    only = core.Fold("alone", planted.train)
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


def test_a_path_marks_no_best_model_where_validation_cannot_tell(planted):
    """The notebook drew the dashed line at the first of equals, where the page says that nothing can be told."""
    idle = core.ranking_data(planted.vali.features, np.zeros(planted.vali.n_documents), planted.vali.query_of_document)
    picture = pictures.paths([core.fit_path(replace(planted, vali=idle), "l1", points=4)])
    assert_says(picture.words(picture.found).title, "cannot tell")
    assert all(panel.best is None for panel in picture.found.panels)
    assert "dashed" not in picture.words(picture.found).subtitle
