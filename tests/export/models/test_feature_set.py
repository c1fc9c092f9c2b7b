"""A pruned feature set has what the model needs, with all that those features are computed from, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.data import DataError
from core.export.models.feature_set import feature_set_of, named_by, prune, read_feature_set, reads_unseen
from core.export.models.linear_model import LinearModel, model_of_record
from tests.export.models.made import by_hand


def query(name: str, field: str) -> dict[str, Any]:
    return {
        "name": name,
        "params": ["keywords"],
        "template_language": "mustache",
        "template": {"match": {field: "{{keywords}}"}},
    }


# The OpenSearch documentation's example of a set with all three languages, with two features that nothing needs.
DOCUMENTED = {
    "featureset": {
        "name": "more_movie_features",
        "features": [
            query("body_query", "overview"),
            query("title_query", "title"),
            {
                "name": "title_query_boost",
                "params": ["some_multiplier"],
                "template_language": "derived_expression",
                "template": "title_query * some_multiplier",
            },
            {
                "name": "custom_title_query_boost",
                "params": ["some_multiplier"],
                "template_language": "script_feature",
                "template": {
                    "lang": "painless",
                    "source": "params.feature_vector.get('title_query') * (long)params.some_multiplier",
                    "params": {"some_multiplier": "some_multiplier"},
                },
            },
            query("popularity", "title"),
        ],
    }
}


def model(*names: str) -> LinearModel:
    return model_of_record(by_hand(*[(name, 1.0, 0.0, 1.0) for name in names]))


def derived(name: str, expression: str) -> dict[str, Any]:
    return {"name": name, "template_language": "derived_expression", "template": expression}


def script(name: str, template: Any) -> dict[str, Any]:
    return {"name": name, "template_language": "script_feature", "template": template}


def set_of(*features: dict[str, Any]) -> Any:
    return feature_set_of({"featureset": {"features": list(features)}})


def test_plain_queries_that_the_model_does_not_weigh_are_left_out() -> None:
    pruned = prune(feature_set_of(DOCUMENTED), model("body_query"))
    assert pruned.pruned.names == ("body_query",)
    assert (pruned.saved, pruned.for_others) == (4, ())


@pytest.mark.parametrize("name", ["title_query_boost", "custom_title_query_boost"])
def test_what_a_derived_feature_or_a_script_names_is_kept(name: str) -> None:
    pruned = prune(feature_set_of(DOCUMENTED), model(name))
    assert pruned.pruned.names == ("title_query", name)
    assert (pruned.saved, pruned.for_others) == (3, ("title_query",))


def test_names_are_followed_through_several_features_in_the_order_of_the_set() -> None:
    whole = set_of(query("a", "x"), query("b", "x"), derived("c", "a + 1"), derived("d", "c * ln(b)"), query("e", "x"))
    assert prune(whole, model("d")).pruned.names == ("a", "b", "c", "d")
    assert prune(whole, model("c", "e")).pruned.names == ("a", "c", "e")


def test_a_name_inside_another_word_is_no_reference() -> None:
    names = ("title", "title_query", "query", "q.title")
    assert named_by(derived("d", "title_query * 2"), names) == ["title_query"]
    assert named_by(derived("d", "sqrt(title)+query"), names) == ["title", "query"]


def test_a_query_that_searches_a_field_of_a_features_name_names_no_feature() -> None:
    whole = set_of(
        query("title", "x"), query("other", "title"), {"name": "plain", "template": {"match": {"a": "title"}}}
    )
    assert prune(whole, model("other", "plain")).pruned.names == ("other", "plain")


@pytest.mark.parametrize(
    "template",
    [
        {"lang": "painless", "source": "params.feature_vector.get(params.of)", "params": {"of": "x"}},
        {"lang": "painless", "source": "def v = params.feature_vector; v.get('a')"},
        {"lang": "native", "id": "stored"},
    ],
)
def test_everything_before_a_script_whose_reading_does_not_show_is_kept(template: dict[str, Any]) -> None:
    whole = set_of(query("a", "x"), query("b", "x"), script("s", template), query("c", "x"))
    pruned = prune(whole, model("s"))
    assert pruned.pruned.names == ("a", "b", "s")
    assert pruned.unseen == ("s",)


@pytest.mark.parametrize("source", ["params.feature_vector.get('a')", 'params.feature_vector["a"]', "doc['x'].value"])
def test_a_script_that_names_what_it_reads_shows_it(source: str) -> None:
    assert not reads_unseen(script("s", {"source": source}))


def test_a_script_may_get_the_name_as_a_parameter() -> None:
    template = {"source": "params.feature_vector.get(params.of)", "params": {"of": "b"}}
    assert named_by(script("s", template), ("a", "b")) == ["b"]


def test_the_pruned_set_is_what_one_sends_with_everything_else_as_it_was(tmp_path: Path) -> None:
    validation = {"params": {"keywords": "rambo"}, "index": "tmdb"}
    (tmp_path / "set.json").write_text(json.dumps(DOCUMENTED | {"validation": validation}))
    sent = json.loads(prune(read_feature_set(tmp_path / "set.json"), model("title_query")).pruned.text())
    assert sent["validation"] == validation
    assert sent["featureset"]["name"] == "more_movie_features"
    assert sent["featureset"]["features"] == [DOCUMENTED["featureset"]["features"][1]]


def test_the_answer_to_a_get_is_a_feature_set_too() -> None:
    answer = {"_index": ".ltrstore", "found": True, "_source": {"type": "featureset", **DOCUMENTED}}
    assert feature_set_of(answer).names == feature_set_of(DOCUMENTED).names


def test_a_feature_that_the_set_lacks_is_named() -> None:
    with pytest.raises(DataError, match=r"no feature 'recency'.*model"):
        prune(feature_set_of(DOCUMENTED), model("title_query", "recency"))


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ([], "a feature set is needed"),
        ({"featureset": {"features": []}}, "a feature set is needed"),
        ({"featureset": {"features": [{"template": {}}]}}, r"feature 1\b.*name.*template"),
        ({"featureset": {"features": [query("a", "x"), query("a", "y")]}}, r"'a'.*twice"),
    ],
)
def test_what_is_no_feature_set_is_refused(body: Any, reason: str) -> None:
    with pytest.raises(DataError, match=reason):
        feature_set_of(body)
