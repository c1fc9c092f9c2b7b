"""Labels at line ends keep apart, keep their order, and move as little as they can."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import LinearConstraint, minimize

from core.figures.look.line_labels import spread_labels

places = st.lists(st.floats(-1.0, 1.0, width=32), min_size=1, max_size=7)


def test_labels_with_room_stay_where_their_lines_end() -> None:
    assert spread_labels([0.9, 0.1, 0.5], 0.2, 0.0, 1.0) == pytest.approx([0.9, 0.1, 0.5])


def test_two_labels_in_one_place_part_evenly() -> None:
    assert spread_labels([0.5, 0.5], 0.2, 0.0, 1.0) == pytest.approx([0.4, 0.6])


def test_labels_stay_inside_and_push_their_neighbours() -> None:
    assert spread_labels([1.3, 0.95], 0.2, 0.0, 1.0) == pytest.approx([1.0, 0.8])
    assert spread_labels([-0.4, 0.1], 0.2, 0.0, 1.0) == pytest.approx([0.0, 0.2])


def test_where_labels_do_not_fit_they_share_the_room() -> None:
    assert spread_labels([0.5] * 5, 1.0, 0.0, 1.0) == pytest.approx([0.0, 0.25, 0.5, 0.75, 1.0])


def test_nothing_to_label_is_nothing() -> None:
    assert len(spread_labels([], 0.1, 0.0, 1.0)) == 0


@settings(max_examples=40, deadline=None)
@given(places)
def test_the_shifts_are_the_smallest_that_keep_labels_apart(wanted: list[float]) -> None:
    gap, low, high = 0.3, -1.5, 1.5
    placed = spread_labels(wanted, gap, low, high)
    order = np.argsort(wanted, kind="stable")
    inside = placed[order]
    assert np.all(np.diff(inside) >= gap - 1e-9)
    assert low - 1e-9 <= inside[0]
    assert inside[-1] <= high + 1e-9
    # An independent quadratic program may not find anything nearer.
    targets, n = np.array(wanted)[order], len(wanted)
    apart = [LinearConstraint(np.diff(np.eye(n), axis=0), gap, np.inf)] if n > 1 else []
    start = np.linspace(low, high, n) if n > 1 else np.zeros(1)
    best = minimize(
        lambda y: float(((y - targets) ** 2).sum()), start, bounds=[(low, high)] * n, constraints=apart, method="SLSQP"
    )
    assert ((inside - targets) ** 2).sum() <= best.fun + 1e-5
