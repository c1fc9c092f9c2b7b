"""Files and sets with a class for every document: which is on top, how they are split, and what cannot be used."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.choice import access
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, chosen, dialog, fit, give, press, status, step_to
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")


def table(classes: str, n: int = 60) -> bytes:
    labels = classes.split()
    return "".join(f"{k % 7},{(k * k) % 11},{k % len(labels)},{labels[k % len(labels)]}\n" for k in range(n)).encode()


def drop(app: AppTest, content: bytes, name: str = "mine.csv") -> AppTest:
    give(app, (name, content))
    assert_fine(app)
    return app


def test_a_class_file_is_split_ten_times_and_standardised(open_app: Open) -> None:
    app = drop(open_app("fit"), table("good bad bad"))
    choice = chosen(app)
    assert app.selectbox(key="fold").options == [f"split {number}" for number in range(1, 11)]
    assert [part.n_documents for part in choice.fold.parts().values()] == [30, 12, 18]
    assert choice.fold.train.features.std(axis=0) == pytest.approx(1.0)
    assert choice.source.reading.positive == "good", "the rarer one"
    fit(app)
    assert "Converged" in status(app)


def test_the_positive_class_is_one_of_those_in_the_file(open_app: Open) -> None:
    app = drop(open_app("numbers"), table("good bad bad"))
    assert app.selectbox(key="positive").options == ["bad", "good"]
    app.selectbox(key="positive").set_value("bad").run()
    assert chosen(app).fold.train.query_ids == ("bad-against-good",)
    assert any(caption.value == "40 of bad above 20 of good" for caption in app.sidebar.caption)


def test_of_several_classes_one_is_offered_against_the_rest(open_app: Open) -> None:
    app = press(drop(open_app("numbers"), table("a b c")), "roles_take_given")
    assert chosen(app).fold.train.query_ids == ("a-against-rest",)
    app.selectbox(key="positive").set_value("c").run()
    assert_fine(app)
    assert chosen(app).fold.train.query_ids == ("c-against-rest",)


def test_it_can_be_split_once_or_not_at_all(open_app: Open) -> None:
    for division, sizes in (("one split", [42, 18]), ("whole file", [60]), ("ten splits", [30, 12, 18])):
        app = drop(open_app("numbers", division=division), table("good bad bad"))
        assert [part.n_documents for part in chosen(app).fold.parts().values()] == sizes


def test_a_class_is_no_choice_for_the_next_file(open_app: Open) -> None:
    app = press(drop(open_app("numbers"), table("0 1 2")), "roles_take_given")
    app.selectbox(key="positive").set_value("0").run()
    drop(app, table("0 1"), "next.csv")
    assert app.session_state["choice"].source.reading.positive == "1"
    app.selectbox(key="dataset").set_value("digits").run()
    assert chosen(app).fold.train.query_ids == ("0-against-rest",)


def test_undo_brings_back_dataset_and_class(open_app: Open) -> None:
    app = open_app("numbers", dataset="digits", positive="7")
    before = dict(app.query_params)
    app.selectbox(key="dataset").set_value("breast-cancer").run()
    assert app.session_state["choice"].source.reading.positive == "malignant"
    step_to(app, before)
    choice = app.session_state["choice"]
    assert (choice.source.name, choice.source.reading.positive) == ("digits", "7")


def test_what_scales_within_queries_is_offered_where_there_are_queries(open_app: Open) -> None:
    """Also a link asks for it in vain."""
    app = open_app("numbers", dataset="breast-cancer", class_scale="query-minmax")
    assert_fine(app)
    assert not any("query" in title for title in app.selectbox(key="class_scale").options)
    assert app.session_state["choice"].source.reading.scale == "standard"
    app.selectbox(key="dataset").set_value("planted").run()
    assert any("query" in title for title in app.selectbox(key="scale").options)


def test_graded_data_keeps_its_own_scaling(open_app: Open) -> None:
    app = open_app("numbers", dataset="breast-cancer")
    assert app.session_state["choice"].source.reading.scale == "standard"
    app.selectbox(key="dataset").set_value("planted").run()
    assert app.session_state["choice"].source.reading.scale == "none"


UNUSABLE = [
    (table("yes"), ("mine.csv, column class", "one class", "'yes'", "two")),
    (b"1,2,a\n3,,b\n", ("mine.csv, line 2, column feature 2", "missing")),
    (b"1,2,a\n3,?,b\n", ("mine.csv, line 2, column feature 2", "?")),
    (b"1,2,a\n3,red,b\n", ("mine.csv, line 2, column feature 2", "'red'", "not a number", "words")),
    (b"1,2,a\n3,4,\n5,6,b\n", ("mine.csv, line 2, column class", "missing", "filled in")),
    (b"1,2,a\n3,4,b\n5,6,b\n", ("mine", "relevance 1", "1 document", "too few", "training", "validation")),
    (
        "".join(f"{k},{k + 0.5}\n" for k in range(60)).encode(),
        ("60 different values", "too many", "classes"),
    ),
]
"""Files, and what is said of them."""


def test_what_cannot_be_used_is_one_sentence_and_the_next_choice_works(open_app: Open) -> None:
    app = open_app("fit", dataset="planted")
    for content, facts in UNUSABLE:
        drop(app, content)
        refused = dialog(app).error
        assert_says(refused[0].value if refused else status(app), *facts)
        assert refused or app.selectbox(key="dataset").value != "planted"
        app.selectbox(key="dataset").set_value("planted").run()
        assert_fine(app)
        assert app.session_state["choice"].source.name == "planted"


def test_the_headline_of_one_list_tells_how_many_positives_are_on_top(open_app: Open) -> None:
    app = open_app("path", dataset="breast-cancer")
    strip = next(html.proto.body for html in app.get("html") if 'class="strip"' in html.proto.body)
    assert 'data-reading="Top-test"' in strip
    assert "NDCG@10" not in strip


@pytest.mark.parametrize(
    ("name", "scale", "n_folds"),
    [("planted", "none", 5), ("toy", "none", 10), ("digits", "standard", 10), ("breast-cancer", "standard", 10)],
)
def test_what_comes_with_the_program_has_folds_with_all_parts(name: str, scale: str, n_folds: int) -> None:
    source = access.usual_source(name)
    assert (source.reading.scale, access.dataset(source).n_folds) == (scale, n_folds)
    assert list(access.fold(source, n_folds).parts()) == ["train", "vali", "test"]
