"""A fitted model with what is known of it."""

from __future__ import annotations

import html
import json
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.analysis.choosing import ChoiceRule
from core.analysis.evaluation import FoldJudge, printed_rows
from core.analysis.features.feature_rules import FeatureRules, RuleKeywords
from core.analysis.fit_keywords import FitKeywords, at_lambda, fitting_of, rules_of
from core.analysis.fit_records import fit_record, training_record
from core.analysis.fitting import OnValidation
from core.analysis.path_views import FoldModel
from core.analysis.penalties.several_starts import StartsSpread, check_starts, starts_run
from core.analysis.tuning.tuning import Tuned
from core.api.data import numbers_of
from core.data import Convention, DataError, Fold, RankingData
from core.data.matching import matched
from core.data.ranking_data import unnamed
from core.experiments.results.statistics import PairedComparison, compare
from core.export.models.exported import write_model
from core.export.models.formats import get_format
from core.export.models.linear_model import model_of_record
from core.methods import Method
from core.metrics import Measure
from core.names.counted import counted
from core.solvers.problem import pair_scores

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Model(FoldModel):
    """A fitted model, with the fold that it was fitted on.

    `core.analysis.path_views.FoldModel` has its other attributes.

    Attributes
    ----------
    tuned : Tuned or None
        How the validation part has chosen it; None where C was given.
    starts : StartsSpread or None
        The minima that several starts lead to, where that was asked for.
    recorded : mapping or None
        What `record` returns, where it was made before the training features went out of reach.
    """

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


def fit(
    data: Fold | RankingData,
    method: str | Method = "l1",
    *,
    C: float | None = None,
    lambda_ratio: float | None = None,
    tune: str | None = None,
    choose: ChoiceRule = "best",
    starts: int = 1,
    widen: bool = False,
    solver: str | None = None,
    tol: float | None = None,
    parameters: Mapping[str, float | str] | None = None,
    rules: FeatureRules | None = None,
    convention: Convention = "standard",
    **keywords: Unpack[RuleKeywords],
) -> Model:
    """Fit a model.

    Parameters
    ----------
    data : Fold or RankingData
        A fold is fitted on its training part and measured on every part.
    method : str or Method
        An id of `list_methods`.
    C, lambda_ratio, tune
        One of them: C; lambda as a share of lambda_max; or the measure, such as ``"map"``, by which the validation part
        chooses C (and parameters that have not been given). A hundredth of lambda_max if none is given.
    choose : {"best", "one-se", "average"}
        How validation chooses: the best model, the sparsest within one standard error, or an average over resamples.
    starts : int
        For non-convex penalties: from how many starts the model's problem is fitted, for the spread in
        ``Model.starts``; the model stays the one from the plain start.
    widen : bool
        With ``tune``: whether the grid of C widens until the choice lies inside, by at most four decades at each end.
    solver : str, optional
    tol : float, optional
        Relative certificate to reach; the method's own rule by default.
    parameters : mapping, optional
        Parameters of the method, by name.
    rules : FeatureRules, optional
    convention : {"standard", "letor3", "letor4"}
    **keywords
        The rules one by one, in place of ``rules``: off, must, helps, hurts (features by name or number) and costs, as
        `FeatureRules` describes them.

    Raises
    ------
    DataError
        If the data cannot be learned from, or has no validation part to choose on.
    ValueError
        If an option cannot be used.
    """
    options: FitKeywords = {
        "solver": solver,
        "tol": tol,
        "parameters": parameters,
        "rules": rules,
        "convention": convention,
        **keywords,
    }
    how = fitting_of(data, method, options)
    if starts > 1:
        check_starts(how.method)
    if sum(given is not None for given in (C, lambda_ratio, tune)) > 1:
        msg = "give only one of C, lambda_ratio and tune"
        raise ValueError(msg)
    tuned = None if tune is None else how.tune(OnValidation(str(Measure.parse(tune)), choose, widen=widen))
    found = how.model(how.lam(at_lambda(C, lambda_ratio))) if tuned is None else tuned.point
    fold = how.judge.fold
    under = rules_of(options).by_column(fold.train.feature_names)
    spread = None
    if starts > 1:
        run = starts_run(how, found.fit, starts)
        run.finish()
        spread = StartsSpread.of(run.minima(), how.judge)
    return Model(found.fit, fold, found.judgement, convention, tuned, spread, rules=under)
