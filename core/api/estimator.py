"""Sparse ranking models as a scikit-learn estimator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from core.analysis.features.feature_rules import FeatureRules
from core.api.data import ranking_data, ranking_score
from core.api.fitting import fit
from core.data import Convention, Fold, RankingData
from core.data.division import draw_order
from core.data.matching import matched, numbers_of
from core.data.naming import Features
from core.data.ranking_data import unnamed

FloatArray = NDArray[np.float64]


class SparseRanker(SelectorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Learn a linear ranking model that keeps few features.

    It is a scikit-learn estimator and feature selector: it can be cloned, stand in a pipeline and be searched over.
    Divide documents by whole queries, with ``GroupKFold`` and the queries as groups::

        SparseRanker("log", C=0.01).fit(X, y, qid=queries)

        sklearn.set_config(enable_metadata_routing=True)
        pipeline = make_pipeline(StandardScaler(), SparseRanker().set_fit_request(qid=True))
        scorer = make_scorer(ranking_score).set_score_request(qid=True)
        cross_validate(
            pipeline, X, y, cv=GroupKFold(5), scoring=scorer, params={"qid": queries, "groups": queries}
        )

    Parameters
    ----------
    method : str
        An id of `core.list_methods`.
    C : float, optional
        Larger keeps more features. By default lambda is a hundredth of the one at which the model is empty.
    tune : str, optional
        Measure, such as ``"map"``, by which held-out queries choose C; then the model is fitted again at this lambda
        on all queries. Not together with C.
    held_out : float
        Share of the queries that are held out for it.
    random_state : int
        Which queries are.
    solver : str, optional
    tol : float, optional
        Relative certificate to reach.
    parameters : mapping, optional
        Of the method, by name.
    off, must, helps, hurts : sequence of str or int
        Rules for features; see `core.fit`.
    costs : mapping, optional
        Of features, by name or number.
    measure : str
        That `score` computes.
    convention : {"standard", "letor3", "letor4"}

    Attributes
    ----------
    coef_ : ndarray, shape (n_features_in_,)
    model_ : Model
        With certificate, trace and measures on the training data.
    C_ : float
        C, given or chosen.
    gap_ : float
        The relative certificate that the fit reached: a duality gap where the method has one.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Where it was fitted on a DataFrame.
    """

    def __init__(
        self,
        method: str = "l1",
        *,
        C: float | None = None,
        tune: str | None = None,
        held_out: float = 0.25,
        random_state: int = 0,
        solver: str | None = None,
        tol: float | None = None,
        parameters: Mapping[str, float | str] | None = None,
        off: Features = (),
        must: Features = (),
        helps: Features = (),
        hurts: Features = (),
        costs: Mapping[str | int, float] | None = None,
        measure: str = "NDCG@10",
        convention: Convention = "standard",
    ) -> None:
        self.method = method
        self.C = C
        self.tune = tune
        self.held_out = held_out
        self.random_state = random_state
        self.solver = solver
        self.tol = tol
        self.parameters = parameters
        self.off = off
        self.must = must
        self.helps = helps
        self.hurts = hurts
        self.costs = costs
        self.measure = measure
        self.convention = convention

    def fit(self, X: ArrayLike, y: ArrayLike, qid: ArrayLike | None = None) -> SparseRanker:
        """Fit the model.

        Parameters
        ----------
        X : array-like or sparse matrix, shape (n_documents, n_features)
        y : array-like, shape (n_documents,)
            Relevance, whole numbers of 0 or more.
        qid : array-like, shape (n_documents,), optional
            Query of each document, in any order. All documents belong to one query by default.

        Raises
        ------
        ValueError
            If the data or a parameter cannot be used.
        """
        names = list(X.columns.astype(str)) if isinstance(X, pd.DataFrame) else None
        plain = self._plain(X)
        features, relevance = validate_data(self, plain, y, dtype=np.float64)
        if len(features) == 1:
            msg = "a ranking is learned from pairs of documents, and there is only one sample"
            raise ValueError(msg)
        data = ranking_data(features, relevance, qid, feature_names=names)
        self._learn(data)
        return self

    def _plain(self, X: Any) -> Any:
        """Return sparse features with their zeros, and those of a DataFrame as numbers."""
        numbers = numbers_of(X)
        return (
            pd.DataFrame(np.asarray(numbers), columns=X.columns, index=X.index)
            if isinstance(X, pd.DataFrame)
            else numbers
        )

    def _learn(self, data: RankingData) -> None:
        """Fit the model on the data."""
        how: dict[str, Any] = {
            "solver": self.solver, "tol": self.tol, "convention": self.convention,
            "rules": FeatureRules(self.off, self.must, self.helps, self.hurts, self.costs),
        }  # fmt: skip
        parameters, ratio = self.parameters, None
        if self.tune is not None:
            divided = self._scaled(self._divided(data))
            tuned = fit(divided, self.method, C=self.C, tune=self.tune, parameters=parameters, **how).fit
            # The loss is a mean over pairs, so lambda has the same meaning on more of them.
            parameters, ratio = tuned.parameters, tuned.lam / tuned.lam_max
        self.model_ = fit(self._scaled(data), self.method, C=self.C, lambda_ratio=ratio, parameters=parameters, **how)
        self.coef_ = self.model_.fit.weights
        self.gap_ = self.model_.fit.result.certificate.relative
        self.C_ = self.model_.fit.c

    def _scaled(self, data: Fold | RankingData) -> Fold | RankingData:
        """Scale the features, for subclasses; here a pipeline does that."""
        return data

    def _taken(self, data: RankingData, queries: NDArray[np.int64]) -> RankingData:
        """Take some queries, ascending."""
        return data.take_queries(queries)

    def predict(self, X: ArrayLike) -> FloatArray:
        """Compute the scores of documents, shape (n_documents,); a higher one comes first within its query.

        Columns of a DataFrame are matched by name, in any order; those that the model does not use may be missing.

        Raises a `ValueError` if a feature that the model uses is missing, or has no number.
        """
        check_is_fitted(self)
        if (used := self._used_by_name(X)) is not None:
            return np.asarray(np.asarray(numbers_of(used)) @ self.coef_[self.coef_ != 0.0])
        features = validate_data(self, self._plain(X), dtype=np.float64, reset=False)
        scores: FloatArray = features @ self.coef_
        return scores

    def transform(self, X: ArrayLike) -> Any:
        """Keep the features that the model uses, in its order; columns of a DataFrame are matched as by `predict`."""
        check_is_fitted(self)
        used = self._used_by_name(X)
        return super().transform(X) if used is None or not used.shape[1] else np.asarray(numbers_of(used))

    def _used_by_name(self, X: Any) -> pd.DataFrame | None:
        """The columns that the model uses, in its order; None where model or data have no names."""
        names = self.model_.fit.feature_names
        if not isinstance(X, pd.DataFrame) or not (hasattr(self, "feature_names_in_") or names != unnamed(len(names))):
            return None
        used = np.flatnonzero(self.coef_)
        return X.iloc[:, matched(names, list(X.columns.astype(str)), used).columns[used]]

    def score(self, X: ArrayLike, y: ArrayLike, qid: ArrayLike | None = None) -> float:
        """Compute ``measure``, the mean over queries; documents with the same score count in expectation.

        Parameters
        ----------
        X, y, qid
            As for `fit`.
        """
        return ranking_score(y, self.predict(X), qid, measure=self.measure, convention=self.convention)

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        mask: NDArray[np.bool_] = self.coef_ != 0.0
        return mask

    def _divided(self, data: RankingData) -> Fold:
        """Divide the queries into a training and a validation part."""
        if not 0.0 < self.held_out < 1.0 or data.n_queries < 2:
            msg = "tuning needs at least two queries, and a share between 0 and 1 of them to hold out"
            raise ValueError(msg)
        order = np.random.default_rng(self.random_state).permutation(draw_order(data))
        n_held_out = min(max(round(self.held_out * data.n_queries), 1), data.n_queries - 1)
        train, vali = np.sort(order[n_held_out:]), np.sort(order[:n_held_out])
        return Fold("held out", self._taken(data, train), self._taken(data, vali))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.positive_only = True
        tags.input_tags.sparse = True
        return tags

    def _repr_html_inner(self) -> str:
        return self._with_model(super()._repr_html_inner())

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)
        if "text/html" in bundle:
            bundle["text/html"] = self._with_model(bundle["text/html"])
        return bundle

    def _with_model(self, shown: str) -> str:
        return f"{shown}{self.model_._repr_html_()}" if hasattr(self, "model_") else shown
