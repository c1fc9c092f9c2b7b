"""Many columns measured at once, against each measured alone."""

from __future__ import annotations

import numpy as np
import pytest

from core.data import Convention, RankingData
from core.metrics import JudgedLists, Measure, stacked_lists
from core.metrics.stacked_lists import stacked_columns

RNG = np.random.default_rng(4)
COLUMNS = np.where(np.arange(23) % 2, RNG.normal(size=(50, 23)), RNG.integers(0, 4, (50, 23)))
DATA = RankingData.build(COLUMNS, RNG.integers(0, 3, 50), [0, 1, 13, 30, 50])


@pytest.mark.parametrize("convention", ["standard", "letor3", "letor4"])
@pytest.mark.parametrize("name", ["NDCG@10", "MAP", "P@5", "RR", "ERR", "MeanNDCG", "R@3"])
@pytest.mark.parametrize("documents", [1, 200, 2**14])
def test_columns_at_once_are_worth_to_the_bit_what_each_is_worth_alone(
    convention: Convention, name: str, documents: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In blocks of one, of four with a rest, and of all; in file order and in expectation over ties."""
    monkeypatch.setattr(stacked_lists, "DOCUMENTS", documents)
    wanted, measure, alone = np.arange(1, 23), Measure.parse(name), JudgedLists(DATA, convention)
    seen: list[int] = []
    for lists, block, values in stacked_columns(DATA, convention, wanted):
        ranked = lists.judged.rank(values)

        each = [alone.rank(COLUMNS[:, j]) for j in block]
        assert lists.means(ranked, measure).tolist() == [one.mean(measure) for one in each]
        assert lists.means(ranked.official, measure).tolist() == [one.official.mean(measure) for one in each]
        seen += block.tolist()
    assert seen == wanted.tolist()
