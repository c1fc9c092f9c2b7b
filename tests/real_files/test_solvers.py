"""A time stamp beside features in [0, 1]: certificates hold, and agree with a linear program over all documents."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

from core.data import RankingData, read_letor
from core.methods import get_method
from tests.cli.conftest import Ask


def _push(data: RankingData, lam: float) -> float:
    """Minimise the infinite push plus lam ||w||_1 by HiGHS: weights up and down, a slack a positive, a top a query."""
    unit = np.ptp(data.features, axis=0)
    x = (data.features - data.features[0]) / unit
    positive = data.relevance > 0
    query, n_queries = data.query_of_document, data.n_queries
    slack = np.cumsum(positive) - 1
    rows = np.hstack([np.where(positive, -1.0, 1.0)[:, None] * x, np.zeros((len(x), positive.sum() + n_queries))])
    rows[positive, x.shape[1] + slack[positive]] = -1.0
    rows[np.arange(len(x)), x.shape[1] + positive.sum() + query] = np.where(positive, 1.0, -1.0)
    rows = np.hstack([rows, -rows[:, : x.shape[1]]])
    share = 1.0 / (n_queries * np.bincount(query, positive)[query[positive]])
    cost = np.concatenate([lam / unit, share, np.zeros(n_queries), lam / unit])
    free = [(0, None)] * (len(unit) + positive.sum()) + [(None, None)] * n_queries + [(0, None)] * len(unit)
    found = linprog(cost, A_ub=rows, b_ub=np.where(positive, -1.0, 0.0), bounds=free, method="highs")
    return float(found.fun)


@pytest.fixture
def stamp_year(cases: Path) -> Path:
    return cases / "wide-range" / "stamp_year.txt"


def test_the_push_is_not_called_empty_because_of_a_wide_feature(ask: Ask, stamp_year: Path) -> None:
    data = read_letor(stamp_year)
    found = ask("fit", stamp_year, "--method", "infinite-push-l1", "--C", "100")
    assert found["objective"] == pytest.approx(_push(data, 0.01), rel=1e-9)
    assert found["stop"] == "converged"
    assert found["nonzero"] == 8
    without = ask("fit", stamp_year, "--method", "infinite-push-l1", "--C", "94.787", "--off", "9")
    assert without["objective"] == pytest.approx(0.5905, abs=1e-4)
    narrow = RankingData.build(data.features[:, :8], data.relevance, data.query_offsets)
    assert without["objective"] == pytest.approx(_push(narrow, without["lambda"]), rel=1e-6)


@pytest.mark.parametrize("more", [["infinite-push-l2"], ["infinite-push-l1", "--set", "top_share=0.25"]])
def test_nor_is_that_of_l2_or_of_a_share_of_the_top(ask: Ask, stamp_year: Path, more: list[str]) -> None:
    found = ask("fit", stamp_year, "--method", *more, "--C", "100")
    assert (found["stop"], found["objective"] < 0.6) == ("converged", True)


def test_newton_takes_as_many_steps_with_the_time_stamp_as_without(ask: Ask, stamp_year: Path) -> None:
    with_stamp = ask("fit", stamp_year, "--C", "0.1")
    without = ask("fit", stamp_year, "--C", "0.1", "--off", "9")
    assert with_stamp["stop"] == "converged"
    assert with_stamp["steps"] <= 2 * without["steps"]


def _with_time_stamp(span: float, offset: float) -> RankingData:
    rng = np.random.default_rng(1)
    x = rng.random((1200, 9))
    relevance = np.clip(np.round(x[:, :3] @ [3, 1.5, -1] + rng.normal(size=1200) * 0.5), 0, 3).astype(int)
    x[:, 8] = offset + np.round(x[:, 8] * span * 1024) / 1024
    return RankingData.build(x, relevance, np.arange(0, 1201, 20))


@pytest.mark.parametrize(("span", "offset"), [(3e7, 1.7e9), (1e9, 1.7e9), (1e12, 0.0), (1e12, 1e12), (1e-9, 0.0)])
@pytest.mark.parametrize("method", ["l1", "scad", "log", "l2", "rfe", "rwfs-l0", "l2-arom", "infinite-push-l1"])
def test_a_time_stamp_costs_no_steps_and_hides_no_other_feature(method: str, span: float, offset: float) -> None:
    how, lam = get_method(method), 0.01 if "push" in method else 1e-3
    plain, stamped = (
        how.fit(how.training(data), lam).result for data in (_with_time_stamp(1.0, 0.0), _with_time_stamp(span, offset))
    )
    assert stamped.stop == plain.stop == "converged"
    assert stamped.steps <= 2 * plain.steps
    assert stamped.objective == pytest.approx(plain.objective, rel=2e-3)
    np.testing.assert_array_equal(np.flatnonzero(stamped.weights[:3]), np.flatnonzero(plain.weights[:3]))
