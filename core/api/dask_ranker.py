"""The estimator for a Dask DataFrame, whose features never come to this machine."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from core.api.estimator import SparseRanker
from core.data import Convention, DataError, Fold, RankingData
from core.data.naming import Features
from core.data.scaling import scale_fold
from core.experiments.run.workers.dask_collection import FarFeatures, ranking_data_on_dask, take_queries_on_dask
from core.experiments.run.workers.whole_queries import Repartition


class DaskSparseRanker(SparseRanker):
    """Learn the model of `SparseRanker` on a Dask DataFrame.

    Partitions stay in the memory of the workers, as float32 where all features are. The solver's loop, relevance and
    vectors with a number a document are here. The answer is that of one machine to the rounding of sums, and the same
    bits each time, also if a worker is lost::

        client = Client("tcp://10.0.0.1:8786")
        ranker = DaskSparseRanker("l1", C=0.01).fit(ddf[columns], ddf.label, qid=ddf.qid)
        ranker.to_local().model_.export("solr", "model.json")

    Parameters
    ----------
    method, C, tune, held_out, random_state, solver, tol, parameters, off, must, helps, hurts, costs, measure, \
    convention
        As for `SparseRanker`.
    scale : {"none", "standard", "minmax", "query-minmax"}
        How features are scaled, on the workers. The constants of ``"standard"`` take two passes over the training
        part, and those within each query are found where it is.
    repartition : {"boundary", "shuffle", "never"}
        How queries come to be whole in a partition: those cut between two partitions move to the first of them; or all
        are spread evenly; or a cut one is refused.

    Attributes
    ----------
    coef_ : ndarray, shape (n_features_in_,)
        Of the features as they were scaled.
    model_, C_, gap_, n_features_in_, feature_names_in_
        As for `SparseRanker`.
    moved_ : Moved
        What moved, the largest query, and which partitions are empty.
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
        scale: str = "none",
        repartition: Repartition = "boundary",
    ) -> None:
        super().__init__(
            method, C=C, tune=tune, held_out=held_out, random_state=random_state, solver=solver, tol=tol,
            parameters=parameters, off=off, must=must, helps=helps, hurts=hurts, costs=costs, measure=measure,
            convention=convention,
        )  # fmt: skip
        self.scale = scale
        self.repartition = repartition

    def fit(self, X: Any, y: Any, qid: Any = None) -> DaskSparseRanker:
        """Fit the model on the cluster of the current Dask client.

        Parameters
        ----------
        X : dask.dataframe.DataFrame
            Features.
        y, qid : dask.dataframe.Series
            Relevance and query of each document, in the partitions of ``X``.

        Raises
        ------
        ValueError
            If the data or a parameter cannot be used, or there is no client.
        OSError
            If the cluster has gone or has no workers.
        """
        data, self.moved_ = ranking_data_on_dask(X, y, qid, _client(), self.repartition)
        self.n_features_in_ = data.n_features
        self.feature_names_in_ = np.array(data.feature_names, dtype=object)
        self._learn(data)
        return self

    def predict(self, X: Any) -> Any:
        """Compute scores on the workers, as a Dask Series; see `SparseRanker.predict` of `to_local`."""
        local = self.to_local()
        return X.map_partitions(local.predict, meta=("score", np.float64))

    def to_local(self) -> SparseRanker:
        """Return the fitted estimator for data in memory; it needs no cluster.

        Its ``coef_`` are of features that are not scaled: a weight is divided by the feature's span. Where features
        were scaled within each query there is no such weight, and they must be scaled alike.
        """
        check_is_fitted(self)
        model, recorded = self.model_, self.model_.record()  # while the features are there
        train = model.fold.train
        features: Any = FarFeatures(np.array([0, train.n_documents]), train.n_features, train.features.dtype.type)
        fold = replace(model.fold, train=replace(train, features=features))
        local = SparseRanker(**{name: getattr(self, name) for name in SparseRanker().get_params()})
        local.model_ = replace(model, fold=fold, recorded=recorded)
        local.coef_ = _unscaled(self.coef_, model.fold.scaling.span)
        local.C_, local.gap_ = self.C_, self.gap_
        local.n_features_in_, local.feature_names_in_ = self.n_features_in_, self.feature_names_in_
        return local

    def _scaled(self, data: Fold | RankingData) -> Fold:
        return scale_fold(data if isinstance(data, Fold) else Fold("all", data), self.scale)

    def _taken(self, data: RankingData, queries: NDArray[np.int64]) -> RankingData:
        return take_queries_on_dask(data, queries)

    def _with_model(self, shown: str) -> str:
        moved = f"<p>{html.escape(str(self.moved_))}</p>" if hasattr(self, "moved_") else ""
        return f"{super()._with_model(shown)}{moved}"


def _unscaled(weights: NDArray[np.float64], span: NDArray[np.float64] | None) -> NDArray[np.float64]:
    if span is None:
        return weights
    return np.divide(weights, span, out=np.zeros_like(weights), where=span != 0)


def _client() -> Any:
    """Return the current client.

    Raises a `DataError` if there is none.
    """
    try:
        from distributed import default_client
    except ImportError:
        msg = "Dask is not installed; pip install 'sparse-ranking-lab[dask]'"
        raise DataError(msg) from None
    try:
        return default_client()
    except ValueError:
        msg = "there is no Dask client; connect to a cluster with dask.distributed.Client(ADDRESS) before"
        raise DataError(msg) from None
