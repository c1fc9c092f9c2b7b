"""Cases of a sweep: some for every commit, the others for ``make test-more``."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeVar

import pytest


class Named(Protocol):
    """What has an id: a method, for instance."""

    @property
    def id(self) -> str:
        """Its name on the command line."""
        ...


AnyNamed = TypeVar("AnyNamed", bound=Named)
OF_EVERY_KIND = (
    "l1", "mcp", "l2", "fsmrank", "fenchelrank", "rsrank", "rwfs-l0", "gas-e", "best-subset", "infinite-push-l1",
    "infinite-push-log",
)  # fmt: skip
"""Methods that differ in loss, penalty, solver or ending; every other one is like one of them."""


def sweep(cases: Iterable[Any], *, always: int = 1) -> list[Any]:
    """Parameters for ``pytest.mark.parametrize``; all but so many first ones are marked ``more``.

    Parameters
    ----------
    cases : iterable
        Values, or tuples of them.
    always : int
        How many run before every commit.
    """
    every = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [pytest.param(*case, marks=[] if k < always else pytest.mark.more) for k, case in enumerate(every)]


def some_then_all(methods: Sequence[AnyNamed]) -> list[Any]:
    """Parameters: the methods of `OF_EVERY_KIND` for every commit, the others marked ``more``."""
    return sweep(sorted(methods, key=lambda method: method.id not in OF_EVERY_KIND), always=len(OF_EVERY_KIND))
