"""What the browser is sent of two lists."""

from __future__ import annotations

import base64
import json

import numpy as np
import pytest

from core.analysis.queries.edits import Edits
from core.analysis.queries.side_by_side import SideBySide, side_by_side
from core.data import RankingData
from core.figures.look.colours import BACKGROUNDS, contrast
from core.figures.queries.lists import (
    LEVEL_STYLES,
    MOST_PLACES,
    ListedDocument,
    ListedModel,
    Offer,
    drawn_documents,
    lists_spec,
    relevance_words,
)

WEIGHTS = np.array([0.5, 0.0, -1.0, 0.0])


def pair_of(n: int) -> SideBySide:
    rng = np.random.default_rng(4)
    data = RankingData.build(rng.normal(size=(n, 4)), rng.integers(0, 3, n), [0, n])
    return side_by_side(data, 0, data.features @ WEIGHTS, data.features[:, 1], "standard")


def spec_of(pair: SideBySide, **changed: object) -> dict[str, object]:
    x = pair.data.features
    model = ListedModel(WEIGHTS, [f"f{j}" for j in range(4)], x.min(axis=0), x.max(axis=0))
    documents = [ListedDocument(f"d{i}", "a text") for i in range(len(x))]
    usual = {"titles": ("A", "B"), "edits": Edits(), "selected": (), "offers": (), "highest": 2}
    return lists_spec(pair, model, documents, **(usual | changed))


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


def test_another_model_or_query_is_another_list() -> None:
    assert spec_of(pair_of(9))["id"] == spec_of(pair_of(9), edits=Edits(((0, 2.0),)))["id"]
    assert spec_of(pair_of(9))["id"] != spec_of(pair_of(8))["id"]


def test_relevance_is_told_by_word_colour_and_shape() -> None:
    assert [relevance_words(level, 1) for level in (0, 1)] == ["not relevant", "relevant"]
    assert relevance_words(1, 4) == "relevant 1 of 4"
    colours, shapes = zip(*LEVEL_STYLES, strict=True)
    assert len(set(colours)) == len(set(shapes)) == 5
    assert all(contrast(colour, back) >= 3.0 for colour in colours for back in BACKGROUNDS)
