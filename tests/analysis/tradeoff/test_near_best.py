"""Within p % of the best: one rule chooses every model, and the values compared are those of the quoted part."""

from __future__ import annotations

from core.analysis.tradeoff.near_best import near_best
from core.analysis.tradeoff.tradeoff import MEASURES, TradeoffPoint, best_within


def model(method: str, kept: int, vali: float, test: float) -> TradeoffPoint:
    values = {part: dict.fromkeys(MEASURES, value) for part, value in (("vali", vali), ("test", test))}
    return TradeoffPoint(method, kept, kept / 20, values, 0.01, 0.5 * kept, 0.1, tuple(range(kept)))


L1 = [model("l1", k, 0.5 + k / 100, 0.6 + k / 200) for k in range(1, 12)]
LOG = [model("log", 2, 0.6, 0.5), model("log", 3, 0.7, 0.66), model("log", 5, 0.72, 0.655), model("log", 9, 0.7, 0.9)]
CURVES = {"l1": L1, "log": LOG, "mcp": []}


def test_it_is_the_sparsest_choice_of_any_limit_that_reaches_the_share_of_the_best_choice() -> None:
    for part in ("vali", "test"):
        for share in (0.0, 0.01, 0.05, 0.2):
            found = near_best(CURVES, part, "MAP", share)
            assert found is not None
            best = best_within([*L1, *LOG], 99, "MAP")
            assert found.best == best == LOG[2]
            assert found.target == (1 - share) * best.value(part, "MAP")
            for method, points in (("l1", L1), ("log", LOG)):
                choices = [best_within(points, limit, "MAP") for limit in range(1, 20)]
                near = [p for p in choices if p is not None and p.value(part, "MAP") >= found.target]
                assert found.least[method] == (near[0] if near else None)


def test_a_model_that_is_good_where_nobody_chooses_does_not_count() -> None:
    found = near_best({"log": LOG, "l1": [model("l1", 3, 0.7, 0.3), model("l1", 4, 0.6, 0.9)]}, "test", "MAP")
    assert found is not None
    assert found.best.value("test", "MAP") == 0.655
    assert found.least["l1"] is None


def test_where_nothing_is_kept_there_is_nothing_to_come_near_to() -> None:
    assert near_best({"l1": []}, "test", "MAP") is None
