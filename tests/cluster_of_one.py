"""A Dask cluster of one worker that computes here and at once, for tests of what goes through a client."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any


class ClusterOfOne(ABC):
    """The calls of `distributed.Client` that the program makes; how a task is run is for a test to say."""

    status = "running"

    @abstractmethod
    def submit(self, function: Callable[..., Any], *arguments: Any, key: Any) -> Any:
        """Return a future with ``key`` and ``result()``."""
        ...

    def map(self, function: Callable[..., Any], *arguments: Sequence[Any], key: list[Any], pure: bool) -> list[Any]:
        return [self.submit(function, *each, key=one) for one, *each in zip(key, *arguments, strict=True)]

    def nthreads(self) -> dict[str, int]:
        return {"one": 1}

    def who_has(self, futures: list[Any]) -> dict[Any, tuple[str, ...]]:
        return {future.key: ("one",) for future in futures}

    def gather(self, futures: list[Any], asynchronous: bool) -> list[Any]:
        return [future.result() for future in futures]

    def sync(self, function: Callable[[], Any], callback_timeout: float) -> Any:
        return function()
