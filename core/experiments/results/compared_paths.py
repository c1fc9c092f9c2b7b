"""The methods of several paths compared with the first, with the choice of C by every rule included."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.analysis.choosing import ChoiceRule
from core.analysis.evaluation import FloatArray, FoldJudge
from core.analysis.tuning.noise_by_rule import NoisyPath
from core.experiments.results.choice_comparison import ChoiceComparison, compare_choices


def compare_paths(
    paths: Mapping[str, NoisyPath], judge: FoldJudge, measure: str
) -> dict[str, dict[ChoiceRule, ChoiceComparison]]:
    """Compare every path but the first with the first; both choose again on the same resampled validation queries.

    Parameters
    ----------
    paths : mapping
        Paths of one fold by method, in order.
    judge : FoldJudge
        Of that fold.
    measure : str
        On the part that the noise of the choices is reported on.
    """
    first, *others = paths
    rules = list(paths[first].noise)
    reference = {rule: _drawn(paths[first], rule, judge, measure) for rule in rules}
    return {
        method: {rule: compare_choices(_drawn(paths[method], rule, judge, measure), reference[rule]) for rule in rules}
        for method in others
    }


def _drawn(path: NoisyPath, rule: ChoiceRule, judge: FoldJudge, measure: str) -> FloatArray:
    """The measure of every query under every choice of a rule, shape (n_resamples, n_queries)."""
    noise = path.noise[rule]
    values = {
        place: judge.per_query(path.points[place].fit.weights, noise.part, measure)
        for place in set(noise.noise.drawn.tolist())
    }
    return np.stack([values[place] for place in noise.noise.drawn.tolist()])
