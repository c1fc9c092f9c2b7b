"""The pictures of a method's minima on two features: as lambda falls, and as fits from random starts find them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.analysis.ingredient import Ingredient
from core.analysis.penalties.pair import pair_loss, pair_minima, pair_starts
from core.analysis.penalties.several_starts import Minimum
from core.analysis.penalties.two_features import RATIOS, Map
from core.data.ranking_data import FloatArray
from core.figures.look.style import certificate_label
from core.figures.penalties.two_features import (
    PairPicture,
    add_ball,
    add_point,
    add_starts,
    add_way,
    kept_of_two,
    letters,
    loss_plane,
    objective_plane,
    terrain_reach,
)
from core.figures.picture import Words, option, refuse
from core.methods import Fit
from core.names.numbers import short

Ground = Literal["loss and ball", "objective"]
GROUNDS: tuple[Ground, ...] = ("loss and ball", "objective")


@dataclass(frozen=True, eq=False)
class Minima:
    """The minima on two features."""

    terrain: Map
    path: Sequence[Sequence[Fit]]
    """Minima at each of `RATIOS`, lowest first."""
    here: int
    """Position among `RATIOS` of the one drawn."""

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

    def needs(self) -> dict[str, Ingredient[Any]]:
        return {"terrain": pair_loss.of(self.two), "path": pair_minima.of(self.two, self.method, self.settings)}

    def result(self, needed: Mapping[str, Any]) -> Minima:
        here = int(np.abs(np.log(np.array(RATIOS) / self.ratio)).argmin())
        return Minima(needed["terrain"], needed["path"], here)

    def rows(self, found: Minima) -> pd.DataFrame:
        """A row for each of `RATIOS`: how many minima there are, and the lowest."""
        names, path = self.two.names, found.path
        return pd.DataFrame(
            {
                "λ / λ_max": RATIOS,
                "minima": [len(fits) for fits in path],
                names[0]: [float(fits[0].weights[0]) for fits in path],
                f"{names[1]} ": [float(fits[0].weights[1]) for fits in path],
                "objective": [fits[0].result.objective for fits in path],
            }
        )

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
        """Draw the minima at this lambda, and the way of the lowest one as lambda falls.

        The level lines are the objective's, or the loss's with the penalty's ball.
        """
        lam = self.two.training.lam_at(RATIOS[found.here]) if self.ground == "objective" else None
        terrain, names, method = found.terrain, self.two.names, self.method
        best = found.now[0]
        if lam is None:
            figure = loss_plane(terrain, names, words)
            add_ball(figure, self.penalty, best.weights, terrain_reach(terrain), method)
        else:
            figure = objective_plane(terrain, self.penalty, lam, names, method, words)
        each = [f"λ = {short(r)} λ_max" for r in RATIOS]
        add_way(
            figure, np.array([fits[0].weights for fits in found.path]), method, "the lowest minimum as λ falls", each
        )
        for other in found.now[1:]:
            add_point(
                figure, other.weights, f"another minimum, objective {other.result.objective:.6g}", method, hollow=True
            )
        add_point(figure, best.weights, f"the lowest minimum, objective {best.result.objective:.6g}", method)
        return figure


MOST_COUNTS = 6  # more would not be read


@dataclass(frozen=True, eq=False)
class StartsAndMinima:
    """Starts, and the minima in which they end."""

    terrain: Map
    starts: FloatArray
    """Shape (n_starts, 2)."""
    minima: Sequence[Minimum]
    """Lowest first."""


@dataclass(frozen=True, eq=False)
class Starts(PairPicture[StartsAndMinima]):
    """Draw the minima in which fits from random starts end, on two features; the first start is zero.

    The table has a row a minimum.

    Parameters
    ----------
    method : str
    ratio : float
        lambda / lambda_max.
    n, seed : int
        Number of starts, and of their draw.
    parameters : mapping, optional
        Of the method's penalty, by name; defaults otherwise.
    pair : FeaturePair, optional
    """

    _: KW_ONLY
    n: int = option(25)
    seed: int = option(0)

    name = "starts"

    def check(self) -> None:
        super().check()
        refuse(self.n < 1, f"there is at least one start, not {self.n}")

    def needs(self) -> dict[str, Ingredient[Any]]:
        starts = pair_starts.of(self.two, self.method, self.settings, self.ratio, self.n, self.seed)
        return {"terrain": pair_loss.of(self.two), "starts": starts}

    def result(self, needed: Mapping[str, Any]) -> StartsAndMinima:
        return StartsAndMinima(needed["terrain"], *needed["starts"])

    def rows(self, found: StartsAndMinima) -> pd.DataFrame:
        """A row a minimum: how many starts end in it, and what it keeps."""
        minima = found.minima
        return pd.DataFrame(
            {
                "minimum": letters(len(minima)),
                "starts": [len(m.starts) for m in minima],
                "keeps": [kept_of_two(self.two.names, m.fit.weights) for m in minima],
                "objective": [f"{m.fit.result.objective:.6f}" for m in minima],
                "certificate": [certificate_of(m) for m in minima],
            }
        )

    def words(self, found: StartsAndMinima) -> Words:
        title, minima = self.under.title, found.minima
        counts = f" ({', '.join(str(len(m.starts)) for m in minima)})" if len(minima) <= MOST_COUNTS else ""
        sentence = f"{title}: {self.n} starts end in {len(minima)} different minima{counts}"
        if len(minima) == 1:
            sentence = f"{title}: all {self.n} starts end in the same minimum"
        return self.worded(sentence, f"{self.n} starts, {self.under.title}", self.ratio, "dark: low objective")

    def drawing(self, found: StartsAndMinima, words: Words) -> go.Figure:
        lam = self.two.training.lam_at(self.ratio)
        figure = objective_plane(found.terrain, self.penalty, lam, self.two.names, self.method, words)
        add_starts(figure, found.starts, found.minima, self.method)
        return figure


def certificate_of(minimum: Minimum) -> str:
    """Write the certificate of a minimum in a few words."""
    certificate = minimum.fit.result.certificate
    label = certificate_label(certificate.kind, certificate.share_of, certificate.among)
    return f"{label}: {short(certificate.relative)}"
