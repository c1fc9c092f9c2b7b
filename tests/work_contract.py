"""What all work in steps promises, checked on work that has not begun; and work taken to its end."""

from typing import TypeVar

from core.work import Work

MOST_STEPS = 10_000
AnyWork = TypeVar("AnyWork", bound=Work)


def finished(run: AnyWork) -> AnyWork:
    """Take all steps that are left; return the work."""
    while not run.done:
        run.advance()
    return run


def check_contract(run: Work) -> None:
    """Take all of its steps; at each of them it must say of itself what the contract promises."""
    assert isinstance(run, Work)
    assert (run.share, run.seconds_left, dict(run.problems)) == (0.0, None, {})
    share, steps = 0.0, 0
    while not run.done:
        run.advance()
        steps += 1
        assert share <= run.share <= 1.0
        assert run.seconds_left is None or run.seconds_left >= 0.0
        share = run.share
        assert steps < MOST_STEPS
    assert share == 1.0
    assert all(isinstance(name, str) and isinstance(why, str) for name, why in run.problems.items())
