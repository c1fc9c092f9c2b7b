"""Differences of two models of the chosen data, each worked out once: every page quotes the same interval."""

from __future__ import annotations

from core.analysis.evaluation import FloatArray, FoldJudge
from core.experiments.results.difference import Difference, model_difference
from pages.shared.choice.choice import Loaded
from pages.shared.kept import once


def difference(choice: Loaded, model: FloatArray, other: FloatArray, part: str, measure: str) -> Difference:
    """The first model's mean minus the other's on a part of the chosen fold, with its interval over queries."""
    key = (choice.fingerprint, choice.where, choice.convention, part, measure, model.tobytes(), other.tobytes())
    return _difference(key, choice.judge, model, other)


@once(500)
def _difference(key: tuple[str | bytes, ...], _judge: FoldJudge, _model: FloatArray, _other: FloatArray) -> Difference:
    part, measure = str(key[3]), str(key[4])
    return model_difference(_judge, _model, _other, part, measure)
