"""Means over folds are drawn as they are, with a band of one standard error; the sentence says no more than that."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.tradeoff.fold_tradeoff import Spread
from core.analysis.tradeoff.fold_truncation import SizeMean
from core.figures.tradeoff.axes import HORIZONTALS, Across
from core.figures.tradeoff.fold_truncation import best_at_sentence, fold_truncation_figure
from core.figures.tradeoff.tradeoff import View
from tests.says import assert_says

VIEW = View("test", "MAP", Across(HORIZONTALS[0], 9, log=False), "standard")
TITLES = {"fsmrank": "FSMRank", "gas-e:c=0.1": "GAS-E (c=0.1)"}


def means(*values: float, error: float) -> tuple[SizeMean, ...]:
    return tuple(SizeMean(k, Spread(v, error, v - 2 * error, v + 2 * error), 5) for k, v in enumerate(values, start=1))


MEANS = {"fsmrank": means(0.2, 0.5, 0.6, error=0.05), "gas-e:c=0.1": means(0.4, 0.47, 0.5, error=0.01)}


def test_the_line_is_the_mean_and_the_band_reaches_one_standard_error() -> None:
    figure = fold_truncation_figure(MEANS, VIEW, TITLES, title="t", subtitle="s")
    drawn = {trace.name: trace for trace in figure.data}
    line, band = drawn["FSMRank"], drawn["FSMRank, band"]
    assert (list(line.x), list(line.y)) == ([1, 2, 3], [0.2, 0.5, 0.6])
    for size, value in zip(line.x, line.y, strict=True):
        edges = sorted(y for x, y in zip(band.x, band.y, strict=True) if x == size)
        np.testing.assert_allclose(edges, [value - 0.05, value + 0.05])
    assert "GAS-E (c=0.1)" in drawn


@pytest.mark.parametrize(
    ("size", "facts"),
    [
        (1, ("at most 1 feature", "GAS-E (c=0.1)", "highest mean MAP", "0.4000")),
        (
            2,
            (
                "at most 2 features",
                "FSMRank",
                "highest mean MAP",
                "0.5000",
                "GAS-E (c=0.1)",
                "within",
                "standard error",
            ),
        ),
        (7, ("at most 7 features", "FSMRank", "highest mean MAP", "0.6000")),
        (0, ("No method", "at most 0 features", "every fold")),
    ],
)
def test_the_sentence_names_the_best_and_who_is_within_its_error(size: int, facts: tuple[str, ...]) -> None:
    words = best_at_sentence(MEANS, TITLES, "MAP", size)
    assert_says(words, *facts)
    assert [title in words for title in TITLES.values()] == [title in facts for title in TITLES.values()]
