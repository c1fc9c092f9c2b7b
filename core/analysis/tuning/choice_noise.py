"""Noise of a choice: the choice repeated on validation queries drawn with replacement.

The validation curve is nearly flat, so the chosen C depends on which queries happen to be in the validation part. Every
model of a path is measured query by query anyway, so choosing again costs no fit.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from core.analysis.choosing import (
    FEWEST_QUERIES,
    NOT_KNOWN,
    RULES,
    ChoiceRule,
    ChoiceTable,
    Middle,
    no_validation_part,
)
from core.analysis.evaluation import FloatArray, FoldJudge, Judgement
from core.analysis.ingredient import made_at_once
from core.analysis.path import PathPoint, measured_by
from core.data import Convention, Fold
from core.data.division import draw_seed, query_order
from core.data.ranking_data import IntArray
from core.methods import Fit
from core.metrics import Measure

RESAMPLES = 500
_FEW_DRAWS = 30


@dataclass(frozen=True)
class ByChoice:
    """A quantity of the chosen model, over the choices on resampled validation queries.

    Attributes
    ----------
    deviation : float
        Standard deviation over the choices, shown as "± by choice".
    deviation_error : float
        Monte Carlo standard error of ``deviation``: what another draw of as many resamples would change it by.
    """

    mean: float
    deviation: float
    deviation_error: float = 0.0

    @classmethod
    def of(cls, values: ArrayLike) -> Self:
        """Compute it from one value a choice, at least one."""
        x = np.asarray(values, dtype=np.float64)
        mean = float(x.mean())
        if np.ptp(x) == 0.0:
            return cls(mean, 0.0)
        deviation = float(x.std(ddof=1))
        if len(x) < _FEW_DRAWS:  # too few to tell the shape of their distribution: as of normal ones
            unbiased = math.sqrt(2.0 / (len(x) - 1)) * math.exp(math.lgamma(len(x) / 2) - math.lgamma((len(x) - 1) / 2))
            return cls(mean, deviation, deviation * math.sqrt(1.0 - unbiased**2))
        variance_error = np.sqrt(np.mean(((x - mean) ** 2 - deviation**2) ** 2) / len(x))
        return cls(mean, deviation, float(variance_error / (2.0 * deviation)))


@dataclass(frozen=True, eq=False)
class ChoiceNoise:
    """The choices of a rule on resampled validation queries.

    Attributes
    ----------
    chosen : int
        Position of the model that the rule chooses on the validation part itself.
    drawn : ndarray of int, shape (n_resamples,)
        Positions of the models that the rule chooses on the resampled parts.
    """

    rule: ChoiceRule
    chosen: int
    drawn: IntArray

    @cached_property
    def places(self) -> IntArray:
        """Positions of the models that some choice takes, including the chosen one, ascending; shape (n_taken,)."""
        return np.unique(np.append(self.drawn, self.chosen))

    @property
    def shares(self) -> FloatArray:
        """Share of the choices that take each of `places`, shape (n_taken,); the shares sum to 1."""
        return np.asarray((self.drawn[:, None] == self.places).mean(axis=0))

    def over(self, values: ArrayLike) -> ByChoice:
        """Compute mean and deviation of a quantity over the choices.

        Parameters
        ----------
        values : array-like, shape (n_models,)
            One value a model; models that no choice takes may have NaN.
        """
        return ByChoice.of(np.asarray(values, dtype=np.float64)[self.drawn])


def choice_noise(table: ChoiceTable, rule: ChoiceRule, seed: int, n_resamples: int = RESAMPLES) -> ChoiceNoise | None:
    """Choose on the validation part, and again on resamples of its queries.

    Returns None where `NOT_KNOWN` holds: resamples of few queries, or of some in which all models are alike, hardly
    differ, which does not mean certainty.

    Parameters
    ----------
    seed : int
        From `core.data.division.draw_seed`, so that methods that choose on the same part see the same resamples.
    """
    if table.values.shape[1] < FEWEST_QUERIES or (len(table.values) > 1 and not np.ptp(table.values, axis=0).any()):
        return None
    return ChoiceNoise(rule, table.choose(rule), table.resampled(n_resamples, rule, seed=seed))


def choice_table(fits: Sequence[Fit], judge: FoldJudge, measure: str, part: str = "vali") -> ChoiceTable:
    """Make the table from which a model of a path, or of several paths, is chosen; its queries are in `query_order`.

    Raises a `DataError` if the fold has no such part, and a `ValueError` if there is no such measure.

    Parameters
    ----------
    judge : FoldJudge
        The judge of their fold.
    measure : str
        ``"MAP"``, ``"NDCG@10"``, ...
    part : str
        That chooses.
    """
    if part not in judge.fold.parts():
        raise no_validation_part()
    order = query_order(judge.fold.parts()[part])
    return ChoiceTable(
        values=np.array([judge.per_query(fit.weights, part, measure)[order] for fit in fits]),
        lams=np.array([fit.lam for fit in fits]),
        sizes=np.array([fit.result.nonzero for fit in fits]),
        settings=[tuple(fit.parameters.items()) for fit in fits],
    )


REPORTED = ("MAP", "NDCG@10", "Top")


@dataclass(frozen=True, eq=False)
class PathNoise:
    """The noise of a choice along a path, in the quantities that people ask for.

    Attributes
    ----------
    noise : ChoiceNoise
        Its positions are those of the points.
    c : tuple of float
        5 %, 50 % and 95 % quantile of the chosen C.
    reported : dict of str to ByChoice
        MAP, NDCG@10, Top and the measure that chose, of ``part``.
    part : str
        "test", or "vali" if there is no test part.
    """

    noise: ChoiceNoise
    c: tuple[float, float, float]
    n_features: ByChoice
    reported: dict[str, ByChoice]
    part: str

    def record(self) -> dict[str, Any]:
        """Return the record that ``fit --json`` prints."""
        low, middle, high = self.c
        return {
            "resamples": len(self.noise.drawn),
            "C": {"5 %": low, "median": middle, "95 %": high},
            "nonzero": asdict(self.n_features),
            self.part: {measure: asdict(found) for measure, found in self.reported.items()},
        }


@dataclass(frozen=True, eq=False)
class PathChoice:
    """The choice of a rule among the models of a path.

    Attributes
    ----------
    chosen : int
        Position of its point.
    noise : PathNoise or None
        None where it is unknown; `core.analysis.choosing.NOT_KNOWN` says why.
    middle : Middle or None
        Of the rule "average": what its own draw of bootstraps leaves open.
    """

    rule: ChoiceRule
    chosen: int
    noise: PathNoise | None
    middle: Middle | None = None

    @classmethod
    def of(
        cls,
        table: ChoiceTable,
        rule: ChoiceRule,
        fits: Sequence[Fit],
        judge: FoldJudge,
        measure: str,
        judgement: Callable[[int], Judgement],
    ) -> Self:
        """Choose among the rows of a table, and again on resampled validation queries.

        Only models that some choice takes are measured.

        Parameters
        ----------
        fits : sequence of Fit
            The models of the rows.
        judge : FoldJudge
            Of their fold.
        measure : str
            That chooses.
        judgement : callable
            Returns the metrics of the fit at a position, with the measure that chooses.
        """
        assert judge.fold.vali is not None
        chosen, middle = table.choose(rule), table.averaged if rule == "average" else None
        noise = choice_noise(table, rule, draw_seed(judge.fold.vali))
        if noise is None:
            return cls(rule, chosen, None, middle)
        part = "test" if judge.fold.test is not None else "vali"
        taken = {place: judgement(place).metrics[part] for place in noise.places.tolist()}

        def over(name: str) -> ByChoice:
            values = np.full(len(fits), np.nan)
            values[list(taken)] = [metrics[name] for metrics in taken.values()]
            return noise.over(values)

        reported = {name: over(name) for name in dict.fromkeys((*REPORTED, str(Measure.parse(measure))))}
        low, half, high = np.quantile([fits[i].c for i in noise.drawn.tolist()], [0.05, 0.5, 0.95]).tolist()
        kept = noise.over([fit.result.nonzero for fit in fits])
        return cls(rule, chosen, PathNoise(noise, (low, half, high), kept, reported, part), middle)

    def record(self) -> dict[str, Any]:
        """Return the record that ``fit --json`` prints."""
        middle = {} if self.middle is None else {"average": self.middle.record()}
        return {"rule": self.rule} | middle | ({"resamples": 0} if self.noise is None else self.noise.record())


def path_choice(points: Sequence[PathPoint], judge: FoldJudge, measure: str, rule: ChoiceRule = "best") -> PathChoice:
    """Choose along a path, and again on resampled validation queries.

    Raises a `DataError` if the fold has no validation part, and a `ValueError` if there is no such measure or rule, or
    no model.

    Parameters
    ----------
    points : sequence of PathPoint
        Points with metrics, of one path or of several.
    judge : FoldJudge
        Of their fold.
    measure : str
        The measure to choose by.
    """
    fits = [point.fit for point in points]

    def judgement(place: int) -> Judgement:
        [point] = measured_by([points[place]], judge, measure)
        return point.judgement

    return PathChoice.of(choice_table(fits, judge, measure), rule, fits, judge, measure, judgement)


@dataclass(frozen=True, eq=False)
class NoisyPath:
    """A path with the noise of its choice.

    Attributes
    ----------
    points : sequence of PathPoint
        With the measure that chooses.
    noise : mapping
        By rule; its positions are those of the points.
    """

    points: Sequence[PathPoint]
    noise: Mapping[ChoiceRule, PathNoise]


@made_at_once("Resampling queries")
def noise_by_rule(points: Sequence[PathPoint], fold: Fold, convention: Convention, measure: str) -> NoisyPath:
    """Repeat the choice along a path on resampled validation queries, by every rule.

    Raises a `ValueError` if the validation part is a single list, which cannot be resampled.
    """
    judge = FoldJudge(fold, convention)
    points, noise = measured_by(points, judge, measure), {}
    for rule in RULES:
        found = path_choice(points, judge, measure, rule).noise
        if found is None:
            raise ValueError(NOT_KNOWN)
        noise[rule] = found
    return NoisyPath(points, noise)
