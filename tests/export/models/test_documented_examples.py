"""Examples from each format's own documentation: our readers read them, and our writers write them."""

import json

import numpy as np
import pytest

from core.export.models.formats import ranklib_model, svmrank_model
from core.export.models.linear_model import model_of_record
from core.export.models.search_engines import elasticsearch_model, least_shift, solr_model
from tests.export.models import readers
from tests.export.models.readers import by_hand

# Apache Solr Reference Guide, "Learning to Rank", and the javadoc of LinearModel.
SOLR = """{
  "store": "_DEFAULT_",
  "class": "org.apache.solr.ltr.model.LinearModel",
  "name": "myModelName",
  "features": [
    { "name": "userTextTitleMatch" },
    { "name": "originalScore" },
    { "name": "isBook" }
  ],
  "params": { "weights": { "userTextTitleMatch": 1.0, "originalScore": 0.5, "isBook": 0.1 } }
}"""
# javadoc of MinMaxNormalizer and StandardNormalizer: the values that they turn -5, 5 and 55, and 39, 42 and 45, into.
SOLR_NORMALIZED = [
    ("MinMaxNormalizer", {"min": "0", "max": "50"}, {-5: -0.1, 5: 0.1, 55: 1.1}),
    ("StandardNormalizer", {"avg": "42", "std": "6"}, {39: -0.5, 42: 0.0, 45: 0.5}),
]
# elasticsearch-learning-to-rank, "Uploading A Trained Model"; the definition is JSON in a string.
ELASTICSEARCH = {
    "model": {
        "name": "my_linear_model",
        "model": {"type": "model/linear", "definition": '{"title_query" : 0.3, "body_query" : 0.5, "recency" : 0.1}'},
    }
}
# OpenSearch, "Uploading trained models", standard feature normalization: 1970 becomes 0, 2000 becomes 1.
OPENSEARCH = {
    "model": {
        "name": "my_linear_model",
        "model": {
            "type": "model/linear",
            "feature_normalizers": {"release_year": {"standard": {"mean": 1970, "standard_deviation": 30}}},
            "definition": '{"release_year" : 0.3, "body_query" : 0.5, "recency" : 0.1}',
        },
    }
}
# RankLib writes its parameters as further comments; see CoorAscent.model().
RANKLIB = """## Coordinate Ascent
## Restart = 5
## MaxIteration = 25
## StepBase = 0.05
## StepScale = 2.0
## Tolerance = 0.001
## Regularized = false
## Slack = 0.001
1:0.31 7:-0.04"""
# SVM-light 6.02, write_model(), with two support vectors as svm_learn leaves them.
SVM_LIGHT = """SVM-light Version V6.02
0 # kernel type
3 # kernel parameter -d 
1 # kernel parameter -g 
1 # kernel parameter -s 
1 # kernel parameter -r 
empty# kernel parameter -u 
7 # highest feature index 
12 # number of training documents 
3 # number of support vectors plus 1 
0.5 # threshold b, each following line is a SV (starting with alpha*y)
2 1:0.25 7:0.5 #
-1 1:0.19 #
"""  # noqa: W291


def test_solr_reads_its_example_and_we_write_it() -> None:
    assert readers.solr(SOLR)({"userTextTitleMatch": 2, "originalScore": 4, "isBook": 10}) == pytest.approx(5.0)
    model = model_of_record(
        by_hand(("userTextTitleMatch", 1.0, 0, 1), ("originalScore", 0.5, 0, 1), ("isBook", 0.1, 0, 1))
    )
    assert json.loads(solr_model(model, "myModelName")) == json.loads(SOLR)


@pytest.mark.parametrize(("kind", "params", "values"), SOLR_NORMALIZED)
def test_solr_normalizes_as_its_documentation_says_and_we_write_its_constants(
    kind: str, params: dict[str, str], values: dict[int, float]
) -> None:
    if kind == "MinMaxNormalizer":
        model = model_of_record(by_hand(("a", 1.0, 0.0, 50.0), scaling="minmax"))
    else:
        model = model_of_record(by_hand(("a", 1.0, 42.0, 6.0), scaling="standard"))
    written = json.loads(solr_model(model, "m"))
    norm = written["features"][0]["norm"]
    assert norm["class"] == f"org.apache.solr.ltr.norm.{kind}"
    assert {key: float(text) for key, text in norm["params"].items()} == {k: float(t) for k, t in params.items()}
    score = readers.solr(json.dumps(written))
    assert {value: score({"a": value}) for value in values} == pytest.approx(values, abs=1e-7)


def test_elasticsearch_reads_its_example_and_we_write_it() -> None:
    names = ["body_query", "title_query", "recency"]
    score = readers.elasticsearch(json.dumps(ELASTICSEARCH), names)
    assert score({"title_query": 10, "body_query": 2, "recency": 1}) == pytest.approx(4.1)
    model = model_of_record(by_hand(("title_query", 0.3, 0, 1), ("body_query", 0.5, 0, 1), ("recency", 0.1, 0, 1)))
    written = json.loads(elasticsearch_model(model, "my_linear_model"))
    expected = json.loads(json.dumps(ELASTICSEARCH))
    for body in (written, expected):
        body["model"]["model"]["definition"] = json.loads(body["model"]["model"]["definition"])
    assert written == expected


def test_opensearch_reads_its_example_with_a_normalizer_and_we_write_one() -> None:
    names = ["release_year", "body_query", "recency"]
    score = readers.elasticsearch(json.dumps(OPENSEARCH), names)
    assert score({"release_year": 2000, "body_query": 2, "recency": 1}) == pytest.approx(0.3 + 1.0 + 0.1)
    record = by_hand(("release_year", 0.3, 1970.0, 30.0), scaling="standard", ends=(1970.0, 2020.0))
    model = model_of_record(record)
    inner = json.loads(elasticsearch_model(model, "m"))["model"]["model"]
    [kind] = inner["feature_normalizers"]["release_year"].items()
    shift = least_shift(model.features)
    assert shift > 0, "a film of the year 0, as the engine sees one without a year, would have a negative score"
    assert kind == ("standard", {"mean": pytest.approx(1970 - shift * 30 / 0.3), "standard_deviation": 30.0})


def test_no_document_in_the_ranges_or_without_a_match_has_a_negative_score_in_elasticsearch() -> None:
    rows = (("a", -2.0, 3.0, 0.5), ("b", 0.7, -40.0, 11.0), ("c", 1e-3, 1e4, 7.0))
    record = by_hand(*rows, scaling="standard", ends=(-2.0, 5.0))
    model = model_of_record(record)
    score = readers.elasticsearch(elasticsearch_model(model, "m"), ["a", "b", "c"])
    corners = np.array(np.meshgrid(*[[-2.0, 0.0, 5.0]] * 3)).reshape(3, -1)
    found = score(dict(zip("abc", corners, strict=True)))
    assert found.min() >= 0.0
    plain = sum(w * (x - m) / d for (_, w, m, d), x in zip(rows, corners, strict=True))
    np.testing.assert_allclose(found - least_shift(model.features), plain, atol=2e-6 * found.max())


def test_scores_that_are_never_negative_are_left_alone() -> None:
    model = model_of_record(by_hand(("a", 2.0, 0.0, 1.0), ("b", 0.5, 0.0, 1.0)))
    assert least_shift(model.features) == 0.0
    assert "feature_normalizers" not in json.loads(elasticsearch_model(model, "m"))["model"]["model"]


def test_ranklib_reads_its_own_file_and_we_write_its_first_and_last_line() -> None:
    row = [1.0, 0, 0, 0, 0, 0, 2.0]
    assert readers.ranklib(RANKLIB)(row) == pytest.approx(0.23)
    rows = [(f"f{j}", {1: 0.31, 7: -0.04}.get(j, 0.0), 0.0, 1.0) for j in range(1, 8)]
    assert ranklib_model(model_of_record(by_hand(*rows))) == "## Coordinate Ascent\n1:0.31 7:-0.04\n"


def test_svm_light_reads_its_own_file_and_we_write_one_of_its_kind() -> None:
    assert readers.svm_light(SVM_LIGHT)([1.0, 0, 0, 0, 0, 0, 2.0]) == pytest.approx(2 * (0.25 + 1.0) - 0.19 - 0.5)
    rows = [(f"f{j}", {1: 0.31, 7: -0.04}.get(j, 0.0), 0.0, 1.0) for j in range(1, 8)]
    ours, theirs = svmrank_model(model_of_record(by_hand(*rows))).split("\n"), SVM_LIGHT.split("\n")
    for line, example in zip(ours[:11], theirs[:11], strict=True):
        assert line.partition("#")[2] == example.partition("#")[2]
    assert ours[11:] == ["1 1:0.31 7:-0.04 #", ""]
