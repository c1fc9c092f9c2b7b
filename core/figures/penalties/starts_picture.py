"""The picture of the minima in which fits of two features from random starts end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.analysis.penalties.pair import PairLoss, PairStarts
from core.analysis.penalties.several_starts import Minimum
from core.analysis.penalties.two_features import Map
from core.data.ranking_data import FloatArray
from core.figures.look.style import certificate_label
from core.figures.penalties.pair_picture import PairPicture, kept_of_two
from core.figures.penalties.two_features import add_starts, letters, objective_plane
from core.figures.picture import Words, option
from core.names.numbers import short

MOST_COUNTS = 6  # more would not be read


@dataclass(frozen=True, eq=False)
class StartsAndMinima:
    """Starts, and the minima in which they end.

    Attributes
    ----------
    terrain : Map
    starts : ndarray, shape (n_starts, 2)
    minima : sequence of Minimum
        Lowest first.
    """

    terrain: Map
    starts: FloatArray
    minima: Sequence[Minimum]


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
        if self.n < 1:
            msg = f"there is at least one start, not {self.n}"
            raise ValueError(msg)

    def needs(self) -> dict[str, PairLoss | PairStarts]:
        starts = PairStarts(self.two, self.method, self.settings, self.ratio, self.n, self.seed)
        return {"terrain": PairLoss(self.two), "starts": starts}

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
        sentence = starts_sentence(self.under.title, found.minima, self.n)
        return self.worded(sentence, f"{self.n} starts, {self.under.title}", self.ratio, "dark: low objective")

    def drawing(self, found: StartsAndMinima, words: Words) -> go.Figure:
        lam = self.two.training.lam_at(self.ratio)
        figure = objective_plane(found.terrain, self.penalty, lam, self.two.names, self.method, words)
        add_starts(figure, found.starts, found.minima, self.method)
        return figure


def starts_sentence(title: str, minima: Sequence[Minimum], n: int) -> str:
    """Say in how many minima the starts end, and how many in each."""
    if len(minima) == 1:
        return f"{title}: all {n} starts end in the same minimum"
    counts = f" ({', '.join(str(len(m.starts)) for m in minima)})" if len(minima) <= MOST_COUNTS else ""
    return f"{title}: {n} starts end in {len(minima)} different minima{counts}"


def certificate_of(minimum: Minimum) -> str:
    """Write the certificate of a minimum in a few words."""
    certificate = minimum.fit.result.certificate
    label = certificate_label(certificate.kind, certificate.share_of, certificate.among)
    return f"{label}: {short(certificate.relative)}"
