"""Cases of a sweep: some for every commit, the others for ``make test-more``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


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
