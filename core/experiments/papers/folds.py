"""References to folds of the requested datasets; each is identified by its content."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache, partial

from core.data import Convention, DataError, Fold
from core.experiments.papers.experiment import Request
from core.experiments.run.plan import DatasetSource

Identity = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class FoldRef:
    """A reference to a fold, which is opened when it is needed.

    Attributes
    ----------
    dataset : str
        Its name.
    number : int
        Counting from 1.
    identity : tuple of (str, str)
        Part and fingerprint of every part, which identify the fold.
    convention : {"standard", "letor3", "letor4"}
        Convention of its metrics.
    n_features : int
    opener : callable
        Reads the fold. May raise `DataError`.
    """

    dataset: str
    number: int
    identity: Identity
    convention: Convention
    n_features: int
    opener: Callable[[], Fold] = field(repr=False, compare=False)

    @property
    def where(self) -> str:
        """Dataset and fold, for people."""
        return f"{self.dataset} fold {self.number}"

    def fingerprint(self, part: str) -> str:
        """Fingerprint of one part."""
        return dict(self.identity)[part]


def requested_folds(request: Request, *, parts: tuple[str, ...] = ("train",), most: int = 0) -> tuple[FoldRef, ...]:
    """Reference every fold of every dataset, dataset by dataset; each is read once.

    Parameters
    ----------
    request : Request
    parts : tuple of {"train", "vali", "test"}
        The parts that a fold must have.
    most : int
        Largest number of folds of a dataset; 0 for all.

    Raises
    ------
    DataError
        If a dataset cannot be used, lacks such a part, or has the name of another.
    """
    refs: list[FoldRef] = []
    for source in dict.fromkeys(request.sources):
        dataset = source.open()
        if any(ref.dataset == dataset.name for ref in refs):
            msg = f"two of the datasets are called {dataset.name}; give each only once, or rename a folder"
            raise DataError(msg)
        for number in range(1, min(dataset.n_folds, most or dataset.n_folds) + 1):
            fold = dataset.fold(number)
            lacking = [part for part in parts if part not in fold.parts()]
            if lacking:
                msg = (
                    f"{dataset.name} has no {lacking[0]} part, which this experiment needs; use a dataset with train, "
                    "vali and test, or split a single file with --repeats 5"
                )
                raise DataError(msg)
            identity = _fingerprints(fold)
            refs.append(
                FoldRef(
                    dataset.name,
                    number,
                    identity,
                    request.convention or dataset.convention,
                    fold.train.n_features,
                    partial(_unchanged, source, dataset.name, number, identity),
                )
            )
    return tuple(refs)


def _unchanged(source: DatasetSource, dataset: str, number: int, identity: Identity) -> Fold:
    fold = _opened(source, number)
    if _fingerprints(fold) != identity:
        msg = f"fold {number} of {dataset} has changed since the work began; start it again"
        raise DataError(msg)
    return fold


@lru_cache(maxsize=1)
def _opened(source: DatasetSource, number: int) -> Fold:
    return source.open().fold(number)


def _fingerprints(fold: Fold) -> Identity:
    return tuple((part, data.fingerprint) for part, data in fold.parts().items())
