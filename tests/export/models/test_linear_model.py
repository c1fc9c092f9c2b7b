"""A linear model for export: made of a result, refused with the reason and a way on where it cannot leave.

The page of a model: what it says, and that names from outside stay text.
Every format, read back by an independent reader, scores and orders documents as the fitted model does.
Examples from each format's own documentation: our readers read them, and our writers write them.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from skops.io import load

from core.data import DataError, RankingData, Reading
from core.export.models.exported import WITHIN_QUERIES, ExportedModel, export_model, usual_name
from core.export.models.formats import MODEL_FORMATS, get_format, ranklib_model, svmrank_model
from core.export.models.linear_model import LinearModel, model_of_record
from core.export.models.search_engines import elasticsearch_model, least_shift, solr_model
from tests.export.models import readers
from tests.export.models.readers import by_hand, fitted


def test_a_result_carries_constants_of_its_training_part() -> None:
    record, _ = fitted("planted", "standard")
    raw, _ = fitted("planted", "none", ratio=0.5)
    train = Reading().open("planted").fold(1).train
    model = model_of_record(record)
    for feature in model.features:
        column = train.features[:, feature.index - 1]
        assert train.feature_names[feature.index - 1] == feature.name
        assert (feature.subtract, feature.divide) == pytest.approx((column.mean(), column.std()))
        assert (feature.lowest, feature.highest) == pytest.approx((column.min(), column.max()), abs=1e-12)
    assert raw["training"] == {"documents": 1200, "queries": 60, "fingerprint": train.fingerprint}
    assert record["feature_names"] == list(train.feature_names)


def test_within_each_query_is_refused_with_a_way_on() -> None:
    record, _ = fitted("planted", "query-minmax")
    with pytest.raises(DataError, match=r"within each query.*--scale minmax\b.*--scale standard\b.*without --scale"):
        model_of_record(record)


CASES = [("python-docs", "none", True), ("python-docs", "standard", True), ("breast-cancer", "none", False)]


@pytest.mark.parametrize(("name", "scale", "within"), CASES)
def test_a_file_scaled_within_queries_is_exported_with_a_warning(name: str, scale: str, within: bool) -> None:
    record, _ = fitted(name, scale, ratio=0.5)
    notes = export_model(model_of_record(record), get_format("solr"), "m.json").notes
    assert (WITHIN_QUERIES in notes) == within


def test_features_without_a_weight_or_constant_in_training_are_left_out() -> None:
    record = by_hand(("a", 0.0, 0, 1), ("b", 2.0, 0.0, 0.0), ("c", 3.0, 1.0, 2.0), scaling="minmax")
    model = model_of_record(record)
    assert [(f.index, f.name, f.folded) for f in model.features] == [(3, "c", 1.5)]
    assert model.constant == pytest.approx(-1.5)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"scaling": None}, r"\bnot\b.*fit --json\b.*fit the model again"),
        ({"scaling": {"id": "minmax", "features": []}}, r"\bnot\b.*fit --json\b.*fit the model again"),
        ({"features": []}, "the model keeps no feature.*larger C"),
        ({"feature_names": []}, r"index.*\b1 and 0\b"),
        ({"points": []}, r"path of many models.*core fit\b"),
        ({"features": [{"index": 1, "name": "a", "weight": float("nan")}]}, r"'a'.*not a finite number"),
    ],
)
def test_a_result_that_cannot_be_used_is_refused_in_a_sentence(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(DataError, match=reason):
        model_of_record(by_hand(("a", 1.0, 0, 1)) | change)
    record = by_hand(("a", 1.0, 0, 1))
    for missing in ("features", "scaling", "feature_names"):
        older = {key: value for key, value in record.items() if key != missing}
        with pytest.raises(DataError, match=rf"lacks '{missing}'.*fit the model again"):
            model_of_record(older)


@pytest.mark.parametrize("format_id", [known.id for known in MODEL_FORMATS])
def test_names_must_differ_where_features_go_by_them(format_id: str) -> None:
    model = model_of_record(by_hand(("twice", 1.0, 0, 1), ("twice", 2.0, 0, 1)))
    to = get_format(format_id)
    if to.by_name:
        with pytest.raises(DataError, match=r"more than one feature.*'twice'"):
            export_model(model, to, "m")
    else:
        assert export_model(model, to, "m").files["m"]


@pytest.mark.parametrize("format_id", ["solr", "elasticsearch", "opensearch"])
def test_a_range_that_float32_cannot_tell_apart_is_refused(format_id: str) -> None:
    model = model_of_record(by_hand(("year in ms", 1.0, 1.6e12, 1e3), scaling="minmax"))
    with pytest.raises(DataError, match=r"'year in ms'.*float32.*subtract a constant"):
        export_model(model, get_format(format_id), "m")


@pytest.mark.parametrize("name", ["", "a b", "a/b", "-a", "ä", "a?b"])
def test_a_name_that_cannot_be_part_of_an_address_is_refused(name: str) -> None:
    with pytest.raises(DataError, match=r"\bname\b.*cannot.*address"):
        export_model(model_of_record(by_hand(("a", 1.0, 0, 1))), get_format("solr"), "m", name=name)


def test_the_usual_name_is_one_that_can_be_used() -> None:
    model = model_of_record(by_hand(("a", 1.0, 0, 1)) | {"dataset": "My Data (2).csv", "method": "l0.5"})
    assert usual_name(model) == "my_data_2_csv_l0_5"
    assert usual_name(model_of_record(by_hand(("a", 1.0, 0, 1)) | {"dataset": "…", "method": "–"})) == "model"


def test_names_from_outside_are_text_in_every_format() -> None:
    strange = 'a"b\\c\n{x}\'"""'
    record = by_hand((strange, 1.0, 0, 1)) | {"dataset": '"""; import os', "method": "l1"}
    model = model_of_record(record)
    module: dict[str, Any] = {}
    exec(export_model(model, get_format("python"), "m").files["m"], module)
    assert module["score"]({strange: 2.5}) == 2.5
    with pytest.raises(KeyError, match="x"):
        module["score"]({"b": 1.0})
    solr = json.loads(export_model(model, get_format("solr"), "m").files["m"])
    assert solr["params"]["weights"] == {strange: 1.0}
    text = page(by_hand(("<script>alert(1)</script>", 1.0, 0.0, 1.0)))
    assert "<script>" not in text
    assert "&lt;script&gt;alert(1)" in text


def page(record: object) -> str:
    return export_model(model_of_record(record), get_format("html"), "m.html").files["m.html"].decode()


def test_the_page_has_every_feature_and_the_measures_of_every_part() -> None:
    record, _ = fitted("planted", "standard")
    text = page(record)
    for feature in record["features"]:
        assert f">{feature['name']}</th>" in text
    for part, values in record["metrics"].items():
        assert f">{part}</th>" in text
        assert f"{values['NDCG@10']:.4f}" in text
    assert record["training"]["fingerprint"] in text
    assert "standard convention" in text


FLOAT32 = 2e-6
FORMATS = [known.id for known in MODEL_FORMATS if known.id != "html"]
SAMPLES = [("planted", "none"), ("planted", "standard"), ("planted", "minmax"), ("python-docs", "standard")]
BY_NAME: dict[str, Callable[..., readers.ByName]] = {
    "solr": readers.solr,
    "json": readers.own_json,
    "python": readers.python_module,
}
BY_INDEX = {"ranklib": readers.ranklib, "svmrank": readers.svm_light}


class Known(NamedTuple):
    """A model, the unscaled test part, and the scores and largest terms that the program itself gives."""

    model: LinearModel
    data: RankingData
    scores: np.ndarray
    size: float


@pytest.fixture(scope="module", params=SAMPLES, ids="-".join)
def sample(request: pytest.FixtureRequest) -> Known:
    record, fold = fitted(*request.param)
    weights = np.zeros(fold.train.n_features)
    for feature in record["features"]:
        weights[feature["index"] - 1] = feature["weight"]
    assert np.count_nonzero(weights) >= 4
    assert weights.min() < 0.0 < weights.max(), "no trivial model"
    terms = fold.test.features * weights
    raw = Reading().open(request.param[0]).fold(1).test
    return Known(model_of_record(record), raw, terms.sum(axis=1), float(np.abs(terms).sum(axis=1).max()))


def scores_of(exported: ExportedModel, format_id: str, data: RankingData, tmp_path: Path) -> np.ndarray:
    content = next(iter(exported.files.values()))
    columns = data.features.T
    if format_id == "sklearn":
        (tmp_path / "model.skops").write_bytes(content)
        frame = pd.DataFrame(data.features, columns=list(data.feature_names))
        return np.asarray(load(tmp_path / "model.skops").predict(frame))
    text = content.decode()
    if format_id in BY_INDEX:
        return np.asarray(BY_INDEX[format_id](text)(columns))
    names = data.feature_names
    score = BY_NAME[format_id](text) if format_id in BY_NAME else readers.elasticsearch(text, names)
    return np.asarray(score(dict(zip(names, columns, strict=True))))


@pytest.mark.parametrize("format_id", FORMATS)
def test_a_model_of_the_sample_data_scores_and_orders_alike(sample: Known, format_id: str, tmp_path: Path) -> None:
    to = get_format(format_id)
    exported = export_model(sample.model, to, f"model.{to.extension}")
    added = exported.record["added_to_scores"]
    found = scores_of(exported, format_id, sample.data, tmp_path)
    size = sample.size + abs(added)
    np.testing.assert_allclose(found, sample.scores + added, rtol=0, atol=FLOAT32 * size)
    for start, stop in zip(sample.data.query_offsets[:-1], sample.data.query_offsets[1:], strict=True):
        ours = sample.scores[start:stop]
        theirs = found[start:stop]
        above = ours[:, None] - ours[None, :] > FLOAT32 * size
        assert (theirs[:, None] > theirs[None, :])[above].all(), "the order of documents that differ"
    if to.feature_sets:
        assert found.min() >= 0.0


def test_sklearn_refuses_columns_in_another_order(sample: Known, tmp_path: Path) -> None:
    exported = export_model(sample.model, get_format("sklearn"), "model.skops")
    (tmp_path / "m").write_bytes(exported.files["model.skops"])
    frame = pd.DataFrame(sample.data.features, columns=list(sample.data.feature_names))
    with pytest.raises(ValueError, match="same order"):
        load(tmp_path / "m").predict(frame[frame.columns[::-1]])


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
