"""Visitors who ask for the same share it: computed once, stopped by the last, found again by everybody.

The end of the server: steps under way are finished, what has finished is kept, nothing begins any more.
"""

import threading
from collections.abc import Iterator

import pytest

from core.work import Steps
from pages.shared.work.board import MOST_JOBS, JobBoard, most_jobs
from pages.shared.work.jobs import Job, Task
from tests.app.fitting import until
from tests.app.shared.work.house import House
from tests.says import assert_says


def count(job: Job[Steps[bool]]) -> int:
    return 0 if job.run is None else job.run.count


@pytest.fixture
def room() -> Iterator[House]:
    """With one worker."""
    built = House(workers=1)
    built.present.add("eve")
    yield built
    built.clear()


def test_what_several_ask_for_is_computed_once_and_all_see_it_grow_and_end(room: House) -> None:
    jobs = [room.asks(visitor) for visitor in ("ann", "bob", "eve", "ann")]
    assert jobs[0] is jobs[3]
    room.lets(2)
    until(lambda: count(jobs[2]) == 2)
    assert jobs[0].run is jobs[1].run
    assert {job.state for job in jobs} == {"running"}
    room.lets(1)
    until(lambda: all(job.state == "finished" for job in jobs))
    room.present.add("zoe")
    found = room.board.find("path", "zoe")
    assert found.state == "finished", "also for a newcomer who only looks"
    assert room.board.find("other", "zoe") is None
    assert (room.begun, room.kept) == (["path"], [3])


def test_a_stop_ends_only_ones_own_watching_unless_nobody_else_watches(room: House) -> None:
    ann, bob = room.asks("ann"), room.asks("bob")
    until(lambda: bob.state == "running")
    room.board.stop(ann)
    assert (ann.state, bob.state) == ("paused", "running")
    room.lets(1)
    until(lambda: count(bob) == 1)
    room.board.stop(bob)
    room.lets(1)
    until(lambda: bob.state == "paused")
    assert (ann.state, count(bob)) == ("paused", 2)


def test_who_continues_joins_what_others_go_on_with_and_who_has_stopped_sees_what_they_have_finished(
    room: House,
) -> None:
    ann, bob = room.asks("ann"), room.asks("bob")
    until(lambda: bob.state == "running")
    room.board.stop(ann)
    room.board.resume(ann)
    room.board.stop(bob)
    assert (ann.state, bob.state) == ("running", "paused")
    room.lets(3)
    until(lambda: ann.state == "finished")
    assert room.begun == ["path"]
    assert (bob.state, count(bob)) == ("finished", 3)


def test_who_begins_again_alone_gets_a_new_run_and_beside_others_theirs(room: House) -> None:
    room.asks("ann", steps=10**6)
    fresh = Job(Task("path", lambda: Steps(iter([7]), 1)), "ann")
    room.board.submit(fresh)
    room.lets(1)
    until(lambda: fresh.state == "finished")
    assert fresh.run.found == [7]
    assert room.board.find("path", "ann") is fresh
    busy = room.asks("bob", "other", steps=10**6)
    room.asks("ann", "other")
    until(lambda: busy.state == "running")
    again = room.board.submit(Job(Task("other", lambda: Steps(iter([7]), 1)), "ann"))
    assert again.run is busy.run


def test_slow_motion_keeps_no_worker_from_others(room: House) -> None:
    slow = room.asks("ann", "slow", steps=10, delay=60.0)
    room.lets(10, "slow")
    until(lambda: count(slow) == 1)
    quick = room.asks("bob", "quick")
    room.lets(3, "quick")
    until(lambda: quick.state == "finished")
    assert (slow.state, count(slow)) == ("running", 1)
    hurried = room.asks("eve", "slow")
    room.board.stop(slow)
    assert (slow.state, hurried.state) == ("paused", "running")


def test_a_run_with_processes_of_its_own_takes_no_worker(room: House) -> None:
    gate = threading.Semaphore(0)
    run = room.board.submit(Job(Task("run", lambda: Steps(iter(gate.acquire, 0), 5), line="runs"), "ann"))
    until(lambda: run.state == "running")
    fit = room.asks("bob")
    room.lets(3)
    until(lambda: fit.state == "finished")
    assert run.state == "running"
    gate.release(5)


def test_visitors_who_wait_are_counted_once_and_only_while_they_are_here(room: House) -> None:
    for visitor, key in (("ann", "a"), ("ann", "b"), ("bob", "b"), ("eve", "c")):
        room.asks(visitor, key)
    assert room.board.waiting_visitors == 3
    room.present.remove("eve")
    room.board.stop(room.asks("bob", "b"))
    assert room.board.waiting_visitors == 1


def test_nobody_has_more_under_way_than_he_may() -> None:
    room = House(workers=1, most_jobs=2)
    mine = [room.asks("ann", str(number), steps=1) for number in range(3)]
    assert [job.state == "failed" for job in mine] == [False, False, True]
    assert_says(mine[2].problem, "2 computations", "running", "no more")
    assert room.asks("bob", "2").state != "failed"
    for gate in room.gates.values():
        gate.release(10)
    until(lambda: not any(job.active for job in mine))
    assert room.asks("ann", "2").state != "failed"


def test_the_environment_says_how_many_and_what_is_no_number_is_refused_by_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for written, most in (("", MOST_JOBS), ("5", 5)):
        monkeypatch.setenv("SPARSE_RANK_VISITOR_JOBS", written)
        assert most_jobs() == most
    for written in ("many", "0", "-3", "inf", "nan"):
        monkeypatch.setenv("SPARSE_RANK_VISITOR_JOBS", written)
        with pytest.raises(ValueError, match=rf"SPARSE_RANK_VISITOR_JOBS.*\bnumber above 0\b.*'{written}'"):
            most_jobs()


def test_views_of_those_who_have_gone_are_not_kept_for_ever(room: House) -> None:
    room.asks("ann")
    for number in range(300):
        visitor = f"passer-by {number}"
        room.present.add(visitor)
        room.asks(visitor)
        room.present.remove(visitor)
    assert len(room.board.jobs) <= 102
    assert room.board.find("path", "ann") is not None


def test_the_step_under_way_is_finished_and_nothing_else_begins_and_one_that_takes_too_long_is_told_of() -> None:
    begun, gate = threading.Event(), threading.Semaphore(0)

    def step() -> bool:
        begun.set()
        return gate.acquire()

    work, board = Steps(iter(step, None), 5), JobBoard(lambda session: True, workers=1)
    running = board.submit(Job(Task("one", lambda: work), "ann"))
    waiting = board.submit(Job(Task("two", lambda: Steps(iter([1]), 1)), "bob"))
    assert begun.wait(10)
    assert board.close(0.01) == 1
    threading.Timer(0.05, gate.release, [5]).start()
    assert board.close(10) == 0
    assert work.count == 1
    assert running.task.state == waiting.task.state == "paused"
    assert waiting.task.run is None


def test_a_result_that_is_being_kept_is_waited_for() -> None:
    begun, go_on, kept = threading.Event(), threading.Event(), threading.Event()

    def keep(_: Steps[int]) -> None:
        begun.set()
        go_on.wait(10)
        kept.set()

    board = JobBoard(lambda session: True, workers=1)
    board.submit(Job(Task("one", lambda: Steps(iter([1]), 1), keep=keep), "ann"))
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


def test_a_result_that_cannot_be_kept_is_told_of_and_the_next_is_computed() -> None:
    def refuse(_: Steps[int]) -> None:
        msg = "no room for it"
        raise RuntimeError(msg)

    board = JobBoard(lambda session: True, workers=1)
    kept = board.submit(Job(Task("one", lambda: Steps(iter([1]), 1), keep=refuse), "ann"))
    until(lambda: bool(board.trouble))
    assert_says(board.trouble, "result", "not be saved", "again", "restart", "no room for it")
    after = board.submit(Job(Task("two", lambda: Steps(iter([1]), 1)), "ann"))
    until(lambda: after.state == "finished")
    assert (kept.state, kept.problem) == ("finished", "")
    board.close(1)
