"""Detection of an algorithm that repeats its iterates to the last bit, so that double precision allows no progress."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterator

from core.solvers.base import Iterate

RETURNS = 5  # of one iterate: fewer may be chance
WINDOW = 100  # steps within which they count


def until_standstill(iterates: Iterator[Iterate]) -> Iterator[Iterate]:
    """Yield the iterates until one has returned five times among the last hundred.

    If the next step depends on the present state only, a state that returns will return for ever: at once if a step
    changes nothing, after some steps if the last bits cycle. Two iterates are equal if weights, objective, certificate
    and `Iterate.hidden` are. So an objective that waits for growing multipliers or a rising bound is no standstill.

    Parameters
    ----------
    iterates : iterator of Iterate
        The iterates of any solver, or of a round within one.
    """
    recent: deque[Hashable] = deque()
    seen: Counter[Hashable] = Counter()
    for iterate in iterates:
        yield iterate
        here = (iterate.objective, iterate.certificate, iterate.hidden, hash(iterate.weights.tobytes()))
        seen[here] += 1
        if seen[here] > RETURNS:
            return
        recent.append(here)
        if len(recent) > WINDOW:
            old = recent.popleft()
            seen[old] -= 1
            if seen[old] == 0:
                del seen[old]
