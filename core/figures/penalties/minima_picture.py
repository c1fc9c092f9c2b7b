"""The picture of a method's minima on two features as lambda falls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.analysis.penalties.pair import PairLoss, PairMinima
from core.analysis.penalties.two_features import RATIOS, Map
from core.figures.penalties.pair_picture import Names, PairPicture, kept_of_two
from core.figures.penalties.planes import minima_plane
from core.figures.picture import Words, option
from core.methods import Fit
from core.names.numbers import short

Ground = Literal["loss and ball", "objective"]
GROUNDS: tuple[Ground, ...] = ("loss and ball", "objective")


@dataclass(frozen=True, eq=False)
class Minima:
    """The minima on two features.

    Attributes
    ----------
    terrain : Map
    path : sequence of sequences of Fit
        Minima at each of `RATIOS`, lowest first.
    here : int
        Position among `RATIOS` of the one drawn.
    """

    terrain: Map
    path: Sequence[Sequence[Fit]]
    here: int

    @property
    def now(self) -> Sequence[Fit]:
        """The minima at this lambda."""
        return self.path[self.here]


@dataclass(frozen=True, eq=False)
class TwoFeatures(PairPicture[Minima]):
    """Draw the minima of a method on two features, and the way of the lowest one as lambda falls.

    The table has a row for every lambda that is followed.

    Parameters
    ----------
    method : str
    ratio : float
        lambda / lambda_max; the nearest of those that are followed is drawn.
    parameters : mapping, optional
        Of the method's penalty, by name; defaults otherwise.
    pair : FeaturePair, optional
    ground : {"loss and ball", "objective"}
        What the level lines are of.
    """

    _: KW_ONLY
    ground: Ground = option(GROUNDS[0], titles={ground: ground for ground in GROUNDS}, looks=True)

    name, chart = "two_features", "plane"

    def needs(self) -> dict[str, PairLoss | PairMinima]:
        return {"terrain": PairLoss(self.two), "path": PairMinima(self.two, self.method, self.settings)}

    def result(self, needed: Mapping[str, Any]) -> Minima:
        here = int(np.abs(np.log(np.array(RATIOS) / self.ratio)).argmin())
        return Minima(needed["terrain"], needed["path"], here)

    def rows(self, found: Minima) -> pd.DataFrame:
        return minima_table(self.two.names, found.path)

    def words(self, found: Minima) -> Words:
        best, n, ratio = found.now[0].weights, len(found.now), RATIOS[found.here]
        kept = f"{kept_of_two(self.two.names, best)}: weights {best[0]:.2g} and {best[1]:.2g}"
        many = f"{self.under.title} has {n} minima; the lowest keeps {kept}"
        return self.worded(
            many if n > 1 else f"{self.under.title} keeps {kept}",
            f"{self.under.title}, λ = {short(ratio)} λ_max",
            ratio,
            "dotted: the lowest minimum as λ falls",
        )

    def drawing(self, found: Minima, words: Words) -> go.Figure:
        lam = self.two.training.lam_at(RATIOS[found.here]) if self.ground == "objective" else None
        return minima_plane(
            found.terrain, self.two.names, found.path, found.here, self.method, self.penalty, words, lam
        )


def minima_table(names: Names, path: Sequence[Sequence[Fit]]) -> pd.DataFrame:
    """A row for each of `RATIOS`: how many minima there are, and the lowest."""
    return pd.DataFrame(
        {
            "λ / λ_max": RATIOS,
            "minima": [len(found) for found in path],
            names[0]: [float(found[0].weights[0]) for found in path],
            f"{names[1]} ": [float(found[0].weights[1]) for found in path],
            "objective": [found[0].result.objective for found in path],
        }
    )
