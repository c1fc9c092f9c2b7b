"""What is worked out from X goes block by block: features kept in single precision are never copied to double."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest

from core.analysis.evaluation import FoldJudge
from core.data import Fold, RankingData
from core.losses import InfinitePush, SquaredHinge
from core.methods import Training, get_method
from core.methods.fsmrank import largest_lambda2
from core.methods.training import RANKSVM_LOSS
from core.solvers import largest_lambda


@pytest.fixture(scope="module")
def data() -> RankingData:
    """32 MB of features; 64 MB in double precision."""
    rng = np.random.default_rng(0)
    features = rng.random(size=(20_000, 400), dtype=np.float32)
    return RankingData.build(features, rng.integers(0, 2, 20_000), np.arange(0, 20_001, 100), dtype=np.float32)


def lam_max(data: RankingData) -> float:
    return Training(data, SquaredHinge.of(data), RANKSVM_LOSS).lam_max


def lam_max_of_fsmrank(data: RankingData) -> float:
    return largest_lambda2(Training(data, SquaredHinge.of(data), RANKSVM_LOSS), np.ones(data.n_features))


def lam_max_of_all_negatives(data: RankingData) -> float:
    return largest_lambda(data, InfinitePush.of(data, 1.0))


def measures(data: RankingData) -> float:
    weights = np.linspace(-1.0, 1.0, data.n_features)
    return FoldJudge(Fold("all", data), "standard").metrics(weights)["train"]["MAP"]


def fit(data: RankingData) -> float:
    method = get_method("l1")
    training = method.training(data)
    return method.fit(training, training.lam_at(0.95)).result.objective


@pytest.mark.parametrize("work", [lam_max, lam_max_of_fsmrank, lam_max_of_all_negatives, measures, fit])
def test_no_double_precision_copy_of_single_precision_features(
    work: Callable[[RankingData], float], data: RankingData, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A block is 8 MB, and there are as many at once as threads."""
    monkeypatch.setenv("SPARSE_RANK_THREADS", "1")
    tracemalloc.start()
    work(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 0.75 * data.features.nbytes


@pytest.mark.parametrize("work", [lam_max, lam_max_of_fsmrank, lam_max_of_all_negatives, measures])
def test_blocks_change_no_number(work: Callable[[RankingData], float], data: RankingData) -> None:
    double = RankingData.build(data.features, data.relevance, data.query_offsets)
    assert work(data) == pytest.approx(work(double), rel=1e-12)
