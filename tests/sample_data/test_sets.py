"""The sample sets are what is told of them: planted has its support, and python-docs is a real ranking task.

What is taken from the standard library, and that nothing acts while it is taken.
Anyone who reruns a build script gets the committed bytes.
Features of text, against the formulas written out for one small collection.
"""

import json
import math
import os
import platform
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

from core.data import RankingData, open_dataset
from core.metrics import evaluate_ranking
from tests.cases import sweep
from tests.stand_ins import module_at

ROOT = Path(__file__).parents[2] / "sample_data"
documentation = module_at(ROOT / "python_documentation.py")


def ndcg(data: RankingData, weights: np.ndarray) -> float:
    return evaluate_ranking(data, data.features @ weights, "standard")["NDCG@10"]


def test_planted_has_the_support_that_it_says_with_echoes_that_are_worth_less_and_noise() -> None:
    data = open_dataset("planted").fold(1).train
    names, true, echoes = data.feature_names, np.zeros(data.n_features), np.zeros(data.n_features)
    correlation = np.abs(np.corrcoef(data.features.T) - np.eye(data.n_features))
    for feature in json.loads((ROOT / "planted" / "dataset.json").read_text(encoding="utf-8"))["support"]:
        signal, echo = feature["index"] - 1, names.index(f"echo of {feature['name']} (a)")
        assert names[signal] == feature["name"]
        assert correlation[signal, echo] > 0.9
        true[signal] = echoes[echo] = feature["weight"]
    assert np.count_nonzero(true) == 8
    whole = ndcg(data, true)
    assert whole > 0.95
    assert ndcg(data, echoes) < whole - 0.02
    for j in np.flatnonzero(true):
        assert ndcg(data, np.where(np.arange(len(true)) == j, 0.0, true)) < whole - 0.005, "no signal can be spared"
    noise = [j for j, name in enumerate(names) if name.startswith("noise")]
    assert len(noise) == 28
    assert correlation[noise].max() < 0.15


def test_the_object_a_query_of_python_docs_was_taken_from_is_its_best_and_kin_share_its_module() -> None:
    dataset = open_dataset("python-docs")
    for data in dataset.fold(1).parts().values():
        assert set(data.relevance) == {0, 1, 2}
        for q, (first, last) in enumerate(zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True)):
            features, grades = data.features[first:last], data.relevance[first:last]
            assert np.all(features.min(axis=0) == 0.0)
            assert np.isin(features.max(axis=0), (0.0, 1.0)).all()
            documents = (data.document_ids or ())[first:last]
            described = [
                dataset.document_names[document] == dataset.query_texts[data.query_ids[q]] for document in documents
            ]
            assert np.array_equal(grades == 2, described)
            assert sum(described) == 1
            assert (
                len({document.split(".")[0] for document, grade in zip(documents, grades, strict=True) if grade}) == 1
            )


def test_one_feature_of_python_docs_is_far_better_than_the_order_of_its_candidates_and_not_perfect() -> None:
    data = open_dataset("python-docs").fold(1).train
    alone = dict(zip(data.feature_names, (ndcg(data, row) for row in np.eye(data.n_features)), strict=True))
    assert max(alone, key=alone.__getitem__) == "BM25 of all"
    assert 3 * ndcg(data, np.zeros(data.n_features)) < alone["BM25 of all"] < 0.8


def test_looking_imports_nothing_that_acts() -> None:
    script = "import sys, python_documentation as d; d.documented_objects(); print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert not {"antigravity", "this", "turtle", "tkinter", "idlelib", "test"} & set(out.split())


HERE = {
    "python": platform.python_version(),
    "platform": sys.platform,
    "numpy": np.__version__,
    "zlib": zlib.ZLIB_RUNTIME_VERSION,
}


@pytest.mark.parametrize(
    ("name", "script", "most"),
    sweep([("planted", "build_planted.py", 500_000), ("python-docs", "build_python_docs.py", 3_000_000)]),
)
def test_rebuilding_gives_the_committed_bytes_which_are_few(name: str, script: str, most: int, tmp_path: Path) -> None:
    committed = ROOT / name
    assert sum(path.stat().st_size for path in committed.rglob("*") if path.is_file()) <= most
    for path in (committed / "partitions").iterdir():
        assert path.read_bytes()[3:8] == bytes(5), "gzip has neither the file's name nor a time"
    built_with = json.loads((committed / "dataset.json").read_text(encoding="utf-8"))["built_with"]
    for what, version in built_with.items():
        if HERE[what] != version:
            pytest.skip(f"{name} was built with {what} {version}, this is {HERE[what]}")
    subprocess.run(
        [sys.executable, ROOT / script, "--out", tmp_path / name],
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "4711"},
        cwd=tmp_path,
    )
    built = [path for path in (tmp_path / name).rglob("*") if path.is_file()]
    assert len(built) >= 7
    assert all(path.read_bytes() == (committed / path.relative_to(tmp_path / name)).read_bytes() for path in built)


retrieval_features = module_at(Path(__file__).parents[2] / "sample_data" / "retrieval_features.py")
QUERY = ["open", "file"]
FIELD = retrieval_features.Field([["open", "file", "file"], ["close", "file"], ["open", "socket", "port", "open"], []])


IDF = math.log(2.5 / 2.5 + 1)
NORM = 2.5 * (0.2 + 0.8 * 3 / (9 / 4))
SHARE = 3 / 9
"""Of the collection's words, of either term."""
FORMULAS: dict[str, tuple[int, dict[str, float]]] = {
    "both terms": (
        0,
        {
            "TF": 3, "IDF": 2 * IDF, "TF·IDF": 3 * IDF, "length": 3, "covered terms": 1,
            "BM25": IDF * 1 * 3.5 / (1 + NORM) + IDF * 2 * 3.5 / (2 + NORM),
            "LMIR.ABS": math.log(0.3 / 3 + 0.7 * 2 / 3 * SHARE) + math.log(1.3 / 3 + 0.7 * 2 / 3 * SHARE),
            "LMIR.DIR": math.log((1 + 2000 * SHARE) / 2003) + math.log((2 + 2000 * SHARE) / 2003),
            "LMIR.JM": math.log(0.9 * 1 / 3 + 0.1 * SHARE) + math.log(0.9 * 2 / 3 + 0.1 * SHARE),
        },
    ),
    "a term is lacking": (1, {"covered terms": 0.5, "IDF": IDF}),
    "an empty field is the collection": (
        3, {f"LMIR.{name}": 2 * math.log(share * SHARE) for name, share in {"ABS": 1, "DIR": 1, "JM": 0.1}.items()},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("document", "expected"), FORMULAS.values(), ids=FORMULAS)
def test_features_of_text_are_those_of_the_formulas(document: int, expected: dict[str, float]) -> None:
    values = dict(zip(retrieval_features.KINDS, FIELD.features(QUERY, document), strict=True))
    assert {kind: values[kind] for kind in expected} == pytest.approx(expected)
    exact = {"TF", "length", "covered terms"} & expected.keys()
    assert {kind: values[kind] for kind in exact} == {kind: expected[kind] for kind in exact}
