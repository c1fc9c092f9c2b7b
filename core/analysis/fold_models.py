"""Models of a fold, one and along a path, with the fold that they are fitted on and judged by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.analysis.evaluation import Judgement
from core.analysis.features.rules import Rules
from core.analysis.path import PathPoint
from core.data import Convention, Fold
from core.methods import Fit


@dataclass(frozen=True, eq=False)
class FoldModel:
    """A fitted model with the fold that it was fitted on.

    Attributes
    ----------
    fit : Fit
        Weights, objective, certificate and trace, as the solver left them.
    fold : Fold
    judgement : Judgement
        Its measures on every part.
    convention : {"standard", "letor3", "letor4"}
        Of these measures.
    rules : Rules or None
        Rules for features under which it was fitted.
    """

    fit: Fit
    fold: Fold
    judgement: Judgement
    convention: Convention
    rules: Rules | None = field(default=None, kw_only=True)


@dataclass(frozen=True, eq=False)
class FoldPath:
    """The models of one method from the empty one at lambda_max downwards.

    Attributes
    ----------
    points : tuple of PathPoint, at least one
        Falling in lambda.
    fold : Fold
    convention : {"standard", "letor3", "letor4"}
    rules : Rules or None
        Rules for features under which they were fitted.
    """

    points: tuple[PathPoint, ...]
    fold: Fold
    convention: Convention
    rules: Rules | None = field(default=None, kw_only=True)

    @property
    def method(self) -> str:
        """Id of the method."""
        return self.points[0].fit.method


def one_fold(models: Sequence[FoldModel] | Sequence[FoldPath]) -> tuple[Fold, Convention]:
    """Return the fold and convention of models or paths that stand in one picture.

    Raises
    ------
    ValueError
        If there is none, or they are not of one fold under one convention.
    """
    if not models or len({(one.fold.train.fingerprint, one.convention) for one in models}) > 1:
        what = "model" if models and isinstance(models[0], FoldModel) else "path"
        msg = f"give one {what} or more, all of one fold and under one convention"
        raise ValueError(msg)
    return models[0].fold, models[0].convention
