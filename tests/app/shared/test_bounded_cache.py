"""A value is built once, weighed with all that it holds, and bounded in bytes and age.

Equal content is one entry, for all sessions. A server has one of what it has one of.
"""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from core.content import content_key as key
from pages.shared import cache as caches
from pages.shared.bounded_cache import Cache, Single, weight_of
from pages.shared.cache import ROOMS, Results, cached, kept
from tests.stand_ins import Clock


def kilobytes(n: int) -> np.ndarray:
    return np.zeros(125 * n)


def test_a_value_is_built_once_for_its_key() -> None:
    room, built = Cache(10**6), []
    for name in ("a", "b", "a", "a"):
        room.find(key(name), lambda name=name: built.append(name) or name.upper())
    assert built == ["a", "b"]


def test_thirty_who_ask_at_once_wait_for_one() -> None:
    room, built = Cache(10**6), []
    together = threading.Barrier(30)

    def build() -> list[int]:
        built.append(1)
        time.sleep(0.05)
        return [1]

    def ask(_: int) -> list[int]:
        together.wait()
        return room.find(key("k"), build)

    with ThreadPoolExecutor(30) as pool:
        found = [*pool.map(ask, range(30))]
    assert len(built) == 1
    assert len(set(map(id, found))) == 1
    assert not room._under_way


class BrokenOffError(BaseException):
    """As Streamlit breaks off a page's script."""


@pytest.mark.parametrize("error", [ZeroDivisionError, BrokenOffError])
def test_what_raises_is_not_kept_and_leaves_neither_key_nor_lock(error: type[BaseException]) -> None:
    room = Cache(10**6)

    def build() -> int:
        raise error

    for name in range(20):
        with pytest.raises(error):
            room.find(key(name), build)
    assert (len(room), room.n_bytes, len(room._under_way)) == (0, 0, 0)
    assert room.find(key(0), lambda: 2) == 2


def test_the_bound_holds_for_all_bytes_and_what_was_asked_for_longest_ago_goes_first() -> None:
    room = Cache(1_000_000)
    for n in range(50):
        room.find(key(n), lambda: kilobytes(300))
        assert room.n_bytes <= 1_000_000
    assert len(room) == 3
    room.find(key(47), lambda: pytest.fail("it is known"))
    room.find(key("new"), lambda: kilobytes(300))
    assert room.peek(key(48)) is None
    assert room.peek(key(47)) is not None
    room.find(key("larger than all"), lambda: kilobytes(5000))
    assert (len(room), room.n_bytes) == (0, 0)


def test_data_larger_than_the_bound_stays_while_it_is_the_last() -> None:
    room = Cache(1_000_000, least=2)
    for n in range(5):
        room.find(key(n), lambda: kilobytes(5000))
    assert [room.peek(key(n)) is not None for n in range(5)] == [False, False, False, True, True]


def test_what_several_values_hold_counts_once_and_until_the_last_of_them_goes() -> None:
    room, shared = Cache(10**9), kilobytes(1000)
    for n in range(5):
        room.put(key(n), (n, shared[n:]))
    assert 1_000_000 <= room.n_bytes < 1_010_000
    for n in range(4):
        room.drop(key(n))
    assert 1_000_000 <= room.n_bytes < 1_002_000
    room.drop(key(4))
    assert room.n_bytes == 0


@dataclass(frozen=True)
class Holder:
    table: pd.DataFrame
    text: str
    more: dict[str, list[np.ndarray]]


@pytest.mark.parametrize(
    ("thing", "low"),
    [
        (kilobytes(100), 100_000),
        ("x" * 100_000, 100_000),
        ([str(n) * 10 for n in range(10_000)], 500_000),
        ([float(n) for n in range(10_000)], 320_000),
        ([1.0] * 10_000, 80_000),
        (tuple(str(n) * 10 for n in range(10_000)), 500_000),
        (Holder(pd.DataFrame({"a": np.zeros(1000)}), "y" * 1000, {"b": [kilobytes(10)]}), 19_000),
        ((lambda big: lambda: big)(kilobytes(50)), 50_000),
        (np.array([b"z" * 1000] * 1 + [b"w" * 1000], dtype=object), 2000),
    ],
)
def test_a_value_is_weighed_with_everything_that_it_holds(thing: object, low: int) -> None:
    small, large = weight_of(thing)
    assert low <= small + sum(large.values()) <= 2.2 * low


def test_a_value_goes_when_nobody_has_asked_for_it_in_time_or_when_it_is_older_than_it_may_be() -> None:
    clock = Clock()
    room = Cache(10**6, most_seconds=100.0, clock=clock)
    room.put(key("a"), 1)
    clock.now = 90.0
    assert room.peek(key("a")) == (1,)
    clock.now = 180.0
    assert room.peek(key("a")) == (1,)
    assert room.find(key("a"), lambda: 2, most_seconds=30.0) == 2
    clock.now = 300.0
    room.put(key("b"), 1)
    assert (room.peek(key("a")), len(room)) == (None, 1)


def test_data_that_grows_is_weighed_again() -> None:
    clock, growing = Clock(), [kilobytes(10)]
    room = Cache(10**9, weighed_again=60.0, clock=clock)
    room.put(key("a"), growing)
    growing.append(kilobytes(1000))
    before = room.n_bytes
    clock.now = 61.0
    room.peek(key("a"))
    assert room.n_bytes > before + 990_000
    room.drop(key("a"))
    assert room.n_bytes == 0


def test_what_a_file_was_used_for_goes_with_the_file_even_while_it_is_being_made() -> None:
    room, mine, yours = Cache(10**6), frozenset({"mine"}), frozenset({"mine", "yours"})
    for digest in yours:
        room.use_upload(digest)
    room.put(key(1), "a", uploads=mine)
    room.put(key(2), "b", uploads=yours)
    room.put(key(3), "c")

    def build() -> str:
        room.drop_upload("mine")
        return "d"

    assert room.find(key(4), build, uploads=lambda: mine) == "d"
    room.put(key(5), "e", uploads=mine)  # by work that has not ended yet
    assert [room.peek(key(n)) for n in (1, 2, 3, 4, 5)] == [None, None, ("c",), None, None]
    room.use_upload("mine")
    room.put(key(5), "e", uploads=mine)
    assert room.peek(key(5)) == ("e",)


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


def test_a_server_has_one_object_of_a_kind() -> None:
    made: list[object] = []

    @Single
    def thing() -> object:
        time.sleep(0.01)
        made.append(object())
        return made[-1]

    with ThreadPoolExecutor(10) as pool:
        pool.map(lambda _: thing(), range(10))
    assert thing() is thing()
    assert len(made) == 1
    thing.clear()
    assert thing() is made[1]
