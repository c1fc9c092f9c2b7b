"""The projection of Quattoni et al. (2009): its optimality conditions, and the nearest point found numerically."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from core.solvers.admm.prox import FloatArray, project_l1_inf


def project(values: FloatArray, radius: float, cap: float = np.inf) -> FloatArray:
    """Of one matrix whose rows are the kernel's columns."""
    columns, rows = values.shape
    flat = project_l1_inf(
        values.ravel(), np.array([0, values.size]), np.array([rows]), np.array([radius]), np.array([cap])
    )
    assert flat.shape == (values.size,)
    return flat.reshape(columns, rows)


def matrices(values: st.SearchStrategy[float]) -> st.SearchStrategy[FloatArray]:
    return st.tuples(st.integers(1, 6), st.integers(1, 5)).flatmap(
        lambda shape: st.lists(values, min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]).map(
            lambda flat: np.array(flat).reshape(shape)
        )
    )


@settings(max_examples=300, deadline=None)
@given(
    v=matrices(st.one_of(st.floats(-3, 3), st.sampled_from([-1.0, 0.0, 0.5, 1.0]))),
    radius=st.floats(0.01, 5.0),
    cap=st.one_of(st.just(np.inf), st.floats(0.01, 2.0)),
)
def test_optimality_conditions(v: FloatArray, radius: float, cap: float) -> None:
    """Entries are clipped at tau_j; every column loses theta by it, less where emptied, more where capped."""
    u = project(v, radius, cap)
    tau = np.abs(u).max(axis=1)
    assert u == pytest.approx(np.sign(v) * np.minimum(np.abs(v), tau[:, None]), abs=1e-12)
    assert tau.sum() <= radius * (1 + 1e-10)
    assert tau.max() <= cap * (1 + 1e-10)
    lost = np.abs(v - u).sum(axis=1)
    whole, capped = tau >= np.abs(v).max(axis=1) - 1e-10, tau >= cap - 1e-10
    free = (tau > 1e-10) & ~capped & ~whole
    if tau.sum() < radius * (1 - 1e-9):  # inside in the sum: only the cap takes anything away
        assert np.all(capped | whole)
        return
    theta = lost[free].mean() if free.any() else None
    if theta is not None:
        assert lost[free] == pytest.approx(theta, abs=1e-8)
    most = theta if theta is not None else lost[capped].min(initial=np.inf)
    assert np.all(lost[tau <= 1e-10] <= most + 1e-8)
    assert np.all(lost[capped & ~whole] >= (theta or 0.0) - 1e-8)
    if theta is not None and theta > 1e-8:
        assert np.all(capped[whole & (np.abs(v).max(axis=1) > 1e-10)])  # nothing survives whole while others lose


@pytest.mark.parametrize("cap", [np.inf, 0.4, 0.2])
@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_nearest_point_of_the_ball(seed: int, cap: float) -> None:
    """Against a general-purpose code on u_ij and tau_j, with -tau_j <= u_ij <= tau_j."""
    rng = np.random.default_rng(seed)
    v, radius = np.round(rng.normal(size=(4, 3)), 1), 0.9  # rounded: ties
    spread = np.kron(np.eye(4), np.ones((3, 1)))  # tau of every entry

    constraints = [
        {"type": "ineq", "fun": lambda z: spread @ z[12:] - z[:12]},
        {"type": "ineq", "fun": lambda z: spread @ z[12:] + z[:12]},
        {"type": "ineq", "fun": lambda z: radius - z[12:].sum()},
    ]
    numerical = minimize(
        lambda z: 0.5 * float(np.sum((z[:12] - v.ravel()) ** 2)), np.full(16, 0.01),
        jac=lambda z: np.r_[z[:12] - v.ravel(), np.zeros(4)], method="SLSQP", constraints=constraints,
        bounds=[(None, None)] * 12 + [(0.0, min(cap, radius))] * 4, options={"ftol": 1e-14, "maxiter": 500},
    )  # fmt: skip
    assert numerical.status in (0, 8)  # 8: no better point to be found, which is what so small an ftol asks for
    assert project(v, radius, cap).ravel() == pytest.approx(numerical.x[:12], abs=1e-5)


def test_blocks_of_different_heights_are_projected_apart() -> None:
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(3, 2)), rng.normal(size=(2, 5))
    together = project_l1_inf(
        np.r_[first.ravel(), second.ravel()], np.array([0, 6, 16]), np.array([2, 5]), np.array([0.3, 1.1]),
        np.array([np.inf, 0.7]),
    )  # fmt: skip
    assert together[:6] == pytest.approx(project(first, 0.3).ravel(), abs=0)
    assert together[6:] == pytest.approx(project(second, 1.1, 0.7).ravel(), abs=0)


def test_a_point_inside_stays() -> None:
    v = np.random.default_rng(0).normal(size=(3, 4))
    assert project(v, np.abs(v).max(axis=1).sum() + 1e-9) == pytest.approx(v, abs=0)
