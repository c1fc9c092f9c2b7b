"""Base of the pictures whose curves show how solvers converge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass

import plotly.graph_objects as go

from core.figures.fit.convergence import HORIZONTAL, VERTICAL, Curve, Horizontal, Vertical, convergence_figure
from core.figures.picture import Words, aside, option
from core.methods import Training


@dataclass(frozen=True, eq=False)
class CurvesPicture:
    """The axes of curves of convergence: options of the declaration of a picture."""

    _: KW_ONLY
    against: Horizontal = option("steps", titles={name: name for name in HORIZONTAL}, looks=True)
    quantity: Vertical = option("objective", titles={name: name for name in VERTICAL})
    log_across: bool = option(False, looks=True)
    log_up: bool | None = option(None, looks=True)
    slopes: bool = option(False, looks=True)
    where: str = aside("")
    same: str = aside("")
    training: Training | None = aside(None)

    def curves(self, curves: Sequence[Curve], words: Words) -> go.Figure:
        """Draw the curves on these axes."""
        figure = convergence_figure(
            curves,
            x=self.against,
            y=self.quantity,
            log_x=self.log_across,
            log_y=self.quantity != "objective" if self.log_up is None else self.log_up,
            slopes=self.slopes,
            title=words.title,
            subtitle=words.subtitle,
        )
        return figure.update_layout(uirevision=self.same) if self.same else figure
