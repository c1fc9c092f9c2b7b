"""A penalty in a few numbers, against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.analysis.penalties.penalty_shape import parameters_of, penalty_methods, penalty_of, penalty_shape
from core.methods import METHODS, get_method
from core.methods.training import RANKSVM_LOSS
from core.penalties import L1, L2, MCP, SCAD, Log, Lp


def test_l1_drops_what_is_no_larger_than_the_step() -> None:
    shape = penalty_shape(L1(), 0.7)
    assert shape.threshold == pytest.approx(0.7)
    assert (shape.leap, shape.slope_at_zero, shape.slope_at_one) == (0.0, 1.0, 1.0)


def test_l2_drops_nothing() -> None:
    assert penalty_shape(L2(), 3.0).threshold == 0.0


def test_lp_leaps_as_its_closed_form_says() -> None:
    """For p = 1/2 the threshold is (3/2) step^(2/3), and the prox leaps to two thirds of it."""
    for step in (0.2, 1.0, 5.0):
        shape = penalty_shape(Lp(0.5), step)
        assert shape.threshold == pytest.approx(1.5 * step ** (2 / 3), rel=1e-6)
        assert shape.leap == pytest.approx(shape.threshold * 2 / 3, rel=1e-4)
        assert math.isinf(shape.slope_at_zero)


def test_a_long_step_of_mcp_leaps_over_its_knee() -> None:
    shape = penalty_shape(MCP(0.5), 2.0)
    assert shape.threshold == pytest.approx(1.0)  # sqrt(step * knee)
    assert shape.leap == pytest.approx(1.0)
    assert shape.slope_at_one == 0.0


def test_slopes_are_finite_differences_of_the_curve() -> None:
    h = 1e-7
    for penalty in (L1(), L2(), Log(0.3), MCP(2.0)):
        shape = penalty_shape(penalty, 0.5)
        zero = (penalty.curve(np.array([h])) / h).item()
        one = np.diff(penalty.curve(np.array([1 - h, 1 + h]))).item() / (2 * h)
        assert shape.slope_at_zero == pytest.approx(zero, abs=1e-5)
        assert shape.slope_at_one == pytest.approx(one, abs=1e-5)


def test_every_penalty_of_ranksvm_is_there_once_and_no_other() -> None:
    kinds = [type(penalty_of(method, {})) for method in penalty_methods()]
    assert len(set(kinds)) == len(kinds)
    assert [kind for kind in kinds if kind in (L1, Log, MCP, Lp, SCAD, L2)] == [L1, Log, MCP, Lp, SCAD, L2]
    alike = [method for method in METHODS if method.loss is RANKSVM_LOSS and method.make_problem is None]
    alike.remove(get_method("best-subset"))  # the curve of l2, within a budget
    alike.remove(get_method("l0"))  # the curve of l2 above a price
    assert set(kinds) == {type(penalty_of(method, {})) for method in alike}
    ids = {method.id for method in penalty_methods()}
    assert not ids & {"fenchelrank", "tgrank", "liblinear-l1", "fsmrank", "rsrank", "infinite-push-l1"}


def test_parameters_are_those_of_the_penalty_itself() -> None:
    assert [p.name for p in parameters_of(get_method("mcp"))] == ["knee"]
    assert penalty_of(get_method("log"), {"epsilon": 0.4}).curve(np.ones(1)).item() == pytest.approx(math.log(3.5))
