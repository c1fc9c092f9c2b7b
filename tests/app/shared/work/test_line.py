"""Whose turn it is: by when visitors were served last, without those who have gone; nothing here waits for a clock."""

from typing import Any

import pytest

from core.work import Steps
from pages.shared.work import line as lines
from pages.shared.work.jobs import Job, Task
from pages.shared.work.line import Waiting, WaitingLine
from tests.says import assert_says


class Hall:
    """A line with two workers, its visitors, and a clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.looked = False  # whether a prompt beginning is over
        self.present = {"ann", "bob", "eve"}
        self.line = WaitingLine(self.present.__contains__, {"fits": 2, "runs": 1}, lambda: self.now)

    def add(self, key: str, *visitors: str, **options: Any) -> Task[Steps[int]]:
        job = Job(Task(key, lambda: Steps(iter(range(9)), 9), **options), visitors[0])
        for visitor in visitors[1:]:
            Job(job.task, visitor)
        self.line.add(job.task)
        return job.task

    def take(self) -> str:
        task = self.line.take("fits")
        return "" if task is None else task.key

    def serve(self, *visitors: str) -> None:
        for visitor in visitors:
            self.line.charge(Job(Task("before", lambda: Steps(iter([1]), 1)), visitor).task, 1.0)

    def finish(self, task: Task[Steps[int]], seconds: float) -> None:
        self.line.charge(task, seconds)
        task.state = "finished"
        self.line.end(task)


@pytest.fixture
def hall() -> Hall:
    return Hall()


def test_who_has_used_nothing_comes_before_the_fifth_job_of_somebody_else(hall: Hall) -> None:
    many = [hall.add(f"ann {number}", "ann") for number in range(5)]
    hall.add("bob 1", "bob")
    assert hall.take() == "ann 0"
    hall.finish(many[0], 3.0)
    assert [hall.take() for _ in range(3)] == ["bob 1", "ann 1", "ann 2"]


def test_shared_work_has_the_place_of_the_visitor_with_the_best_claim(hall: Hall) -> None:
    hall.serve("ann")
    hall.add("of ann", "ann")
    hall.add("of ann and bob", "ann", "bob")
    assert hall.take() == "of ann and bob"


def test_who_was_served_longer_ago_comes_first_and_who_has_gone_is_forgotten(hall: Hall) -> None:
    hall.serve("eve", "ann", "bob")
    hall.add("of bob", "bob")
    hall.add("of ann", "ann")
    assert [hall.take() for _ in range(2)] == ["of ann", "of bob"]
    hall.present.remove("eve")
    hall.serve("ann")
    assert set(hall.line._last_turns) == {"ann", "bob"}


def test_work_gives_way_after_a_turn_and_only_to_others_who_wait(hall: Hall) -> None:
    task = hall.add("long", "ann")
    hall.take()
    begun = hall.now
    hall.now += lines.TURN_SECONDS + 0.1
    assert not hall.line.gives_way(task, begun)
    hall.add("patient", "eve", patient=True)
    assert not hall.line.gives_way(task, begun)
    hall.add("short", "bob")
    assert hall.line.gives_way(task, begun)
    assert not hall.line.gives_way(task, hall.now)
    hall.line.charge(task, 1.1)
    hall.line.put_back(task)
    assert (task.state, [hall.take() for _ in range(3)]) == ("queued", ["short", "long", "patient"])


def test_a_prompt_beginning_comes_before_the_other_work_of_its_visitor_and_then_waits_for_it(hall: Hall) -> None:
    path = hall.add("path", "ann")
    hall.take()
    begun = hall.now
    hall.add("next path", "ann")
    hall.add("patient", "ann", patient=True)
    search = hall.add("search", "ann", patient=True, prompt=lambda run: not hall.looked)
    hall.now += lines.TURN_SECONDS + 0.1
    assert hall.line.gives_way(path, begun)
    assert hall.take() == "search"
    assert not hall.line.gives_way(search, hall.now)
    hall.looked = True
    assert hall.line.gives_way(search, hall.now)
    hall.line.put_back(search)
    hall.line.put_back(path)
    assert [hall.take() for _ in range(4)] == ["path", "next path", "patient", "search"]


def test_a_prompt_beginning_does_not_come_before_who_has_used_less(hall: Hall) -> None:
    hall.serve("ann")
    hall.add("search", "ann", prompt=lambda run: True)
    hall.add("of bob", "bob")
    assert [hall.take() for _ in range(2)] == ["of bob", "search"]


def test_work_whose_visitor_has_gone_gives_way_at_once_and_begins_for_nobody(hall: Hall) -> None:
    task = hall.add("left", "ann")
    hall.take()
    hall.present.remove("ann")
    assert not hall.line.gives_way(task, hall.now)
    other = hall.add("other", "bob")
    assert hall.line.gives_way(task, hall.now)
    hall.line.put_back(task)
    assert hall.line.waiting(other).place == 1
    assert [hall.take() for _ in range(2)] == ["other", ""]
    hall.present.add("ann")
    assert hall.take() == "left"


def test_work_that_was_left_leaves_the_line_after_the_grace_of_a_reload(hall: Hall) -> None:
    task = hall.add("left", "ann")
    hall.present.remove("ann")
    hall.now += lines.ORPHAN_SECONDS - 1.0
    assert hall.take() == ""
    assert task.state == "queued"
    hall.now += 2.0
    assert hall.take() == ""
    assert (task.state, task.left, hall.line.every) == ("paused", True, [])


def test_the_place_and_the_wait_are_those_of_the_order_in_which_work_will_begin(hall: Hall) -> None:
    first = hall.add("first", "ann")
    hall.take()
    second, third = hall.add("second", "ann"), hall.add("third", "bob")
    assert hall.line.waiting(first) == Waiting(0)
    assert hall.line.waiting(second) == Waiting(1)  # nothing has ended yet: who knows how long
    hall.finish(first, 6.0)
    hall.take()
    assert third.state == "running"
    assert hall.line.waiting(second) == Waiting(1, 3.0)  # one usual task at work, two workers
    fourth = hall.add("fourth", "ann")
    assert hall.line.waiting(fourth) == Waiting(2, 6.0)
    assert_says(hall.line.waiting(fourth).words, "number 2", "about 6 s")
    fifth = hall.add("fifth", "eve")
    assert hall.line.waiting(fifth).place == 1
    assert hall.line.waiting(fourth).place == 3
