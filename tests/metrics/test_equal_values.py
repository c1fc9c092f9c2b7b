"""Values that differ by rounding are equal, and of equal ones the first wins."""

from __future__ import annotations

import pytest

from core.metrics.equal_values import first_highest, rounded


def test_of_equal_values_the_first_is_the_highest():
    assert first_highest([0.2, 0.3, 0.1 + 0.2]) == first_highest([0.2, 0.1 + 0.2, 0.3]) == 1
    assert first_highest([0.3, 0.3 + 1e-11]) == 1
    with pytest.raises(ValueError, match="empty"):
        first_highest([])


def test_a_single_value_is_rounded_as_an_array_is():
    assert rounded(0.1 + 0.2) == rounded(0.3) == 0.3
