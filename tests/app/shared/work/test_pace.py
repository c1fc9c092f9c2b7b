"""Looking at what is under way takes little of a busy server, and is quick on an idle one."""

from __future__ import annotations

import pytest

from pages.shared.work.pace import LONGEST_TICK, Pace


class Clocks:
    """The time, and what a thread has had of the processor."""

    def __init__(self) -> None:
        self.now = self.worked = 0.0

    def draws(self, pace: Pace, times: int, *, work: float, wait: float) -> None:
        for _ in range(times):
            with pace.drawing():
                self.now += work + wait
                self.worked += work


@pytest.fixture
def clocks() -> Clocks:
    return Clocks()


@pytest.fixture
def pace(clocks: Clocks) -> Pace:
    return Pace(lambda: clocks.now, lambda: clocks.worked)


def test_large_pictures_on_an_idle_server_are_drawn_at_every_tick(clocks: Clocks, pace: Pace) -> None:
    clocks.draws(pace, 20, work=0.1, wait=0.0)
    assert pace.tick(0.2, 1) == 0.2


def test_where_drawings_wait_for_the_interpreter_everybody_looks_less_often(clocks: Clocks, pace: Pace) -> None:
    clocks.draws(pace, 50, work=0.003, wait=0.05)
    assert 0.8 < pace.tick(0.4, 10) < 1.1
    clocks.draws(pace, 50, work=0.003, wait=3.0)
    assert pace.tick(0.4, 10) == LONGEST_TICK
    assert pace.tick(0.4, 80) == 4.0  # of many who wait each has his share, however long that takes


def test_a_server_that_is_idle_again_is_quick_again(clocks: Clocks, pace: Pace) -> None:
    clocks.draws(pace, 50, work=0.003, wait=0.05)
    clocks.now += 20.0
    assert pace.tick(0.4, 1) == 0.4
