"""The picture of a race of a method's solvers, finished or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, MISSING, dataclass
from functools import cached_property
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.analysis.certified_optimum import CertifiedOptimum, Optimum
from core.analysis.convergence_rates import rate_of
from core.analysis.endings import reason_words
from core.analysis.fit_keywords import rules_of
from core.analysis.ingredient import Ingredient
from core.analysis.solver_race import Raced, SolversRace, Standing, standings
from core.figures.fit.convergence import HORIZONTAL, VERTICAL, Horizontal, Vertical
from core.figures.fit.curves_picture import CurvesPicture
from core.figures.fit.fitting_picture import FittingPicture
from core.figures.fit.race import race_curves, race_sentence, tolerance
from core.figures.fit.words import exact_words
from core.figures.look.style import CERTIFICATES
from core.figures.picture import Words, aside, option, said
from core.methods import Method
from core.methods.families import model_title
from core.names.numbers import short


@dataclass(frozen=True, eq=False)
class RaceResult:
    """A race, and what is known of the optimum.

    Attributes
    ----------
    raced : Raced
    optimum : Optimum
    """

    raced: Raced
    optimum: Optimum


@dataclass(frozen=True, eq=False)
class RacePicture(CurvesPicture, FittingPicture[RaceResult]):
    """Let every solver of a method solve the same problem to the same tolerance, and draw their ways.

    The table has a row a solver, in the order in which they reached the tolerance.

    Parameters
    ----------
    fold : Fold
    method : str or Method
    C : float
    seconds : float
        That each may take.
    against, quantity, log_across, log_up, slopes : optional
        As for `convergence`; without a certified optimum the lowest value of the race stands in.
    tol : float, optional
        To which they race.
    parameters, rules, convention : optional
        As for `core.fit`.
    off, must, helps, hurts, costs : optional
        Rules one by one, as for `core.fit`.

    Raises
    ------
    ValueError
        If an option cannot be used.
    """

    _: KW_ONLY
    C: float = option(MISSING)
    seconds: float = option(10.0)
    against: Horizontal = option("seconds", titles={name: name for name in HORIZONTAL}, looks=True)
    quantity: Vertical = option("certificate", titles={name: name for name in VERTICAL})
    log_across: bool = option(True, looks=True)
    headed: bool = aside(False)

    name = "race"

    def subject(self) -> str:
        return f"Race of the solvers of {self.under.title}"

    @property
    def race(self) -> SolversRace:
        """The race itself."""
        return SolversRace(self.fold, self.method, self.keywords, float(self.C), float(self.seconds))

    @cached_property
    def optimum(self) -> CertifiedOptimum:
        """The optimum that they race to."""
        under = self.under
        settings = under.settings(self.given)
        training = self.training or under.training(self.fold.train, settings, self.convention)
        rules = rules_of(self.keywords).by_column(self.fold.train.feature_names)
        return CertifiedOptimum(training, under.id, training.lam_of(self.C), settings, rules)

    def needs(self) -> dict[str, Ingredient[Any]]:
        race: dict[str, Ingredient[Any]] = {"race": self.race}
        return race | ({"optimum": self.optimum} if self.quantity == "suboptimality" else {})

    def result(self, needed: Mapping[str, Any]) -> RaceResult:
        return RaceResult(needed["race"], needed.get("optimum", Optimum()))

    def standings(self, found: RaceResult) -> list[Standing]:
        """The solvers in their order."""
        return standings(self.under, found.raced.fits)

    def rows(self, found: RaceResult) -> pd.DataFrame:
        return race_table(self.under, self.standings(found))

    def words(self, found: RaceResult) -> Words:
        known, raced, under = self.standings(found), found.raced, self.under
        sentence = race_sentence(known, raced.tol, raced.limit)
        kind = CERTIFICATES[known[0].certificate.kind]
        at = "" if self.where else f"C = {short(self.C)}"
        what = said(
            self.where or self.fold.name,
            model_title(under, under.settings(self.given)),
            at,
            f"to a {kind} of {tolerance(raced.tol)}, {raced.limit:g} s each at most",
            self._reference(found.optimum),
        )
        return Words(what, "", sentence) if self.headed else Words(sentence, what, sentence)

    def _reference(self, optimum: Optimum) -> str:
        if self.quantity != "suboptimality":
            return ""
        if optimum.certificate is None:
            return "the optimum is the lowest value of this race: no bound of it is known"
        return f"the optimum is {exact_words(optimum.certificate.relative)}"

    def drawing(self, found: RaceResult, words: Words) -> go.Figure:
        figure = self.curves(race_curves(self.standings(found), found.optimum.bound), words)
        if self.quantity == "certificate":
            dotted = {"width": 1, "dash": "dot", "color": "rgba(128,128,128,0.8)"}
            figure.add_hline(y=found.raced.tol, line=dotted)
        return figure


def race_table(method: Method, known: Sequence[Standing]) -> pd.DataFrame:
    """A row a solver, in the order of the standings."""
    return pd.DataFrame(
        [
            {
                "solver": standing.solver.title,
                "reached the tolerance": standing.reached,
                "seconds": standing.seconds,
                "steps": standing.steps,
                "passes over X": standing.fit.result.passes,
                "certificate": standing.certificate.relative,
                "kind": standing.certificate.kind,
                "objective": standing.fit.result.objective,
                "features": standing.fit.result.nonzero,
                "ended": reason_words(standing.fit.result),
                "in theory": rate_of(method, standing.solver).order,
            }
            for standing in known
        ]
    )
