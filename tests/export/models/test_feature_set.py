"""A pruned feature set has what the model needs, with all that those features are computed from, and nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.data import DataError
from core.export.models.linear_model import LinearModel, model_of_record
from core.export.models.search_engines import feature_set_of, named_by, prune, read_feature_set, reads_unseen
from tests.export.models.readers import by_hand


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


DERIVED = [query("a", "x"), query("b", "x"), derived("c", "a + 1"), derived("d", "c * ln(b)"), query("e", "x")]
FIELDS = [query("title", "x"), query("other", "title"), {"name": "plain", "template": {"match": {"a": "title"}}}]
PRUNED = [
    (DOCUMENTED, ["body_query"], ["body_query"]),
    (DOCUMENTED, ["title_query_boost"], ["title_query", "title_query_boost"]),
    (DOCUMENTED, ["custom_title_query_boost"], ["title_query", "custom_title_query_boost"]),
    (DERIVED, ["d"], ["a", "b", "c", "d"]),  # names are followed through several features
    (DERIVED, ["c", "e"], ["a", "c", "e"]),
    (FIELDS, ["other", "plain"], ["other", "plain"]),  # a field of a feature's name is none
]
HIDING: list[dict[str, Any]] = [
    {"lang": "painless", "source": "params.feature_vector.get(params.of)", "params": {"of": "x"}},
    {"lang": "painless", "source": "def v = params.feature_vector; v.get('a')"},
    {"lang": "native", "id": "stored"},
]
"""Scripts that do not show what they read: everything before them is kept."""
HIDDEN = [([query("a", "x"), query("b", "x"), script("s", template), query("c", "x")], ["s"], ["a", "b", "s"])
          for template in HIDING]  # fmt: skip


@pytest.mark.parametrize(("whole", "weighed", "kept"), [*PRUNED, *HIDDEN])
def test_what_the_model_weighs_is_kept_with_what_that_is_computed_from(
    whole: Any, weighed: list[str], kept: list[str]
) -> None:
    features = feature_set_of({"featureset": {"features": whole}} if isinstance(whole, list) else whole)
    pruned = prune(features, model(*weighed))
    assert pruned.pruned.names == tuple(kept)
    assert pruned.for_others == tuple(name for name in kept if name not in weighed)
    assert pruned.saved == len(features.names) - len(kept)
    assert pruned.unseen == (("s",) if "s" in weighed else ())


def test_a_name_inside_another_word_is_no_reference() -> None:
    names = ("title", "title_query", "query", "q.title")
    assert named_by(derived("d", "title_query * 2"), names) == ["title_query"]
    assert named_by(derived("d", "sqrt(title)+query"), names) == ["title", "query"]


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
