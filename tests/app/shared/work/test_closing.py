"""The end of the server: steps under way are finished, what has finished is kept, nothing begins any more."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from core.work import Steps
from pages.shared.work.board import JobBoard
from pages.shared.work.jobs import Job
from tests.app.fitting import until
from tests.says import assert_says


def test_the_step_under_way_is_finished_and_nothing_else_begins() -> None:
    begun, go_on = threading.Event(), threading.Event()
    done: list[int] = []

    def steps() -> Iterator[int]:
        for number in range(5):
            begun.set()
            go_on.wait(10)
            done.append(number)
            yield number

    board = JobBoard(lambda session: True, workers=1)
    running = board.submit(Job("one", "ann", lambda: Steps(steps(), 5)))
    waiting = board.submit(Job("two", "bob", lambda: Steps(iter([1]), 1)))
    assert begun.wait(10)
    threading.Timer(0.05, go_on.set).start()
    assert board.close(10) == 0
    assert done == [0]
    assert running.task.state == waiting.task.state == "paused"
    assert waiting.task.run is None


def test_a_result_that_is_being_kept_is_waited_for() -> None:
    begun, go_on, kept = threading.Event(), threading.Event(), threading.Event()

    def keep(_: Steps[int]) -> None:
        begun.set()
        go_on.wait(10)
        kept.set()

    board = JobBoard(lambda session: True, workers=1)
    board.submit(Job("one", "ann", lambda: Steps(iter([1]), 1), keep=keep))
    assert begun.wait(10)
    threading.Timer(0.05, go_on.set).start()
    assert board.close(10) == 0
    assert kept.is_set(), "it ends with the server"


def test_no_worker_is_left() -> None:
    before = {*threading.enumerate()}  # of other tests, which may end meanwhile
    boards = [JobBoard(lambda session: True, workers=2) for _ in range(3)]
    begun = {*threading.enumerate()} - before
    assert len(begun) == 3 * 3  # one more watches over runs
    for board in boards:
        board.close(1)
    until(lambda: not any(thread.is_alive() for thread in begun))


def test_a_step_that_takes_too_long_is_told_of() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def steps() -> Iterator[int]:
        begun.set()
        go_on.wait(10)
        yield 1

    board = JobBoard(lambda session: True, workers=1)
    board.submit(Job("one", "ann", lambda: Steps(steps(), 1)))
    assert begun.wait(10)
    assert board.close(0.01) == 1
    go_on.set()


def test_a_result_that_cannot_be_kept_is_told_of_and_the_next_is_computed() -> None:
    def refuse(_: Steps[int]) -> None:
        msg = "no room for it"
        raise RuntimeError(msg)

    board = JobBoard(lambda session: True, workers=1)
    kept = board.submit(Job("one", "ann", lambda: Steps(iter([1]), 1), keep=refuse))
    until(lambda: bool(board.trouble))
    assert_says(board.trouble, "result", "not be saved", "again", "restart", "no room for it")
    after = board.submit(Job("two", "ann", lambda: Steps(iter([1]), 1)))
    until(lambda: after.state == "finished")
    assert (kept.state, kept.problem) == ("finished", "")
    board.close(1)
