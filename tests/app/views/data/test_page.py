"""The Data page, section by section, without a browser."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.dataset.dataset_card import dataset_card
from core.analysis.features.single_feature import single_feature_scores
from core.data import open_dataset
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, headline_of, table_of
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")


@pytest.fixture
def open_page(open_app: Open) -> Open:
    """Open the Data page on a dataset, with a choice of its controls."""

    def opened(dataset: str, **controls: str) -> AppTest:
        app = open_app("data", dataset=dataset, **controls)
        assert_fine(app)
        return app

    return opened


def test_the_overview_counts_each_part_and_the_whole_and_the_part_chosen_is_the_part_shown(open_page):
    app = open_page("planted")
    table = table_of(app, "preference pairs").set_index("part")
    fold = open_dataset("planted").fold(1)
    assert list(table.index) == ["train", "validation", "test", "whole fold"]
    assert table.loc["train", "preference pairs"] == fold.train.n_pairs
    assert table.loc["whole fold", "documents"] == sum(part.n_documents for part in fold.parts().values())
    app.segmented_control(key="data_part").set_value("test").run()
    card = dataset_card(open_dataset("planted").fold(1).test)
    assert_says(headline_of(app), "Test part", "planted", "Fold1", f"{card.n_queries} of")


def test_what_is_in_bold_is_no_name_and_a_name_is_not_read_as_markdown(open_page, own_table):
    rows = np.random.default_rng(0).normal(size=(40, 3))
    rows[:, 1] = 0.0
    (said,) = (
        text.value for text in open_page(own_table("own", rows, np.arange(40) % 2)).markdown if "order" in text.value
    )
    assert "**order of the file**" in said
    assert_says(said, "**1**", "zero", "every row")


def test_single_features_have_the_numbers_of_the_core_and_the_best_is_shown_until_another_is_picked(open_page):
    app = open_page("planted", data_section="features", data_measure="MAP")
    table = table_of(app, "NDCG@10, smallest first")
    picker = app.selectbox(key="data_feature")
    assert picker.value == table["feature"][0]
    assert table["MAP"].is_monotonic_decreasing
    dataset, table = open_dataset("planted"), table.set_index("feature").sort_index()
    scores = single_feature_scores(dataset.fold(1).train, dataset.convention)
    assert table["MAP"].tolist() == [score.map for score in scores]
    assert table["NDCG@10, smallest first"].tolist() == [score.reversed_ndcg_at_10 for score in scores]
    picker.set_value(2).run()
    assert_fine(app)
    assert app.selectbox(key="data_feature").value == 2


def test_similarity_lists_each_features_closest(open_page):
    app = open_page("planted", data_section="similarity", data_similarity="Kendall")
    closest = table_of(app, "and its closest")["similarity"].abs()
    assert closest.is_monotonic_decreasing
    assert closest.max() <= 1.0


def test_a_query_shows_its_text_and_its_rows_by_relevance(open_page):
    app = open_page("python-docs", data_section="query", data_query="2")
    rows = table_of(app, "document")
    data = open_dataset("python-docs").fold(1).train
    first, last = data.query_offsets[data.query_ids.index("2") :][:2]
    assert "Open file and return a stream." in app.subheader[0].value
    assert rows["relevance"].tolist() == sorted(data.relevance[first:last], reverse=True)
    assert sorted(rows["1 TF of name"]) == sorted(data.features[first:last, 0])
    assert rows["document"].str.contains(": ").all()


def test_data_that_nothing_can_be_learned_from_can_still_be_looked_at(open_page, own_table):
    name = own_table("flat", np.full((40, 3), 2.0), np.arange(40) % 2)
    for section, seen in (("overview", "0 of 3 features"), ("features", "No feature"), ("similarity", "constant")):
        app = open_page(name, data_section=section)
        assert_says(app.warning[0].value, "No model")
        shown = [element.value for element in (*app.subheader, *app.info)]
        assert any(seen in words for words in shown), section


@pytest.mark.parametrize(
    ("n_features", "sections"),
    [(1, ("overview", "features", "similarity", "query")), (700, ("features", "query")), (2001, ("similarity",))],
)
def test_one_query_with_two_classes_has_every_section_and_says_what_is_too_much_for_a_picture(
    open_page, own_table, n_features, sections
):
    rng = np.random.default_rng(4)
    name = own_table(f"points{n_features}", rng.normal(size=(60, n_features)), np.arange(60) % 2)
    for section in sections:
        app = open_page(name, data_section=section)
        assert_says(headline_of(app), "30 of 60 rows")
        assert not app.error
    if n_features > 2000:
        told = next(info.value for info in app.main.info if "2,001" in info.value)
        assert_says(told, "2,001 features", "too many", "pairs")
