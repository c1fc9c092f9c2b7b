"""What sparse models are compared with has one definition: validation picks the C of the model of all features."""

from __future__ import annotations

from core.analysis.tradeoff.references import DENSE, dense_reference
from core.analysis.tradeoff.tradeoff import MEASURES, TradeoffPoint
from core.methods import get_method


def model(vali: float, test: float, c: float) -> TradeoffPoint:
    values = {part: dict.fromkeys(MEASURES, value) for part, value in (("vali", vali), ("test", test))}
    return TradeoffPoint(DENSE, 20, 1.0, values, 0.01, c, 1.0 / c, tuple(range(20)))


def test_validation_picks_it_and_test_has_no_say() -> None:
    path = [model(0.5, 0.9, 1.0), model(0.7, 0.6, 2.0), model(0.6, 0.8, 3.0)]
    assert dense_reference(path, "MAP") == path[1]


def test_among_equals_the_smallest_c_is_taken() -> None:
    path = [model(0.3, 0.1, 3.0), model(0.1 + 0.2, 0.2, 2.0)]
    assert dense_reference(path, "MAP") == path[1]


def test_a_path_without_a_model_has_none() -> None:
    assert dense_reference([], "MAP") is None


def test_its_method_keeps_every_feature() -> None:
    assert not get_method(DENSE).sparse
