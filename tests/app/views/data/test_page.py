"""The Data page, section by section, without a browser.

Files and sets with a class for every document: which is on top, how they are split and scaled.
"""

import numpy as np
import pytest

from core.analysis.features import similarity
from core.data import open_dataset
from pages.shared.choice import access
from tests.app.conftest import Open
from tests.app.fitting import chosen, fit, give, headline_of, press, status, step_to, table_of
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")


def test_the_overview_counts_each_part_and_the_whole_and_the_part_chosen_is_the_part_shown(open_app):
    app = open_app("data", dataset="planted")
    table = table_of(app, "preference pairs").set_index("part")
    fold = open_dataset("planted").fold(1)
    assert list(table.index) == ["train", "validation", "test", "whole fold"]
    assert table.loc["train", "preference pairs"] == fold.train.n_pairs
    assert table.loc["whole fold", "documents"] == sum(part.n_documents for part in fold.parts().values())
    app.segmented_control(key="data_part").set_value("test").run()
    assert_says(headline_of(app), "Test part", "planted", "Fold1", f"{fold.test.n_queries} of")


def test_the_best_single_feature_is_shown_until_another_is_picked(open_app):
    app = open_app("data", dataset="planted", data_section="features", data_measure="MAP")
    table = table_of(app, "NDCG@10, smallest first")
    picker = app.selectbox(key="data_feature")
    assert picker.value == table["feature"][0]
    assert table["MAP"].is_monotonic_decreasing
    picker.set_value(2).run()
    assert app.selectbox(key="data_feature").value == 2


def test_a_query_shows_its_text_and_its_rows_by_relevance(open_app):
    app = open_app("data", dataset="python-docs", data_section="query", data_query="2")
    rows = table_of(app, "document")
    data = open_dataset("python-docs").fold(1).train
    first, last = data.query_offsets[data.query_ids.index("2") :][:2]
    assert "Open file and return a stream." in app.subheader[0].value
    assert rows["relevance"].tolist() == sorted(data.relevance[first:last], reverse=True)
    assert sorted(rows["1 TF of name"]) == sorted(data.features[first:last, 0])
    assert rows["document"].str.contains(": ").all()


def test_data_that_nothing_can_be_learned_from_can_still_be_looked_at(open_app, own_table):
    name = own_table("flat", np.full((40, 3), 2.0), np.arange(40) % 2)
    for section, seen in (("overview", "0 of 3 features"), ("features", "No feature"), ("similarity", "constant")):
        app = open_app("data", dataset=name, data_section=section)
        assert_says(app.warning[0].value, "No model")
        shown = [element.value for element in (*app.subheader, *app.info)]
        assert any(seen in words for words in shown), section


def test_one_query_with_two_classes_says_what_is_too_much_for_a_picture(open_app, own_table, monkeypatch):
    name = own_table("points", np.random.default_rng(4).normal(size=(60, 3)), np.arange(60) % 2)
    monkeypatch.setattr(similarity, "MOST_FEATURES", 2)
    app = open_app("data", dataset=name, data_section="similarity")
    assert_says(headline_of(app), "30 of 60 rows")
    assert any("3 features are too many" in info.value for info in app.main.info)


def table(classes: str, n: int = 60) -> bytes:
    labels = classes.split()
    return "".join(f"{k % 7},{(k * k) % 11},{k % len(labels)},{labels[k % len(labels)]}\n" for k in range(n)).encode()


def test_a_class_file_is_split_ten_times_and_standardised_and_either_class_may_be_on_top(open_app: Open) -> None:
    app = give(open_app("fit"), ("mine.csv", table("good bad bad")))
    choice = chosen(app)
    assert app.selectbox(key="fold").options == [f"split {number}" for number in range(1, 11)]
    assert [part.n_documents for part in choice.fold.parts().values()] == [30, 12, 18]
    assert choice.fold.train.features.std(axis=0) == pytest.approx(1.0)
    assert choice.source.reading.positive == "good", "the rarer one"
    fit(app)
    assert "Converged" in status(app)
    assert app.selectbox(key="positive").options == ["bad", "good"]
    app.selectbox(key="positive").set_value("bad").run()
    assert chosen(app).fold.train.query_ids == ("bad-against-good",)
    assert any(caption.value == "40 of bad above 20 of good" for caption in app.sidebar.caption)


def test_of_several_classes_one_is_offered_against_the_rest_and_is_no_choice_for_the_next_data(open_app: Open) -> None:
    app = press(give(open_app(), ("mine.csv", table("0 1 2"))), "roles_take_given")
    assert chosen(app).fold.train.query_ids == ("0-against-rest",)
    for positive in ("2", "0"):
        app.selectbox(key="positive").set_value(positive).run()
        assert chosen(app).fold.train.query_ids == (f"{positive}-against-rest",)
    give(app, ("next.csv", table("0 1")))
    assert app.session_state["choice"].source.reading.positive == "1"
    app.selectbox(key="dataset").set_value("digits").run()
    assert chosen(app).fold.train.query_ids == ("0-against-rest",)


def test_undo_brings_back_dataset_and_class_and_each_kind_of_data_has_its_own_scaling(open_app: Open) -> None:
    """A link asks for one within queries in vain where there are none."""
    app = open_app(dataset="digits", positive="7", class_scale="query-minmax")
    before = dict(app.query_params)
    app.selectbox(key="dataset").set_value("breast-cancer").run()
    reading = app.session_state["choice"].source.reading
    assert (reading.positive, reading.scale) == ("malignant", "standard")
    assert not any("query" in title for title in app.selectbox(key="class_scale").options)
    app.selectbox(key="dataset").set_value("planted").run()
    assert app.session_state["choice"].source.reading.scale == "none"
    assert any("query" in title for title in app.selectbox(key="scale").options)
    step_to(app, before)
    choice = app.session_state["choice"]
    assert (choice.source.name, choice.source.reading.positive) == ("digits", "7")


def test_what_comes_with_the_program_is_read_as_a_new_visitor_gets_it() -> None:
    for name, scale, n_folds in (("planted", "none", 5), ("toy", "none", 10), ("digits", "standard", 10)):
        source = access.usual_source(name)
        assert (source.reading.scale, access.dataset(source).n_folds) == (scale, n_folds)
