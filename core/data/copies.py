"""Features and queries that repeat another one exactly, and data without them."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from core.data.dataset import Dataset, Fold
from core.data.errors import refuse
from core.data.feature_blocks import blocks_of, over_rows
from core.data.ranking_data import RankingData
from core.names.counted import counted

LARGEST = 100_000_000
"""Values of a fold that are looked at in passing, in about a second."""
_SHOWN = 3
_SAMPLED = 64  # documents by which columns are told apart before all of them are compared


@dataclass(frozen=True)
class Copies:
    """What repeats itself in a fold.

    ``features`` are groups of columns (from 0) with the same value in every document, ascending, without constant ones.
    ``queries`` counts those whose documents have the features and the relevance of an earlier query, in the same order
    (parts come in the order training, validation, test), ``across`` those among them whose first one is in another
    part.
    """

    features: tuple[tuple[int, ...], ...] = ()
    queries: int = 0
    across: int = 0

    @property
    def n_features(self) -> int:
        """Number of features that repeat an earlier one."""
        return sum(len(group) - 1 for group in self.features)

    def notes(self, names: Sequence[str]) -> list[str]:
        """Say in a sentence each what repeats itself; nothing where nothing does."""
        notes = []
        if self.features:
            pairs = [f"{names[group[0]]} = {names[j]}" for group in self.features for j in group[1:]]
            more = f" and {len(pairs) - _SHOWN} more" if len(pairs) > _SHOWN else ""
            told = counted(len(pairs), "feature repeats another", "features repeat others")
            notes.append(f"{told} in every document: {', '.join(pairs[:_SHOWN])}{more}.")
        if self.queries:
            across = f"; {self.across:,} of them in a different part from the first" if self.across else ""
            told = counted(self.queries, "query repeats another", "queries repeat others")
            notes.append(f"{told}, document by document{across}.")
        return notes


def copies_in_passing(fold: Fold) -> Copies:
    """Find the copies in a fold of at most `LARGEST` values in memory; in a larger one nothing is looked for."""
    features = [data.features for data in fold.parts().values()]
    small = sum(one.size for one in features) <= LARGEST and all(blocks_of(one) is None for one in features)
    return copies_of(fold) if small else Copies()


def copies_of(fold: Fold) -> Copies:
    """Find the copies in all parts of a fold."""
    first_part: dict[bytes, str] = {}
    queries = across = 0
    for name, data in fold.parts().items():
        for digest in _query_digests(data):
            if digest in first_part:
                queries += 1
                across += first_part[digest] != name
            first_part.setdefault(digest, name)
    return Copies(equal_columns([data.features for data in fold.parts().values()]), queries, across)


def equal_columns(parts: Sequence[NDArray[np.floating]]) -> tuple[tuple[int, ...], ...]:
    """Group columns that have the same value in every row of every part; constant columns are in no group.

    Groups are ascending, each of two columns or more. Blocks know the ends of every column; their rows are read only if
    two that are not constant have the same ends.
    """
    ends = [np.stack([part.min(axis=0), part.max(axis=0)]) for part in parts if blocks_of(part) is not None]
    looked_at = [j for group in _alike(ends, range(parts[0].shape[1])) for j in group]  # all, if there are no ends
    looked_at = [j for j in looked_at if not ends or _varies(parts, j)]
    sampled = [_sampled(part, max(len(part) // _SAMPLED, 1)) for part in parts if looked_at]
    looked_at = [j for group in _alike(sampled, looked_at) for j in group]  # few, unless most are 0
    return tuple(sorted(tuple(group) for group in _alike(parts, looked_at) if _varies(parts, group[0])))


def _sampled(part: NDArray[np.floating], step: int) -> NDArray[np.floating]:
    """Return one row of so many, in memory; of each block where there are blocks."""
    return np.concatenate([*over_rows(part, _each_of, lambda _, __: (step,))])


def _each_of(rows: NDArray[np.floating], step: int) -> NDArray[np.floating]:
    return rows[::step].copy()  # a view would hold its block


def _varies(parts: Sequence[NDArray[np.floating]], column: int) -> bool:
    ends = [
        (part[:, column].min(), part[:, column].max())
        if blocks_of(part) is None
        else (part.min(axis=0)[column], part.max(axis=0)[column])
        for part in parts
    ]
    return bool(min(low for low, _ in ends) < max(high for _, high in ends))


def _alike(parts: Sequence[NDArray[np.floating]], columns: Sequence[int]) -> list[list[int]]:
    """Group those of the columns that are equal in every part, by a digest of each; groups of one are left out."""
    digests = [hashlib.blake2b(digest_size=16) for _ in columns]
    for part in parts if columns else ():
        for of_block in over_rows(part, _digests, lambda _, __: (columns,)):
            for digest, more in zip(digests, of_block, strict=True):
                digest.update(more)
    groups: dict[bytes, list[int]] = defaultdict(list)
    for j, digest in zip(columns, digests, strict=True):
        groups[digest.digest()].append(j)
    return [group for group in groups.values() if len(group) > 1]


def _digests(rows: NDArray[np.floating], columns: Sequence[int]) -> list[bytes]:
    """Compute a digest of each of the columns."""
    return [
        hashlib.blake2b(np.ascontiguousarray(rows[:, j] + 0.0).data, digest_size=16).digest()  # -0.0 + 0.0 is 0.0
        for j in columns
    ]


def without_copies(dataset: Dataset) -> Dataset:
    """Return the dataset with each feature and each query once; see `Copies`.

    Features that repeat an earlier one are 0 in every document, so that no other feature moves. A query that repeats
    one of an earlier part goes as well: what is judged on is then not what was learned from.
    """
    whole = dataset.fold(1)
    found = copies_of(whole)
    columns = [j for group in found.features for j in group[1:]]

    notes = [f"Left out: {note[:1].lower()}{note[1:]}" for note in found.notes(whole.train.feature_names)]
    load = partial(_fold_without_copies, dataset.load, columns)
    return replace(dataset, load=load, notes=(*dataset.notes, *notes))


def _fold_without_copies(load: Callable[[int], Fold], columns: Sequence[int], position: int) -> Fold:
    fold = load(position)
    seen: set[bytes] = set()
    parts: dict[str, RankingData | None] = {"vali": None, "test": None}
    for name, data in fold.parts().items():
        kept: list[int] = []
        digests = list(_query_digests(data))
        for query, digest in enumerate(digests):
            if digest not in seen:
                seen.add(digest)
                kept.append(query)
        if kept or not digests:
            parts[name] = zeroed(data.take_queries(kept) if len(kept) < len(digests) else data, columns)
    return replace(fold, train=parts["train"] or fold.train, vali=parts["vali"], test=parts["test"])


def _query_digests(data: RankingData) -> Iterator[bytes]:
    """Yield a digest of every query's documents; nothing for a single list, which is no copy of its other parts."""
    if data.n_queries == 1:
        return
    for begin, end in zip(data.query_offsets[:-1].tolist(), data.query_offsets[1:].tolist(), strict=True):
        digest = hashlib.blake2b(np.ascontiguousarray(data.features[begin:end] + 0.0).data, digest_size=16)
        digest.update(data.relevance[begin:end].tobytes())
        yield digest.digest()


def without_features(dataset: Dataset, wanted: Sequence[str]) -> Dataset:
    """Return the dataset with some features 0 in every document, so that no model keeps them and no other moves.

    The numbers of the other features stay those of the files, which formats such as RankLib's name them by. They are
    ``wanted`` by name, or by number counting from 1. Raises a `DataError` if there is no such feature.
    """
    if not wanted:
        return dataset
    names = dataset.fold(1).train.feature_names
    columns = sorted({_column(feature, names, dataset.name) for feature in wanted})

    said = ", ".join(f"{names[j]} (number {j + 1})" for j in columns)
    note = f"Left out (0 in every document, so that the other features keep their numbers): {said}."
    return replace(dataset, load=partial(_fold_zeroed, dataset.load, columns), notes=(*dataset.notes, note))


def _fold_zeroed(load: Callable[[int], Fold], columns: Sequence[int], position: int) -> Fold:
    return load(position).changed(partial(zeroed, columns=columns))


def _column(wanted: str, names: Sequence[str], where: str) -> int:
    if wanted in names:
        return list(names).index(wanted)
    if wanted.isdecimal() and 1 <= int(wanted) <= len(names):
        return int(wanted) - 1
    refuse(f"{where} has no feature {wanted!r}; give a name, or a number from 1 to {len(names)}")


def zeroed(data: RankingData, columns: Sequence[int]) -> RankingData:
    """Return the data with these columns 0 in every document."""
    if not columns:
        return data
    features = data.features.copy()
    features[:, list(columns)] = 0
    return replace(data, features=features)
