"""Fitted models and paths with the fold that they were fitted on: what pictures show and a notebook asks further."""

from __future__ import annotations

import html
import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.analysis.evaluation import FoldJudge, Judgement, printed_rows
from core.analysis.features.rules import Rules
from core.analysis.fit_records import fit_record, training_record
from core.analysis.path import PathPoint, measured_by
from core.analysis.path_views import with_as_many_features
from core.analysis.penalties.several_starts import StartsSpread
from core.analysis.tuning.tuning import Tuned, best_on_validation
from core.data import Convention, DataError, Fold, RankingData
from core.data.matching import matched, numbers_of
from core.data.ranking_data import unnamed
from core.experiments.results.statistics import PairedComparison, compare
from core.export.models.exported import write_model
from core.export.models.formats import get_format
from core.export.models.linear_model import model_of_record
from core.methods import Fit
from core.metrics import Measure
from core.names.counted import counted
from core.solvers.problem import pair_scores

FloatArray = NDArray[np.float64]
IN_FILE_ORDER = "*"


@dataclass(frozen=True, eq=False)
class Model:
    """A fitted model, with the fold that it was fitted on.

    Attributes
    ----------
    fit : Fit
        Weights, objective, certificate and trace, as the solver left them.
    judgement : Judgement
        Its measures on every part.
    convention : {"standard", "letor3", "letor4"}
        Of these measures.
    rules : Rules or None
        Rules for features under which it was fitted.
    tuned : Tuned or None
        How the validation part has chosen it; None where C was given.
    starts : StartsSpread or None
        The minima that several starts lead to, where that was asked for.
    recorded : mapping or None
        What `record` returns, where it was made before the training features went out of reach.
    """

    fit: Fit
    fold: Fold
    judgement: Judgement
    convention: Convention
    rules: Rules | None = field(default=None, kw_only=True)
    tuned: Tuned | None = None
    starts: StartsSpread | None = None
    recorded: Mapping[str, Any] | None = None

    @property
    def weights(self) -> pd.Series:
        """All weights, by feature."""
        return pd.Series(self.fit.weights, index=list(self.fit.feature_names), name="weight")

    @property
    def features(self) -> pd.DataFrame:
        """The features that it keeps, largest absolute weight first: ``index`` counting from 1, and ``weight``."""
        kept = self.fit.selected
        return pd.DataFrame(
            {"index": kept + 1, "weight": self.fit.weights[kept]},
            index=pd.Index([self.fit.feature_names[j] for j in kept], name="name"),
        )

    @property
    def metrics(self) -> pd.DataFrame:
        """Measures, one column a part.

        In expectation over the orders of tied documents. Under LETOR's conventions a second column of a part, with *,
        has what its official scripts print, in the order of the file, where four digits differ.
        """
        official = self.judgement.official
        measures = list(next(iter(official.values())))
        return pd.DataFrame(printed_rows(official, self.judgement.expected_over_ties, measures))

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what a person has to know of the grades and the ranges of features that it was fitted on."""
        return self.fold.notes

    @property
    def trace(self) -> pd.DataFrame:
        """The way of the solver: a row a step, with objective, certificate, seconds and features kept."""
        rows = [(p.step, p.objective, p.certificate.relative, p.seconds, p.nonzero) for p in self.fit.result.trace]
        kind = self.fit.result.certificate.kind
        return pd.DataFrame(rows, columns=["step", "objective", kind, "seconds", "features"]).set_index("step")

    def score(self, data: RankingData | pd.DataFrame | FloatArray) -> FloatArray:
        """Compute the scores of documents, shape (n_documents,).

        Parameters
        ----------
        data : RankingData, DataFrame, or array of shape (n_documents, n_features)
            With features as the fold has them, scaled as its ``scaling`` says. They are matched by name, in any order;
            by number where the model or the data has no names. Other columns are ignored. A warning says what differs;
            data that ends at a lower number, as text that leaves zeros out may, has zeros there.

        Raises
        ------
        DataError
            If a feature that the model uses is missing, or has no number in a DataFrame.
        """
        used, weights = self.fit.selected, self.fit.weights
        if not isinstance(data, (RankingData, pd.DataFrame)):
            values = np.atleast_2d(data)
            data = pd.DataFrame(values, columns=list(unnamed(values.shape[1])))
        names = tuple(map(str, data.columns)) if isinstance(data, pd.DataFrame) else data.feature_names
        match = matched(self.fit.feature_names, names, used, zeros_left_out=isinstance(data, RankingData))
        if match.notes:
            warnings.warn(" ".join(match.notes), stacklevel=2)
        if isinstance(data, pd.DataFrame):
            return np.asarray(np.asarray(numbers_of(data.iloc[:, match.columns[used]])) @ weights[used])
        if names == self.fit.feature_names:
            return pair_scores(data, weights)
        if not len(used):
            return np.zeros(data.n_documents)
        kept = data.with_features(match.values(data.features, used), [self.fit.feature_names[j] for j in used])
        return pair_scores(kept, weights[used])

    def per_query(self, measure: str = "MAP", part: str = "test") -> pd.Series:
        """Measure every query of a part, in expectation over the orders of tied documents.

        Raises a `DataError` if the fold has no such part; a `ValueError` if there is no such measure.
        """
        data = self._part(part)
        values = FoldJudge(self.fold, self.convention).per_query(self.fit.weights, part, measure)
        return pd.Series(values, index=list(data.query_ids), name=str(Measure.parse(measure)))

    def compare(self, other: Model, measure: str = "MAP", part: str = "test") -> PairedComparison:
        """Compare with another model by the same queries: difference, 95 % interval and p-values.

        Where the interval contains 0 there is no clear difference.

        Raises a `ValueError` if the other model was fitted on another fold, or there is no such part or measure.
        """
        if self._part(part).fingerprint != other._part(part).fingerprint:
            msg = f"the {part} parts of the two models differ; compare models of one fold"
            raise ValueError(msg)
        return compare(self.per_query(measure, part), other.per_query(measure, part))

    def record(self) -> dict[str, Any]:
        """Return what the command ``fit --json`` prints, but for the name of the dataset."""
        if self.recorded is not None:
            return dict(self.recorded)
        chosen = {} if self.tuned is None else {"tuned": self.tuned.record()}
        starts = {} if self.starts is None else {"starts": self.starts.record()}
        fitted = fit_record(self.fit, self.judgement, self.convention)
        return fitted | chosen | training_record(self.fold, self.fit) | starts

    def save(self, path: str | Path) -> None:
        """Write `record` as JSON, which the command ``export`` takes."""
        Path(path).write_text(json.dumps(self.record(), indent=1, allow_nan=False), encoding="utf-8")

    def export(
        self, format: str, path: str | Path, *, name: str | None = None, feature_set: str | Path | None = None
    ) -> tuple[str, ...]:
        """Write the model for a search engine or another tool, as the command ``export`` does.

        Parameters
        ----------
        format : str
            ``"solr"``, ``"elasticsearch"``, ``"opensearch"``, ``"ranklib"``, ``"svmrank"``, ``"json"``, ``"python"``,
            ``"sklearn"`` or ``"html"``.
        path : str or Path
        name : str, optional
            Of the model in the other program.
        feature_set : str or Path, optional
            File of an Elasticsearch or OpenSearch feature set; what the model needs of it is written beside the model.

        Returns
        -------
        tuple of str
            What differs from the scores here, and what to do next.

        Raises
        ------
        DataError
            If the format cannot hold the model, or the feature set cannot be used.
        ValueError
            If there is no such format, or it has no feature sets.
        OSError
            If the file cannot be written.
        """
        pruned = None if feature_set is None else Path(feature_set)
        model, to = model_of_record(self.record()), get_format(format)
        return write_model(model, to, Path(path), name=name, feature_set=pruned, read=()).notes

    def __repr__(self) -> str:
        measured = ", ".join(f"{part} MAP {values['MAP']:.4f}" for part, values in self.judgement.metrics.items())
        kept = counted(self.fit.result.nonzero, "feature")
        return f"Model({self.fit.method}, C={self.fit.c:.4g}, {kept}, {measured})"

    def _repr_html_(self) -> str:
        shown = self.metrics.loc[["MAP", "NDCG@10", "P@10"]].to_html(float_format="{:.4f}".format)
        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self.notes)
        return f"<p>{self!r}</p>{notes}{shown}{self.features.to_html(float_format='{:.4g}'.format)}"

    def _part(self, name: str) -> RankingData:
        parts = self.fold.parts()
        if name not in parts:
            msg = f"the fold has no part {name!r}; it has {', '.join(parts)}"
            raise DataError(msg)
        return parts[name]


@dataclass(frozen=True, eq=False)
class ModelPath:
    """The models of one method from the empty one at lambda_max downwards.

    Attributes
    ----------
    points : tuple of PathPoint
        Falling in lambda; none where a picture shows its axes before they are known.
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
        return self.model_of(self.points[number])

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
        return self.model_of(best_on_validation(measured_by(allowed, judge, measure), measure))

    def with_as_many_features(self, n_features: int) -> Model:
        """Return the model whose number of features is nearest; of equally near ones the smaller, then the larger C."""
        return self.model_of(with_as_many_features(self.points, n_features))

    def model_of(self, point: PathPoint) -> Model:
        """Return a point of the path as a model."""
        return Model(point.fit, self.fold, point.judgement, self.convention, rules=self.rules)

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        if not self.points:
            return "ModelPath(0 models)"
        most = max(point.fit.result.nonzero for point in self.points)
        return f"ModelPath({self.method}, {len(self)} models, up to {most} features)"

    def _repr_html_(self) -> str:
        return f"<p>{self!r}</p>{self.table.to_html(float_format='{:.4g}'.format)}"


def one_fold(models: Sequence[Model] | Sequence[ModelPath]) -> tuple[Fold, Convention]:
    """Return the fold and convention of models or paths that stand in one picture.

    Raises a `ValueError` if there is none, or they are not of one fold under one convention.
    """
    if not models or len({(one.fold.train.fingerprint, one.convention) for one in models}) > 1:
        what = "model" if models and isinstance(models[0], Model) else "path"
        msg = f"give one {what} or more, all of one fold and under one convention"
        raise ValueError(msg)
    return models[0].fold, models[0].convention
