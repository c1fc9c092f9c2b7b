"""Where a model, or a fold, meets data: features are matched by name where both sides name them, and are numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.data.errors import DataError, refuse
from core.data.ranking_data import RankingData, unnamed
from core.names.counted import counted
from core.names.counted import features as features_counted

_LISTED = 5
_GENERATED = re.compile(r"feature (?P<number>[1-9][0-9]{0,8})|column [1-9][0-9]{0,8}")
"""What features are called where nothing names them: by number, or by the column of a table without a header."""


@dataclass(frozen=True)
class Match:
    """Which column of some data each feature of a model is, shape (n_features,), counting from 0.

    It is -1 for a feature that the data lacks, which is 0 in every document. ``notes`` are what a person has to know of
    it, in sentences; empty where the data has the same features in the same order.
    """

    columns: NDArray[np.int64]
    notes: tuple[str, ...] = ()

    def values(self, features: Any, wanted: Sequence[int] | NDArray[np.int64]) -> NDArray[np.float64]:
        """Values of some features of the model, counted from 0, in all documents of the data's features.

        The shapes are (n_documents, n_columns) and (n_documents, n_wanted).
        """
        found = np.zeros((len(features), len(wanted)))
        for place, column in enumerate(self.columns[np.asarray(wanted, dtype=np.int64)].tolist()):
            if column >= 0:
                found[:, place] = features[:, column]
        return found


def matched(
    names: Sequence[str],
    data_names: Sequence[str],
    needed: Collection[int] | None = None,
    *,
    zeros_left_out: bool = False,
) -> Match:
    """Match the features of a model with the columns of data.

    By name where both have names; by number where one has none, as LETOR text has none, and where both only have
    numbers, as in "feature 3". The data must have the features that are ``needed``, from 0; by default all. With
    ``zeros_left_out`` it may be text that leaves zeros out, and so ends at a lower number than the model.

    Raises a `DataError` if a feature that is needed is missing, or two features have the same name.
    """
    if tuple(names) == tuple(data_names):
        return Match(np.arange(len(names)))
    sides = {"model": names, "data": data_names}
    lacks = [who for who, given in sides.items() if all(map(_GENERATED.fullmatch, given))]
    if lacks and (len(lacks) == 1 or names[0].split()[0] != data_names[0].split()[0]):
        return _by_number(names, data_names, lacks[-1], zeros_left_out)
    repeated = [name for given in (names, data_names) for name, times in Counter(given).items() if times > 1]
    if repeated:
        refuse(f"features are matched by name, and {_listed(repeated)} stands for several; give each a name of its own")
    column_of = {name: column for column, name in enumerate(data_names)}
    missing = [j for j, name in enumerate(names) if name not in column_of]
    known = set(names)
    further = [name for name in data_names if name not in known]
    ends = zeros_left_out and bool(lacks) and tuple(data_names) == unnamed(len(data_names))
    lacking = [names[j] for j in missing if needed is None or j in needed]
    if lacking and not ends:
        raise DataError(_missing_sentence(lacking, further))
    if missing and len(further) == len(missing) and not lacks:
        refuse(
            f"the data has {_listed(further)} where the model has {_listed([names[j] for j in missing])}; if they are "
            "the same, give them the model's names, else leave them out"
        )
    columns = np.array([column_of.get(name, -1) for name in names], dtype=np.int64)
    notes = []
    if np.any(np.diff(columns[columns >= 0]) < 0):
        notes.append("Features are matched by name: their order is another one than the model's.")
    if missing:
        notes.append(
            f"The data ends at feature {len(data_names)}: the model's features beyond it count as 0 there."
            if ends
            else f"The data lacks {features_counted(len(missing))} that the model does not use."
        )
    if further:
        notes.append(f"{counted(len(further), 'column')} that the model does not know: ignored ({_listed(further)}).")
    return Match(columns, tuple(notes))


def _by_number(names: Sequence[str], data_names: Sequence[str], lacks: str, zeros_left_out: bool) -> Match:
    """Match where only one side has names; see `matched`."""
    wanted, given = _numbers(names), _numbers(data_names)
    last, here = max(wanted), max(given)
    notes = [f"The {lacks} has no names of features, so feature 1 is taken to be feature 1, and so on."]
    column_of = {number: column for column, number in enumerate(given)}
    columns = np.array([column_of.get(number, -1) for number in wanted], dtype=np.int64)
    if np.any(columns < 0):
        if not (lacks == "data" and zeros_left_out and given == [*range(1, here + 1)]):
            without = " without names" if lacks == "model" else ""
            refuse(
                f"the model has {features_counted(len(wanted))}{without}, and the data {len(given)}"
                f"{' without names' if lacks == 'data' else ''}: which is which cannot be told; use data and a model "
                "that both have names"
            )
        notes.append(f"The data ends at feature {here}: the model's features beyond it count as 0 there.")
    if here > last:
        notes.append(f"The data has {features_counted(len(given))}, the model {len(wanted)}: others are ignored.")
    return Match(columns, tuple(notes))


def _numbers(names: Sequence[str]) -> list[int]:
    """Numbers of features: those of "feature 3", which some may have left out, else places from 1."""
    found = [match and match["number"] for match in map(_GENERATED.fullmatch, names)]
    return [int(number) for number in found if number] if all(found) else [*range(1, len(names) + 1)]


def in_order_of(data: RankingData, names: Sequence[str], part: str) -> RankingData:
    """Bring a part of a fold, which messages name, into the order of its training part's features, by name.

    Raises a `DataError` if a feature is missing, or where names are missing, if their numbers differ.
    """
    if data.feature_names == tuple(names):
        return data
    if len(data.feature_names) != len(names) and any(
        given == unnamed(len(given)) for given in (data.feature_names, tuple(names))
    ):
        refuse(f"the {part} part has {features_counted(data.n_features)}, and the training part {len(names)}")
    try:
        columns = matched(names, data.feature_names).columns
    except DataError as error:
        refuse(f"the {part} part has other features than the training part: {error.reason}")
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


def numbers_of(features: object) -> ArrayLike:
    """Return features as numbers: sparse ones with their zeros, columns of a DataFrame one by one, others as they are.

    Booleans are 0 and 1, and categories count by their values.

    Raises
    ------
    DataError
        With the column that has text, dates, or a value that is missing or infinite.
    """
    import pandas as pd  # only a notebook needs it here
    from scipy import sparse

    if sparse.issparse(features):
        thin: Any = features
        return np.asarray(thin.toarray(), dtype=np.float64)
    if not isinstance(features, pd.DataFrame):
        if np.iscomplexobj(np.asarray(features)):
            refuse("Complex data not supported: features are real numbers")
        return features  # type: ignore[return-value]
    columns, wrong = [], []
    for position, name in enumerate(features.columns):
        column = features.iloc[:, position]
        try:
            if pd.api.types.is_datetime64_any_dtype(column.dtype) or pd.api.types.is_timedelta64_dtype(column.dtype):
                raise TypeError
            columns.append(pd.to_numeric(column.astype(object)).to_numpy(dtype=np.float64, na_value=np.nan))
        except (TypeError, ValueError):
            wrong.append(name)
    if wrong:
        msg = f"features must be numbers; leave these columns out, as with drop(columns={wrong!r})"
        raise DataError(msg, column=str(wrong[0]))
    x = np.column_stack(columns) if columns else np.empty((len(features), 0))
    for what, found, way in (
        ("is missing", np.isnan(x), "fill it in, as with fillna(features.median()), or leave such rows out"),
        ("is infinite", np.isinf(x), "leave the column or such rows out"),
    ):
        if found.any():
            row, j = np.argwhere(found)[0].tolist()
            rows = int(found[:, j].sum())
            msg = f"the value {what} in {rows:,} of {len(x):,} rows, first for document {row + 1}; {way}"
            raise DataError(msg, column=str(features.columns[j]))
    return x
