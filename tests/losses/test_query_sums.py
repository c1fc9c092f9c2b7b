"""One pass over X finds what the separate functions find, in either precision, whole or in blocks."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.data import RankingData
from core.data.feature_blocks import ArrayBlocks, block_edges
from core.losses import SquaredHinge, query_sums
from core.solvers.problem import pull_back, scores_of
from tests.oracles import ranking_problem


@pytest.fixture(scope="module")
def data() -> RankingData:
    """Queries of three grades, among them some without pairs."""
    whole = ranking_problem(n_features=7)
    relevance = whole.relevance.copy()
    for q in (0, 3, whole.n_queries - 1):
        relevance[whole.query_offsets[q] : whole.query_offsets[q + 1]] = 1
    return RankingData.build(whole.features, relevance, whole.query_offsets)


@pytest.mark.parametrize("precision", [np.float64, np.float32])
@pytest.mark.parametrize("blocks", [False, True])
@pytest.mark.parametrize("chunk", [1, 40, 10**6])
def test_a_point_is_what_the_separate_passes_find(
    data: RankingData, precision: type[np.floating], blocks: bool, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(query_sums, "MOST_DOCUMENTS", chunk)
    loss, w, columns = SquaredHinge.of(data), np.random.default_rng(0).normal(size=7), np.array([1, 2, 5])
    short = data.features.astype(precision)
    features = ArrayBlocks(short, block_edges(data.query_offsets, 30)) if blocks else short
    found = loss.at(features, w, columns)
    scores = scores_of(short, w)
    expected = loss.evaluate(scores)
    assert len(loss.groups.order) < data.n_documents
    assert_allclose(found.value, expected.value, rtol=1e-12)
    assert_allclose(found.dual_slope, expected.dual_slope, rtol=1e-12)
    assert_allclose(found.dual_curvature, expected.dual_curvature, rtol=1e-12)
    assert_allclose(found.answer, np.abs(expected.gradient) @ np.abs(scores), rtol=1e-10)
    assert_allclose(found.gradient, pull_back(short, expected.gradient), rtol=1e-10, atol=1e-13)
    assert_allclose(found.hessian, loss.hessian(scores, short, columns), rtol=1e-10)
    if blocks:
        assert features.passes == 1


@pytest.mark.parametrize("blocks", [False, True])
def test_several_models_have_what_each_has_alone(data: RankingData, blocks: bool) -> None:
    loss, weights = SquaredHinge.of(data), np.random.default_rng(1).normal(size=(5, 7))
    features = ArrayBlocks(data.features, block_edges(data.query_offsets, 30)) if blocks else data.features
    found = loss.at_each(features, weights)
    assert len(found) == 5
    for sums, w in zip(found, weights, strict=True):
        alone = loss.evaluate(data.features @ w)
        assert_allclose(
            [sums.value, sums.dual_slope, sums.dual_curvature, sums.dual_limit],
            [alone.value, alone.dual_slope, alone.dual_curvature, alone.dual_limit], rtol=1e-12,
        )  # fmt: skip
        assert_allclose(sums.gradient, data.features.T @ alone.gradient, rtol=1e-9, atol=1e-13)
    if blocks:
        assert features.passes == 1
