"""The job board: a few run, the rest wait in line, and nobody's work is lost."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from core.work import Steps
from pages.shared.work import line
from pages.shared.work.board import JobBoard
from pages.shared.work.jobs import Job, Task
from tests.app.fitting import until
from tests.app.shared.work.house import ENDLESS, House, reaches, walk
from tests.app.shared.work.process.values import faulty
from tests.says import assert_says


@pytest.fixture
def house() -> Iterator[House]:
    built = House()
    yield built
    built.clear()


def test_no_more_jobs_run_than_there_are_workers_and_the_rest_wait_in_order(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line, "TURN_SECONDS", 600.0)  # on a busy machine a turn is soon over, and the line another
    first, _ = house.fill()
    third, fourth = house.submit("three", steps=1, gated=True), house.submit("four")
    assert (third.state, fourth.state) == ("queued", "queued")
    assert [house.board.waiting(job).place for job in (first, third, fourth)] == [0, 1, 2]
    house.lets(3, "one")
    reaches(first, "finished")
    reaches(third, "running")
    assert house.board.waiting(fourth).place == 1
    house.lets(1, "three")
    reaches(fourth, "finished")
    assert house.begun == ["one", "two", "three", "four"]


def test_patient_work_gives_way_after_the_step_under_way(house: House) -> None:
    first, _ = house.fill()
    patient = house.submit("patient", gated=True, patient=True)
    house.lets(3, "one")
    reaches(first, "finished")
    reaches(patient, "running")
    asked_for = house.submit("asked for", gated=True)
    house.lets(1, "patient")
    reaches(asked_for, "running")
    until(lambda: patient.state == "queued")
    assert patient.run.count == 1
    last = house.submit("last")
    for gate in house.gates.values():
        gate.release(1000)
    reaches(last, "finished")
    reaches(patient, "finished")
    assert patient.run.count == 3


def test_a_stopped_job_keeps_what_it_has_and_goes_on_from_there(house: House) -> None:
    job = house.submit("a", ENDLESS)
    until(lambda: job.run is not None and job.run.count > 10)
    house.board.stop(job)
    house.board.stop(job)
    reaches(job, "paused")
    reached = job.run.count
    time.sleep(0.05)
    assert job.run.count == reached
    house.board.resume(job)
    until(lambda: job.run.count > reached)
    assert house.begun == ["a"]


def test_a_job_stopped_in_line_never_begins_until_it_is_continued(house: House) -> None:
    house.fill()
    waiting = house.submit("three")
    house.board.stop(waiting)
    assert waiting.state == "paused"
    assert house.board.waiting(waiting).place == 0
    house.lets(3, "one")
    reaches(house.jobs[0], "finished")
    time.sleep(0.05)
    assert house.begun == ["one", "two"]
    house.board.resume(waiting)
    reaches(waiting, "finished")


def test_stop_ends_a_long_pause_between_steps(house: House) -> None:
    pause = 60.0
    job = house.submit("a", ENDLESS, delay=pause)
    until(lambda: job.run is not None and job.run.count == 1)
    begun = time.monotonic()
    house.board.stop(job)
    reaches(job, "paused")
    assert time.monotonic() - begun < pause / 2, "far from any machine's load"


def test_what_cannot_be_given_back_fails_in_a_sentence_and_the_workers_survive_it(house: House) -> None:
    def refuse(run: Steps[bool]) -> None:
        msg = "the disk is full"
        raise OSError(msg)

    failures = [house.submit(key, steps=1, let_go=refuse) for key in "abc"]
    for job in failures:
        reaches(job, "failed")
        assert_says(job.problem, "fit failed", "the disk is full")
    reaches(house.submit("good"), "finished")
    house.board.resume(failures[0])
    assert failures[0].state == "failed"


def test_after_a_reload_the_new_session_takes_over_the_job_of_the_one_that_has_gone(house: House) -> None:
    job = house.submit("a", ENDLESS)
    until(lambda: job.run is not None)
    assert house.board.find("a", "ann") is job
    assert house.board.find("a", "bob") is None, "it is its owner's while the owner is there"
    house.present.remove("ann")
    adopted = house.board.find("a", "bob")
    assert (adopted.run, adopted.state) == (job.run, "running")
    assert house.board.find("a", "carol") is None
    reached = job.run.count
    until(lambda: job.run.count > reached)


def test_a_job_that_nobody_waits_for_is_paused_and_goes_on_for_whoever_comes_next(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line, "ORPHAN_SECONDS", 0.05)
    job = house.submit("a", ENDLESS)
    until(lambda: job.run is not None)
    house.present.remove("ann")
    reaches(job, "paused")
    reached = job.run.count
    adopted = house.board.find("a", "bob")
    assert adopted.active
    until(lambda: job.run.count > reached)


def test_a_job_that_was_stopped_stays_stopped_after_a_reload(house: House) -> None:
    job = house.submit("a", ENDLESS)
    until(lambda: job.run is not None)
    house.board.stop(job)
    reaches(job, "paused")
    house.present.remove("ann")
    found = house.board.find("a", "bob")
    assert (found.state, found.task.left) == ("paused", False)


def test_the_oldest_jobs_are_forgotten_but_never_one_at_work(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "WATCHED_TASKS", 2)
    working = house.submit("working", ENDLESS)
    for key in "abcde":
        reaches(house.submit(key), "finished")
    kept = [key for key in ("working", *"abcde") if house.board.find(key, "ann") is not None]
    assert kept == ["working", "c", "d", "e"]  # two at rest when the last one came
    assert working.active


def test_workers_prepare_before_their_first_job_and_one_that_cannot_works_all_the_same() -> None:
    order: list[str] = []

    def fail(kernels_elsewhere: bool) -> None:
        order.append("prepared")
        msg = "no room for compiled kernels"
        raise OSError(msg)

    def make() -> Steps[bool]:
        order.append("begun")
        return walk(1)

    board = JobBoard(lambda _: True, fail, workers=1)
    reaches(board.submit(Job(Task("a", make), "ann")), "finished")
    assert order == ["prepared", "begun"]
    assert_says(board.trouble, "Compiled code", "no room for compiled kernels", "first fits", "longer", "fail", "log")


@pytest.mark.parametrize("ending", ["finished", "paused", "failed"])
def test_what_work_holds_is_given_back_whenever_it_comes_to_rest(house: House, ending: str) -> None:
    gate = threading.Semaphore(0)
    steps = {"finished": 1, "paused": ENDLESS}
    work = faulty(RuntimeError("no"), "stepping") if ending == "failed" else walk(steps[ending], gate)
    seen: list[tuple[Steps[Any], str]] = []
    job = Job(Task("held", lambda: work, let_go=lambda run: seen.append((run, job.state))), "ann")
    house.board.submit(job)
    if ending == "paused":
        until(lambda: job.state == "running")
        house.board.stop(job)
    gate.release()
    until(lambda: not job.active)
    assert job.state == ending
    assert seen == [(work, "running")]  # before anybody can see that it rests


def test_work_on_an_upload_that_is_gone_stops_and_is_forgotten_unless_others_have_the_same_data(house: House) -> None:
    chosen = ""
    house.board._known._uploads = lambda: frozenset({chosen} - {""})
    own = house.submit("of the server", gated=True)
    chosen = "digest"
    mine = house.submit("of the upload", gated=True)
    until(lambda: own.state == mine.state == "running")
    waiting = house.submit("waiting")
    both = house.submit("of the server", owner="bob")
    house.board.forget_upload("another")
    assert house.board.find("of the upload", "ann") is mine
    house.board.forget_upload("digest")
    assert [house.board.find(key, "ann") for key in ("of the upload", "waiting")] == [None, None]
    for gate in house.gates.values():
        gate.release()
    until(lambda: mine.task.state == "paused")
    assert not waiting.active
    assert both.task is own.task
    assert house.board.find("of the server", "bob") is both
    assert own.state == "running"


@pytest.mark.parametrize("at_rest", [True, False])
@pytest.mark.parametrize(("set_aside", "who"), [(False, "bob"), (True, "ann"), (True, "bob")])
def test_what_somebody_else_has_stopped_or_anybody_set_aside_goes_on_for_the_next_who_asks_for_it(
    house: House, set_aside: bool, who: str, at_rest: bool
) -> None:
    """Also where the step under way has not ended yet: the visitor would see it stopped a moment later."""
    job = house.submit("a", steps=5, gated=True)
    house.lets(1, "a")
    until(lambda: job.run is not None and job.run.count == 1)
    (house.board.set_aside if set_aside else house.board.stop)(job)
    assert house.board.find("a", "ann") is job
    if at_rest:
        house.lets(1, "a")
        reaches(job, "paused")
    if who == "bob":
        house.present.remove("ann")
        house.browser = "another browser"
        assert set_aside or house.board.find("a", "bob") is None
    asked = house.board.ask(Job(Task("a", lambda: walk(5)), who))
    assert asked.active
    house.lets(4, "a")
    reaches(asked, "finished")
    assert asked.run is job.run


def test_a_visitor_who_sets_aside_what_others_wait_for_comes_back_to_it(house: House) -> None:
    job = house.submit("a", ENDLESS)
    other = house.submit("a", ENDLESS, owner="bob")
    house.board.set_aside(job)
    assert (job.state, other.active) == ("paused", True)
    assert house.board.ask(Job(Task("a", lambda: walk(5)), "ann")) is job
    assert job.active


def test_what_others_have_finished_since_it_was_set_aside_does_not_go_on(house: House) -> None:
    """It would get as much again of a limit that it has reached, and other numbers."""
    job, other = house.submit("a", gated=True), house.submit("a", owner="bob")
    house.board.set_aside(job)
    house.lets(3, "a")
    reaches(other, "finished")
    assert house.asks("ann", "a") is job
    assert (job.state, house.board.under_way) == ("finished", 0)


def test_what_was_set_aside_and_then_stopped_stays_stopped(house: House) -> None:
    job = house.submit("a", ENDLESS)
    until(lambda: job.run is not None)
    house.board.set_aside(job)
    house.board.resume(job)
    house.board.stop(job)
    reaches(job, "paused")
    assert house.board.ask(Job(Task("a", lambda: walk(5)), "ann")) is job
    assert job.state == "paused"
    assert not job.task.left
