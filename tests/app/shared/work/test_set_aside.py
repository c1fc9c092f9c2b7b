"""Work that a visitor has stopped or set aside, and what others then see of it."""

from __future__ import annotations

import pytest

from pages.shared.work.jobs import Job
from tests.app.fitting import until
from tests.app.shared.work.house import ENDLESS, House, Walk, reaches


@pytest.mark.parametrize("at_rest", [True, False])
def test_what_somebody_else_has_stopped_is_not_stopped_for_a_visitor_who_asks_for_it(
    house: House, at_rest: bool
) -> None:
    """Also where the step under way has not ended yet: the visitor would see it stopped a moment later."""
    job = house.submit("a", steps=5, gated=True)
    house.gates[0].release()
    until(lambda: job.run is not None and job.run.taken == 1)
    house.board.stop(job)
    if at_rest:
        house.gates[0].release()
        reaches(job, "paused")
    house.present.remove("ann")
    house.browser = "another browser"
    assert house.board.find("a", "bob") is None
    asked = house.board.ask(Job(key="a", owner="bob", make=lambda: Walk(5)))
    house.gates[0].release(4)
    reaches(asked, "finished")
    assert asked.run is job.run


@pytest.mark.parametrize("at_rest", [True, False])
@pytest.mark.parametrize("who", ["ann", "bob"])
def test_what_was_set_aside_goes_on_for_the_next_who_asks_for_it(house: House, who: str, at_rest: bool) -> None:
    job = house.submit("a", steps=5, gated=True)
    house.gates[0].release()
    until(lambda: job.run is not None and job.run.taken == 1)
    house.board.set_aside(job)
    assert house.board.find("a", "ann") is job
    if at_rest:
        house.gates[0].release()
        reaches(job, "paused")
    if who == "bob":
        house.present.remove("ann")
        house.browser = "another browser"
    asked = house.board.ask(Job(key="a", owner=who, make=lambda: Walk(5)))
    assert asked.active
    house.gates[0].release(4)
    reaches(asked, "finished")
    assert asked.run is job.run


def test_a_visitor_who_sets_aside_what_others_wait_for_comes_back_to_it(house: House) -> None:
    job = house.submit("a", ENDLESS)
    other = house.submit("a", ENDLESS, owner="bob")
    house.board.set_aside(job)
    assert (job.state, other.active) == ("paused", True)
    assert house.board.ask(Job(key="a", owner="ann", make=lambda: Walk(5))) is job
    assert job.active


def test_what_was_set_aside_and_then_stopped_stays_stopped(house: House) -> None:
    job = house.submit("a", ENDLESS)
    until(lambda: job.run is not None)
    house.board.set_aside(job)
    house.board.resume(job)
    house.board.stop(job)
    reaches(job, "paused")
    assert house.board.ask(Job(key="a", owner="ann", make=lambda: Walk(5))) is job
    assert job.state == "paused"
    assert not job.task.left
