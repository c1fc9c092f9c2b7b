"""Every format, read back by an independent reader, scores and orders documents as the fitted model does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from skops.io import load

from core.data import RankingData, Reading
from core.export.models.exported import ExportedModel, export_model
from core.export.models.formats import MODEL_FORMATS, get_format
from core.export.models.linear_model import LinearModel, model_of_record
from tests.export.models import readers
from tests.export.models.made import fitted

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


def known(name: str, scale: str) -> Known:
    record, fold = fitted(name, scale)
    weights = np.zeros(fold.train.n_features)
    for feature in record["features"]:
        weights[feature["index"] - 1] = feature["weight"]
    assert fold.test is not None
    raw = Reading().open(name).fold(1).test
    assert raw is not None
    terms = fold.test.features * weights
    return Known(model_of_record(record), raw, terms.sum(axis=1), float(np.abs(terms).sum(axis=1).max()))


@pytest.fixture(scope="module", params=SAMPLES, ids="-".join)
def sample(request: pytest.FixtureRequest) -> Known:
    return known(*request.param)


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


def check(case: Known, format_id: str, tmp_path: Path) -> None:
    to = get_format(format_id)
    exported = export_model(case.model, to, f"model.{to.extension}")
    added = exported.record["added_to_scores"]
    found = scores_of(exported, format_id, case.data, tmp_path)
    size = case.size + abs(added)
    np.testing.assert_allclose(found, case.scores + added, rtol=0, atol=FLOAT32 * size)
    for start, stop in zip(case.data.query_offsets[:-1], case.data.query_offsets[1:], strict=True):
        ours = case.scores[start:stop]
        theirs = found[start:stop]
        above = ours[:, None] - ours[None, :] > FLOAT32 * size
        assert (theirs[:, None] > theirs[None, :])[above].all(), "the order of documents that differ"
    if to.feature_sets:
        assert found.min() >= 0.0


@pytest.mark.parametrize("format_id", FORMATS)
def test_a_model_of_the_sample_data_scores_and_orders_alike(sample: Known, format_id: str, tmp_path: Path) -> None:
    check(sample, format_id, tmp_path)


def test_the_cases_are_no_trivial_models(sample: Known) -> None:
    assert len(sample.model.features) >= 4
    assert {f.weight > 0 for f in sample.model.features} == {True, False}


def test_sklearn_refuses_columns_in_another_order(sample: Known, tmp_path: Path) -> None:
    exported = export_model(sample.model, get_format("sklearn"), "model.skops")
    (tmp_path / "m").write_bytes(exported.files["model.skops"])
    frame = pd.DataFrame(sample.data.features, columns=list(sample.data.feature_names))
    with pytest.raises(ValueError, match="same order"):
        load(tmp_path / "m").predict(frame[frame.columns[::-1]])
