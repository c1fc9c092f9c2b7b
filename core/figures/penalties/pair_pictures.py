"""Pictures of two features: minima as lambda falls and from random starts, and rounds of reweighting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.analysis.ingredient import Ingredient
from core.analysis.penalties.pair import pair_loss, pair_minima, pair_rounds, pair_starts
from core.analysis.penalties.penalty_shape import Round
from core.analysis.penalties.several_starts import Minimum
from core.analysis.penalties.two_features import RATIOS, Map
from core.data.ranking_data import FloatArray
from core.figures.look.style import certificate_label
from core.figures.penalties.penalties import PenaltyCurve, majoriser_figure
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
from core.penalties import WeightedL1

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
        sentence = many if n > 1 else f"{self.under.title} keeps {kept}"
        brief = f"{self.under.title}, λ = {short(ratio)} λ_max"
        return self.worded(sentence, brief, ratio, "dotted: the lowest minimum as λ falls")

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


Look = Literal["plane", "tangents"]
CHARTS: Mapping[Look, str] = {"plane": "round_plane", "tangents": "majoriser"}


@dataclass(frozen=True, eq=False)
class Reweighted:
    """The rounds of reweighting on two features."""

    terrain: Map
    rounds: Sequence[Round]
    now: Round
    """The one drawn."""


@dataclass(frozen=True, eq=False)
class Reweighting(PairPicture[Reweighted]):
    """Draw a round of reweighting on two features: the weighted l1 problem in place of a non-convex penalty.

    The table has a row a round.

    Parameters
    ----------
    method : str
        With a non-convex penalty.
    ratio : float
        lambda / lambda_max.
    number : int
        Of the round, from 1.
    look : {"plane", "tangents"}
        The round's ball and answer on the plane of both weights, or the tangents of the penalty that it minimises.
    parameters : mapping, optional
        Of the method's penalty, by name; defaults otherwise.
    pair : FeaturePair, optional
    """

    _: KW_ONLY
    number: int = option(1)
    look: Look = option("plane", titles={"plane": "plane", "tangents": "tangents"}, looks=True)

    name = "reweighting"

    @property
    def chart_key(self) -> str:
        return CHARTS[self.look]

    def check(self) -> None:
        super().check()
        refuse(self.penalty.convex, f"{self.under.title} is convex: there is nothing to reweight")
        refuse(self.number < 1, f"rounds are counted from 1, not {self.number}")
        if not self.headed:  # the page's slider ends at the last round
            self.result({name: ingredient.made() for name, ingredient in self.needs().items()})

    def needs(self) -> dict[str, Ingredient[Any]]:
        rounds = pair_rounds.of(self.two, self.method, self.settings, self.ratio)
        return {"terrain": pair_loss.of(self.two), "rounds": rounds}

    def result(self, needed: Mapping[str, Any]) -> Reweighted:
        """Take the round; a ValueError says if there is none."""
        rounds = needed["rounds"]
        refuse(self.number > len(rounds), f"there are rounds 1 to {len(rounds)}, not {self.number}")
        return Reweighted(needed["terrain"], rounds, rounds[self.number - 1])

    def rows(self, found: Reweighted) -> pd.DataFrame:
        """A row a round of reweighting; an arrow stands at the one with the number."""
        rounds = found.rounds
        a, b = self.two.names
        return pd.DataFrame(
            {
                "": ["▶" if r.number == self.number else "" for r in rounds],
                "round": [r.number for r in rounds],
                f"β of {a}": [short(r.beta[0]) for r in rounds],
                f"β of {b} ": [short(r.beta[1]) for r in rounds],
                f"weight of {a}": [f"{r.weights[0]:.5f}" for r in rounds],
                f"weight of {b} ": [f"{r.weights[1]:.5f}" for r in rounds],
                "objective": [f"{r.objective:.8f}" for r in rounds],
            }
        )

    def words(self, found: Reweighted) -> Words:
        if self.look == "tangents":
            drawn = "solid and dashed: tangents at both weights before the round"
            return self.worded(self._sentence(found), "The penalty and its tangents", self.ratio, drawn)
        drawn = "shaded: the ball of the round's weighted ℓ1; dotted: the rounds so far"
        return self.worded(self._sentence(found), f"Round {self.number}: the weighted ℓ1 problem", self.ratio, drawn)

    def drawing(self, found: Reweighted, words: Words) -> go.Figure:
        if self.look == "plane":
            return self._plane(found, words)
        before = [] if self.number == 1 else [(f"w{k + 1}", abs(float(found.now.before[k]))) for k in (0, 1)]
        widest = 1.5 * max(float(np.abs([r.weights for r in found.rounds]).max()), 0.2)
        curve = PenaltyCurve(self.method, self.under.title, self.penalty)
        return majoriser_figure(curve, before, words, reach=widest)

    def _plane(self, found: Reweighted, words: Words) -> go.Figure:
        """Draw the round's weighted ball, its answer, and the rounds so far."""
        now, so_far, method = found.now, found.rounds[: self.number], self.method
        figure = loss_plane(found.terrain, self.two.names, words)
        add_ball(figure, WeightedL1(now.beta), now.weights, terrain_reach(found.terrain), method)
        trail = np.array([found.rounds[0].before, *(r.weights for r in so_far)])
        add_way(figure, trail, method, "rounds so far", ["start", *(f"round {r.number}" for r in so_far)])
        add_point(figure, now.weights, f"round {self.number}, objective {now.objective:.6g}", method)
        return figure

    def _sentence(self, found: Reweighted) -> str:
        now, names = found.now, self.two.names
        if now.number == 1:
            return f"Round 1 is plain ℓ1: every weight pays the same price, and the objective is {now.objective:.5g}"
        before = found.rounds[now.number - 2]
        for k in (0, 1):
            if before.weights[k] != 0.0 and now.weights[k] == 0.0:
                price = short(now.beta[k])
                return f"Round {now.number}: {names[k]} was so small that its price is high (β = {price}): it becomes 0"
        if now.number == len(found.rounds):
            return f"Round {now.number} changes nothing more: objective {now.objective:.5g}, a stationary point"
        fallen = before.objective - now.objective
        prices = f"{short(now.beta[0])} and {short(now.beta[1])}"
        return f"Round {now.number}: the prices are now {prices}; the objective falls by {short(fallen)}"
