"""How a method that drops features came to those it keeps."""

from __future__ import annotations

from core.figures.fit.elimination import Elimination, eliminates, stages
from pages.shared.headline import Shown
from pages.shared.lazy import lazy_expander
from pages.shared.show import show_chosen


def panel(now: Shown) -> None:
    """The elimination, drawn from the trace; nothing for other methods."""
    if eliminates(now.fit) and stages(now.fit.result.trace):

        def draw() -> None:
            show_chosen(Elimination(now.model, where=now.where), now.choice)

        lazy_expander("How did it come to these features?", draw, key="fit_elimination")
