"""What is kept is found by its content, for whoever asks."""

from __future__ import annotations

import numpy as np
import pytest

from pages.shared import cache as caches
from pages.shared.cache import ROOMS, Results, cached, kept


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    caches.clear()


def test_keys_weigh_nothing_whatever_they_are_made_of() -> None:
    """Ten uploads of 800 features had 12 MB in values and 79 MB in keys."""
    for n in range(10):
        kept("picture", [np.full(10**6, n), "a model"], lambda: b"drawn")
    assert ROOMS["results"].n_bytes < 20_000
    assert len(ROOMS["results"]) == 10


def test_a_function_is_worked_out_once_for_the_content_of_its_arguments_however_they_are_given() -> None:
    asked: list[object] = []

    @cached()
    def work(numbers: np.ndarray, word: str = "usual") -> list[object]:
        """Its own words."""
        asked.append(word)
        return [numbers.sum(), word]

    first = work(np.arange(3.0))
    assert work(numbers=np.arange(3.0)) is work(np.arange(3.0), word="usual") is work(np.arange(3.0), "usual") is first
    assert work(np.arange(4.0)) == [6.0, "usual"]
    assert work(np.arange(3.0), "other") == [3.0, "other"]
    assert asked == ["usual", "usual", "other"]
    assert (work.__name__, work.__doc__) == ("work", "Its own words.")


def test_two_functions_with_equal_arguments_do_not_share() -> None:
    @cached()
    def one(n: int) -> str:
        return f"one {n}"

    @cached()
    def other(n: int) -> str:
        return f"other {n}"

    assert (one(1), other(1)) == ("one 1", "other 1")


def test_what_is_not_worth_keeping_is_not_kept() -> None:
    asked: list[int] = []

    def work() -> int:
        asked.append(1)
        return len(asked)

    assert [kept("work", "it", work, worth=lambda found: found > 1) for _ in range(3)] == [1, 2, 2]


def test_results_are_the_same_for_everybody_and_of_one_kind() -> None:
    mine, yours, other = Results("numbers"), Results("numbers"), Results("letters")
    mine["a"] = 1
    assert (yours["a"], yours.get("b"), "a" in yours, "a" in other) == (1, None, True, False)
    yours.drop("a")
    assert "a" not in mine
    with pytest.raises(KeyError):
        mine["a"]
