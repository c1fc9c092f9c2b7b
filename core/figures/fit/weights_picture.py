"""The picture of a model's weights, beneath an axis of C where its path is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.analysis.fold_models import FoldModel
from core.analysis.path import PathPoint
from core.analysis.path_frames import fitted_frame
from core.figures.drag.drag import Drag
from core.figures.drag.hand import Hand
from core.figures.fit.fit_drag import weights_drag
from core.figures.fit.weights import weights_figure
from core.figures.fit.weights_along import rows_of, weights_along_figure
from core.figures.fit.words import kept_words
from core.figures.look.style import method_style
from core.figures.picture import Picture, Words, aside, option, said
from core.methods import get_method


@dataclass(frozen=True, eq=False)
class WeightsPicture(Picture[int]):
    """Draw the weights of a model, the largest first. The table has a row for each feature that is kept.

    Parameters
    ----------
    model : Model
    most : int
        Largest number of rows drawn.
    """

    model: FoldModel
    _: KW_ONLY
    most: int = option(40, looks=True)
    where: str = aside("")
    along: Sequence[PathPoint] = aside(())
    best: float | None = aside(None)
    measure: str = aside("")
    same: str = aside("")

    name = "weights"

    def subject(self) -> str:
        return f"Weights of {get_method(self.model.fit.method).title}"

    def result(self, needed: Mapping[str, Any]) -> int:
        """The number of features."""
        return len(self.model.fit.weights)

    def rows(self, found: int) -> pd.DataFrame:
        fit = self.model.fit
        kept = fit.selected
        return pd.DataFrame(
            {"feature": kept + 1, "name": [fit.feature_names[j] for j in kept], "weight": fit.weights[kept]}
        )

    def words(self, found: int) -> Words:
        title = kept_words(self.model.fit)
        if not self.along:
            return Words(title, self.where or self.model.fold.name, title)
        more = self.model.fit.result.nonzero - self.most
        left_out = f"{more} smaller ones are in the table below" if more > 0 else ""
        thin = "" if self.best is None else "thin line: best on validation"
        subtitle = said(left_out, "drag the line to another C", thin)
        return Words(title, subtitle, f"{title}. A handle moves C along the path.")

    def drawing(self, found: int, words: Words) -> go.Figure:
        fit = self.model.fit
        if not self.along:
            return weights_figure(
                fit.weights,
                fit.feature_names,
                fit.method,
                most=self.most,
                title=words.title,
                subtitle=words.subtitle,
            )
        return weights_along_figure(
            self._drawn,
            fitted_frame(PathPoint.of(fit, self.model.judgement)),
            self.along,
            method_style(fit.method).colour,
            best=self.best,
            revision=self.same,
            title=words.title,
            subtitle=words.subtitle,
        )

    def moves(self, found: int, hand: Hand, beside: Sequence[Hand] = ()) -> Drag:
        return weights_drag(hand, self._drawn, self.measure)

    @property
    def _drawn(self) -> list[int]:
        """Columns (from 0) of the features that have a row, from the top down."""
        return rows_of(self.model.fit.weights, self.along, self.most)
