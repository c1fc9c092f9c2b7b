"""Defaults are chosen on data that no published number is about, by a rule that small cases bear out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.choosing_data import CHOOSING, open_choosing
from benchmarks.default_study import Tuned, best_value, recommendation, shortfall
from core.data.catalogue import KNOWN_SETS
from core.experiments.results.published.numbers import published_numbers
from core.methods import get_method
from tests.says import assert_says


def tuned(vali: list[float], sparsity: float) -> Tuned:
    anything = np.zeros(len(vali))
    return Tuned(np.array(vali), anything, anything, np.full(len(vali), sparsity), anything)


def test_no_default_is_chosen_on_a_set_with_published_numbers() -> None:
    assert not set(CHOOSING) & {n.dataset for n in published_numbers()}
    assert not set(CHOOSING) & {known.name for known in KNOWN_SETS}


def test_generated_draws_share_no_list_between_parts_or_folds() -> None:
    """Unlike LETOR's folds, whose validation parts are other folds' test parts."""
    dataset = open_choosing("generated")
    rows = [
        row.tobytes()
        for number in (1, 2)
        for part in dataset.fold(number).parts().values()
        for row in part.features[part.query_offsets[:-1]]
    ]
    assert len(set(rows)) == len(rows) == 2 * 90


def test_the_sparsest_within_one_standard_error_of_the_best_is_recommended() -> None:
    values = {
        1.0: tuned([0.50, 0.52, 0.54], 0.5),  # best
        2.0: tuned([0.52, 0.48, 0.53], 0.3),  # below by -.02, .04, .01: .01 +- .0173
        3.0: tuned([0.49, 0.51, 0.53], 0.1),  # below by .01 everywhere: .01 +- 0
    }
    assert best_value({"a": values}) == 1.0
    mean, error = shortfall(2.0, {"a": values})
    assert (mean, error) == (pytest.approx(0.01), pytest.approx(np.std([-0.02, 0.04, 0.01], ddof=1) / np.sqrt(3)))
    said = recommendation({"a": values})
    assert_says(said, "best 1", "one standard error", "1, 2", "sparsest", "2")
    assert "3" not in said


def test_every_set_counts_alike_however_large_its_measures_are() -> None:
    high = {1.0: tuned([0.99, 0.99], 0.5), 2.0: tuned([0.95, 0.95], 0.5)}
    low = {1.0: tuned([0.30, 0.30], 0.5), 2.0: tuned([0.32, 0.32], 0.5)}
    assert best_value({"high": high, "low": low}) == 1.0
    assert shortfall(2.0, {"high": high, "low": low}) == (pytest.approx(0.01), pytest.approx(0.0))


def test_defaults_are_what_the_studies_say() -> None:
    """benchmarks/README.md, "What defaults were chosen on"."""
    assert get_method("fsmsvm").settings()["ratio"] == 1e-5
    assert get_method("scad").settings()["knee"] == 0.05
    assert get_method("mcp").settings()["knee"] == 0.05
