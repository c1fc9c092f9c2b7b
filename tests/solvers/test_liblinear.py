"""LIBLINEAR on explicit pairs of MQ2008 finds the same objective: independent in data reader, loss and solver."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_svmlight_file
from sklearn.svm import LinearSVC

from core.data import RankingData
from core.losses import SquaredHinge
from core.penalties import L1, L2
from core.solvers import Newton, Problem, ProximalNewton, Stop, solve
from tests.cases import sweep
from tests.oracles import RankSvm, ranking_problem

_BESIDE_THE_REPOSITORY = Path(__file__).resolve().parents[2].parent / "shared" / "data"
_MQ2008 = Path(os.environ.get("SPARSE_RANK_DATA", _BESIDE_THE_REPOSITORY)) / "letor" / "MQ2008"

needs_mq2008 = pytest.mark.skipif(
    not _MQ2008.is_dir(), reason="MQ2008 is not here (it is licensed; set SPARSE_RANK_DATA)"
)


def liblinear(pairs: RankSvm, norm: str, c: float, tol: float) -> np.ndarray:
    """Weights of norm + c sum slack^2. Half the pairs are turned round, so that there are two classes."""
    signs = np.where(np.arange(len(pairs.differences)) % 2 == 0, 1.0, -1.0)
    svm = LinearSVC(
        penalty=norm, loss="squared_hinge", dual=False, fit_intercept=False, C=c, tol=tol, max_iter=20_000,
        random_state=0,
    )  # fmt: skip
    w: np.ndarray = svm.fit(signs[:, None] * pairs.differences, signs).coef_[0]
    return w


def training_part(fold: int) -> tuple[RankingData, RankSvm]:
    x, labels, queries = load_svmlight_file(str(_MQ2008 / f"Fold{fold}" / "train.txt"), query_id=True)
    x = np.asarray(x.todense())
    starts = np.flatnonzero(np.diff(queries, prepend=-1))
    data = RankingData.build(x, labels, [*starts, len(labels)])
    differences = []
    for first, last in zip(starts, [*starts[1:], len(labels)], strict=True):
        better, worse = np.nonzero(labels[first:last, None] > labels[None, first:last])
        differences.append(x[first + better] - x[first + worse])
    return data, RankSvm(np.concatenate(differences))


@pytest.mark.parametrize("ratio", [0.3, 0.03, 0.001])
def test_l1_on_a_small_problem(ratio: float) -> None:
    data = ranking_problem()
    pairs = RankSvm.of(data)
    lam = ratio * np.abs(pairs.gradient(np.zeros(15))).max()
    theirs = liblinear(pairs, "l1", 1.0 / (lam * len(pairs.differences)), 1e-8)
    ours = solve(ProximalNewton(), Problem(data.features, SquaredHinge.of(data), L1(), lam), Stop(tol=1e-10))
    assert ours.objective == pytest.approx(pairs.loss(theirs) + lam * np.abs(theirs).sum(), rel=1e-7)
    np.testing.assert_allclose(ours.weights, theirs, atol=1e-3)


@pytest.mark.parametrize("lam", [1.0, 1e-3])
def test_l2_on_a_small_problem(lam: float) -> None:
    """LIBLINEAR's C of (1/2)||w||^2 + C sum slack^2 is 1 / (lam P), too."""
    data = ranking_problem()
    pairs = RankSvm.of(data)
    theirs = liblinear(pairs, "l2", 1.0 / (lam * len(pairs.differences)), 1e-10)
    ours = solve(Newton(), Problem(data.features, SquaredHinge.of(data), L2(), lam), Stop(tol=1e-10))
    assert ours.objective == pytest.approx(pairs.loss(theirs) + 0.5 * lam * theirs @ theirs, rel=1e-8)
    np.testing.assert_allclose(ours.weights, theirs, atol=1e-4)


RATIOS = (0.3, 0.1, 0.05, 0.03)
"""Below, LIBLINEAR takes half a minute."""


@needs_mq2008
@pytest.mark.parametrize(("fold", "ratios"), sweep([(1, (0.3, 0.05)), *((fold, RATIOS) for fold in range(1, 6))]))
def test_l1_on_mq2008(fold: int, ratios: tuple[float, ...]) -> None:
    data, pairs = training_part(fold)
    loss = SquaredHinge.of(data)
    assert loss.n_pairs == len(pairs.differences)
    lam_max = np.abs(pairs.gradient(np.zeros(data.n_features))).max()
    for ratio in ratios:
        lam = ratio * lam_max
        theirs = liblinear(pairs, "l1", 1.0 / (lam * loss.n_pairs), 2e-5)
        ours = solve(ProximalNewton(), Problem(data.features, loss, L1(), lam), Stop(tol=1e-9))
        assert ours.objective == pytest.approx(pairs.loss(theirs) + lam * np.abs(theirs).sum(), rel=1e-6)
