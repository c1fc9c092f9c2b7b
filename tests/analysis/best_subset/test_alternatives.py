"""Rivals of the best set: what they share and how they rank, against enumeration."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from core.analysis.best_subset.alternatives import AlternativesRun
from core.analysis.best_subset.refitted_sets import Ridge
from core.analysis.evaluation import FoldJudge
from core.data import Fold
from core.methods import get_method
from tests.oracles import RankSvm, ranking_problem
from tests.solvers.best_subset.enumeration import best_model

DATA = ranking_problem(5, n_queries=6, n_features=6)
JUDGE = FoldJudge(Fold("Fold1", DATA), "standard")
TRAINING = get_method("best-subset").training(DATA)
LAM = TRAINING.lam_at(0.02)


def run_of(k: int, within: float, most: int = 200) -> AlternativesRun:
    return AlternativesRun(Ridge.of(TRAINING, LAM, JUDGE), k, within, most)


def finished(run: AlternativesRun) -> AlternativesRun:
    assert run.result is None
    while not run.done:
        run.advance()
    return run


@pytest.mark.parametrize("within", [0.0, 0.05, 0.3])
def test_shares_and_common_features_are_those_of_enumeration(within: float) -> None:
    pairs = RankSvm.of(DATA)
    every = {
        columns: best_model(pairs, LAM, np.array(columns, dtype=int), np.zeros(6))[0]
        for k in range(4)
        for columns in combinations(range(6), k)
    }
    best = min(every.values())
    near = {columns: objective for columns, objective in every.items() if objective <= best * (1 + within) + 1e-9}
    found = finished(run_of(3, within)).result
    assert found is not None
    assert {tuple(one.columns.tolist()) for one in found.found.sets} == set(near)
    for j in range(6):
        assert found.shares[j] == pytest.approx(sum(j in columns for columns in near) / len(near))
    assert set(found.in_every.tolist()) == set.intersection(*(set(columns) for columns in near))
    assert found.excesses == pytest.approx(sorted(objective / best - 1.0 for objective in near.values()), abs=1e-6)
    measured = [JUDGE.judgement(one.weights).metrics["train"]["MAP"] for one in found.found.sets]
    assert found.values("train", "MAP") == pytest.approx(measured)
