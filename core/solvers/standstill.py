"""Where an algorithm repeats itself: its iterates come back to the last bit, and double precision has no better one."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterator

from core.solvers.base import Iterate

RETURNS = 5  # of one iterate: fewer may be chance
WINDOW = 100  # steps within which they count


def until_standstill(iterates: Iterator[Iterate]) -> Iterator[Iterate]:
    """The iterates, up to the one that has returned for the fifth time among the last hundred.

    Where an algorithm's next step follows from where it stands, what has come back comes back for ever: at once where a
    step changes nothing, after some steps where the last bits go in circles. An iterate is the same where weights,
    objective, certificate and `Iterate.hidden` are; an objective that waits for multipliers to grow, or for a bound to
    rise, is no standstill.

    Parameters
    ----------
    iterates : iterator of Iterate
        Of any solver, or of a round within one.
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
