"""What the official LETOR scripts print for known scores on MQ2008, to the last printed digit."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import numpy as np
import pytest

from core.data import RankingData
from core.metrics import JudgedLists, Measure

_BESIDE_THE_REPOSITORY = Path(__file__).resolve().parents[2].parent / "shared" / "data"
_SHARED = Path(os.environ.get("SPARSE_RANK_DATA", _BESIDE_THE_REPOSITORY))
_PRINTED = _SHARED / "metric_fixtures" / "official_scores_mq2008.csv"
_LETOR = _SHARED / "letor"

pytestmark = pytest.mark.skipif(
    not (_PRINTED.is_file() and (_LETOR / "MQ2008").is_dir()),
    reason="MQ2008 and the printed official scores are not here (they are licensed; set SPARSE_RANK_DATA)",
)


def read(file: Path) -> RankingData:
    """The simplest reader that does for MQ2008, where every line lists all features."""
    relevance, queries, features = [], [], []
    for line in file.read_text().splitlines():
        label, query, *values = line.split("#")[0].split()
        relevance.append(int(label))
        queries.append(query)
        features.append([float(value.split(":")[1]) for value in values])
    changes = [i for i in range(1, len(queries)) if queries[i] != queries[i - 1]]
    return RankingData.build(features, relevance, [0, *changes, len(queries)])


def printed() -> dict[tuple[str, str, str], dict[str, str]]:
    """By file, score and convention: the printed value of every measure."""
    values: dict[tuple[str, str, str], dict[str, str]] = {}
    with _PRINTED.open() as file:
        for row in csv.DictReader(file):
            key = row["file"], row["score"], row["convention"]
            values.setdefault(key, {})[row["measure"]] = row["value"]
    return values


def scores(data: RankingData, name: str) -> np.ndarray:
    if name == "all zero":
        return np.zeros(data.n_documents)
    return data.features[:, int(name.removeprefix("feature ")) - 1]


def test_the_official_scripts_print_the_same_numbers():
    # The LETOR 4.0 script rounds to 4 digits. That of LETOR 3.0 prints 15, of which the last depends on the
    # order in which queries are added up: one unit of it is granted.
    granted = {"letor3": 1.0e-15, "letor4": 0.5e-4 + 1e-12}
    data = {}
    checked = 0
    for (file, score, convention), values in printed().items():
        if file not in data:
            data[file] = read(_LETOR / file)
        ranked = JudgedLists(data[file], convention).rank(scores(data[file], score)).official
        ours = {measure: ranked.mean(Measure.parse(measure)) for measure in values}
        for measure, value in values.items():
            assert ours[measure] == pytest.approx(float(value), rel=0, abs=granted[convention]), (
                f"{measure} of {score} on {file} by {convention}"
            )
            checked += 1
    assert checked == 275
