"""Table 1 as printed: spot checks, and what the paper's text says of it.
Table 1 again: splits, standardisation, averages, tests and what is published beside them.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import wilcoxon

from core.data import Fold, RankingData
from core.data.division import split_data
from core.data.scaling import scale_fold
from core.experiments.papers.choosing_by_top import choose_by_top, top_rate
from core.experiments.papers.infinite_push_sets import (
    METHODS,
    TopCell,
    TopOutcome,
    TopRow,
    TopSet,
    top_outcome,
    top_rows,
    training_share,
)
from core.experiments.papers.published_top import TABLE_1, PublishedTop, published_set
from core.methods import get_method


def test_spot_checks() -> None:
    sonar, iono = published_set("sonar"), published_set("ionosphere")
    assert sonar is not None
    assert iono is not None
    assert sonar.top("infinite-push-l1") == PublishedTop(0.44, 0.2, 23.7, 6.5)
    assert sonar.top("infinite-push-l2") == PublishedTop(0.48, 0.3)
    assert iono.top("l1") == PublishedTop(0.69, 0.1, 33.0, 0.0)
    assert published_set("BCI").top("infinite-push-l1") == PublishedTop(0.06, 0.04, 71.1, 16.0)  # type: ignore[union-attr]
    assert published_set("digits") is None


def test_the_largest_saving_on_ranksvm_is_the_factor_of_8_of_the_text() -> None:
    savings = [s.top("l1").n_features / s.top("infinite-push-l1").n_features for s in TABLE_1]  # type: ignore[union-attr, operator]
    assert int(max(savings)) == 8


def test_no_model_uses_more_variables_than_there_are() -> None:
    for s in TABLE_1:
        for method, line in s.by_method:
            get_method(method)
            assert 0.0 <= line.top <= 1.0
            assert line.n_features is None or line.n_features <= s.d


@pytest.mark.parametrize(("name", "share"), [("colon", 43 / 62), ("sonar", 0.9), ("ionosphere", 0.7)])
def test_training_shares_are_read_from_the_printed_sizes(name: str, share: float) -> None:
    found = published_set(name)
    assert found is not None
    assert found.training_share == pytest.approx(share, abs=0.005)


L1, L2, RANK = METHODS


def small(last: float = 1.0) -> RankingData:
    """Two of five features matter; the last, which does not, in other units."""
    rng = np.random.default_rng(0)
    relevance = np.arange(60) % 2
    features = [1.0, 1.0, 1.0, 1.0, last] * (
        rng.standard_normal((60, 5)) + relevance[:, None] * [1.5, 1.0, 0.0, 0.0, 0.0]
    )
    return RankingData.build(features, relevance, [0, 60])


def rows(tops: dict[str, list[float]], name: str = "own", published: str = "") -> dict[str, TopRow]:
    table = top_rows(outcomes(tops, name, published))
    return {row.method: row for row in table}


def outcomes(tops: dict[str, list[float]], name: str, published: str) -> list[TopOutcome]:
    s = TopSet.of(small(), name, published)
    return [TopOutcome(TopCell(s, k, m), top, 10 + k, 0.1) for m, found in tops.items() for k, top in enumerate(found)]


@pytest.mark.parametrize("split", range(3))
def test_an_outcome_is_that_of_a_standardised_random_split(split: int) -> None:
    s = TopSet.of(small(), "small")
    found = top_outcome(TopCell(s, split, L1), {})
    train, test = split_data(s.data, 0.7, split)
    parts = scale_fold(Fold("", train, test=test), "standard").parts()
    weights = choose_by_top(get_method(L1), parts["train"], split).fit.weights
    assert (found.top, found.kept) == (top_rate(parts["test"], weights), np.count_nonzero(weights))
    in_other_units = top_outcome(TopCell(TopSet.of(small(1000.0), "small"), split, L1), {})
    assert (in_other_units.top, in_other_units.kept) == (found.top, found.kept)


def test_sets_of_the_paper_are_split_as_it_prints() -> None:
    assert training_share("sonar") == 187 / 208
    assert training_share("breast-cancer") == 0.7


def test_rows_are_means_and_deviations_tested_against_the_best() -> None:
    tops = {
        L1: [0.9, 0.8, 0.7, 0.9, 0.8, 0.9],
        L2: [0.5, 0.3, 0.4, 0.2, 0.6, 0.1],
        RANK: [0.9, 0.7, 0.8, 0.9, 0.7, 0.8],
    }
    table = rows(tops)
    assert table[L1].top.mean == pytest.approx(np.mean(tops[L1]))
    assert table[L1].top.deviation == pytest.approx(np.std(tops[L1], ddof=1))
    assert table[L1].kept.mean == 12.5
    assert table[L1].p_value is None
    assert table[L2].p_value == wilcoxon(tops[L2], tops[L1]).pvalue
    assert (table[L2].worse(), table[RANK].worse(), table[L1].worse()) == (True, False, False)
    # 1/32 doubled is above 0.05, and Holm asks just that of the smaller of two.
    assert table[L2].p_holm == pytest.approx(2 / 32)
    assert table[L2].p_holm is not None
    assert table[L2].p_holm >= 0.05


def test_splits_that_a_method_lacks_count_for_none() -> None:
    table = rows({L1: [0.9, 0.8, 0.1], L2: [0.5, 0.3], RANK: [0.9, 0.7, 0.3]})
    assert {row.n_splits for row in table.values()} == {2}
    assert table[L1].top.mean == pytest.approx(0.85)


def test_published_figures_stand_beside_ours() -> None:
    table = rows({L1: [0.5], L2: [0.5], RANK: [0.5]}, "sonar (M)", "sonar")
    assert table[RANK].published is not None
    assert table[RANK].published.n_features == 59.8
    assert rows({L1: [0.5], L2: [0.5], RANK: [0.5]})[L1].published is None
