"""A model that the validation part has chosen, with all that it was chosen among."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from core.analysis.choosing import ChoiceRule, ChoiceTable
from core.analysis.evaluation import FoldJudge, Judgement
from core.analysis.tuning.choice_noise import (
    PathChoice,
    choice_table,
)
from core.analysis.tuning.grid_end import GridEnd, Widening, end_among
from core.analysis.tuning.tuning import chosen_among
from core.methods import Fit
from core.metrics import Measure


@dataclass(frozen=True, eq=False)
class Tuned:
    """The choice of a rule among the fits of every setting and lambda tried.

    Attributes
    ----------
    fits : sequence of Fit
        Setting by setting, each at falling lambda.
    judge : FoldJudge
        Of their fold.
    measure : str
        That chooses, in its usual spelling.
    rule : {"best", "one-se", "average"}
    tried : mapping
        Values, by name, of the parameters that are chosen with lambda.
    table : ChoiceTable
        A row a fit.
    chosen : int
        Position of the fit that is chosen.
    widening : Widening or None
        How far the grid was widened; None where it was not to be.
    """

    fits: Sequence[Fit]
    judge: FoldJudge
    measure: str
    rule: ChoiceRule
    tried: Mapping[str, tuple[float, ...]]
    table: ChoiceTable
    chosen: int
    widening: Widening | None = None

    @classmethod
    def of(
        cls,
        fits: Sequence[Fit],
        judge: FoldJudge,
        measure: str,
        rule: ChoiceRule,
        tried: Mapping[str, tuple[float, ...]],
    ) -> Tuned:
        """Measure all fits on the validation part, and choose.

        Raises
        ------
        DataError
            If the fold has no validation part.
        ValueError
            If there is no such measure or rule, or no fit.
        """
        table = choice_table(fits, judge, measure)
        return cls(fits, judge, str(Measure.parse(measure)), rule, tried, table, table.choose(rule))

    @property
    def fit(self) -> Fit:
        """The fit that is chosen."""
        return self.fits[self.chosen]

    @property
    def values(self) -> list[float]:
        """The measure of every fit on the validation part, in expectation over the orders of tied documents."""
        return [float(row.mean()) for row in self.table.values]

    @property
    def seconds(self) -> float:
        """Solver time of all fits."""
        return sum(fit.result.seconds for fit in self.fits)

    @property
    def grid_end(self) -> GridEnd | None:
        """The end of the grid of lambda at which the choice lies; None inside it."""
        return end_among(self.fits, self.fit)

    def judgement(self, place: int) -> Judgement:
        """Measure a fit on every part, also by the measure that chooses."""
        weights = self.fits[place].weights
        return self.judge.with_measure(self.judge.judgement(weights), weights, self.measure)

    @property
    def choice(self) -> PathChoice:
        """The choice, with its noise in the quantities that people ask for."""
        return PathChoice.of(self.table, self.rule, self.fits, self.judge, self.measure, self.judgement)

    def grid_record(self) -> dict[str, Any]:
        """Return the ends of the grid of lambda, and at which of them the choice lies."""
        lams = [fit.lam for fit in self.fits if fit.parameters == self.fit.parameters]
        widened = {} if self.widening is None else {"widened": self.widening.record(self.grid_end)}
        return {"largest": max(lams), "smallest": min(lams), "end": self.grid_end} | widened

    def record(self) -> dict[str, Any]:
        """Return the record that ``fit --json`` prints."""
        return {
            "measure": self.measure,
            "vali": self.values[self.chosen],
            "points": len(self.fits) // prod(len(values) for values in self.tried.values()),
            "grid": self.grid_record(),
            "seconds": self.seconds,
            "choice": self.choice.record(),
        } | chosen_among(self.tried, self.fit.parameters)


def end_of_choice(fits: Sequence[Fit], judge: FoldJudge, measure: str, rule: ChoiceRule) -> GridEnd | None:
    """Return the end of its grid at which the choice of a rule among fits lies; None inside it."""
    return end_among(fits, fits[choice_table(fits, judge, measure).choose(rule)])
