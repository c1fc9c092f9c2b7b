"""Where a model, or a fold, meets data: features are matched by name where both sides name them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.data.errors import DataError
from core.data.ranking_data import RankingData, unnamed
from core.names.counted import counted
from core.names.counted import features as features_counted

_LISTED = 5


@dataclass(frozen=True)
class Match:
    """Which column of some data each feature of a model is.

    Attributes
    ----------
    columns : ndarray of int64, shape (n_features,)
        Counting from 0; -1 for a feature that the data lacks, which is 0 in every document.
    notes : tuple of str
        What a person has to know of it, in sentences; empty where the data has the same features in the same order.
    """

    columns: NDArray[np.int64]
    notes: tuple[str, ...] = ()

    def values(self, features: Any, wanted: Sequence[int] | NDArray[np.int64]) -> NDArray[np.float64]:
        """Values of some features of the model, counted from 0, in all documents: shape (n_documents, n_wanted).

        Parameters
        ----------
        features : ndarray or DataFrame, shape (n_documents, n_columns)
            Of the data.
        wanted : sequence of int
        """
        found = np.zeros((len(features), len(wanted)))
        at = getattr(features, "iloc", features)
        for place, column in enumerate(self.columns[np.asarray(wanted, dtype=np.int64)].tolist()):
            if column >= 0:
                found[:, place] = at[:, column]
        return found


def matched(names: Sequence[str], data_names: Sequence[str], needed: Collection[int] | None = None) -> Match:
    """Match the features of a model with the columns of data.

    By name where both have names; by number where one has none, as LETOR text has none: text that leaves zeros out may
    end at a lower number, and what stands beyond the model's last number is ignored.

    Parameters
    ----------
    names : sequence of str
        Of the model's features, in its order.
    data_names : sequence of str
        Of the data's columns.
    needed : collection of int, optional
        The features, from 0, that the data must have; by default all.

    Raises
    ------
    DataError
        If a feature that is needed is missing, or two features have the same name.
    """
    if tuple(names) == tuple(data_names):
        return Match(np.arange(len(names)))
    lacks = [who for who, given in (("model", names), ("data", data_names)) if tuple(given) == unnamed(len(given))]
    if lacks:
        return _by_number(names, data_names, lacks)
    repeated = [name for given in (names, data_names) for name, times in Counter(given).items() if times > 1]
    if repeated:
        msg = f"features are matched by name, and {_listed(repeated)} stands for several; give each a name of its own"
        raise DataError(msg)
    column_of = {name: column for column, name in enumerate(data_names)}
    missing = [j for j, name in enumerate(names) if name not in column_of]
    further = [name for name in data_names if name not in set(names)]
    if lacking := [names[j] for j in missing if needed is None or j in needed]:
        raise DataError(_missing_sentence(lacking, further))
    if missing and len(further) == len(missing):
        msg = (
            f"the data has {_listed(further)} where the model has {_listed([names[j] for j in missing])}; if they are "
            "the same, give them the model's names, else leave them out"
        )
        raise DataError(msg)
    columns = np.array([column_of.get(name, -1) for name in names], dtype=np.int64)
    notes = []
    if np.any(np.diff(columns[columns >= 0]) < 0):
        notes.append("Features are matched by name: their order is another one than the model's.")
    if missing:
        notes.append(f"The data lacks {features_counted(len(missing))} that the model does not use.")
    if further:
        notes.append(f"{counted(len(further), 'column')} that the model does not know: ignored ({_listed(further)}).")
    return Match(columns, tuple(notes))


def _by_number(names: Sequence[str], data_names: Sequence[str], lacks: Sequence[str]) -> Match:
    n, here = len(names), len(data_names)
    notes = []
    if len(lacks) == 1:
        notes.append(f"The {lacks[0]} has no names of features, so feature 1 is taken to be feature 1, and so on.")
    if here < n:
        if "data" not in lacks:
            msg = (
                f"the model has {features_counted(n)} without names, and the data {here}: which is which cannot be "
                "told; fit the model on data with names"
            )
            raise DataError(msg)
        notes.append(f"The data ends at feature {here}: the model's features beyond it count as 0 there.")
    if here > n:
        notes.append(f"The data has {features_counted(here)}, the model {n}: those after feature {n} are ignored.")
    return Match(np.where(np.arange(n) < here, np.arange(n), -1), tuple(notes))


def in_order_of(data: RankingData, names: Sequence[str], part: str) -> RankingData:
    """Bring a part of a fold into the order of its training part's features, by name.

    Parameters
    ----------
    part : str
        Name of the part, for messages.

    Raises
    ------
    DataError
        If a feature is missing, or where names are missing, if their numbers differ.
    """
    if data.feature_names == tuple(names):
        return data
    if len(data.feature_names) != len(names) and unnamed(data.n_features) == data.feature_names:
        msg = f"the {part} part has {features_counted(data.n_features)}, and the training part {len(names)}"
        raise DataError(msg)
    try:
        columns = matched(names, data.feature_names).columns
    except DataError as error:
        msg = f"the {part} part has other features than the training part: {error.reason}"
        raise DataError(msg) from None
    if np.array_equal(columns, np.arange(data.n_features)):
        return replace(data, feature_names=tuple(names))
    return data.with_features(data.features[:, columns], names)


def _missing_sentence(lacking: Sequence[str], others: Sequence[str]) -> str:
    """Say which features are missing, and which columns may be meant: alike but for case and blanks."""
    plain = {_plain(name): name for name in others}
    near = [f"{name!r} may be {plain[_plain(name)]!r}" for name in lacking if _plain(name) in plain]
    hint = f" ({'; '.join(near[:_LISTED])})" if near else ""
    one = len(lacking) == 1
    return (
        f"the data lacks {'the feature' if one else f'{len(lacking)} features'} {_listed(lacking)}{hint}, which "
        f"{'is' if one else 'are'} needed; give its column{'' if one else 's'} the name{'' if one else 's'} that the "
        "model knows"
    )


def _plain(name: str) -> str:
    return "".join(name.split()).casefold()


def _listed(names: Sequence[str]) -> str:
    more = f", … {len(names)} in all" if len(names) > _LISTED else ""
    return ", ".join(map(repr, names[:_LISTED])) + more
