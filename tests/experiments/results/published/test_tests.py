"""The papers' p-values: as printed, and ours of the same two rows in the same direction."""

from __future__ import annotations

import pytest
from scipy.stats import ttest_rel

from core.experiments.results.published import tests as published_tests
from tests.experiments.made_up import four_lines, line, result
from tests.says import assert_says


def test_all_printed_p_values_are_there() -> None:
    """Table 3: five sets, five measures; Table 9: two sets, three baselines, five measures; V and VI: 14 entries."""
    found = published_tests.printed_tests()
    assert len(found) == 25 + 30 + 14
    by_table = {(t.source.rpartition(" ")[2], t.dataset, t.measure, t.higher, t.lower): t.p for t in found}
    assert by_table["3", "TD2004", "MAP", "FenchelRank", "RankSVM-Primal"] == 0.0005
    assert by_table["9", "OHSUMED", "MAP", "FenchelRank", "AdaRank-NDCG"] == 0.7050
    assert by_table["V", "HP2004", "MAP", "FenchelRank", "RankSVM-log"] == 0.01
    assert [t.measure for t in found if t.less_than] == ["MAP"]


def test_ours_is_the_same_one_sided_test_of_the_same_two_rows() -> None:
    lines = four_lines("NDCG@10")
    ours = {t.measure: t.ours for t in published_tests.tests_beside(lines) if t.ours is not None}
    assert set(ours) == {"MAP", "NDCG@10"}
    for measure, p in ours.items():
        expected = ttest_rel(lines[2].per_query(measure), lines[3].per_query(measure), alternative="greater").pvalue
        assert p == pytest.approx(expected)
        assert p < 0.5  # fenchelrank is above l2 in these lines


@pytest.mark.parametrize(
    ("lines", "facts"),
    [
        (four_lines("MAP"), ("FenchelRank", "chosen by NDCG@10", "ours by MAP")),
        (four_lines("NDCG@10")[:3], ("l2", "not complete")),
        ([line("fenchelrank", {1: result(0.5, [1])}, n_folds=5)], ("fenchelrank", "not complete")),
    ],
)
def test_where_there_is_none_of_ours_the_reason_is_told(lines: list, facts: tuple[str, ...]) -> None:
    found = [t for t in published_tests.tests_beside(lines) if t.measure in ("MAP", "NDCG@10")]
    assert found
    assert all(t.ours is None for t in found)
    (why,) = {t.why for t in found}
    assert_says(why, *facts)


def test_baselines_that_are_not_here_are_cited_alone() -> None:
    rows = published_tests.published_test_rows(
        published_tests.tests_beside([line("fenchelrank", {1: result(0.5, [1])}, dataset="OHSUMED")])
    )
    listnet = next(row for row in rows if row["lower"] == "ListNet" and row["measure"] == "NDCG@10")
    assert (listnet["p published"], listnet["p ours"], listnet["why not"]) == ("0.0023", "–", "ListNet is not here")


def test_a_bound_stays_a_bound() -> None:
    (log,) = [t for t in published_tests.printed_tests() if t.less_than]
    assert published_tests.published_test_rows([log])[0]["p published"] == "<0.001"
