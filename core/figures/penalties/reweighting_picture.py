"""The pictures of a round of reweighting: on the plane of two features, and as tangents of the penalty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.analysis.ingredient import Ingredient
from core.analysis.penalties.pair import pair_loss, pair_rounds
from core.analysis.penalties.penalty_shape import Round
from core.analysis.penalties.two_features import Map
from core.figures.penalties.penalties import PenaltyCurve, majoriser_figure
from core.figures.penalties.two_features import PairPicture, add_ball, add_point, add_way, loss_plane, terrain_reach
from core.figures.picture import Words, option, refuse
from core.names.numbers import short
from core.penalties import WeightedL1

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
        """Take the round.

        Raises
        ------
        ValueError
            If there is no such round.
        """
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
