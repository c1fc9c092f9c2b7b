"""Solver for problems whose optimum is known to be the empty model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from core.solvers.base import Certificate, Iterate
from core.solvers.problem import FloatArray, Problem


class EmptyModel:
    """Returns the empty model in one step, for a loss that 0 minimises: then no penalty makes another model better.

    The gap is 0 among all models, even where the penalty allows only some.
    """

    id: ClassVar[str] = "empty-model"
    title: ClassVar[str] = "empty model"
    explanation: ClassVar[str] = "Nothing to compute: the empty model is optimal at every λ."

    def accepts(self, problem: Problem) -> str | None:
        return None

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        w = np.zeros(problem.n_features)
        objective = problem.loss.evaluate(problem.scores(w)).value
        yield Iterate(0, w, objective, Certificate("duality gap", 0.0, 0.0, among=""), 1.0, ends="empty model")
