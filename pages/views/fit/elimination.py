"""How a method that drops features came to those it keeps."""

from __future__ import annotations

from core.figures.fit.elimination import Elimination, eliminates, stages
from pages.shared import scripts
from pages.shared.headline import Shown
from pages.shared.lazy import lazy_expander
from pages.shared.show import show


def panel(now: Shown) -> None:
    """The elimination, drawn from the trace; nothing for other methods."""
    choice, fit = now.choice, now.fit
    if eliminates(fit) and stages(fit.result.trace):

        def draw() -> None:
            show(
                Elimination(now.model, where=choice.where),
                scripts.chosen_data(choice),
                choice.fold,
                fits=lambda: {"model": scripts.model_of(choice, fit)},
            )

        lazy_expander("How did it come to these features?", draw, key="fit_elimination")
