"""The picture of a race of a method's solvers, finished or not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, MISSING, dataclass
from functools import cached_property
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.analysis.convergence import Optimum, certified_optimum, rate_of
from core.analysis.endings import reason_words
from core.analysis.fit_keywords import rules_of
from core.analysis.ingredient import Ingredient
from core.analysis.solver_race import Raced, SolversRace, Standing, standings
from core.figures.fit.convergence import HORIZONTAL, VERTICAL, Curve, CurvesPicture, Horizontal, Vertical
from core.figures.fit.picture import exact_words
from core.figures.look.style import CERTIFICATES, seconds
from core.figures.of_paths import FittingPicture
from core.figures.path.path import listed
from core.figures.picture import Words, option, said
from core.methods import Method
from core.methods.registry import model_title
from core.names.numbers import short

SAME_OBJECTIVE = 1e-4
"""Solvers whose objectives differ by a smaller share have found the same model, as far as the sentence goes."""


def race_curves(standings: Sequence[Standing], optimum: float | None) -> list[Curve]:
    """Make a curve of every solver, in the order of the standings.

    ``optimum`` is a certified lower bound of the objective; without one, the lowest value of the race stands in.
    """
    lowest = min((standing.fit.result.objective for standing in standings), default=None)
    known = lowest if optimum is None else optimum
    return [
        Curve(one.solver.title, one.fit.method, one.fit.result.trace, _ending(one), known, one.solver.id)
        for one in standings
    ]


def _ending(standing: Standing) -> str:
    """In few words: they stand in a legend."""
    steps = f"{standing.steps:,} step{'' if standing.steps == 1 else 's'}"
    if standing.reached:
        return f"{steps}, {seconds(standing.seconds)}"
    found = standing.certificate
    how_far = f"{CERTIFICATES[found.kind]} {short(found.relative)}"
    return f"{how_far}, {steps}" if standing.running else f"{how_far} after {seconds(standing.seconds)}"


def race_sentence(standings: Sequence[Standing], tol: float, limit: float) -> str:
    """Say who reached the tolerance first and who took the fewest steps; while solvers run, only who is there.

    ``tol`` is the relative certificate that they race to, and ``limit`` the seconds that each may take.
    """
    if not standings:
        return "The race has not begun"
    words = _race_words(standings, f"a {_kind(standings)} of {tolerance(tol)}", limit)
    return f"{words[:1].upper()}{words[1:]}"


def tolerance(tol: float) -> str:
    """Write a tolerance in short: 1e-6."""
    return short(tol).replace(".0e", "e")


def _race_words(standings: Sequence[Standing], goal: str, limit: float) -> str:
    there = [standing for standing in standings if standing.reached]
    running = sum(standing.running for standing in standings)
    if running:
        arrived = f"{_names(there)} reached {goal}" if there else f"No solver has reached {goal} yet"
        return f"{arrived}; {running} of {len(standings)} solvers are still running"
    if not there:
        nearest = standings[0]
        left = f"{CERTIFICATES[nearest.certificate.kind]} {short(nearest.certificate.relative)}"
        return f"No solver reached {goal}{_within(standings, limit)}; nearest: {nearest.solver.title}, {left}"
    if len(there) == 1:
        only, sole = there[0], len(standings) == 1
        words = f"{only.solver.title} reached {goal} in {seconds(only.seconds)} and {only.steps:,} steps"
        return words if sole else f"Only {words}{_others(standings, there, limit)}"
    fast = _firsts(there, lambda standing: seconds(standing.seconds), lambda standing: standing.seconds)
    few = _firsts(there, lambda standing: str(standing.steps), lambda standing: standing.steps)
    first = f"{_names(fast)} reached {goal} first, in {seconds(fast[0].seconds)}"
    by_steps = "; also in" if fast == few else f"; {_names(few)} took"
    fewest = f"{by_steps} the fewest steps, {few[0].steps:,}"
    return f"{first}{fewest}{_others(standings, there, limit)}{_apart(there)}"


def _kind(standings: Sequence[Standing]) -> str:
    return " or ".join(sorted({CERTIFICATES[standing.certificate.kind] for standing in standings}))


def _names(standings: Sequence[Standing]) -> str:
    return listed([standing.solver.title for standing in standings])


def _firsts(
    standings: Sequence[Standing], shown: Callable[[Standing], str], value: Callable[[Standing], float]
) -> list[Standing]:
    """The least, with all that look the same where they are printed."""
    least = shown(min(standings, key=value))
    return [standing for standing in standings if shown(standing) == least]


def _others(standings: Sequence[Standing], there: Sequence[Standing], limit: float) -> str:
    late = [standing for standing in standings if standing not in there]
    return f"; {len(late)} of {len(standings)} did not{_within(late, limit)}" if late else ""


def _within(late: Sequence[Standing], limit: float) -> str:
    """The limit, where nothing else has ended them."""
    return f" within {limit:g} s" if all(standing.fit.result.stop == "time limit" for standing in late) else ""


def _apart(there: Sequence[Standing]) -> str:
    """That solvers have ended at different models, as they may where a problem is not convex."""
    objectives = [standing.fit.result.objective for standing in there]
    low, high = min(objectives), max(objectives)
    if high - low <= SAME_OBJECTIVE * abs(low):
        return ""
    return f"; their models differ, objectives {low:.5g} to {high:.5g}"


@dataclass(frozen=True, eq=False)
class RaceResult:
    """A race, and what is known of the optimum."""

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

    name = "race"
    topic = "Race of the solvers of {0.under.title}"

    @property
    def race(self) -> SolversRace:
        return SolversRace(self.fold, self.method, self.keywords, float(self.C), float(self.seconds))

    @cached_property
    def optimum(self) -> Ingredient[Optimum]:
        """The optimum that they race to."""
        under = self.under
        settings = under.settings(self.given)
        training = self.training or under.training(self.fold.train, settings, self.convention)
        rules = rules_of(self.keywords).by_column(self.fold.train.feature_names)
        return certified_optimum.of(training, under.id, training.lam_of(self.C), settings, rules)

    def needs(self) -> dict[str, Ingredient[Any]]:
        race: dict[str, Ingredient[Any]] = {"race": self.race}
        return race | ({"optimum": self.optimum} if self.quantity == "suboptimality" else {})

    def result(self, needed: Mapping[str, Any]) -> RaceResult:
        return RaceResult(needed["race"], needed.get("optimum", Optimum()))

    def standings(self, found: RaceResult) -> list[Standing]:
        return standings(self.under, found.raced.fits)

    def rows(self, found: RaceResult) -> pd.DataFrame:
        return race_table(self.under, self.standings(found))

    def words(self, found: RaceResult) -> Words:
        known, raced, under = self.standings(found), found.raced, self.under
        sentence = race_sentence(known, raced.tol, raced.limit)
        kind = CERTIFICATES[known[0].certificate.kind]
        at = "" if self.where else f"C = {short(self.C)}"
        what = said(
            self.where_words,
            model_title(under, under.settings(self.given)),
            at,
            f"to a {kind} of {tolerance(raced.tol)}, {raced.limit:g} s each at most",
            self._reference(found.optimum),
        )
        return self.titled(sentence, what, what)

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
        {"solver": one.solver.title, "reached the tolerance": one.reached, "seconds": one.seconds, "steps": one.steps}
        | {"passes over X": one.fit.result.passes}
        | {"certificate": one.certificate.relative, "kind": one.certificate.kind}
        | {"objective": one.fit.result.objective, "features": one.fit.result.nonzero}
        | {"ended": reason_words(one.fit.result), "in theory": rate_of(method, one.solver).order}
        for one in known
    )
