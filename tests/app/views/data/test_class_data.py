"""Files and sets with a class for every document: which is on top, how they are split and scaled."""

from __future__ import annotations

import pytest

from pages.shared.choice import access
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, chosen, fit, give, press, status, step_to

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")


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
    app = press(give(open_app("numbers"), ("mine.csv", table("0 1 2"))), "roles_take_given")
    assert chosen(app).fold.train.query_ids == ("0-against-rest",)
    for positive in ("2", "0"):
        app.selectbox(key="positive").set_value(positive).run()
        assert_fine(app)
        assert chosen(app).fold.train.query_ids == (f"{positive}-against-rest",)
    give(app, ("next.csv", table("0 1")))
    assert app.session_state["choice"].source.reading.positive == "1"
    app.selectbox(key="dataset").set_value("digits").run()
    assert chosen(app).fold.train.query_ids == ("0-against-rest",)


def test_it_can_be_split_once_or_not_at_all(open_app: Open) -> None:
    for division, sizes in (("one split", [42, 18]), ("whole file", [60])):
        app = give(open_app("numbers", division=division), ("mine.csv", table("good bad bad")))
        assert [part.n_documents for part in chosen(app).fold.parts().values()] == sizes


def test_undo_brings_back_dataset_and_class_and_each_kind_of_data_has_its_own_scaling(open_app: Open) -> None:
    """A link asks for one within queries in vain where there are none."""
    app = open_app("numbers", dataset="digits", positive="7", class_scale="query-minmax")
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


@pytest.mark.parametrize(
    ("name", "scale", "n_folds"),
    [("planted", "none", 5), ("toy", "none", 10), ("digits", "standard", 10), ("breast-cancer", "standard", 10)],
)
def test_what_comes_with_the_program_has_folds_with_all_parts(name: str, scale: str, n_folds: int) -> None:
    source = access.usual_source(name)
    assert (source.reading.scale, access.dataset(source).n_folds) == (scale, n_folds)
    assert list(access.fold(source, n_folds).parts()) == ["train", "vali", "test"]
