"""A race of solvers as curves, and in a sentence that says who was first, by which measure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.analysis.solver_race import Standing
from core.figures.fit.convergence import Curve
from core.figures.look.style import CERTIFICATES, seconds
from core.names.numbers import short

SAME_OBJECTIVE = 1e-4
"""Solvers whose objectives differ by a smaller share have found the same model, as far as the sentence goes."""


def race_curves(standings: Sequence[Standing], optimum: float | None) -> list[Curve]:
    """Make a curve of every solver, in the order of the standings.

    Parameters
    ----------
    standings : sequence of Standing
    optimum : float or None
        A certified lower bound of the optimal objective. Without one, the lowest value of the race stands in.
    """
    lowest = min((standing.fit.result.objective for standing in standings), default=None)
    return [
        Curve(
            name=standing.solver.title,
            method=standing.fit.method,
            trace=standing.fit.result.trace,
            ending=_ending(standing),
            optimum=lowest if optimum is None else optimum,
            solver=standing.solver.id,
        )
        for standing in standings
    ]


def _ending(standing: Standing) -> str:
    """In few words: they stand in a legend."""
    steps = f"{standing.steps:,} step{'' if standing.steps == 1 else 's'}"
    if standing.reached:
        return f"{steps}, {seconds(standing.seconds)}"
    found = standing.certificate
    how_far = f"{CERTIFICATES[found.kind]} {short(found.relative)}"
    return f"{how_far}, {steps}" if standing.running else f"{how_far} after {seconds(standing.seconds)}"


def race_sentence(standings: Sequence[Standing], tol: float, limit: float) -> str:
    """Say who reached the tolerance first and who took the fewest steps; while solvers run, only who is there.

    Parameters
    ----------
    standings : sequence of Standing
        From `core.analysis.solver_race.standings`.
    tol : float
        The relative certificate that they race to.
    limit : float
        Seconds that each may take.
    """
    if not standings:
        return "The race has not begun"
    words = _sentence(standings, f"a {_kind(standings)} of {tolerance(tol)}", limit)
    return f"{words[:1].upper()}{words[1:]}"


def tolerance(tol: float) -> str:
    """Write a tolerance in short: 1e-6."""
    return short(tol).replace(".0e", "e")


def _sentence(standings: Sequence[Standing], goal: str, limit: float) -> str:
    there = [standing for standing in standings if standing.reached]
    running = sum(standing.running for standing in standings)
    if running:
        arrived = f"{_names(there)} reached {goal}" if there else f"No solver has reached {goal} yet"
        return f"{arrived}; {running} of {len(standings)} solvers are still running"
    if not there:
        nearest = standings[0]
        left = f"{CERTIFICATES[nearest.certificate.kind]} {short(nearest.certificate.relative)}"
        return f"No solver reached {goal}{_within(standings, limit)}; nearest: {nearest.solver.title}, {left}"
    if len(there) == 1:
        only, sole = there[0], len(standings) == 1
        words = f"{only.solver.title} reached {goal} in {seconds(only.seconds)} and {only.steps:,} steps"
        return words if sole else f"Only {words}{_others(standings, there, limit)}"
    fast = _firsts(there, lambda standing: seconds(standing.seconds), lambda standing: standing.seconds)
    few = _firsts(there, lambda standing: str(standing.steps), lambda standing: standing.steps)
    first = f"{_names(fast)} reached {goal} first, in {seconds(fast[0].seconds)}"
    by_steps = "; also in" if fast == few else f"; {_names(few)} took"
    fewest = f"{by_steps} the fewest steps, {few[0].steps:,}"
    return f"{first}{fewest}{_others(standings, there, limit)}{_apart(there)}"


def _kind(standings: Sequence[Standing]) -> str:
    return " or ".join(sorted({CERTIFICATES[standing.certificate.kind] for standing in standings}))


def _names(standings: Sequence[Standing]) -> str:
    names = [standing.solver.title for standing in standings]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _firsts(
    standings: Sequence[Standing], shown: Callable[[Standing], str], value: Callable[[Standing], float]
) -> list[Standing]:
    """The least, with all that look the same where they are printed."""
    least = shown(min(standings, key=value))
    return [standing for standing in standings if shown(standing) == least]


def _others(standings: Sequence[Standing], there: Sequence[Standing], limit: float) -> str:
    late = [standing for standing in standings if standing not in there]
    return f"; {len(late)} of {len(standings)} did not{_within(late, limit)}" if late else ""


def _within(late: Sequence[Standing], limit: float) -> str:
    """The limit, where nothing else has ended them."""
    return f" within {limit:g} s" if all(standing.fit.result.stop == "time limit" for standing in late) else ""


def _apart(there: Sequence[Standing]) -> str:
    """That solvers have ended at different models, as they may where a problem is not convex."""
    objectives = [standing.fit.result.objective for standing in there]
    low, high = min(objectives), max(objectives)
    if high - low <= SAME_OBJECTIVE * abs(low):
        return ""
    return f"; their models differ, objectives {low:.5g} to {high:.5g}"
