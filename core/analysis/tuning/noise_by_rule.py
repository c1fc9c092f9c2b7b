"""The noise of the choice along a path by every rule, as a result that pictures share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.analysis.choosing import NOT_KNOWN, RULES, ChoiceRule
from core.analysis.evaluation import FoldJudge
from core.analysis.ingredient import AtOnce
from core.analysis.path import PathPoint, measured_by
from core.analysis.tuning.choice_noise import PathNoise, path_choice
from core.data import Convention, Fold


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


@dataclass(frozen=True)
class NoiseByRule(AtOnce[NoisyPath]):
    """The choice along a path on resampled validation queries, by every rule."""

    points: Sequence[PathPoint]
    fold: Fold
    convention: Convention
    measure: str

    what = "Resampling queries"

    def result(self, run: None) -> NoisyPath:
        """Choose again.

        Raises
        ------
        ValueError
            If the validation part is a single list, which cannot be resampled.
        """
        judge = FoldJudge(self.fold, self.convention)
        points, noise = measured_by(self.points, judge, self.measure), {}
        for rule in RULES:
            found = path_choice(points, judge, self.measure, rule).noise
            if found is None:
                raise ValueError(NOT_KNOWN)
            noise[rule] = found
        return NoisyPath(points, noise)
