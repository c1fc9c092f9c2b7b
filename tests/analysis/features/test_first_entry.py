"""The order in which features enter a path, against a plain loop over its models."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.features.equally_sparse import with_as_many_features
from core.analysis.features.first_entry import entry_order
from core.analysis.path import PathPoint, lambda_grid, regularization_path
from core.methods import get_method
from tests.oracles import ranking_problem

DATA = ranking_problem()


def path(method_id: str) -> list[PathPoint]:
    method = get_method(method_id)
    training = method.training(DATA)
    return list(regularization_path(method, training, lambda_grid(training.lam_max, 25, 1e-3)))


@pytest.mark.parametrize("method_id", ["l1", "l0.5"])
def test_entries_are_those_that_a_walk_along_the_path_meets(method_id: str) -> None:
    points = path(method_id)
    met: dict[int, tuple[int, float]] = {}
    for place, point in enumerate(points):
        for j in point.fit.selected:
            met.setdefault(int(j), (place, -abs(point.fit.weights[j])))
    entries = entry_order(points)
    assert [entry.feature for entry in entries] == sorted(met, key=met.__getitem__)
    assert [entry.rank for entry in entries] == list(range(1, len(met) + 1))
    for entry in entries:
        place, _ = met[entry.feature]
        assert entry.ratio == pytest.approx(points[place].fit.lam / points[0].fit.lam)
        assert entry.leaves == any(point.fit.weights[entry.feature] == 0.0 for point in points[place:])


def test_the_first_under_l1_is_the_steepest_at_zero() -> None:
    """Just below lambda_max, only the feature whose slope is lambda_max can enter."""
    method = get_method("l1")
    training = method.training(DATA)
    gradient = DATA.features.T @ training.loss.evaluate(np.zeros(DATA.n_documents)).gradient
    assert entry_order(path("l1"))[0].feature == np.abs(gradient).argmax()


def test_a_path_without_models_has_no_entries() -> None:
    assert entry_order([]) == ()


def test_as_many_features_means_the_nearest_number_then_the_smaller_model_then_the_larger_c() -> None:
    points = path("l1")
    sizes = [point.fit.result.nonzero for point in points]
    for wanted in range(16):
        chosen = with_as_many_features(points, wanted)
        size = chosen.fit.result.nonzero
        assert abs(size - wanted) == min(abs(other - wanted) for other in sizes)
        assert not any(abs(other - wanted) == abs(size - wanted) and other < size for other in sizes)
        assert chosen.fit.lam == min(point.fit.lam for point in points if point.fit.result.nonzero == size)


def test_without_models_there_is_none_to_choose() -> None:
    with pytest.raises(ValueError, match="no model"):
        with_as_many_features([], 3)
