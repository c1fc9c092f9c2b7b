"""The notebook's picture of all queries says what the page's says.

The picture of what A changes for every query.
What the browser is sent of two lists.
"""

import base64
import json
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

import core
from core.analysis.queries.side_by_side import QueryChanges, SideBySide, side_by_side
from core.analysis.queries.swaps import Edits
from core.api import pictures
from core.data import RankingData
from core.figures.look.style import MUTED, method_style
from core.figures.picture import Words
from core.figures.queries.lists import (
    LEVEL_STYLES,
    MOST_PLACES,
    ListedDocument,
    Offer,
    drawn_documents,
    lists_spec,
    relevance_words,
)
from core.figures.queries.picture import BINS, MOST_BARS, ComparedQueries
from tests.figures.look.contrast import BACKGROUNDS, colour, contrast
from tests.figures.samples.sample import fold, path
from tests.figures.samples.sample import model as some_model
from tests.says import assert_says


def test_both_models_and_the_range_of_the_changes_are_named() -> None:
    picture = pictures.queries(path("l1").with_as_many_features(9), path("l1").with_as_many_features(5))
    words, delta = picture.words(picture.found), picture.table["ΔAP"]
    assert_says(words.title, f"{fold().test.n_queries} queries", f"{delta.max():+.3f}")
    assert_says(words.subtitle, "Fold1", "A: ℓ1", "B: ℓ1, C =")
    losing, gaining = np.count_nonzero(delta < 0), np.count_nonzero(delta > 0)
    assert_says(words.alt, f"{losing} queries lose AP", f"{gaining} gain", picture.found.differences["MAP"].verdict)


def test_a_feature_ranks_in_its_better_direction_and_says_so() -> None:
    model = path("l1").with_as_many_features(9)
    worst = core.single_features(fold())["MAP"].idxmin()
    picture = pictures.queries(model, worst)
    said = picture.words(picture.found).subtitle
    column = list(fold().train.feature_names).index(worst)
    alone = core.single_features(fold()).loc[worst]
    assert ("smallest value first" in said) is bool(alone["MAP reversed"] > alone["MAP"])
    assert f"B: {worst} alone" in said
    assert pictures.queries(model, column + 1).table.equals(picture.table)


def drawn(delta: list[float]) -> tuple[go.Figure, QueryChanges]:
    a = np.array(delta)
    ones = np.ones(len(a), dtype=np.int64)
    changes = QueryChanges("MAP", np.clip(a, 0, None), np.clip(-a, 0, None), 5 * ones, ones)
    ids = [str(k) for k in range(len(a))]
    data = RankingData.build(np.ones((len(a), 1)), ones, range(len(a) + 1), query_ids=ids)
    model = replace(some_model("l1"), fold=core.Fold("some", data))
    picture = pictures.queries(model, "ideal", part="train")
    figure = picture.drawing(ComparedQueries({"MAP": changes}, {}, ""), Words("What is seen"))
    return figure, changes


def test_bars_rise_from_the_greatest_loss_and_name_their_queries() -> None:
    figure, _ = drawn([0.5, -0.25, 0.0])
    bars = figure.data[0]
    assert list(bars.y) == [-0.25, 0.0, 0.5]
    assert [one[0] for one in bars.customdata] == [1, 2, 0]
    assert list(bars.marker.color) == [MUTED, MUTED, method_style("l1").colour]
    assert figure.layout.annotations[0].text == f"mean {0.25 / 3:+.4f}"
    assert figure.layout.annotations[0].xanchor == "left"


def test_the_distribution_counts_every_query_and_keeps_those_that_stay_apart() -> None:
    figure, changes = drawn([0.5, -0.25, 0.0, 0.0, 1.0, -1.0])
    spread = figure.data[1]
    assert sum(spread.x) == len(changes.delta)
    middle = int(np.argmin(np.abs(np.array(spread.y))))
    assert abs(spread.y[middle]) < 1e-9
    assert spread.x[middle] == 2
    assert len(BINS) % 2 == 0
    many, _ = drawn(np.linspace(-1, 1, MOST_BARS + 50).tolist())
    assert len(many.data[0].y) == MOST_BARS, "of many queries the middle is left out of the bars"
    assert (min(many.data[0].y), max(many.data[0].y)) == (-1.0, 1.0)
    assert sum(many.data[1].x) == MOST_BARS + 50


WEIGHTS = np.array([0.5, 0.0, -1.0, 0.0])


def pair_of(n: int) -> SideBySide:
    rng = np.random.default_rng(4)
    data = RankingData.build(rng.normal(size=(n, 4)), rng.integers(0, 3, n), [0, n])
    return side_by_side(data, 0, data.features @ WEIGHTS, data.features[:, 1], "standard")


def spec_of(pair: SideBySide, **changed: object) -> dict[str, object]:
    x = pair.data.features
    documents = [ListedDocument(f"d{i}", "a text") for i in range(len(x))]
    usual = {"titles": ("A", "B"), "edits": Edits(), "selected": (), "offers": (), "highest": 2}
    return lists_spec(pair, WEIGHTS, (x.min(axis=0), x.max(axis=0)), documents, **(usual | changed))


def numbers(packed: dict[str, str]) -> np.ndarray:
    return np.frombuffer(base64.b64decode(packed["bdata"]), dtype="<f8")


def test_the_browser_can_score_every_document_as_the_model_does() -> None:
    pair = pair_of(9)
    spec = spec_of(pair)
    json.dumps(spec)
    weights = [feature["weight"] for feature in spec["features"]]
    assert [feature["number"] for feature in spec["features"]] == [0, 2]
    assert numbers(spec["values"]).reshape(9, 2) @ weights == pytest.approx(pair.scores_a)
    assert numbers(spec["a"]["scores"]) == pytest.approx(pair.scores_a)
    assert spec["a"]["places"] == pair.places_a.tolist()
    assert spec["b"]["places"] == pair.places_b.tolist()
    assert spec["id"] == spec_of(pair, edits=Edits(((0, 2.0),)))["id"] != spec_of(pair_of(8))["id"], "of another query"


def test_a_feature_is_called_as_pictures_call_it_and_by_its_full_name() -> None:
    pair, names = pair_of(5), ("BM25 of title", "a", "LMIR.JM of whole document", "b")
    spec = spec_of(replace(pair, data=replace(pair.data, feature_names=names)))
    assert [feature["name"] for feature in spec["features"]] == [names[0], names[2]]
    assert [feature["label"] for feature in spec["features"]] == ["BM25 · title", "LMIR.JM · whole"]


def test_edits_and_selected_documents_are_told_by_what_is_drawn() -> None:
    pair = pair_of(9)
    edits = Edits(((1, 0.25),), ((3, 2, 7.0), (4, 3, 1.0)))
    spec = spec_of(pair, edits=edits, selected=(3, 5), offers=[Offer("Swap", Edits(((2, 1.0),)))])
    assert [feature["number"] for feature in spec["features"]] == [0, 1, 2], (
        "a weight that an edit gives is needed, too"
    )
    assert spec["edits"] == {"weights": [[1, 0.25]], "values": [[3, 2, 7.0]]}, "the fourth feature has no weight"
    assert spec["selected"] == [3, 5]
    assert spec["offers"] == [{"words": "Swap", "edits": {"weights": [[2, 1.0]], "values": []}}]


def test_a_long_list_is_drawn_as_far_as_people_look_and_with_what_they_have_selected() -> None:
    pair = pair_of(1000)
    last = int(np.argmax(np.minimum(pair.places_a, pair.places_b)))
    drawn = drawn_documents(pair, [last])
    assert last in drawn
    assert last not in drawn_documents(pair, [])
    assert set(np.flatnonzero(pair.places_b <= MOST_PLACES)) <= set(drawn)
    spec = spec_of(pair, selected=(last,))
    assert spec["documents"][spec["selected"][0]]["number"] == last
    assert spec["of"] == 1000


def test_relevance_is_told_by_word_colour_and_shape() -> None:
    assert [relevance_words(level, 1) for level in (0, 1)] == ["not relevant", "relevant"]
    assert relevance_words(1, 4) == "relevant 1 of 4"
    colours, shapes = zip(*LEVEL_STYLES, strict=True)
    assert len(set(colours)) == len(set(shapes)) == 5
    assert all(contrast(colour(drawn), colour(back)) >= 3.0 for drawn in colours for back in BACKGROUNDS)
