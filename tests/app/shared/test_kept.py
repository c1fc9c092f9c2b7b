"""What pages have built is kept by key, built once, and bounded."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

import pytest

from pages.shared.kept import Shelf, called, once


@dataclass(frozen=True)
class _Large:
    n_bytes: int


def test_a_thing_is_built_once_for_its_key() -> None:
    shelf, built = Shelf(), []
    for key in ("a", "b", "a", "a"):
        shelf.find((key, 1), lambda key=key: built.append(key) or key.upper())
    assert built == ["a", "b"]


def test_thirty_who_ask_at_once_wait_for_one() -> None:
    shelf, built, found = Shelf(), [], []
    together = threading.Barrier(30)

    def build() -> object:
        built.append(1)
        time.sleep(0.05)
        return object()

    def ask() -> None:
        together.wait()
        found.append(shelf.find("key", build))

    threads = [threading.Thread(target=ask) for _ in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(built) == 1
    assert len(set(map(id, found))) == 1


def test_a_builder_that_fails_leaves_the_key_to_the_next() -> None:
    shelf = Shelf()
    with pytest.raises(ZeroDivisionError):
        shelf.find("key", lambda: 1 / 0)
    assert shelf.find("key", lambda: 2.0) == 2.0


def test_a_thing_may_be_built_from_another_one() -> None:
    shelf = Shelf()
    assert shelf.find("outer", lambda: shelf.find("inner", lambda: 1) + 1) == 2


def test_what_was_asked_for_longest_ago_is_forgotten_first() -> None:
    shelf = Shelf(most=3)
    for key in "abc":
        shelf.find(key, lambda: _Large(100))
    shelf.find("a", lambda: pytest.fail("it is known"))
    shelf.find("d", lambda: _Large(100))
    assert shelf.find("b", lambda: "built again") == "built again"
    assert len(shelf) == 3


def test_large_things_are_bounded_by_their_size() -> None:
    shelf = Shelf(most=100, most_bytes=1000)
    for key in range(50):
        shelf.find(key, lambda: _Large(300))
        assert shelf.n_bytes <= 1000
    shelf.find("larger than all", lambda: _Large(5000))
    assert (len(shelf), shelf.n_bytes) == (1, 5000)
    shelf.find("small", lambda: _Large(10))
    assert (len(shelf), shelf.n_bytes) == (1, 10)


def test_keys_tell_equal_objects_apart_that_are_not_the_same() -> None:
    @dataclass(frozen=True, eq=False)
    class Model:
        weight: float

    shelf = Shelf()
    assert shelf.find(Model(1.0), lambda: "one") == "one"
    assert shelf.find(Model(1.0), lambda: "another") == "another"


def test_a_callable_is_called_and_anything_else_is_itself() -> None:
    assert (called(lambda: 3), called(3), called(None)) == (3, 3, None)


def test_a_function_of_once_is_worked_out_once_for_its_arguments_however_they_are_given() -> None:
    asked: list[tuple[int, str]] = []

    @once(8)
    def work(number: int, word: str = "usual") -> list[object]:
        """Its own words."""
        asked.append((number, word))
        return [number, word]

    first = work(1)
    assert work(number=1) is work(1, word="usual") is work(word="usual", number=1) is first
    assert work(2, "other") == [2, "other"]
    assert asked == [(1, "usual"), (2, "other")]
    assert work.__name__ == "work"
    assert work.__doc__ == "Its own words."


def test_arguments_with_an_underscore_do_not_count() -> None:
    @once(8)
    def work(key: str, _data: list[int], more: int = 0) -> int:
        return sum(_data) + more

    assert work("a", [1, 2]) == 3
    assert work("a", [5]) == 3
    assert work("a", [5], 10) == 15
    assert work("b", _data=[5]) == 5


def test_once_forgets_what_was_asked_for_longest_ago_what_is_old_and_what_it_is_told_to() -> None:
    asked: list[int] = []

    @once(2, seconds=0.5)
    def work(number: int) -> int:
        asked.append(number)
        return number

    time.sleep(0.5 - time.monotonic() % 0.5)  # a new period begins
    for number in (1, 2, 1, 3, 1, 2):
        work(number)
    assert asked == [1, 2, 3, 2]
    work.clear()
    work(2)
    assert asked == [1, 2, 3, 2, 2]
    time.sleep(0.51)
    work(2)
    assert asked == [1, 2, 3, 2, 2, 2]


def test_what_raises_is_not_kept() -> None:
    asked: list[int] = []

    @once()
    def work() -> int:
        asked.append(1)
        if len(asked) == 1:
            raise ZeroDivisionError
        return 7

    with pytest.raises(ZeroDivisionError):
        work()
    assert (work(), work(), len(asked)) == (7, 7, 2)
