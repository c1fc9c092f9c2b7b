"""A Dask cluster of one worker that computes here and at once, for tests of what goes through a client."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any


class Done:
    """What a task has returned or raised, and the workers on which it was asked for."""

    def __init__(self, run: Callable[[], Any], key: Any = None, workers: Sequence[str] | None = None) -> None:
        self.key, self.status, self.value, self.workers = id(self) if key is None else key, "finished", None, workers
        try:
            self.value = run()
        except Exception as error:
            self.status, self.value = "error", error

    def result(self, timeout: float | None = None) -> Any:
        if self.status == "error":
            raise self.value
        return self.value

    def exception(self, timeout: float | None = None) -> Any:
        return self.value if self.status == "error" else None


class ClusterOfOne(ABC):
    """The calls of `distributed.Client` that the program makes; how a task is run is for a test to say."""

    status = "running"

    def __init__(self) -> None:
        self.held: dict[Any, Any] = {}

    @abstractmethod
    def submit(self, function: Callable[..., Any], *arguments: Any, key: Any) -> Any:
        """Return a future with ``key`` and ``result()``."""
        ...

    def map(self, function: Callable[..., Any], *arguments: Sequence[Any], key: list[Any], pure: bool) -> list[Any]:
        return [self.submit(function, *each, key=one) for one, *each in zip(key, *arguments, strict=True)]

    def nthreads(self) -> dict[str, int]:
        return {"one": 1}

    def who_has(self, futures: list[Any]) -> dict[Any, tuple[str, ...]]:
        self.held |= {future.key: future for future in futures}
        return {future.key: ("one",) for future in futures}

    def gather(self, futures: list[Any], asynchronous: bool) -> list[Any]:
        return [future.result() for future in futures]

    def run(self, function: Callable[..., Any], *arguments: Any, on_error: str) -> dict[str, Any]:
        """Run a function on every worker."""
        held = {key: future.result() for key, future in self.held.items()}
        return {"one": function(*arguments, dask_worker=SimpleNamespace(data=held))}

    def sync(self, function: Callable[[], Any], callback_timeout: float | None = None) -> Any:
        made = function()
        return asyncio.run(made) if asyncio.iscoroutine(made) else made
