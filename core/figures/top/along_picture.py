"""The picture of the rate of positives on top along the paths of a few methods, on every part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.analysis.fold_models import FoldPath, one_fold
from core.analysis.path import PathPoint
from core.analysis.path_views import ratio_of
from core.figures.drag.drag import Drag
from core.figures.drag.hand import Hand
from core.figures.path.tuning import PART_TITLES
from core.figures.picture import Picture, Words, aside, said
from core.figures.top.along import TOP, top_along_figure
from core.figures.top.top_drag import along_drag
from core.figures.top.words import along_title
from core.methods import get_method
from core.methods.families import full_title

Paths = Mapping[str, Sequence[PathPoint]]


@dataclass(frozen=True, eq=False)
class TopAlong(Picture[Paths]):
    """Draw the share of positives on top along paths, on every part. The table has a row a model.

    Parameters
    ----------
    paths : sequence of ModelPath
        Of one fold, each of another method.
    """

    paths: Sequence[FoldPath]
    _: KW_ONLY
    where: str = aside("")
    hint: str = aside("")
    chosen: PathPoint | None = aside(None)

    name = "top_along"

    def check(self) -> None:
        super().check()
        one_fold(self.paths)

    @property
    def titles(self) -> dict[str, str]:
        """Names of the methods."""
        return {path.method: full_title(get_method(path.method)) for path in self.paths}

    def subject(self) -> str:
        return f"Positives on top along the paths of {', '.join(get_method(path.method).title for path in self.paths)}"

    def result(self, needed: Mapping[str, Any]) -> Paths:
        return {path.method: path.points for path in self.paths}

    def rows(self, found: Paths) -> pd.DataFrame:
        return pd.DataFrame(
            [
                {"method": self.titles[method], "C": point.fit.c, "λ/λ_max": ratio_of(point)}
                | {"features": point.fit.result.nonzero}
                | {f"{TOP}, {PART_TITLES[part]}": values[TOP] for part, values in point.metrics.items()}
                for method, points in found.items()
                for point in points
            ]
        )

    def words(self, found: Paths) -> Words:
        title = along_title(found, self.titles)
        line = "" if self.chosen is None else "line: the chosen C"
        return Words(title, said(self.where or self.paths[0].fold.name, line, self.hint), title)

    def drawing(self, found: Paths, words: Words) -> go.Figure:
        return top_along_figure(found, self.titles, chosen=self.chosen, title=words.title, subtitle=words.subtitle)

    def moves(self, found: Paths, hand: Hand, beside: Sequence[Hand] = ()) -> Drag | None:
        return along_drag(hand)
