"""What a model's problem has to offer besides it: the minima that other starts lead to, and how far they spread.

The model stays the one from the plain start, where the papers' Algorithm 2 begins (every weight of the penalty 1): only
so do C, chosen among such models, and the numbers of a table belong to one procedure. The others say what another start
would have given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.analysis.evaluation import FoldJudge
from core.analysis.fit_records import certificate_record
from core.analysis.fitting import Fitting
from core.analysis.penalties.several_starts import Minimum, StartsRun, random_starts
from core.methods import Fit, Method
from core.methods.refit import is_refitted
from core.names.counted import counted

SEED = 0


def depends_on_start(method: Method) -> bool:
    """Whether another start may give another model: where a non-convex penalty is reweighted."""
    return method.path_start == "l1"


def check_starts(method: Method) -> None:
    """Refuse a method of which no start changes the model.

    Raises
    ------
    ValueError
        With the reason.
    """
    if not depends_on_start(method):
        msg = f"{method.id} gives the same model from every start; several starts are for penalties such as log"
        raise ValueError(msg)


def starts_run(how: Fitting, fit: Fit, n: int) -> StartsRun:
    """Prepare fits of the problem of a model from ``n`` starts.

    The first is the model itself, fitted on until it is accurate. The others are random, with weights as large as its
    largest.

    Parameters
    ----------
    how : Fitting
        That gave the model.
    fit : Fit
        The model.

    Raises
    ------
    ValueError
        If no start can change the model.
    """
    check_starts(how.method)
    n_features = len(fit.weights)
    penalty = how.method.make_penalty(fit.parameters, fit.c)
    reach = np.full(n_features, float(np.abs(fit.weights).max(initial=0.0)) or 1.0)
    reach[np.isinf(penalty.curve(reach))] = 0.0  # features that are off
    signs = penalty.signs(n_features)
    starts = random_starts(n, np.where(signs > 0.0, 0.0, -reach), np.where(signs < 0.0, 0.0, reach), SEED)
    if not is_refitted(fit.parameters):  # its weights are not those of the stage that starts
        starts[0] = fit.weights
    return StartsRun(how.method, how.training, fit.lam, starts, fit.parameters, solver=how.solver)


@dataclass(frozen=True, eq=False)
class StartsSpread:
    """The minima from several starts, the model's among them.

    Attributes
    ----------
    minima : tuple of Minimum
        Lowest objective first; start 0 is the model.
    measured : tuple of mapping
        Measures of each on ``part``.
    part : str
        "test", or the last part that there is.
    """

    minima: tuple[Minimum, ...]
    measured: tuple[Mapping[str, float], ...]
    part: str

    @classmethod
    def of(cls, minima: Sequence[Minimum], judge: FoldJudge) -> StartsSpread:
        """Measure the minima."""
        metrics = [judge.metrics(minimum.fit.weights) for minimum in minima]
        part = "test" if judge.fold.test is not None else list(metrics[0])[-1]
        return cls(tuple(minima), tuple(found[part] for found in metrics), part)

    @property
    def n(self) -> int:
        """Number of starts."""
        return sum(len(minimum.starts) for minimum in self.minima)

    @property
    def model(self) -> int:
        """Number of the minimum, from 0 at the lowest, that the model is in."""
        return next(k for k, minimum in enumerate(self.minima) if 0 in minimum.starts)

    @property
    def above(self) -> float:
        """How far the model's objective lies above the lowest, as a share of the lowest."""
        lowest = self.minima[0].fit.result.objective
        return (self.minima[self.model].fit.result.objective - lowest) / lowest if lowest > 0.0 else 0.0

    def record(self) -> dict[str, Any]:
        """Return the record that ``fit --json`` prints."""
        return {
            "n": self.n,
            "seed": SEED,
            "distinct": len(self.minima),
            "model": self.model,
            "above": self.above,
            "part": self.part,
            "minima": [
                {
                    "objective": minimum.fit.result.objective,
                    "starts": len(minimum.starts),
                    "certificate": certificate_record(minimum.fit.result.certificate),
                    "nonzero": minimum.fit.result.nonzero,
                    "features": [
                        {"index": int(j) + 1, "weight": float(minimum.fit.weights[j])} for j in minimum.fit.selected
                    ],
                    **{name: float(values[name]) for name in SPREAD},
                }
                for minimum, values in zip(self.minima, self.measured, strict=True)
            ],
        }


SPREAD = ("MAP", "NDCG@10")


def starts_words(record: Mapping[str, Any]) -> str:
    """Say in a sentence how many different answers the starts gave, and how far they lie apart; of a record."""
    minima = record["minima"]
    if len(minima) == 1:
        return f"all {record['n']} starts end in the same minimum"
    kept = [minimum["nonzero"] for minimum in minima]
    spread = ", ".join(
        f"{record['part']} {name} {min(values):.4f} to {max(values):.4f}"
        for name in SPREAD
        for values in [[minimum[name] for minimum in minima]]
    )
    features = counted(kept[0], "feature") if len(set(kept)) == 1 else f"{min(kept)} to {max(kept)} features"
    own = (
        "the model is the lowest"
        if record["model"] == 0
        else f"the model, from the plain start, lies {100.0 * record['above']:.2g} % above the lowest"
    )
    return f"{record['n']} starts end in {len(minima)} different minima: {own}; {features}, {spread}"
