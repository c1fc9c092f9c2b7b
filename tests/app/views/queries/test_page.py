"""The Queries page without a browser: what it is sent, what it says, and what a link restores."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.queries.swaps import Edits, read_edits
from core.metrics import JudgedLists, Measure
from tests.app.conftest import Open
from tests.app.fitting import chosen, control, headline_of, sent, title_of
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("coarse_paths")


def weights(app: AppTest) -> np.ndarray:
    """Of A, as the browser is told."""
    found = np.zeros(chosen(app).fold.train.n_features)
    for feature in sent(app, "lists")["features"]:
        found[feature["number"]] = feature["weight"]
    return found


def test_the_lists_are_those_of_the_model_beside_another_or_alone_where_a_link_has_one_that_is_not_there(
    open_app: Open,
) -> None:
    assert sent(open_app("queries", dataset="planted", queries_b="model|l1"), "lists")["titles"][1] == ""
    app = open_app("queries", dataset="planted", queries_b="only-999")
    data = chosen(app).fold.test
    one = data.take_queries([0])
    spec = sent(app, "lists")
    assert spec["titles"][1] == ""
    above, below = sorted(spec["selected"], key=lambda k: spec["a"]["places"][k])
    terms = weights(app) * (one.features[above] - one.features[below])
    most = f"“{data.feature_names[int(np.argmax(terms))]}” brings most, {terms.max():+.3g}"
    assert_says(headline_of(app), "Why is", "above", most, f"together {terms.sum():+.3g}".replace("-", "−"))
    assert "under B" not in app.caption[0].value

    app.selectbox(key="queries_b").set_value("ideal").run()
    ranked = JudgedLists(one, "standard").rank(one.features @ weights(app))
    assert_says(app.caption[0].value, "AP", f"{ranked.mean(Measure('MAP')):.4f} under A", "1.0000 under B")


def test_a_link_restores_part_query_b_documents_and_edits(open_app: Open) -> None:
    plain = open_app("queries", dataset="python-docs")
    data = chosen(plain).fold.train
    query, feature = data.query_ids[7], sent(plain, "lists")["features"][0]["number"]
    app = open_app(
        "queries", dataset="python-docs", queries_part="train", queries_query=query, queries_b="only-3",
        queries_documents="5,2", queries_edits=f"w{feature + 1}=0.125;d5.{feature + 1}=0.75",
    )  # fmt: skip
    spec = sent(app, "lists")
    assert [spec["documents"][k]["number"] for k in spec["selected"]] == [4, 1]
    assert spec["titles"][1].startswith(f"B: {data.feature_names[2]} alone")
    assert spec["titles"][0].endswith(", edited")
    assert spec["edits"]["weights"][0][1] == 0.125
    assert spec["edits"]["values"][0][2] == 0.75
    assert spec["documents"][0]["text"]
    for key in ("queries_query", "queries_b", "queries_documents", "queries_edits"):
        assert app.query_params[key], key


def test_what_the_page_offers_swaps_two_documents_and_edits_are_of_one_query_or_at_most_one_model(
    open_app: Open,
) -> None:
    app = open_app("queries", dataset="planted", queries_documents="1,2")
    spec = sent(app, "lists")
    x, w = chosen(app).fold.test.take_queries([0]).features, weights(app)
    by_weight, by_value = (offer["edits"] for offer in spec["offers"])
    ((k, weight),), columns = by_weight["weights"], [feature["number"] for feature in spec["features"]]
    edited = np.where(np.arange(len(w)) == columns[k], weight, w)
    assert (x[0] @ edited > x[1] @ edited) != (x[0] @ w > x[1] @ w)
    assert len(by_value["values"]) == 1

    app.session_state["queries_edits"] = "w1=0.5;d1.1=2.0"
    app.selectbox(key="queries_query").set_value("20").run()
    assert app.session_state["queries_documents"] == ""
    assert read_edits(app.session_state["queries_edits"], 9, 9) == Edits(((0, 0.5),))
    control(app.selectbox, "method").set_value("log").run()
    assert app.session_state["queries_edits"] == ""


def test_all_queries_say_who_loses_and_whether_it_is_clear(open_app: Open) -> None:
    app = open_app("queries", dataset="planted", queries_look="all queries", queries_b="ideal")
    data = chosen(app).fold.test
    said = app.subheader[0].value
    assert "mean" in said
    assert any(word in said for word in ("no clear difference", "clearly higher", "clearly lower"))
    assert title_of(app, "query_changes").startswith(f"ΔAP of {data.n_queries} queries")
    bars = sent(app, "query_changes")["figure"]["data"][0]
    worst = data.query_ids[bars["customdata"][0][0]]
    button = next(one for one in app.button if one.key == f"queries_worst_{worst}")
    button.click().run()
    assert "queries_look" not in app.query_params or app.query_params["queries_look"] != ["all queries"]
    assert app.session_state["queries_query"] == worst
    assert sent(app, "lists")


def test_a_pinned_model_is_b_and_a_link_fits_it_or_one_without_a_feature_again(open_app: Open) -> None:
    first = open_app("queries", dataset="planted", method="l1", ratio="0.2", queries_b="ideal")
    first.button(key="pin").click().run()
    pinned = chosen(first)
    assert sent(first, "lists")["titles"][1] == "B: the ideal order"
    control(first.selectbox, "method").set_value("log").run()
    assert "ℓ1" in sent(first, "lists")["titles"][1]
    first.selectbox(key="queries_b").set_value("ideal").run()
    assert sent(first, "lists")["titles"][1] == "B: the ideal order", "what a person then chooses stays"
    token = "|".join(
        ["model", "l1", pinned.solver_id, repr(pinned.lam), repr(pinned.tol),
         ",".join(f"{name}={value!r}" for name, value in pinned.parameters), *[""] * 5]
    )  # fmt: skip
    linked = open_app("queries", dataset="planted", method="log", ratio="0.05", queries_b=token)
    title = sent(linked, "lists")["titles"][1]
    assert title.startswith("B: ")
    assert "C = " in title
    feature = sent(linked, "lists")["features"][0]
    without = f"without-{feature['number'] + 1}"
    app = open_app("queries", dataset="planted", method="log", ratio="0.05", queries_b=without)
    assert sent(app, "lists")["titles"][1] == f"B: A refitted without {feature['name']}"


def test_what_was_looked_at_is_there_again_after_a_visit_to_another_page(open_app: Open) -> None:
    app = open_app("queries", dataset="planted", queries_query="20", queries_b="ideal", queries_documents="2,1")
    app.switch_page("pages/data.py").run()
    app.switch_page("pages/queries.py").run()
    spec = sent(app, "lists")
    assert spec["titles"][1] == "B: the ideal order"
    assert len(spec["selected"]) == 2
    assert "20" in app.caption[0].value
