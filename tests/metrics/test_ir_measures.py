"""The library ir_measures, which asks trec_eval and gdeval, computes the same from our TREC files."""

from __future__ import annotations

from pathlib import Path

import ir_measures
import numpy as np
import pytest

from core.data import RankingData
from core.export.trec import trec_qrels, trec_run
from core.metrics import JudgedLists, Measure
from core.metrics.measures import further_measures_at, measures_at

NAMED = [
    measure
    for measure in (*measures_at([1, 3, 5, 10, 50]), *further_measures_at([1, 3, 10, 50]))
    if measure.ir_measures_name("standard")
]


def random_lists(*, ties: bool) -> tuple[RankingData, np.ndarray]:
    """Lists of 1 to 40 documents in five levels; some without a relevant one."""
    rng = np.random.default_rng(11)
    sizes = rng.integers(1, 41, 30)
    labels = np.concatenate([rng.integers(0, 1 + q % 5, size) for q, size in enumerate(sizes)])
    data = RankingData.build(np.zeros((sizes.sum(), 1)), labels, np.cumsum([0, *sizes]))
    scores = rng.integers(-2, 3, len(labels)) if ties else rng.permutation(len(labels))
    return data, scores.astype(float)


def differing(data: RankingData, scores: np.ndarray, folder: Path) -> list[str]:
    """Names of the measures that the other program finds otherwise for some query."""
    (folder / "run").write_text(trec_run(data, scores))
    (folder / "qrels").write_text(trec_qrels(data))
    theirs = {str(m.ir_measures_name("standard")): m for m in NAMED}
    asked = [ir_measures.parse_measure(name) for name in theirs]
    qrels = list(ir_measures.read_trec_qrels(str(folder / "qrels")))
    run = list(ir_measures.read_trec_run(str(folder / "run")))
    found: dict[tuple[str, str], float] = {
        (str(metric.measure), metric.query_id): metric.value for metric in ir_measures.iter_calc(asked, qrels, run)
    }
    run_order = np.lexsort((np.arange(len(scores)), -scores))  # a run breaks ties by the order of the file
    ranked = JudgedLists(data, "standard").rank(-np.argsort(run_order))
    different = []
    for name, measure in theirs.items():
        ours = ranked.per_query(measure)
        other = [found.get((name, query), 0.0) for query in data.query_ids]
        digits = 1e-5 if name[:4] in ("nDCG", "ERR@") else 1e-9  # gdeval prints five digits
        if not np.allclose(ours, other, rtol=0, atol=digits):
            different.append(name)
    return different


@pytest.mark.parametrize("ties", [False, True])
def test_every_measure_that_has_a_name_there_has_the_same_value_for_every_query(ties: bool, tmp_path: Path) -> None:
    assert {m.kind for m in NAMED} == {"MAP", "NDCG", "P", "R", "RR", "ERR"}
    assert differing(*random_lists(ties=ties), tmp_path) == []


def test_the_conventions_of_letor_have_names_only_where_they_count_alike() -> None:
    ndcg, precision = Measure("NDCG", 10), Measure("P", 5)
    assert (ndcg.ir_measures_name("letor4"), ndcg.ir_measures_name("letor3")) == (None, None)
    assert (precision.ir_measures_name("letor4"), precision.ir_measures_name("letor3")) == ("P@5", None)
    assert Measure("MAP").ir_measures_name("letor3") == "AP"
    assert Measure("Top").ir_measures_name("standard") is Measure("ERR").ir_measures_name("standard") is None
