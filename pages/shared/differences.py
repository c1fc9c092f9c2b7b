"""Differences of two models of the chosen data, each worked out once: every page quotes the same interval."""

from __future__ import annotations

from core.analysis.evaluation import FloatArray, FoldJudge
from core.experiments.results.difference import Difference, model_difference
from pages.shared.cache import cached
from pages.shared.choice.choice import Loaded


def difference(choice: Loaded, model: FloatArray, other: FloatArray, part: str, measure: str) -> Difference:
    """The first model's mean minus the other's on a part of the chosen fold, with its interval over queries."""
    return _difference(choice.judge, model, other, part, measure)


@cached()
def _difference(judge: FoldJudge, model: FloatArray, other: FloatArray, part: str, measure: str) -> Difference:
    return model_difference(judge, model, other, part, measure)
