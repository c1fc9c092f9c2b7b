"""Colour, dash and marker of every solver, for pictures that compare solvers; the colours of methods mean methods."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from core.figures.look.colours import oklab, readable_colours
from core.figures.look.style import DASHES, MARKERS, METHOD_STYLES, MUTED, MethodStyle
from core.methods import METHODS, Method

COLOURS = 8
"""As many colours as solvers are told apart by; solvers of different methods may share one."""
LEAST_DIFFERENCE = 0.04
"""From the colour of every method, as `oklab` measures it."""


def solver_colours(taken: Iterable[str], count: int = COLOURS) -> list[str]:
    """Choose readable colours as different from each other as possible, none of them like one that is taken.

    Parameters
    ----------
    taken : iterable of str
        ``#rrggbb``.
    count : int
    """
    readable = readable_colours()
    places = np.array([oklab(colour) for colour in readable])
    others = np.array([oklab(colour) for colour in taken])
    room = np.linalg.norm(places[:, None] - others[None], axis=2).min(axis=1)
    free = np.flatnonzero(room >= LEAST_DIFFERENCE)
    chosen = [int(free[np.abs(places[free, 1:]).max(axis=1).argmax()])]  # the most vivid one
    for _ in range(count - 1):
        distance = np.linalg.norm(places[free][:, None] - places[chosen][None], axis=2).min(axis=1)
        chosen.append(int(free[distance.argmax()]))
    return [readable[k] for k in chosen]


def solver_styles(methods: Iterable[Method], colours: Sequence[str]) -> dict[str, MethodStyle]:
    """Choose the style of every solver, by its id.

    Solvers of one method differ in colour, dash and marker, as far as there are enough. A solver that several methods
    share looks the same everywhere.

    Parameters
    ----------
    methods : iterable of Method
    colours : sequence of str
        The most different ones first.
    """
    teams = [[solver.id for solver in method.solvers] for method in methods]
    styles: dict[str, MethodStyle] = {}
    for solver in dict.fromkeys(solver for team in teams for solver in team):
        rivals = {rival for team in teams if solver in team for rival in team}
        near = [style for other, style in styles.items() if other in rivals]
        styles[solver] = MethodStyle(
            _rarest(colours, [style.colour for style in near]),
            _rarest(DASHES, [style.dash for style in near]),
            _rarest(MARKERS, [style.marker for style in near]),
        )
    return styles


def _rarest(of: Sequence[str], used: Sequence[str]) -> str:
    return min(of, key=list(used).count)


@lru_cache(maxsize=1)
def known_styles() -> dict[str, MethodStyle]:
    """Return the style of every solver, by its id; looked for when the first race is drawn."""
    return solver_styles(METHODS, solver_colours([*(style.colour for style in METHOD_STYLES.values()), MUTED]))


def solver_style(solver_id: str) -> MethodStyle:
    """Return the style of a solver.

    Raises
    ------
    KeyError
        If no method has this solver.
    """
    return known_styles()[solver_id]
