"""Work of tests that goes to another process: functions of a module, which that process imports."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from core.data import RankingData
from core.methods import Fit, Method, Training
from core.work import Steps


def counting(many: int, seconds: float = 0.0) -> Callable[[], Steps[int]]:
    """What makes work that counts; each number takes so long."""
    return partial(_counted, many, seconds)


def _counted(many: int, seconds: float) -> Steps[int]:
    return Steps(_numbers(many, seconds), many)


def _numbers(many: int, seconds: float) -> Iterator[int]:
    for number in range(many):
        time.sleep(seconds)
        yield number


def noting(file: Path, many: int, seconds: float) -> Steps[int]:
    """Count, and write an m into the file when it is made and an s at the beginning of each step."""

    def note(letter: str) -> None:
        with file.open("a") as opened:
            opened.write(letter)

    def noted() -> Iterator[int]:
        for number in range(many):
            note("s")
            time.sleep(seconds)
            yield number

    note("m")
    return Steps(noted(), many)


def faulty(error: Exception, place: str) -> Steps[int]:
    """Raise when it is made, or at its second step."""
    if place == "making":
        raise error
    return Steps(_one_and(error), 3)


def _one_and(error: Exception) -> Iterator[int]:
    yield 1
    raise error


def holding(data: RankingData) -> Steps[Any]:
    """Give the data back, and whether it can be written to."""
    return Steps(iter([(data.features.flags.writeable, data)]), 1)


def fits(method: Method, training: Training, lams: list[float]) -> Steps[Fit]:
    """Fit at each lambda."""
    return Steps((method.fit(training, lam) for lam in lams), len(lams))


def kill_itself() -> Any:
    """End the process at once."""
    os.kill(os.getpid(), signal.SIGKILL)
