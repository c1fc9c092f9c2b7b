"""What is kept is kept: no weight that rounding made, or that another feature says as well, counts as a feature."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from core import fit
from core.cli import main
from core.data import RankingData
from tests.oracles import ranking_problem

DATA = ranking_problem(5, n_queries=15, n_documents=180, n_features=4)


def explicit_objective(data: RankingData, w: np.ndarray, lam: float) -> float:
    """The mean of squared hinges over pairs, one by one, and the penalty."""
    scores, losses = data.features @ w, []
    for first, last in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True):
        for i in range(first, last):
            below = [j for j in range(first, last) if data.relevance[i] > data.relevance[j]]
            losses += [max(0.0, 1.0 - (scores[i] - scores[j])) ** 2 for j in below]
    return float(np.mean(losses)) + lam * float(np.abs(w).sum())


def rank_of_pairs(data: RankingData, kept: np.ndarray) -> int:
    """How many of these features pairs tell apart: the rank of the columns, each less its query's mean."""
    centred = [
        data.features[a:b] - data.features[a:b].mean(axis=0)
        for a, b in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True)
    ]
    return int(np.linalg.matrix_rank(np.concatenate(centred)[:, kept], tol=1e-8))


def complementary(x: np.ndarray) -> np.ndarray:
    stock = (x[:, :1] > 0.2).astype(float)
    return np.hstack([stock, 1.0 - stock, x])


def one_hot(x: np.ndarray) -> np.ndarray:
    group = np.digitize(x[:, 0], [-0.5, 0.0, 0.5])
    return np.hstack([(group[:, None] == np.arange(4)).astype(float), x[:, 1:]])


def copies(x: np.ndarray) -> np.ndarray:
    return np.hstack([x, x[:, ::-1], -x[:, :1]])


def sums(x: np.ndarray) -> np.ndarray:
    x = np.round(x * 64) / 64
    return np.hstack([x, x[:, :1] + x[:, 1:2], x[:, 2:3] - x[:, 3:4]])


@pytest.mark.parametrize("make", [complementary, one_hot, copies, sums])
@pytest.mark.parametrize("solver", ["proximal-newton", "fista"])
@pytest.mark.parametrize("ratio", [0.3, 0.03])
def test_kept_features_tell_pairs_apart_each_in_its_own_way(make, solver: str, ratio: float) -> None:
    data = DATA.with_features(make(DATA.features), [f"f{j}" for j in range(make(DATA.features).shape[1])])
    found = fit(data, "l1", lambda_ratio=ratio, solver=solver).fit
    kept = found.selected
    assert rank_of_pairs(data, kept) == len(kept) == found.result.nonzero
    objective = explicit_objective(data, found.weights, found.lam)
    assert found.result.objective == pytest.approx(objective, rel=1e-10)
    best = fit(data.with_features(data.features[:, kept], [f"f{j}" for j in kept]), "l1", C=found.c, tol=1e-10).fit
    assert objective <= best.result.objective * (1.0 + 2e-6), "none of those left out was needed"
    gap = found.result.certificate
    assert objective - gap.value <= best.result.objective * (1.0 + 1e-9), "the gap is one of the model that is shown"


@pytest.mark.parametrize("make", [complementary, one_hot, copies, sums])
def test_the_order_of_columns_changes_neither_objective_nor_number(make) -> None:
    x = make(DATA.features)
    names, told = np.array([f"f{j}" for j in range(x.shape[1])]), set()
    for seed in range(4):
        order = np.random.default_rng(seed).permutation(x.shape[1])
        found = fit(DATA.with_features(x[:, order], list(names[order])), "l1", lambda_ratio=0.1).fit.result
        told.add((found.nonzero, round(found.objective, 7)))
    assert len(told) == 1


def test_a_shop_with_in_stock_and_out_of_stock_keeps_one_of_them(
    shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = shared_data / "cases/complementary/stock.csv"
    assert main(["fit", str(case), "--lambda-ratio", "0.1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["nonzero"] == len(told["features"]) == 2
    assert min(abs(feature["weight"]) for feature in told["features"]) > 0.1
    assert main(["path", str(case), "--points", "8", "--json"]) == 0
    for point in json.loads(capsys.readouterr().out)["points"]:
        assert len(point["features"]) <= 2
