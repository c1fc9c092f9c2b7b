"""Which picks are not clearly different from one of them: as pairwise intervals say, and nothing else in the band."""

from __future__ import annotations

import numpy as np

from core.analysis.evaluation import FloatArray
from core.analysis.tradeoff.tradeoff import MEASURES, TradeoffPoint
from core.experiments.results.difference import Difference, Picks, alike

N_QUERIES = 40


def drawn(seed: int, n_queries: int = N_QUERIES) -> tuple[Picks, dict[TradeoffPoint, FloatArray]]:
    """Picks of three methods and their values for each query; the more features the better, on average."""
    rng = np.random.default_rng(seed)
    base, picks, values = rng.uniform(0.2, 0.8, n_queries), {}, {}
    for method in ("l1", "log", "mcp"):
        row = []
        for kept in (1, 3, 9):
            each = base + rng.uniform(0.0, 0.02) * kept + 0.1 * rng.normal(size=n_queries)
            mean = {"test": dict.fromkeys(MEASURES, float(each.mean()))}
            row.append(TradeoffPoint(method, kept, kept / 20, mean, 0.01, float(kept), 0.1, tuple(range(kept))))
            values[row[-1]] = each
        picks[method] = row
    return picks, values


def test_a_band_holds_no_pick_that_is_clearly_different_and_each_method_has_its_fewest_features() -> None:
    never = 0
    for seed in range(20):
        picks, values = drawn(seed)
        star = picks["log"][2]
        found = alike(picks, star, values.__getitem__, "test", "MAP")
        assert found is not None
        clear = {p: Difference.of(values[p], values[star]).verdict.startswith("clearly") for p in values}
        low, high = found.band
        assert low <= star.value("test", "MAP") <= high
        assert not [p for p in values if low <= p.value("test", "MAP") <= high and clear[p]]
        for method, points in picks.items():
            assert found.least[method] is next((p for p in points if not clear[p]), None)
        never += None in found.least.values()
    assert never, "else nothing is clearly different"


def test_few_queries_tell_nothing() -> None:
    picks, values = drawn(0, n_queries=9)
    assert alike(picks, picks["l1"][0], values.__getitem__, "test", "MAP") is None
