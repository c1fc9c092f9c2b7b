"""Measures have names, and names are read in upper or lower case."""

from __future__ import annotations

import pytest

from core.metrics import Measure


@pytest.mark.parametrize("name", ["MAP", "MeanNDCG", "Top", "NDCG@1", "NDCG@10", "P@7", "P@123"])
def test_a_name_read_and_written_is_the_same_name(name):
    assert str(Measure.parse(name)) == name
    assert Measure.parse(name.lower()) == Measure.parse(name.upper()) == Measure.parse(name)


@pytest.mark.parametrize("name", ["", "NDCG", "NDCG@", "NDCG@0", "NDCG@-1", "P@1.5", "MAP@5", "P@5 ", "ERR@5", "Top@5"])
def test_what_is_no_measure_is_refused_by_name(name):
    with pytest.raises(ValueError, match=f"no measure '{name}'; there are MAP, MeanNDCG, Top, and NDCG@k"):
        Measure.parse(name)
