"""The sentence over means of folds names the best, and who is within its standard error."""

from __future__ import annotations

import pytest

from core.analysis.tradeoff.fold_tradeoff import Spread
from core.analysis.tradeoff.fold_truncation import SizeMean
from core.figures.tradeoff.fold_truncation import best_at_sentence
from tests.says import assert_says

TITLES = {"fsmrank": "FSMRank", "gas-e:c=0.1": "GAS-E (c=0.1)"}


def means(*values: float, error: float) -> tuple[SizeMean, ...]:
    return tuple(SizeMean(k, Spread(v, error, v - 2 * error, v + 2 * error), 5) for k, v in enumerate(values, start=1))


MEANS = {"fsmrank": means(0.2, 0.5, 0.6, error=0.05), "gas-e:c=0.1": means(0.4, 0.47, 0.5, error=0.01)}


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
