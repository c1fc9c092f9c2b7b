"""What tests of several kinds put in place of a machine's own: a clock, a limit, a port, a script as a module."""

import importlib.util
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, ModuleType


class Clock:
    """A clock that stands until a test moves it."""

    def __init__(self, now: float = 0.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


class TooSlowError(Exception):
    """Something took longer than it may."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Fail where the processor has worked for so long."""

    def late(number: int, frame: FrameType | None) -> None:
        msg = f"more than {seconds:g} seconds"
        raise TooSlowError(msg)

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def module_at(path: Path) -> ModuleType:
    """A script that is no part of a package, imported."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module
