"""The difference of two models over queries, and what may be said of it."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.evaluation import FoldJudge
from core.data import Fold
from core.experiments.results.difference import (
    FEWEST_QUERIES,
    NOT_CLEAR,
    ONE_LIST,
    TOO_FEW,
    Difference,
    model_difference,
)
from tests.oracles import ranking_problem
from tests.says import assert_says

RNG = np.random.default_rng(4)
BASE, NOISE = RNG.random(80), 0.1 * RNG.standard_normal(80)


def test_only_an_interval_on_one_side_of_zero_tells_which_is_higher() -> None:
    wide = Difference.of(BASE + NOISE - NOISE.mean() + 0.003, BASE)
    assert wide.value == pytest.approx(0.003)
    assert wide.verdict == NOT_CLEAR
    assert wide.interval is not None
    assert wide.interval[0] < 0.0 < wide.interval[1]
    assert Difference.of(BASE + 0.1 + NOISE, BASE).verdict == "clearly higher"
    assert Difference.of(BASE - 0.1 + NOISE, BASE).verdict == "clearly lower"


def test_two_models_that_rank_alike_do_not_differ() -> None:
    same = Difference.of(BASE, BASE)
    assert (same.value, same.interval, same.verdict) == (0.0, (0.0, 0.0), NOT_CLEAR)
    assert Difference.of(BASE + 1e-14, BASE).verdict == NOT_CLEAR  # the same values added in another order


def test_the_interval_is_of_pairs_and_not_of_two_samples() -> None:
    """Queries differ far more from each other than two models on them."""
    steady = Difference.of(BASE + 0.01 + 0.01 * NOISE, BASE)
    assert steady.verdict == "clearly higher"
    assert Difference.of(np.roll(BASE, 1) + 0.01, BASE).verdict == NOT_CLEAR


def test_a_single_list_has_no_interval() -> None:
    alone = Difference.of([0.7], [0.5])
    assert (alone.interval, alone.verdict) == (None, ONE_LIST)
    assert_says(alone.words, "+0.2000", "one list", "no interval")
    assert "%" not in alone.words


def test_its_words_have_the_interval_and_the_number_of_queries() -> None:
    words = Difference(0.003, 56, (-0.0101, 0.0161)).words
    assert_says(words, "+0.0030", "95 %", "-0.0101", "+0.0161", "56 queries", "no clear difference")


@pytest.mark.parametrize("part", ["train", "test"])
def test_two_models_are_compared_by_the_values_that_pages_show(part: str) -> None:
    judge = FoldJudge(Fold("1", ranking_problem(0), None, ranking_problem(1)), "standard")
    n = judge.fold.train.n_features
    model, other = np.eye(n)[0], np.zeros(n)  # the second ties all documents
    found = model_difference(judge, model, other, part, "MAP")
    ours, theirs = (judge.judgement(weights).metrics[part]["MAP"] for weights in (model, other))
    assert found.value == pytest.approx(ours - theirs, abs=1e-12)
    assert found.n_queries == judge.fold.parts()[part].n_queries


def test_few_queries_and_wide_intervals_are_no_finding() -> None:
    low = np.zeros(FEWEST_QUERIES)
    assert Difference.of(low + 0.1, low).verdict == "clearly higher"
    assert Difference.of(low[1:] + 0.1, low[1:]).verdict == TOO_FEW, "however clear the interval is"
    wild = np.where(np.arange(20) % 2, 1.0, -1.0)
    assert Difference.of(wild, 0.0 * wild).verdict == TOO_FEW, "an interval from -0.4 to 0.4 is no equality"
    assert Difference.of(0.05 * wild, 0.0 * wild).verdict == NOT_CLEAR
