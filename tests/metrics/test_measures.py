"""Measures have names, and names are read in upper or lower case."""

from __future__ import annotations

import re

import pytest

from core.metrics import Measure


@pytest.mark.parametrize(
    "name", ["MAP", "MeanNDCG", "Top", "NDCG@1", "NDCG@10", "P@7", "P@123", "RR", "ERR", "ERR@5", "R@20"]
)
def test_a_name_read_and_written_is_the_same_name(name):
    assert str(Measure.parse(name)) == name
    assert Measure.parse(name.lower()) == Measure.parse(name.upper()) == Measure.parse(name)


@pytest.mark.parametrize(
    "name", ["", "NDCG", "NDCG@", "NDCG@0", "NDCG@-1", "P@1.5", "MAP@5", "P@5 ", "RR@5", "R", "Top@5", "@5"]
)
def test_what_is_no_measure_is_refused_by_name(name):
    known = r"MAP, RR, ERR, MeanNDCG, Top\b.*NDCG@k, P@k, R@k, ERR@k\b"
    with pytest.raises(ValueError, match=rf"no measure '{re.escape(name)}'.*{known}"):
        Measure.parse(name)


@pytest.mark.parametrize(
    ("known_as", "name"), [("ap", "MAP"), ("MRR", "RR"), ("Recall@10", "R@10"), ("recall@3", "R@3")]
)
def test_names_of_other_tools_are_read_too(known_as, name):
    assert str(Measure.parse(known_as)) == name
