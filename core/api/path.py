"""A regularization path as tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

import numpy as np
import pandas as pd

from core.analysis.evaluation import FoldJudge
from core.analysis.fit_keywords import FitKeywords, fitting_of, rules_of
from core.analysis.path import PathPoint, measured_by
from core.analysis.path_views import FoldPath, with_as_many_features
from core.analysis.tuning.tuning import best_on_validation
from core.api.model import Model
from core.data import Fold, RankingData
from core.methods import Method

IN_FILE_ORDER = "*"


@dataclass(frozen=True, eq=False)
class ModelPath(FoldPath):
    """The models of one method from the empty one at lambda_max downwards.

    `core.analysis.path_views.FoldPath` has its attributes.
    """

    @property
    def table(self) -> pd.DataFrame:
        """A row a model: C, lambda / lambda_max, features kept, objective, certificate, and MAP and NDCG@10 by part.

        Columns with * have the measures in the order of the file, where `Model.metrics` would have them.
        """
        rows = []
        for point in self.points:
            fit = point.fit
            row: dict[str, float] = {
                "C": fit.c,
                "lambda / lambda_max": fit.lam / fit.lam_max,
                "features": fit.result.nonzero,
                "objective": fit.result.objective,
                "certificate": fit.result.certificate.relative,
            }
            for part, values in point.judgement.official.items():
                for m in ("MAP", "NDCG@10"):
                    row |= {f"{part} {m}": point.metrics[part][m], f"{part} {m}{IN_FILE_ORDER}": values[m]}
            rows.append(row)
        table = pd.DataFrame(rows)
        pairs = {name: name.removesuffix(IN_FILE_ORDER) for name in rows[0] if name.endswith(IN_FILE_ORDER)}
        return table.drop(columns=[name for name, mean in pairs.items() if (table[name] == table[mean]).all()])

    @property
    def weights(self) -> pd.DataFrame:
        """Weights: a row a model, by C, a column a feature."""
        return pd.DataFrame(
            np.array([point.fit.weights for point in self.points]),
            index=pd.Index([point.fit.c for point in self.points], name="C"),
            columns=list(self.points[0].fit.feature_names),
        )

    def model(self, number: int) -> Model:
        """Return the model of a row of `table`, counting from 0."""
        return self._model(self.points[number])

    def best(self, measure: str = "map", *, features: int | None = None) -> Model:
        """Return the model that is best on the validation part, among those with at most so many features.

        Tied documents count in expectation over their orders; among equals the largest lambda wins.

        Raises a `DataError` if there is no validation part; a `ValueError` if no model has so few features but the
        empty one.
        """
        allowed = [point for point in self.points if features is None or 0 < point.fit.result.nonzero <= features]
        if not allowed:
            msg = f"no model of this path has 1 to {features} features; use more points"
            raise ValueError(msg)
        judge = FoldJudge(self.fold, self.convention)
        return self._model(best_on_validation(measured_by(allowed, judge, measure), measure))

    def with_as_many_features(self, n_features: int) -> Model:
        """Return the model whose number of features is nearest; of equally near ones the smaller, then the larger C."""
        return self._model(with_as_many_features(self.points, n_features))

    def _model(self, point: PathPoint) -> Model:
        return Model(point.fit, self.fold, point.judgement, self.convention, rules=self.rules)

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        first = self.points[0].fit
        most = max(point.fit.result.nonzero for point in self.points)
        return f"ModelPath({first.method}, {len(self)} models, up to {most} features)"

    def _repr_html_(self) -> str:
        return f"<p>{self!r}</p>{self.table.to_html(float_format='{:.4g}'.format)}"


def fit_path(
    data: Fold | RankingData,
    method: str | Method = "l1",
    *,
    points: int | None = None,
    smallest_ratio: float | None = None,
    **how: Unpack[FitKeywords],
) -> ModelPath:
    """Fit the models of a method at falling lambda, each warm-started.

    Parameters
    ----------
    data : Fold or RankingData
    method : str or Method
    points : int, optional
        Number of models, evenly spaced in log lambda; the method's own by default, mostly 50.
    smallest_ratio : float, optional
        The last lambda, as a share of lambda_max; the method's own by default, mostly 1e-4.
    **how
        solver, tol, parameters, rules (together or one by one) and convention, as for `fit`.

    Raises
    ------
    DataError
        If the data cannot be learned from.
    ValueError
        If an option cannot be used.
    """
    fitting = fitting_of(data, method, how)
    fold, convention = fitting.judge.fold, fitting.judge.convention
    rules = rules_of(how).by_column(fold.train.feature_names)
    return ModelPath(tuple(fitting.path(points, smallest_ratio)), fold, convention, rules=rules)
