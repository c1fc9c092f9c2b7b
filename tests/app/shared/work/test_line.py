"""Whose turn it is: by what visitors have used, without those who have gone; nothing here waits for a clock."""

from __future__ import annotations

import itertools

import pytest

from core.work import Steps
from pages.shared.work import line as lines
from pages.shared.work.jobs import Job, Task
from pages.shared.work.line import Waiting, WaitingLine
from pages.shared.work.turns import HALF_LIFE, Quota, Turns
from tests.says import assert_says


class Hall:
    """A line with two workers, its visitors, and a clock that a test moves."""

    def __init__(self, quota: Quota | None = None) -> None:
        self.now = 1000.0
        self.looked = False  # whether a prompt beginning is over
        self.present = {"ann", "bob", "eve"}
        self.turns = Turns(lambda: self.now, quota or Quota())
        self.line = WaitingLine(self.present.__contains__, lambda: self.now, self.turns, {"fits": 2, "runs": 1})

    def add(self, key: str, *visitors: str, patient: bool = False) -> Task[Steps[int]]:
        job = Job(key, visitors[0], lambda: Steps(iter(range(9)), 9), patient=patient)
        for visitor in visitors[1:]:
            Job.of(job.task, visitor)
        self.line.add(job.task)
        return job.task

    def take(self) -> str:
        task = self.line.take("fits")
        return "" if task is None else task.key

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


def test_work_of_one_visitor_stays_in_order_while_the_clock_goes_on(hall: Hall) -> None:
    """Who comes later must not come first because what the visitor has used counts less by then."""
    ticking = itertools.count(1000.0, 0.01)
    hall.turns = Turns(lambda: next(ticking), Quota())
    hall.line = WaitingLine(hall.present.__contains__, lambda: hall.now, hall.turns, {"fits": 2, "runs": 1})
    hall.turns.charge(["ann"], 5.0)
    tasks = [hall.add(f"ann {number}", "ann") for number in range(4)]
    assert [hall.line.waiting(task).place for task in tasks] == [1, 2, 3, 4]
    assert [hall.take() for _ in range(4)] == ["ann 0", "ann 1", "ann 2", "ann 3"]


def test_shared_work_has_the_place_of_the_visitor_with_the_best_claim(hall: Hall) -> None:
    hall.turns.charge(["ann"], 10.0)
    hall.add("of ann", "ann")
    hall.add("of ann and bob", "ann", "bob")
    assert hall.take() == "of ann and bob"


def test_what_somebody_has_used_counts_less_and_less(hall: Hall) -> None:
    hall.turns.charge(["ann", "bob"], 8.0)
    assert hall.turns.used("ann") == pytest.approx(4.0)
    hall.now += HALF_LIFE
    assert hall.turns.used("ann") == pytest.approx(2.0)
    hall.now += 100 * HALF_LIFE
    hall.turns.charge(["eve"], 1.0)
    assert set(hall.turns._used) == {"eve"}


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
    search = Job(
        "search", "ann", lambda: Steps(iter(range(9)), 9), patient=True, prompt=lambda run: not hall.looked
    ).task
    hall.line.add(search)
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
    hall.turns.charge(["ann"], 5.0)
    hall.line.add(Job("search", "ann", lambda: Steps(iter(range(9)), 9), prompt=lambda run: True).task)
    hall.add("of bob", "bob")
    assert [hall.take() for _ in range(2)] == ["of bob", "search"]


def test_work_whose_visitor_has_gone_gives_way_at_once_and_begins_for_nobody(hall: Hall) -> None:
    task = hall.add("left", "ann")
    hall.take()
    hall.present.remove("ann")
    assert not hall.line.gives_way(task, hall.now)
    hall.add("other", "bob")
    assert hall.line.gives_way(task, hall.now)
    hall.line.put_back(task)
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


def test_who_has_used_his_minutes_waits_until_they_come_back() -> None:
    hall = Hall(Quota(minutes=6.0))
    task = hall.add("of ann", "ann")
    hall.take()
    hall.line.charge(task, 400.0)  # of 360 in an hour
    assert hall.line.gives_way(task, hall.now)
    hall.line.put_back(task)
    assert hall.take() == ""
    waiting = hall.line.waiting(task)
    assert waiting.share_in == pytest.approx(400.0)  # 40 seconds at a tenth
    assert_says(waiting.words, "computing time", "hour", "used", "about 7 min")
    hall.add("of bob", "bob")
    assert hall.take() == "of bob"
    hall.now += 401.0
    assert hall.take() == "of ann"


def test_work_under_way_counts_before_its_turn_is_over_and_those_who_share_it_share_its_seconds() -> None:
    hall = Hall(Quota(minutes=6.0))
    task = hall.add("of ann", "ann")
    hall.take()
    begun = hall.now
    assert hall.line.may_interrupt  # though nobody else waits
    hall.now += 350.0
    assert not hall.line.gives_way(task, begun)
    hall.now += 20.0
    assert hall.line.gives_way(task, begun)
    assert not Hall().line.may_interrupt


@pytest.mark.parametrize(("jobs", "minutes", "quota"), [("", "", Quota()), ("5", "30", Quota(5, 30.0)),
                                                        ("0.5", "0.5", Quota(1, 0.5))])  # fmt: skip
def test_the_environment_sets_the_quotas(
    monkeypatch: pytest.MonkeyPatch, jobs: str, minutes: str, quota: Quota
) -> None:
    monkeypatch.setenv("SPARSE_RANK_VISITOR_JOBS", jobs)
    monkeypatch.setenv("SPARSE_RANK_VISITOR_MINUTES", minutes)
    assert Quota.of_environment() == quota


@pytest.mark.parametrize("written", ["many", "0", "-3", "inf", "nan"])
def test_a_quota_that_is_no_number_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv("SPARSE_RANK_VISITOR_MINUTES", written)
    with pytest.raises(ValueError, match=rf"SPARSE_RANK_VISITOR_MINUTES.*\bnumber above 0\b.*'{written}'"):
        Quota.of_environment()
