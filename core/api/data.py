"""Datasets, methods and measures as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from core.analysis.features.single_feature import single_feature_scores
from core.data import Convention, DataError, Fold, RankingData
from core.data.catalogue import catalogue
from core.data.dataset import training_part
from core.data.letor._letor_kernel import MAX_RELEVANCE
from core.data.letor.letor_format import assemble
from core.data.matching import numbers_of
from core.data.tables.table_cells import whole_grade
from core.methods import METHODS
from core.metrics import JudgedLists, Measure, evaluate_ranking


def list_datasets() -> pd.DataFrame:
    """List the datasets that can be opened by name.

    Returns
    -------
    DataFrame
        ``title``, ``folds`` and ``state``, by name.
    """
    rows = [(entry.name, entry.title, entry.n_folds, entry.state) for entry in catalogue()]
    return pd.DataFrame(rows, columns=["name", "title", "folds", "state"]).set_index("name")


def list_methods() -> pd.DataFrame:
    """List the methods.

    Returns
    -------
    DataFrame
        ``title``, ``source``, ``solvers`` and ``parameters``, by id.
    """
    rows = [
        (
            method.id,
            method.title,
            method.source,
            [solver.id for solver in method.solvers],
            {parameter.name: parameter.default for parameter in method.parameters},
        )
        for method in METHODS
    ]
    return pd.DataFrame(rows, columns=["id", "title", "source", "solvers", "parameters"]).set_index("id")


def ranking_data(
    features: ArrayLike,
    relevance: ArrayLike,
    queries: ArrayLike | None = None,
    *,
    feature_names: Sequence[str] | None = None,
    document_ids: Sequence[str] | None = None,
) -> RankingData:
    """Make ranking data from arrays or a DataFrame.

    Documents of a query are put together where they are apart; within a query they keep their order.

    Parameters
    ----------
    features : array-like, shape (n_documents, n_features)
        Finite; dense, sparse as of scikit-learn's ``load_svmlight_file``, or a DataFrame, which gives the features
        their names; see `numbers_of`.
    relevance : array-like, shape (n_documents,)
        Whole numbers of 0 or more, or booleans.
    queries : array-like, shape (n_documents,), optional
        Which query each document belongs to, in any form. All documents belong to one query by default.
    feature_names, document_ids : sequence of str, optional

    Raises
    ------
    DataError
        If lengths disagree, or a value cannot be used.
    """
    if feature_names is None and isinstance(features, pd.DataFrame):
        feature_names = [str(column) for column in features.columns]
    given = numbers_of(features)
    try:
        x = np.atleast_2d(np.asarray(given, dtype=np.float64))
    except (TypeError, ValueError):
        msg = "the features are not all numbers; give numbers, or a DataFrame, of which the column is then named"
        raise DataError(msg) from None
    y = _relevance(relevance, len(x))
    ids = _query_ids(queries, len(x))
    how: dict[str, Any] = {"group": True, "file": "", "line_of_document": int}
    return assemble(x, y, ids, np.arange(len(x)), document_ids=document_ids, feature_names=feature_names, **how)


def _relevance(given: ArrayLike, n_documents: int) -> np.ndarray:
    y = np.asarray(given)
    if y.shape != (n_documents,):
        msg = f"{n_documents} documents need as many labels in one column, not an array of shape {y.shape}"
        raise DataError(msg)
    levels, found = pd.factorize(y.astype(object), use_na_sentinel=False)
    grades = [None if level is pd.NA or level is None else whole_grade(str(level)) for level in found]
    wrong = next((k for k, grade in enumerate(grades) if grade is None), None)
    if wrong is not None:
        missing = pd.isna(found[wrong])
        said = "is missing; remove documents without a judgment" if missing else f"is {found[wrong]!s}"
        msg = (
            f"the relevance of document {int(np.argmax(levels == wrong)) + 1} {said}; it is a whole number of 0 "
            f"or more, at most {MAX_RELEVANCE:,}, for every document"
        )
        raise DataError(msg)
    return np.array(grades, dtype=np.int32)[levels]


def _query_ids(queries: ArrayLike | None, n_documents: int) -> list[str]:
    """Return the id of every document's query."""
    if queries is None:
        return ["1"] * n_documents
    of_document = np.asarray(queries)
    if of_document.shape != (n_documents,):
        msg = f"{n_documents} documents need as many queries in one column, not an array of shape {of_document.shape}"
        raise DataError(msg)
    number, names = pd.factorize(of_document)
    if np.any(number < 0):
        msg = f"document {int(np.argmax(number < 0)) + 1} has no query"
        raise DataError(msg)
    whole = all(isinstance(name, float) and float(name).is_integer() for name in names)  # as where others were missing
    texts = [str(int(name)) if whole else str(name) for name in names]
    return [texts[k] for k in number.tolist()]


def single_features(data: Fold | RankingData, convention: Convention = "standard") -> pd.DataFrame:
    """Measure the ranking by each feature alone.

    Parameters
    ----------
    data : Fold or RankingData
        Of a fold, the training part is measured.
    convention : {"standard", "letor3", "letor4"}

    Returns
    -------
    DataFrame
        By name: ``index`` counting from 1; ``NDCG@10`` and ``MAP`` by descending value, with documents of the same
        value in expectation over their orders; the same by ascending value (``reversed``); and ``ranks``, whether the
        feature tells two documents of some query apart.
    """
    rows = [
        (s.name, s.index, s.ndcg_at_10, s.map, s.reversed_ndcg_at_10, s.reversed_map, s.ranks)
        for s in single_feature_scores(training_part(data), convention)
    ]
    columns = ["name", "index", "NDCG@10", "MAP", "NDCG@10 reversed", "MAP reversed", "ranks"]
    return pd.DataFrame(rows, columns=columns).set_index("name")


def ranking_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    qid: ArrayLike | None = None,
    *,
    measure: str = "NDCG@10",
    convention: Convention = "standard",
) -> float:
    """Compute a measure as scikit-learn's scorers want it; documents with the same score count in expectation.

    Parameters
    ----------
    y_true : array-like, shape (n_documents,)
        Relevance.
    y_score : array-like, shape (n_documents,)
    qid : array-like, shape (n_documents,), optional
        Query of each document; all belong to one by default.
    measure : str
    convention : {"standard", "letor3", "letor4"}

    Returns
    -------
    float
        Mean over queries.

    Raises
    ------
    ValueError
        If there is no such measure, or the data cannot be used.
    """
    wanted = Measure.parse(measure)
    data = ranking_data(np.asarray(y_score, dtype=np.float64)[:, None], y_true, qid)
    ranked = JudgedLists(data, convention).rank(data.features[:, 0])
    return float(ranked.per_query(wanted).mean())


def evaluate(data: RankingData, scores: ArrayLike, convention: Convention = "standard") -> pd.Series:
    """Measure a ranking.

    Documents with the same score count in expectation over their orders; under LETOR's conventions they keep the order
    of the file, as its official scripts have it.

    Parameters
    ----------
    data : RankingData
    scores : array-like, shape (n_documents,)
    convention : {"standard", "letor3", "letor4"}

    Returns
    -------
    Series
        By measure: MAP, NDCG@1-10, P@1-10, ...
    """
    return pd.Series(evaluate_ranking(data, scores, convention), name=convention)
